/** Runs: the list of all as they go, or some of them beside each other with what each came to on every task. */

import type { ComponentChildren, Ref } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { plural } from "../../../utils/base/text/format.ts";
import { useAddress } from "../browser/address.ts";
import { holdsWords, sorted } from "../browser/fields.ts";
import { follow, openSource } from "../browser/source.ts";
import { type Column, DataTable, PlainTable } from "../components/data_table.tsx";
import { Chips, Choice, ofKind, SearchField } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import { useSelection } from "../components/list_selection.tsx";
import type { Other } from "../report/others.tsx";
import { SamplePage, sampleKeys } from "../report/sample/sample_page.tsx";
import type { Board, BoardTask, RunsData } from "./board.ts";
import { boardColumns, listColumns, measured, STATES, textOf } from "./run_columns.tsx";
import type { RunEntry } from "./run_list.ts";
import { kindsOf, pathOf, taskColumns } from "./task_columns.tsx";

const { data: first, isServed, detail } = await openSource<RunsData>();

/** The runs that the filters leave, in their order. */
function useShownRuns(runs: readonly RunEntry[], columns: readonly Column<RunEntry>[], usual: string): RunEntry[] {
  const { query } = useAddress();
  return sorted(ofKind(candidatesOf(runs, query), STATES, query.state), columns, query.sort || usual);
}

/** Those that match everything but the state. */
function candidatesOf(runs: readonly RunEntry[], query: Readonly<Record<string, string>>): RunEntry[] {
  const { text = "", model = "", protocol = "" } = query;
  const isChosen = (chosen: string, value: string | undefined) => chosen === "" || chosen === value;
  return runs.filter(
    (run) =>
      holdsWords(textOf(run), text) &&
      isChosen(model, measured(run)?.model) &&
      isChosen(protocol, measured(run)?.protocol),
  );
}

interface RunTableProps {
  runs: readonly RunEntry[];
  shown: readonly RunEntry[];
  columns: readonly Column<RunEntry>[];
  usual: string;
  isBoard?: boolean;
  field?: Ref<HTMLInputElement>;
  selected?: string | null;
  onOpen?(run: RunEntry): void;
  /** Further controls. */
  children?: ComponentChildren;
}

function RunTable({ runs, shown, columns, usual, isBoard = false, field, selected, onOpen, children }: RunTableProps) {
  const { query, set } = useAddress();
  const values = (of: "model" | "protocol") => [...new Set(runs.flatMap((run) => measured(run)?.[of] ?? []))].sort();
  const choices = [
    { id: "model", values: values("model"), all: "Every model", label: "Model" },
    { id: "protocol", values: values("protocol"), all: "Every protocol", label: "Protocol" },
  ];
  return (
    <section class="tasks all-runs">
      <div class="bar">
        {isBoard && <h2>Runs</h2>}
        <SearchField
          field={field ?? null}
          value={query.text ?? ""}
          placeholder="Filter runs…"
          label="Filter runs"
          onChange={(text) => set({ text })}
        />
        {choices.map(
          ({ id, ...choice }) =>
            choice.values.length > 1 && (
              <Choice key={id} {...choice} value={query[id] ?? ""} onChange={(value) => set({ [id]: value })} />
            ),
        )}
        {children}
      </div>
      <p class="note" aria-live="polite">
        {shown.length === 0 && "No run matches."}
      </p>
      <DataTable
        class={isBoard ? "samples runs leaders" : "samples runs"}
        columns={columns}
        rows={shown}
        keyOf={nameOf}
        sort={query.sort}
        usual={usual}
        onSort={(sort) => set({ sort })}
        {...(onOpen && { onOpen })}
        selected={selected ?? null}
      />
    </section>
  );
}

function ListPage() {
  const [{ runs }, setData] = useState(first);
  const [trouble, setTrouble] = useState("");
  useEffect(() => follow(setData, setTrouble), []);
  const { query, set } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const columns = useMemo(
    () =>
      listColumns(ticked, (name) =>
        setTicked((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name])),
      ),
    [ticked],
  );
  const shown = useShownRuns(runs, columns, "-started");
  const { selected, keys } = useSelection({ rows: shown, keyOf: nameOf, noun: "run", open: openRun, field });
  const { dialog, help } = useKeyboard([
    ...keys,
    { keys: ["c"], label: "c", text: "compare those that are ticked", run: () => compare(ticked) },
    {
      keys: ["Escape"],
      label: "Esc",
      text: "clear the filter",
      run: () => set({ text: "", model: "", protocol: "", state: "" }),
    },
  ]);
  return (
    <>
      <PageHead kicker="mend" title="Runs" trouble={trouble} help={help} />
      {runs.length === 0 ? (
        <p class="note">There is no run yet. Start one with mend eval, and it appears here.</p>
      ) : (
        <RunTable
          {...{ runs, shown, columns, field, selected, usual: "-started" }}
          onOpen={openRun}
        >
          <button
            class="compare-button"
            type="button"
            disabled={ticked.length < 2}
            onClick={() => compare(ticked)}
            title="Tick two runs or more to compare them"
          >
            Compare{ticked.length > 0 && ` (${ticked.length})`}
          </button>
          <Chips
            label="State"
            kinds={STATES}
            rows={candidatesOf(runs, query)}
            chosen={query.state}
            onChoose={(state) => set({ state })}
          />
        </RunTable>
      )}
      {dialog}
    </>
  );
}

/** Of two A is the run that was ticked first: gains are what B has more. */
function compare(runs: readonly string[]): void {
  if (runs.length > 1) location.href = `board?${new URLSearchParams(runs.map((run) => ["run", run]))}`;
}

const nameOf = ({ name }: RunEntry): string => name;

function openRun(run: RunEntry): void {
  if (run.state !== "unreadable") location.href = `runs/${encodeURIComponent(run.name)}/`;
}

/** The opened sample: its run, and its place among the run's samples. */
function sampleAt({ tasks }: Board, path: string) {
  const [, number = "", task = "", attempt = ""] = path.split("/");
  const run = first.runs[Number(number)];
  const samples = tasks.flatMap((one) => one.samples[Number(number)] ?? []);
  const at = samples.findIndex(
    (sample) => sample.task === decodeURIComponent(task) && String(sample.attempt) === attempt,
  );
  const sample = samples[at];
  return number !== "" && run && sample ? { run: Number(number), name: run.name, samples, at, sample } : null;
}

type OpenSample = NonNullable<ReturnType<typeof sampleAt>>;

/** What the other runs, and other attempts, came to on the task that is open. */
function othersOf({ tasks }: Board, { sample: { task, attempt }, run: own }: OpenSample): Other[] {
  return first.runs.flatMap(({ name }, run) => {
    const samples = tasks.find((one) => one.task === task)?.samples[run] ?? [];
    return samples
      .filter((row) => run !== own || row.attempt !== attempt)
      .map((row) => ({
        path: pathOf(run, task, row.attempt),
        name: samples.length > 1 ? `${name}, attempt ${row.attempt}` : name,
        row,
        detail: () => detail({ run: name, ...row }),
      }));
  });
}

const RUN_COLUMNS = boardColumns(first.runs, isServed);
const TASK_COLUMNS = taskColumns(first.runs);
const TASK_KINDS = kindsOf(first.runs);

function BoardPage({ board }: { board: Board }) {
  const { tasks, warnings, comparison } = board;
  const { runs } = first;
  const { path, query, set, go } = useAddress();
  const { tasks: wanted = "", order = "", beside = "" } = query;
  const open = sampleAt(board, path);
  const field = useRef<HTMLInputElement>(null);
  const step = (by: number) => {
    const next = open?.samples[open.at + by];
    if (!open || !next) return;
    go(pathOf(open.run, next.task, next.attempt));
    // The run that stands beside it stays.
    const other = sampleAt(board, beside);
    if (other) set({ beside: pathOf(other.run, next.task, 0) });
  };
  const ranked = useShownRuns(runs, RUN_COLUMNS, "-score");
  const candidates = useMemo(() => tasks.filter(({ task, kind }) => holdsWords(`${task} ${kind}`, wanted)), [wanted]);
  const shown = sorted(ofKind(candidates, TASK_KINDS, query.kind), TASK_COLUMNS, order || "task");
  const openTask = ({ samples }: BoardTask) => {
    const run = samples.findIndex(({ length }) => length > 0);
    const sample = samples[run]?.[0];
    if (sample) go(pathOf(run, sample.task, sample.attempt));
  };
  const { selected, select, keys } = useSelection({ rows: shown, keyOf: taskOf, noun: "task", open: openTask, field });
  useEffect(() => {
    document.title = open ? `${open.sample.task} · ${open.name}` : `${titleOf(runs)} · mend`;
    if (!open) return;
    select(open.sample.task);
    scrollTo(0, 0);
  }, [path]);
  useEffect(() => document.querySelector(".board tr.selected")?.scrollIntoView({ block: "nearest" }), [selected]);
  const back = () => go("");
  const boardKeys = [
    { keys: ["d"], label: "d", text: "only tasks that differ", run: () => set({ kind: "differs" }) },
    {
      keys: ["Escape"],
      label: "Esc",
      text: "clear the filters",
      run: () => set({ text: "", model: "", protocol: "", tasks: "", kind: "" }),
    },
  ];
  const { dialog, help } = useKeyboard(open ? sampleKeys({ step, back }) : [...keys, ...boardKeys]);
  const shownToModels = new Set(runs.flatMap((run) => measured(run)?.shown ?? []));
  return (
    <>
      <div class="list" hidden={open !== null}>
        <PageHead
          kicker={isServed ? <a href=".//">All runs</a> : "mend · leaderboard"}
          title={titleOf(runs)}
          note={[...shownToModels].map((shown) => `shown: ${shown}`).join(" · ")}
          help={help}
        />
        {warnings.map((warning) => (
          <div class="notice" key={warning}>
            {warning}
          </div>
        ))}
        {comparison && <Comparison {...comparison} />}
        <RunTable {...{ runs, shown: ranked, columns: RUN_COLUMNS, usual: "-score" }} isBoard />
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
          </div>
          <p class="note" aria-live="polite">
            {shown.length === 0 && "No task matches."}
          </p>
          <div class="scroll">
            <DataTable
              class="samples board"
              columns={TASK_COLUMNS}
              rows={shown}
              keyOf={taskOf}
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
          name={open.name}
          detail={() => detail({ run: open.name, ...open.sample })}
          place={`${open.name} · ${open.at + 1} of ${open.samples.length}`}
          step={step}
          back={back}
          others={othersOf(board, open)}
          beside={beside}
          setBeside={(to) => set({ beside: to })}
        />
      )}
      {dialog}
    </>
  );
}

const taskOf = ({ task }: BoardTask): string => task;

function titleOf(runs: readonly RunEntry[]): string {
  const [a, b] = runs;
  if (a && b && runs.length === 2) return `${a.name} against ${b.name}`;
  const datasets = new Set(runs.flatMap((run) => measured(run)?.dataset ?? []));
  return `${plural(runs.length, "run")} of ${[...datasets].join(", ")}`;
}

/** Whether two runs differ by more than chance, and in which settings. */
const Comparison = ({ conclusion, differences }: NonNullable<Board["comparison"]>) => (
  <section class="conclusion">
    {conclusion.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {differences.length === 0 ? (
      <p class="note">Same settings.</p>
    ) : (
      <details class="facts" open={differences.length <= 4}>
        <summary>Settings that differ: {differences.length}</summary>
        <div class="scroll">
          <PlainTable
            columns={[["Setting"], ["A", "edit"], ["B", "edit"]]}
            rows={differences.map(({ setting, a, b, material }) => [
              `${setting}${material ? " (shown to the model)" : ""}`,
              a,
              b,
            ])}
          />
        </div>
      </details>
    )}
  </section>
);

draw(first.board ? <BoardPage board={first.board} /> : <ListPage />);
