/** The top of a run's page: the score with its interval, what keeps it from being final, what it was made with. */

import { cards } from "./cards.js";
import { intervalChart } from "./chart.js";
import { h } from "./dom.js";
import { count, dollars, percent, plural, seconds, short, UNKNOWN, words } from "./format.js";

/** @typedef {import("../page_data.ts").PageData} PageData */
/** @typedef {import("../page_data.ts").Overview} Overview */
/** @typedef {import("../../breakdown.ts").Breakdown} Breakdown */
/** @typedef {{ outcome?: string, bugType?: string }} Filter */

/**
 * @param {PageData} data
 * @param {(filter: Filter) => void} choose shows the tasks behind a figure
 */
export function overviewSection({ overview, rows }, choose) {
  const { breakdown } = overview;
  return [
    notice(overview, choose),
    h("section", { class: "hero" }, headline(overview), overview.scored > 0 && figures(overview)),
    overview.scored > 0 && h("section", { class: "cards" }, cards(breakdown, rows, choose)),
  ];
}

/** What keeps the score from being final. @param {Overview} overview @param {(filter: Filter) => void} choose */
function notice({ expected, scored, errors, running, breakdown }, choose) {
  const done = scored + errors;
  const bar = h("progress", { max: Math.max(1, expected), value: done, "aria-label": "samples finished" });
  if (running && done < expected)
    return h(
      "div",
      { class: "notice running" },
      h("b", {}, "Running"),
      ` · ${count(done)} of ${count(expected)} samples finished`,
      bar,
    );
  const missing = expected - done;
  if (missing === 0 && errors === 0) return null;
  const reasons = breakdown.errors.map(({ kind, samples, message }) =>
    h("li", {}, h("b", {}, `${words(kind)} (${samples})`), " ", message),
  );
  return h(
    "div",
    { class: "notice incomplete" },
    h("b", {}, "Incomplete"),
    missing > 0 && ` · ${plural(missing, "sample")} of ${count(expected)} not run`,
    errors > 0 && [
      " · ",
      h(
        "button",
        { class: "link", type: "button", onclick: () => choose({ outcome: "error" }) },
        `${plural(errors, "sample")} without a score`,
      ),
    ],
    reasons.length > 0 && h("ul", {}, reasons),
  );
}

/** @param {Overview} overview */
function headline({ estimates, passed, scored, smallestSignificant }) {
  const [first, ...others] = estimates;
  if (!first || first.value === null || first.interval === null) {
    return h(
      "div",
      { class: "headline" },
      h("p", { class: "score" }, h("span", { class: "metric" }, "pass@1")),
      intervalChart({ value: null, interval: null }, { height: 22, scale: true }),
      h("p", { class: "reading" }, "Nothing has a score yet."),
    );
  }
  const { value, interval, tasks, method } = first;
  const single = scored === tasks;
  return h(
    "div",
    { class: "headline" },
    h(
      "p",
      { class: "score" },
      h("span", { class: "value" }, percent(value, 1)),
      h("span", { class: "metric" }, "pass@1"),
    ),
    intervalChart(first, { height: 22, scale: true }),
    h(
      "p",
      { class: "reading" },
      single
        ? `${count(passed)} of ${plural(tasks, "task")} repaired.`
        : `${count(passed)} of ${count(scored)} samples passed, over ${plural(tasks, "task")}.`,
      ` The 95% interval is ${percent(interval[0])} to ${percent(interval[1])} (${method}).`,
      single &&
        smallestSignificant !== null &&
        ` Another run of these tasks has to differ by ${(smallestSignificant * 100).toFixed(1)} points or more to be told apart from chance.`,
    ),
    others.length > 0 &&
      h(
        "p",
        { class: "reading" },
        others
          .map(
            (other) =>
              `pass@${other.k} ${percent(other.value, 1)} [${percent(other.interval?.[0])} to ${percent(other.interval?.[1])}]`,
          )
          .join(" · "),
      ),
  );
}

/** @param {Overview} overview */
function figures({ scored, expected, breakdown }) {
  const { usage } = breakdown;
  const each = (/** @type {string} */ median) => (median === UNKNOWN ? "not counted" : `${median} a sample (median)`);
  return h(
    "dl",
    { class: "figures" },
    figure("Scored", count(scored), `of ${count(expected)}`),
    figure("Input tokens", short(usage.inputTokens.total), each(short(usage.inputTokens.median))),
    figure("Output tokens", short(usage.outputTokens.total), each(short(usage.outputTokens.median))),
    figure("Time", seconds(usage.seconds.total), each(seconds(usage.seconds.median))),
    figure(
      "Cost",
      dollars(usage.costUsd.total),
      usage.costUsd.total === null ? "no price is known" : each(dollars(usage.costUsd.median)),
    ),
  );
}

/** @param {string} name @param {string} value @param {string} note */
const figure = (name, value, note) =>
  h(
    "div",
    {},
    h("dt", {}, name),
    h("dd", {}, h("span", { class: "value" }, value), h("span", { class: "note" }, note)),
  );

/** What decided the result, and where it lies. @param {PageData["facts"]} facts */
export const factsSection = (facts) =>
  h(
    "details",
    { class: "facts" },
    h("summary", {}, "What this run was made with"),
    h(
      "dl",
      {},
      facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
  );
