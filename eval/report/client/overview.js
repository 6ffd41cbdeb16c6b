/** The top of a run's page: the score with its interval, what it was made with, charts of what lies behind it. */

import { columnChart, histogram, intervalChart, splitBar } from "./chart.js";
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
export function overviewSection({ overview, facts, rows }, choose) {
  const { breakdown } = overview;
  return [
    notice(overview, choose),
    h("section", { class: "hero" }, headline(overview), overview.scored > 0 && figures(overview)),
    overview.scored > 0 &&
      h(
        "section",
        { class: "cards" },
        bugTypes(breakdown, choose),
        visibleAndHidden(breakdown, choose),
        spending(rows),
        turns(breakdown),
        endings(breakdown),
        formatErrors(breakdown),
      ),
    h("details", { class: "facts" }, h("summary", {}, "What this run was made with"), h("dl", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]).flat())),
  ];
}

/** What keeps the score from being final. @param {Overview} overview @param {(filter: Filter) => void} choose */
function notice({ expected, scored, errors, running, breakdown }, choose) {
  const done = scored + errors;
  const bar = h("progress", { max: Math.max(1, expected), value: done, "aria-label": "samples finished" });
  if (running && done < expected) return h("div", { class: "notice running" }, h("b", {}, "Running"), ` · ${count(done)} of ${count(expected)} samples finished`, bar);
  const missing = expected - done;
  if (missing === 0 && errors === 0) return null;
  const reasons = breakdown.errors.map(({ kind, samples, message }) => h("li", {}, h("b", {}, `${words(kind)} (${samples})`), " ", message));
  return h(
    "div",
    { class: "notice incomplete" },
    h("b", {}, "Incomplete"),
    missing > 0 && ` · ${plural(missing, "sample")} of ${count(expected)} not run`,
    errors > 0 && [" · ", h("button", { class: "link", type: "button", onclick: () => choose({ outcome: "error" }) }, `${plural(errors, "sample")} without a score`)],
    reasons.length > 0 && h("ul", {}, reasons),
  );
}

/** @param {Overview} overview */
function headline({ estimates, passed, scored, smallestSignificant }) {
  const [first, ...others] = estimates;
  if (!first || first.value === null || first.interval === null) {
    return h("div", { class: "headline" }, h("p", { class: "score" }, h("span", { class: "metric" }, "pass@1")), intervalChart({ value: null, interval: null }, { height: 22, scale: true }), h("p", { class: "reading" }, "Nothing has a score yet."));
  }
  const { value, interval, tasks, method } = first;
  const single = scored === tasks;
  return h(
    "div",
    { class: "headline" },
    h("p", { class: "score" }, h("span", { class: "value" }, percent(value, 1)), h("span", { class: "metric" }, "pass@1")),
    intervalChart(first, { height: 22, scale: true }),
    h(
      "p",
      { class: "reading" },
      single ? `${count(passed)} of ${plural(tasks, "task")} repaired.` : `${count(passed)} of ${count(scored)} samples passed, over ${plural(tasks, "task")}.`,
      ` The 95% interval is ${percent(interval[0])} to ${percent(interval[1])} (${method}).`,
      single && smallestSignificant !== null && ` Another run of these tasks has to differ by ${(smallestSignificant * 100).toFixed(1)} points or more to be told apart from chance.`,
    ),
    others.length > 0 && h("p", { class: "reading" }, others.map((other) => `pass@${other.k} ${percent(other.value, 1)} [${percent(other.interval?.[0])} to ${percent(other.interval?.[1])}]`).join(" · ")),
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
    figure("Cost", dollars(usage.costUsd.total), usage.costUsd.total === null ? "no price is known" : each(dollars(usage.costUsd.median))),
  );
}

/** @param {string} name @param {string} value @param {string} note */
const figure = (name, value, note) => h("div", {}, h("dt", {}, name), h("dd", {}, h("span", { class: "value" }, value), h("span", { class: "note" }, note)));

/** @param {string} title @param {string} note @param {import("./dom.js").Child[]} content */
const card = (title, note, ...content) => h("article", { class: "card" }, h("h2", {}, title), h("p", { class: "note" }, note), content);

const legend = () => h("p", { class: "legend" }, h("span", { class: "key pass" }, "passed"), h("span", { class: "key fail" }, "failed"));

/** @param {Breakdown} breakdown @param {(filter: Filter) => void} choose */
function bugTypes({ bugTypes: types }, choose) {
  const rows = types.map(({ name, samples, passed, estimate }) =>
    h(
      "button",
      { class: "measure", type: "button", title: `Show the tasks with ${name}`, onclick: () => choose({ bugType: name }) },
      h("span", { class: "name" }, name || "unknown"),
      intervalChart(estimate),
      h("span", { class: "number" }, `${passed}/${samples}`),
    ),
  );
  return card("By bug type", "Share repaired with its 95% interval, and how many.", h("div", { class: "measures" }, rows));
}

/** @param {Breakdown} breakdown @param {(filter: Filter) => void} choose */
function visibleAndHidden({ visibleAndHidden: table }, choose) {
  const { bothPass, visibleOnly, hiddenOnly, neither, misled } = table;
  const most = Math.max(1, bothPass, visibleOnly, hiddenOnly, neither);
  const cell = (/** @type {number} */ n, /** @type {string} */ kind) => h("td", { class: `${kind} level-${Math.ceil((n / most) * 4)}` }, count(n));
  const sentence = misled
    ? `A visible pass is a hidden fail in ${percent(misled.value)} of cases (${visibleOnly} of ${bothPass + visibleOnly}${misled.interval ? `; 95% interval ${percent(misled.interval[0])} to ${percent(misled.interval[1])}` : ""}).`
    : "No answer passed the visible tests.";
  return card(
    "Visible against hidden tests",
    sentence,
    h(
      "table",
      { class: "matrix" },
      h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, "hidden pass"), h("th", { scope: "col" }, "hidden fail"))),
      h(
        "tbody",
        {},
        h("tr", {}, h("th", { scope: "row" }, "visible pass"), cell(bothPass, "pass"), cell(visibleOnly, "fail")),
        h("tr", {}, h("th", { scope: "row" }, "visible fail"), cell(hiddenOnly, "pass"), cell(neither, "fail")),
      ),
    ),
    visibleOnly > 0 && h("button", { class: "link", type: "button", onclick: () => choose({ outcome: "misled" }) }, `Show the ${visibleOnly} that passed only what was visible`),
  );
}

/** Dollars where prices are known, else tokens, else time. @param {PageData["rows"]} rows */
function spending(rows) {
  const scored = rows.filter(({ outcome }) => outcome !== "error");
  const measures = /** @type {const} */ ([
    ["Cost of a sample", "US dollars", (/** @type {PageData["rows"][0]} */ row) => row.costUsd, dollars],
    ["Tokens of a sample", "Input and output together; no price is known", (/** @type {PageData["rows"][0]} */ row) => (row.inputTokens === null || row.outputTokens === null ? null : row.inputTokens + row.outputTokens), short],
    ["Time of a sample", "No price and no tokens are known", (/** @type {PageData["rows"][0]} */ row) => row.seconds, seconds],
  ]);
  const isKnown = (/** @type {(row: PageData["rows"][0]) => number | null} */ of) => scored.every((row) => of(row) !== null) && scored.some((row) => of(row) !== 0);
  const chosen = measures.find(([, , of]) => isKnown(of)) ?? measures[2];
  const [title, note, of, format] = chosen;
  const items = scored.map((row) => ({ value: of(row) ?? 0, passed: row.outcome === "passed" }));
  return card(title, `${note}.`, columnChart(histogram(items, format), { label: `${title}: passes and fails by amount`, edges: true }), legend());
}

/** @param {Breakdown} breakdown */
function turns({ iterations }) {
  const byTurns = new Map(iterations.map((group) => [group.iterations, group]));
  let solved = 0;
  const all = Array.from({ length: Math.max(1, ...byTurns.keys()) }, (_, i) => {
    const { samples, passed, solvedWithin } = byTurns.get(i + 1) ?? { samples: 0, passed: 0, solvedWithin: solved };
    solved = solvedWithin;
    const title = `${plural(i + 1, "turn")}: ${passed} passed, ${samples - passed} failed; ${percent(solved)} solved by then`;
    return { label: String(i + 1), title, passed, failed: samples - passed, solved };
  });
  const chart = columnChart(all, { label: "passes and fails by turns", line: all.map((column) => column.solved) });
  return card("Turns taken", "Samples by calls of the model; the line is the share solved by then.", chart, legend());
}

/** @param {Breakdown} breakdown */
function endings({ stops }) {
  const most = Math.max(...stops.map(({ samples }) => samples));
  const rows = stops.map((share) => h("div", { class: "measure" }, h("span", { class: "name" }, words(share.name)), splitBar(share, most), h("span", { class: "number" }, `${share.passed}/${share.samples}`)));
  return card("How samples ended", "What stopped the agent, and how many of those passed the hidden tests.", h("div", { class: "measures" }, rows));
}

/** @param {Breakdown} breakdown */
function formatErrors({ formatErrors: kinds }) {
  if (kinds.length === 0) return null;
  const rows = kinds.map(({ kind, replies, samples }) => h("tr", {}, h("td", {}, words(kind)), h("td", { class: "number" }, count(replies)), h("td", { class: "number" }, count(samples))));
  const head = h("tr", {}, h("th", { scope: "col" }, "kind"), h("th", { scope: "col", class: "number" }, "replies"), h("th", { scope: "col", class: "number" }, "samples"));
  return card("Unreadable replies", "Replies of the model that were neither an action nor an answer.", h("table", { class: "plain" }, h("thead", {}, head), h("tbody", {}, rows)));
}
