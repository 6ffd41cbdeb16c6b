/** One card for each thing that lies behind a score. */

import type { ComponentChildren } from "preact";
import { count, percent, words } from "../../../utils/base/text/format.ts";
import type { Breakdown } from "../../run/summary/breakdown.ts";
import { IntervalChart } from "../components/chart.tsx";
import { PlainTable } from "../components/data_table.tsx";

/** Shows the samples that a filter leaves. */
export type Choose = (filter: { outcome?: string; bug?: string }) => void;

export const Cards = ({ breakdown, choose }: { breakdown: Breakdown; choose: Choose }) => (
  <section class="cards">
    <BugTypes types={breakdown.bugTypes} choose={choose} />
    <VisibleAndHidden table={breakdown.visibleAndHidden} choose={choose} />
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
            <th scope="row">visible fail</th>
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

const Turns = ({ groups }: { groups: Breakdown["iterations"] }) => (
  <Card title="Turns taken" note="Samples by their number of model calls, and the share solved within as many.">
    <PlainTable
      columns={[["turns"], ["passed", "number"], ["samples", "number"], ["solved by then", "number"]]}
      rows={groups.map(({ iterations, passed, samples, solvedWithin }) => [
        iterations,
        count(passed),
        count(samples),
        percent(solvedWithin),
      ])}
    />
  </Card>
);

const Endings = ({ stops }: { stops: Breakdown["stops"] }) => (
  <Card title="Stop reasons" note="Why the agent stopped, and how many of these samples passed the hidden tests.">
    <PlainTable
      columns={[["reason"], ["passed", "number"], ["samples", "number"]]}
      rows={stops.map(({ name, passed, samples }) => [words(name), count(passed), count(samples)])}
    />
  </Card>
);

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
