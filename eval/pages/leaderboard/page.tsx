/** Several runs: who scored what, by task; any cell opens the sample behind it. */

import { useEffect, useMemo } from "preact/hooks";
import { plural } from "../../../utils/text/format.ts";
import { useAddress } from "../browser/address.ts";
import { holdsWords, sorted } from "../browser/fields.ts";
import { keyOf, openPacked } from "../browser/source.ts";
import { CsvButton } from "../components/buttons.tsx";
import { DataTable } from "../components/data_table.tsx";
import { Chips, Choice, ofKind, SearchField } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import { SamplePage } from "../report/sample_page.tsx";
import { leaderColumns, pathOf, TASK_KINDS, taskColumns, textOf } from "./columns.tsx";
import { detailKey } from "./keys.ts";
import type { BoardTask, LeaderboardData } from "./leaderboard_data.ts";

const { data, detail } = await openPacked<LeaderboardData>();
const { leaders, tasks, warnings } = data;
const LEADER_COLUMNS = leaderColumns(leaders);
const TASK_COLUMNS = taskColumns(leaders);
const PROTOCOLS = [...new Set(leaders.map(({ protocol }) => protocol))].sort();

/** A sample that is opened: of which run, and its place among those of the run. */
function sampleAt(path: string) {
  const [, run = "", task = "", attempt = ""] = path.split("/");
  const leader = leaders[Number(run)];
  const samples = tasks.flatMap((one) => one.samples[Number(run)] ?? []);
  const at = samples.findIndex(
    (sample) => sample.task === decodeURIComponent(task) && String(sample.attempt) === attempt,
  );
  const sample = samples[at];
  return run !== "" && leader && sample ? { run: Number(run), leader, samples, at, sample } : null;
}

function LeaderboardPage() {
  const { path, query, set, go } = useAddress();
  const { text = "", protocol = "", sort = "", tasks: wanted = "", order = "" } = query;
  const open = sampleAt(path);
  const step = (by: number) => {
    const next = open?.samples[open.at + by];
    if (open && next) go(pathOf(open.run, next.task, next.attempt));
  };
  const { dialog, help } = useKeyboard([
    { keys: ["d"], label: "d", text: "only tasks that differ", run: () => set({ kind: "differs" }) },
    { keys: ["j"], label: "j", text: "next task of an open cell", run: () => step(1) },
    { keys: ["k"], label: "k", text: "previous task of an open cell", run: () => step(-1) },
    {
      keys: ["Escape"],
      label: "Esc",
      text: "back, or clear the filters",
      run: () => (open ? go("") : set({ text: "", protocol: "", tasks: "", kind: "" })),
    },
  ]);
  useEffect(() => {
    document.title = open ? `${open.sample.task} · ${open.leader.name}` : "Leaderboard · mend";
    if (open) scrollTo(0, 0);
  }, [path]);
  const ranked = sorted(
    leaders.filter((leader) => holdsWords(textOf(leader), text) && (protocol === "" || leader.protocol === protocol)),
    LEADER_COLUMNS,
    sort || "-score",
  );
  const datasets = [...new Set(leaders.map(({ dataset }) => dataset))];
  const candidates = useMemo(() => tasks.filter(({ task, kind }) => holdsWords(`${task} ${kind}`, wanted)), [wanted]);
  const shown = sorted(ofKind(candidates, TASK_KINDS, query.kind), TASK_COLUMNS, order || "task");
  return (
    <>
      <div class="list" hidden={open !== null}>
        <PageHead
          kicker="mend · leaderboard"
          title={`${plural(leaders.length, "run")} of ${datasets.join(", ")}`}
          note={[...new Set(leaders.map(({ shown }) => `shown: ${shown}`))].join(" · ")}
          help={help}
        />
        {warnings.map((warning) => (
          <div class="notice" key={warning}>
            {warning}
          </div>
        ))}
        <section class="tasks">
          <div class="bar">
            <h2>Runs</h2>
            <SearchField
              value={text}
              placeholder="Filter runs…"
              label="Filter runs"
              onChange={(value) => set({ text: value })}
            />
            {PROTOCOLS.length > 1 && (
              <Choice
                value={protocol}
                values={PROTOCOLS}
                all="Every protocol"
                label="Protocol"
                onChange={(value) => set({ protocol: value })}
              />
            )}
            <CsvButton name="leaderboard" rows={ranked} fields={LEADER_COLUMNS} />
          </div>
          <p class="note" aria-live="polite">
            {ranked.length === 0 && "No run matches."}
          </p>
          <DataTable
            class="samples leaders"
            columns={LEADER_COLUMNS}
            rows={ranked}
            keyOf={({ name }) => name}
            sort={sort}
            usual="-score"
            onSort={(next) => set({ sort: next })}
          />
        </section>
        <section class="tasks">
          <div class="bar">
            <h2>Tasks</h2>
            <SearchField
              value={wanted}
              placeholder="Filter tasks…"
              label="Filter tasks"
              onChange={(value) => set({ tasks: value })}
            />
            <Chips
              label="How the runs did"
              kinds={TASK_KINDS}
              rows={candidates}
              chosen={query.kind}
              onChoose={(kind) => set({ kind })}
            />
            <CsvButton name="leaderboard-tasks" rows={shown} fields={TASK_COLUMNS} />
          </div>
          <p class="note" aria-live="polite">
            {shown.length === 0 && "No task matches."}
          </p>
          <div class="scroll">
            <DataTable
              class="samples board"
              columns={TASK_COLUMNS}
              rows={shown}
              keyOf={({ task }: BoardTask) => task}
              sort={order}
              usual="task"
              onSort={(next) => set({ order: next })}
            />
          </div>
        </section>
        <footer>
          <p class="note">
            Explanations may quote hidden tests: keep this page away from models that are to be measured.
          </p>
        </footer>
      </div>
      {open && (
        <SamplePage
          key={path}
          source={{ detail: (sample) => detail(detailKey(open.leader.name, keyOf(sample))) }}
          data={{ syntaxes: data.syntaxes, rows: open.samples, isOwn: false }}
          row={open.sample}
          place={`${open.leader.name} · ${open.at + 1} of ${open.samples.length}`}
          found={[]}
          step={step}
          back={() => go("")}
        />
      )}
      {dialog}
    </>
  );
}

draw(<LeaderboardPage />);
