/** The top of a run's page: the score with its interval, what keeps it from being final, what it was made with. */

import { count, dollars, percent, plural, seconds, short, UNKNOWN, words } from "../../../utils/base/text/format.ts";
import { listed } from "../../../utils/base/text/text.ts";
import { IntervalChart } from "../components/chart.tsx";
import { Cards, type Choose } from "./cards.tsx";
import type { Overview, PageData } from "./page_data.ts";
import { pathOf } from "./sample/sample_columns.tsx";

/** Shows the tasks behind a figure. */
export function OverviewSection({ data, choose }: { data: PageData; choose: Choose }) {
  const { overview, rows } = data;
  return (
    <div class="overview">
      <Notice overview={overview} choose={choose} />
      <section class="hero">
        <Headline overview={overview} rows={rows} choose={choose} />
        {overview.scored > 0 && <Figures overview={overview} />}
      </section>
      {overview.scored > 0 && <Cards breakdown={overview.breakdown} choose={choose} />}
    </div>
  );
}

/** What keeps the score from being final. */
function Notice({ overview, choose }: { overview: Overview; choose: Choose }) {
  const { expected, scored, errors, running, breakdown, notRun, strangers } = overview;
  const done = scored + errors;
  if (running && done < expected)
    return (
      <div class="notice running">
        <b>Running</b> · {count(done)} of {count(expected)} samples finished
        <progress max={Math.max(1, expected)} value={done} aria-label="samples finished" />
      </div>
    );
  const missing = notRun?.samples.length ?? 0;
  if (missing === 0 && errors === 0 && strangers === 0) return null;
  return (
    <div class="notice incomplete">
      <b>{missing + errors > 0 ? "Incomplete" : "Not as recorded"}</b>
      {missing > 0 && ` · ${plural(missing, "sample")} of ${count(expected)} not run`}
      {notRun && `: ${notRun.why.replace(/\.$/, "")}.`}
      {errors > 0 && (
        <>
          {" · "}
          <button class="link" type="button" onClick={() => choose({ outcome: "error" })}>
            {plural(errors, "sample")} without a score
          </button>
        </>
      )}
      {strangers > 0 &&
        ` · ${plural(strangers, "result")} of samples that are not in manifest.json; the score counts them`}
      {breakdown.errors.length > 0 && (
        <ul>
          {breakdown.errors.map(({ kind, samples, tasks, message }) => (
            <li key={message}>
              <b>
                {words(kind)} ({samples})
              </b>{" "}
              {message} <span class="note">{listed(tasks, MOST_NAMED)}</span>
            </li>
          ))}
        </ul>
      )}
      {notRun && (
        <details>
          <summary>Samples that did not run</summary>
          <p class="note">{notRun.samples.join(", ")}</p>
        </details>
      )}
    </div>
  );
}

/** Failed tasks that are named at the top. */
const MOST_FAILED = 8;
/** Tasks that are named beside an error. */
const MOST_NAMED = 3;

interface HeadlineProps {
  overview: Overview;
  rows: PageData["rows"];
  choose: Choose;
}

function Headline({ overview, rows, choose }: HeadlineProps) {
  const { estimates, passed, scored, leftOut, smallestSignificant } = overview;
  const [first, ...others] = estimates;
  if (!first || first.value === null || first.interval === null) {
    return (
      <div class="headline">
        <p class="score">
          <span class="metric">pass@1</span>
        </p>
        <IntervalChart of={{ value: null, interval: null }} scale />
        <p class="reading">No task has a score yet.</p>
      </div>
    );
  }
  const { value, interval, tasks, method } = first;
  const single = scored === tasks;
  return (
    <div class="headline">
      <p class="score">
        <span class="value">{percent(value, 1)}</span> <span class="metric">pass@1</span>
      </p>
      <IntervalChart of={first} scale />
      <p class="reading">
        {single
          ? `${count(passed)} of ${plural(tasks, "task")} repaired.`
          : `${count(passed)} of ${count(scored)} samples passed, over ${plural(tasks, "task")}.`}
        {leftOut > 0 && ` ${plural(leftOut, "task")} of the dataset could not be scored.`}
        {` The 95% interval is ${percent(interval[0])} to ${percent(interval[1])} (${method}).`}
        {single &&
          smallestSignificant !== null &&
          ` With ${plural(tasks, "task")}, a difference below ${Math.round(smallestSignificant * 100)} points ` +
            "between two runs cannot be told from chance. mend compare tests larger ones."}
      </p>
      {passed < scored && (
        <p class="reading failed-first">
          <button class="link" type="button" onClick={() => choose({ outcome: "failed" })}>
            Go to the {count(scored - passed)} that failed
          </button>
          {rows
            .filter(({ outcome }) => outcome !== "passed" && outcome !== "error")
            .slice(0, MOST_FAILED)
            .map((row) => (
              <a key={`${row.task}#${row.attempt}`} href={`#${pathOf(row)}`}>
                {row.attempt > 0 ? `${row.task}, attempt ${row.attempt}` : row.task}
              </a>
            ))}
          {scored - passed > MOST_FAILED && "…"}
        </p>
      )}
      {others.length > 0 && (
        <p class="reading">
          {others
            .map(
              ({ k, value: share, interval: range }) =>
                `pass@${k} ${percent(share, 1)} [${percent(range?.[0])} to ${percent(range?.[1])}]`,
            )
            .join(" · ")}
        </p>
      )}
    </div>
  );
}

function Figures({ overview: { scored, expected, breakdown, wallSeconds } }: { overview: Overview }) {
  const { usage } = breakdown;
  const each = (median: string) => (median === UNKNOWN ? "not counted" : `${median} per sample (median)`);
  const time = usage.seconds.total;
  const atOnce = wallSeconds && time !== null && wallSeconds > 0 ? time / wallSeconds : null;
  return (
    <dl class="figures">
      <Figure name="Scored" value={count(scored)} note={`of ${count(expected)}`} />
      <Figure name="Input tokens" value={short(usage.inputTokens.total)} note={each(short(usage.inputTokens.median))} />
      <Figure
        name="Output tokens"
        value={short(usage.outputTokens.total)}
        note={each(short(usage.outputTokens.median))}
      />
      <Figure name="Total time" value={seconds(time)} note={each(seconds(usage.seconds.median))} />
      <Figure
        name="Wall time"
        value={seconds(wallSeconds)}
        note={
          wallSeconds === null
            ? "not recorded"
            : "with preparation and scoring" +
              (atOnce !== null && atOnce >= 1.05 ? `; ${atOnce.toFixed(1)} samples at a time` : "")
        }
      />
      <Figure
        name="Cost"
        value={dollars(usage.costUsd.total)}
        note={usage.costUsd.total === null ? "no price is known" : each(dollars(usage.costUsd.median))}
      />
    </dl>
  );
}

const Figure = ({ name, value, note }: { name: string; value: string; note: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span class="value">{value}</span>
      <span class="note">{note}</span>
    </dd>
  </div>
);

/** What decided the result, and where it lies. */
export const FactsSection = ({ facts }: { facts: PageData["facts"] }) => (
  <details class="facts">
    <summary>What this run was made with</summary>
    <dl>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  </details>
);
