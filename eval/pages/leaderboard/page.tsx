/** Several runs: who scored what, by task; any cell opens the sample behind it. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural } from "../../../utils/base/text/format.ts";
import { useAddress } from "../browser/address.ts";
import { holdsWords, sorted } from "../browser/fields.ts";
import { openSeveral } from "../browser/source.ts";
import { CsvButton } from "../components/buttons.tsx";
import { DataTable } from "../components/data_table.tsx";
import { Chips, Choice, ofKind, SearchField } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import type { Other } from "../report/others.tsx";
import { SamplePage } from "../report/sample/sample_page.tsx";
import { leaderColumns, pathOf, TASK_KINDS, taskColumns, textOf } from "./columns.tsx";
import type { BoardTask, LeaderboardData } from "./leaderboard_data.ts";

const { data, isServed, detail } = await openSeveral<LeaderboardData>();
const { leaders, tasks, warnings } = data;
const LEADER_COLUMNS = leaderColumns(leaders);
const TASK_COLUMNS = taskColumns(leaders);
const PROTOCOLS = [...new Set(leaders.map(({ protocol }) => protocol))].sort();

/** The opened sample: its run, and its place among the run's samples. */
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

type Opened = NonNullable<ReturnType<typeof sampleAt>>;

/** What the other runs, and other attempts, came to on the task that is open. */
function othersOf({ sample: { task, attempt }, run: own }: Opened): Other[] {
  return leaders.flatMap(({ name }, run) => {
    const samples = tasks.find((one) => one.task === task)?.samples[run] ?? [];
    return samples
      .filter((row) => run !== own || row.attempt !== attempt)
      .map((row) => ({
        path: pathOf(run, task, row.attempt),
        name: samples.length > 1 ? `${name}, attempt ${row.attempt}` : name,
        row,
        detail: () => detail(name, row),
      }));
  });
}

function LeaderboardPage() {
  const { path, query, set, go } = useAddress();
  const { text = "", protocol = "", sort = "", tasks: wanted = "", order = "" } = query;
  const open = sampleAt(path);
  const [selected, setSelected] = useState<string | null>(open?.sample.task ?? null);
  const field = useRef<HTMLInputElement>(null);
  const step = (by: number) => {
    const next = open?.samples[open.at + by];
    if (!open || !next) return;
    go(pathOf(open.run, next.task, next.attempt));
    // The run that stands beside it stays.
    const other = sampleAt(query.beside ?? "");
    if (other) set({ beside: pathOf(other.run, next.task, 0) });
  };
  useEffect(() => {
    document.title = open ? `${open.sample.task} · ${open.leader.name}` : "Leaderboard · mend";
    if (!open) return;
    setSelected(open.sample.task);
    scrollTo(0, 0);
  }, [path]);
  useEffect(() => document.querySelector(".board tr.selected")?.scrollIntoView({ block: "nearest" }), [selected]);
  const ranked = sorted(
    leaders.filter((leader) => holdsWords(textOf(leader), text) && (protocol === "" || leader.protocol === protocol)),
    LEADER_COLUMNS,
    sort || "-score",
  );
  const datasets = [...new Set(leaders.map(({ dataset }) => dataset))];
  const candidates = useMemo(() => tasks.filter(({ task, kind }) => holdsWords(`${task} ${kind}`, wanted)), [wanted]);
  const shown = sorted(ofKind(candidates, TASK_KINDS, query.kind), TASK_COLUMNS, order || "task");
  const position = shown.findIndex(({ task }) => task === selected);
  const moveTo = (next: number) => setSelected(shown[Math.max(0, Math.min(shown.length - 1, next))]?.task ?? null);
  const openSelected = () => {
    const run = shown[position]?.samples.findIndex((samples) => samples.length > 0) ?? -1;
    const first = shown[position]?.samples[run]?.[0];
    if (first) go(pathOf(run, first.task, first.attempt));
  };
  const { dialog, help } = useKeyboard([
    { keys: ["j"], label: "j", text: "next task", run: () => (open ? step(1) : moveTo(position + 1)) },
    { keys: ["k"], label: "k", text: "previous task", run: () => (open ? step(-1) : moveTo(position - 1)) },
    { keys: ["Enter", "o"], label: "Enter", text: "open the task", run: () => !open && openSelected() },
    { keys: ["/"], label: "/", text: "filter tasks", run: () => !open && field.current?.focus() },
    { keys: ["d"], label: "d", text: "only tasks that differ", run: () => set({ kind: "differs" }) },
    {
      keys: ["Escape"],
      label: "Esc",
      text: "back, or clear the filters",
      run: () => (open ? go("") : set({ text: "", protocol: "", tasks: "", kind: "" })),
    },
  ]);
  return (
    <>
      <div class="list" hidden={open !== null}>
        <PageHead
          kicker={isServed ? <a href=".//">All runs</a> : "mend · leaderboard"}
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
              field={field}
              value={wanted}
              placeholder="Filter tasks…  /"
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
              selected={selected}
            />
          </div>
        </section>
        <footer>
          <p class="note">This page may quote hidden tests; keep it away from models that you want to measure.</p>
        </footer>
      </div>
      {open && (
        <SamplePage
          key={path}
          data={{ rows: open.samples, isOwn: false }}
          row={open.sample}
          name={open.leader.name}
          detail={() => detail(open.leader.name, open.sample)}
          place={`${open.leader.name} · ${open.at + 1} of ${open.samples.length}`}
          found={[]}
          step={step}
          back={() => go("")}
          others={othersOf(open)}
          beside={query.beside ?? ""}
          setBeside={(to) => set({ beside: to })}
        />
      )}
      {dialog}
    </>
  );
}

draw(<LeaderboardPage />);
