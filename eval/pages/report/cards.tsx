/** One card for each thing that lies behind a score. */

import type { ComponentChildren } from "preact";
import { count, dollars, percent, plural, seconds, short } from "../../../utils/base/text/format.ts";
import type { Breakdown } from "../../run/summary/breakdown.ts";
import { words } from "../browser/format.ts";
import { ColumnChart, histogram, IntervalChart, SplitBar } from "../components/chart.tsx";
import { PlainTable } from "../components/data_table.tsx";
import type { SampleRow } from "./page_data.ts";
import { tokensOf } from "./sample/sample_columns.tsx";

/** Shows the samples that a filter leaves. */
export type Choose = (filter: { outcome?: string; bug?: string }) => void;

export const Cards = ({
  breakdown,
  rows,
  choose,
}: {
  breakdown: Breakdown;
  rows: readonly SampleRow[];
  choose: Choose;
}) => (
  <section class="cards">
    <BugTypes types={breakdown.bugTypes} choose={choose} />
    <VisibleAndHidden table={breakdown.visibleAndHidden} choose={choose} />
    <Spending rows={rows} />
    <Turns groups={breakdown.iterations} />
    <Endings stops={breakdown.stops} />
    <FormatErrors kinds={breakdown.formatErrors} />
  </section>
);

const Card = ({ title, note, children }: { title: string; note: string; children: ComponentChildren }) => (
  <article class="card">
    <h2>{title}</h2>
    <p class="note">{note}</p>
    {children}
  </article>
);

const Legend = () => (
  <p class="legend">
    <span class="key pass">passed</span>
    <span class="key fail">failed</span>
  </p>
);

const BugTypes = ({ types, choose }: { types: Breakdown["bugTypes"]; choose: Choose }) => (
  <Card title="By bug type" note="The share of tasks solved, with its 95% interval, and the number of tasks.">
    <div class="measures">
      {types.map(({ name, samples, passed, estimate }) => (
        <button
          key={name}
          class="measure"
          type="button"
          title={`Show the tasks with ${name}`}
          onClick={() => choose({ bug: name })}
        >
          <span class="name">{name || "unknown"}</span>
          <IntervalChart of={estimate} />
          <span class="number">
            {passed}/{samples}
          </span>
        </button>
      ))}
    </div>
  </Card>
);

function VisibleAndHidden({ table, choose }: { table: Breakdown["visibleAndHidden"]; choose: Choose }) {
  const { bothPass, visibleOnly, hiddenOnly, neither, misled } = table;
  const most = Math.max(1, bothPass, visibleOnly, hiddenOnly, neither);
  const cell = (n: number, kind: string) => <td class={`${kind} level-${Math.ceil((n / most) * 4)}`}>{count(n)}</td>;
  const [low, high] = misled?.interval ?? [];
  const interval = low === undefined || high === undefined ? "" : `; 95% interval ${percent(low)} to ${percent(high)}`;
  const cases = `${visibleOnly} of ${bothPass + visibleOnly}${interval}`;
  const sentence = misled
    ? `Of the answers that passed the visible tests, ${percent(misled.value)} failed the hidden ones (${cases}).`
    : "No answer passed the visible tests.";
  return (
    <Card title="Visible against hidden tests" note={sentence}>
      <table class="matrix">
        <thead>
          <tr>
            <td />
            <th scope="col">hidden pass</th>
            <th scope="col">hidden fail</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">visible pass</th>
            {cell(bothPass, "pass")}
            {cell(visibleOnly, "fail")}
          </tr>
          <tr>
            <th scope="row">unverified</th>
            {cell(hiddenOnly, "pass")}
            {cell(neither, "fail")}
          </tr>
        </tbody>
      </table>
      {visibleOnly > 0 && (
        <button class="link" type="button" onClick={() => choose({ outcome: "misled" })}>
          Show the {visibleOnly} that passed only the visible tests
        </button>
      )}
    </Card>
  );
}

/** Dollars where prices are known, else tokens, else time. */
function Spending({ rows }: { rows: readonly SampleRow[] }) {
  const scored = rows.filter(({ outcome }) => outcome !== "error");
  const price = scored.every(({ costUsd }) => costUsd === 0) ? "This model costs nothing" : "The price is unknown";
  const time = {
    title: "Time per sample",
    note: `${price}, and tokens were not counted`,
    of: (row: SampleRow) => row.seconds,
    format: seconds,
  };
  const measures = [
    { title: "Cost per sample", note: "US dollars", of: (row: SampleRow) => row.costUsd, format: dollars },
    { title: "Tokens per sample", note: `Input and output together. ${price}`, of: tokensOf, format: short },
  ];
  const isKnown = ({ of }: { of(row: SampleRow): number | null }) =>
    scored.every((row) => of(row) !== null) && scored.some((row) => of(row) !== 0);
  const { title, note, of, format } = measures.find(isKnown) ?? time;
  const items = scored.map((row) => ({ value: of(row) ?? 0, passed: row.outcome === "passed" }));
  return (
    <Card title={title} note={`${note}.`}>
      <ColumnChart columns={histogram(items, format)} label={`${title}: passes and fails by amount`} edges />
      <Legend />
    </Card>
  );
}

function Turns({ groups }: { groups: Breakdown["iterations"] }) {
  const byTurns = new Map(groups.map((group) => [group.iterations, group]));
  let solved = 0;
  const columns = Array.from({ length: Math.max(1, ...byTurns.keys()) }, (_, i) => {
    const { samples, passed, solvedWithin } = byTurns.get(i + 1) ?? { samples: 0, passed: 0, solvedWithin: solved };
    solved = solvedWithin;
    const counts = `${passed} passed, ${samples - passed} failed`;
    const title = `${plural(i + 1, "turn")}: ${counts}; ${percent(solved)} solved by then`;
    return { label: String(i + 1), title, passed, failed: samples - passed, solved };
  });
  return (
    <Card title="Turns taken" note="The number of samples by model calls; the line shows the share solved within them.">
      <ColumnChart columns={columns} label="passes and fails by turns" line={columns.map((column) => column.solved)} />
      <Legend />
    </Card>
  );
}

function Endings({ stops }: { stops: Breakdown["stops"] }) {
  const most = Math.max(...stops.map(({ samples }) => samples));
  return (
    <Card title="Stop reasons" note="Why the agent stopped, and how many of these samples passed the hidden tests.">
      <div class="measures">
        {stops.map(({ name, passed, samples }) => (
          <div key={name} class="measure">
            <span class="name">{words(name)}</span>
            <SplitBar passed={passed} samples={samples} most={most} />
            <span class="number">
              {passed}/{samples}
            </span>
          </div>
        ))}
      </div>
    </Card>
  );
}

function FormatErrors({ kinds }: { kinds: Breakdown["formatErrors"] }) {
  if (kinds.length === 0) return null;
  return (
    <Card
      title="Unreadable replies"
      note="Replies of the model that mend could read neither as an action nor as an answer."
    >
      <PlainTable
        columns={[["kind"], ["replies", "number"], ["samples", "number"]]}
        rows={kinds.map(({ kind, replies, samples }) => [words(kind), count(replies), count(samples)])}
      />
    </Card>
  );
}
