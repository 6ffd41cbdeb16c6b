/** Two runs beside each other: whether they differ by more than chance, and on which tasks. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, dollars, percent, plural, seconds, short } from "../../../utils/base/text/format.ts";
import type { Comparison, Side } from "../../run/compare/comparison.ts";
import { useAddress } from "../browser/address.ts";
import { holdsWords, sorted } from "../browser/fields.ts";
import { island } from "../browser/source.ts";
import { CsvButton } from "../components/buttons.tsx";
import { IntervalChart } from "../components/chart.tsx";
import { DataTable, PlainTable } from "../components/data_table.tsx";
import { Chips, ofKind, SearchField } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import type { ComparedTask, ComparisonData } from "./comparison_data.ts";
import { columnsOf, KINDS } from "./task_columns.tsx";

const data: ComparisonData = JSON.parse(island("data"));
const COLUMNS = columnsOf(data.comparison);
const keyOf = ({ task }: ComparedTask) => task;

function ComparePage() {
  const { comparison, tasks } = data;
  const { query, set } = useAddress();
  const { text = "", sort = "" } = query;
  const [selected, setSelected] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { dialog, help } = useKeyboard([
    { keys: ["j", "ArrowDown"], label: "j ↓", text: "next task", run: () => moveBy(1) },
    { keys: ["k", "ArrowUp"], label: "k ↑", text: "previous task", run: () => moveBy(-1) },
    {
      keys: ["Enter", "o"],
      label: "Enter",
      text: "open both trajectories",
      run: () => document.querySelector<HTMLAnchorElement>("tr.selected td.task a")?.click(),
    },
    { keys: ["/"], label: "/", text: "filter", run: () => field.current?.focus() },
    { keys: ["d"], label: "d", text: "only tasks that differ", run: () => set({ kind: "differs" }) },
    { keys: ["Escape"], label: "Esc", text: "clear the filter", run: () => set({ kind: "", text: "" }) },
  ]);
  const candidates = useMemo(
    () => tasks.filter(({ task, bugType }) => holdsWords(`${task} ${bugType}`, text)),
    [tasks, text],
  );
  const shown = sorted(ofKind(candidates, KINDS, query.kind), COLUMNS, sort || "task");
  const moveBy = (by: number) => {
    const next = shown.findIndex(({ task }) => task === selected) + by;
    setSelected(shown[Math.max(0, Math.min(shown.length - 1, next))]?.task ?? null);
  };
  useEffect(() => document.querySelector(".compared tr.selected")?.scrollIntoView({ block: "nearest" }), [selected]);
  return (
    <div class="compare">
      <PageHead
        kicker={<a href=".//">All runs</a>}
        title={`${comparison.a.name} against ${comparison.b.name}`}
        note={
          `${plural(comparison.shared, "shared task")} of ${comparison.dataset} · ` +
          `${comparison.protocol}: ${comparison.shown}`
        }
        help={help}
      />
      <Warnings comparison={comparison} />
      <section class="hero sides">
        <SideFigures name="A" side={comparison.a} />
        <SideFigures name="B" side={comparison.b} />
      </section>
      <section class="conclusion">
        {data.conclusion.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <Differences comparison={comparison} />
      <section class="tasks" id="tasks">
        <div class="bar">
          <h2>Tasks</h2>
          <SearchField
            field={field}
            value={text}
            placeholder="Filter tasks…  /"
            label="Filter tasks"
            onChange={(value) => set({ text: value })}
          />
          <Chips
            label="How they differ"
            kinds={KINDS}
            rows={candidates}
            chosen={query.kind}
            onChoose={(kind) => set({ kind })}
          />
          <CsvButton name={`${comparison.a.name}-${comparison.b.name}`} rows={shown} fields={COLUMNS} />
        </div>
        <p class="note" aria-live="polite">
          {shown.length === 0 && "No task matches."}
        </p>
        <DataTable
          class="samples compared"
          columns={COLUMNS}
          rows={shown}
          keyOf={keyOf}
          sort={sort}
          usual="task"
          onSort={(next) => set({ sort: next })}
          selected={selected}
        />
      </section>
      {dialog}
    </div>
  );
}

function Warnings({ comparison }: { comparison: Comparison }) {
  const material = comparison.differences.filter((difference) => difference.material);
  return (
    <>
      {material.length > 0 && (
        <div class="notice">
          <b>The models of these runs saw different material, so their scores cannot be compared:</b>{" "}
          {material.map(({ setting, a, b }) => `${setting}: ${a} → ${b}`).join("; ")}
        </div>
      )}
      {data.running.length > 0 && (
        <div class="notice running">
          {data.running.join(" and ")} still {data.running.length > 1 ? "run" : "runs"}: these figures will change.
        </div>
      )}
    </>
  );
}

function SideFigures({ name, side }: { name: string; side: Side }) {
  const { model, score, passed, samples, usage, errors, missing } = side;
  const { outputTokens, costUsd } = usage;
  return (
    <div class="side">
      <h2>
        {name} <a href={`runs/${encodeURIComponent(side.name)}/`}>{side.name}</a>
      </h2>
      <p class="score">
        <span class="value">{percent(score.value, 1)}</span> <span class="metric">{model}</span>
      </p>
      <IntervalChart of={score} scale />
      <p class="note">
        {passed} of {plural(samples, "sample")} passed · {short(usage.inputTokens.total)} tokens in,{" "}
        {short(outputTokens.total)} out · {dollars(costUsd.total)} · {seconds(usage.seconds.total)}, median{" "}
        {seconds(usage.seconds.median)}
        {errors > 0 && ` · ${plural(errors, "sample")} without a score`}
        {missing > 0 && ` · ${count(missing)} not run`}
      </p>
    </div>
  );
}

function Differences({ comparison: { differences } }: { comparison: Comparison }) {
  if (differences.length === 0) return <p class="note">Same settings.</p>;
  return (
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
  );
}

draw(<ComparePage />);
