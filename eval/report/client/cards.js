/** One card for each thing that lies behind a score. */

import { columnChart, histogram, intervalChart, splitBar } from "./chart.js";
import { h } from "./dom.js";
import { count, dollars, percent, plural, seconds, short, words } from "./format.js";

/** @typedef {import("../page_data.ts").PageData} PageData */
/** @typedef {import("../../breakdown.ts").Breakdown} Breakdown */
/** @typedef {import("./overview.js").Filter} Filter */

/**
 * @param {Breakdown} breakdown
 * @param {PageData["rows"]} rows
 * @param {(filter: Filter) => void} choose shows the tasks behind a figure
 */
export const cards = (breakdown, rows, choose) => [
  bugTypes(breakdown, choose),
  visibleAndHidden(breakdown, choose),
  spending(rows),
  turns(breakdown),
  endings(breakdown),
  formatErrors(breakdown),
];

/** @param {string} title @param {string} note @param {import("./dom.js").Child[]} content */
const card = (title, note, ...content) =>
  h("article", { class: "card" }, h("h2", {}, title), h("p", { class: "note" }, note), content);

const legend = () =>
  h("p", { class: "legend" }, h("span", { class: "key pass" }, "passed"), h("span", { class: "key fail" }, "failed"));

/** @param {Breakdown} breakdown @param {(filter: Filter) => void} choose */
function bugTypes({ bugTypes: types }, choose) {
  const rows = types.map(({ name, samples, passed, estimate }) =>
    h(
      "button",
      {
        class: "measure",
        type: "button",
        title: `Show the tasks with ${name}`,
        onclick: () => choose({ bugType: name }),
      },
      h("span", { class: "name" }, name || "unknown"),
      intervalChart(estimate),
      h("span", { class: "number" }, `${passed}/${samples}`),
    ),
  );
  return card(
    "By bug type",
    "Share repaired with its 95% interval, and how many.",
    h("div", { class: "measures" }, rows),
  );
}

/** @param {Breakdown} breakdown @param {(filter: Filter) => void} choose */
function visibleAndHidden({ visibleAndHidden: table }, choose) {
  const { bothPass, visibleOnly, hiddenOnly, neither, misled } = table;
  const most = Math.max(1, bothPass, visibleOnly, hiddenOnly, neither);
  const cell = (/** @type {number} */ n, /** @type {string} */ kind) =>
    h("td", { class: `${kind} level-${Math.ceil((n / most) * 4)}` }, count(n));
  const sentence = misled
    ? `A visible pass is a hidden fail in ${percent(misled.value)} of cases (${visibleOnly} of ${bothPass + visibleOnly}${misled.interval ? `; 95% interval ${percent(misled.interval[0])} to ${percent(misled.interval[1])}` : ""}).`
    : "No answer passed the visible tests.";
  return card(
    "Visible against hidden tests",
    sentence,
    h(
      "table",
      { class: "matrix" },
      h(
        "thead",
        {},
        h("tr", {}, h("td"), h("th", { scope: "col" }, "hidden pass"), h("th", { scope: "col" }, "hidden fail")),
      ),
      h(
        "tbody",
        {},
        h("tr", {}, h("th", { scope: "row" }, "visible pass"), cell(bothPass, "pass"), cell(visibleOnly, "fail")),
        h("tr", {}, h("th", { scope: "row" }, "visible fail"), cell(hiddenOnly, "pass"), cell(neither, "fail")),
      ),
    ),
    visibleOnly > 0 &&
      h(
        "button",
        { class: "link", type: "button", onclick: () => choose({ outcome: "misled" }) },
        `Show the ${visibleOnly} that passed only what was visible`,
      ),
  );
}

/** Dollars where prices are known, else tokens, else time. @param {PageData["rows"]} rows */
function spending(rows) {
  const scored = rows.filter(({ outcome }) => outcome !== "error");
  const price = scored.every(({ costUsd }) => costUsd === 0) ? "Nothing is billed" : "No price is known";
  const measures = /** @type {const} */ ([
    ["Cost of a sample", "US dollars", (/** @type {PageData["rows"][0]} */ row) => row.costUsd, dollars],
    [
      "Tokens of a sample",
      `Input and output together. ${price}`,
      (/** @type {PageData["rows"][0]} */ row) =>
        row.inputTokens === null || row.outputTokens === null ? null : row.inputTokens + row.outputTokens,
      short,
    ],
    [
      "Time of a sample",
      `${price} and no tokens are counted`,
      (/** @type {PageData["rows"][0]} */ row) => row.seconds,
      seconds,
    ],
  ]);
  const isKnown = (/** @type {(row: PageData["rows"][0]) => number | null} */ of) =>
    scored.every((row) => of(row) !== null) && scored.some((row) => of(row) !== 0);
  const chosen = measures.find(([, , of]) => isKnown(of)) ?? measures[2];
  const [title, note, of, format] = chosen;
  const items = scored.map((row) => ({ value: of(row) ?? 0, passed: row.outcome === "passed" }));
  return card(
    title,
    `${note}.`,
    columnChart(histogram(items, format), { label: `${title}: passes and fails by amount`, edges: true }),
    legend(),
  );
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
  const rows = stops.map((share) =>
    h(
      "div",
      { class: "measure" },
      h("span", { class: "name" }, words(share.name)),
      splitBar(share, most),
      h("span", { class: "number" }, `${share.passed}/${share.samples}`),
    ),
  );
  return card(
    "How samples ended",
    "What stopped the agent, and how many of those passed the hidden tests.",
    h("div", { class: "measures" }, rows),
  );
}

/** @param {Breakdown} breakdown */
function formatErrors({ formatErrors: kinds }) {
  if (kinds.length === 0) return null;
  const rows = kinds.map(({ kind, replies, samples }) =>
    h(
      "tr",
      {},
      h("td", {}, words(kind)),
      h("td", { class: "number" }, count(replies)),
      h("td", { class: "number" }, count(samples)),
    ),
  );
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "kind"),
    h("th", { scope: "col", class: "number" }, "replies"),
    h("th", { scope: "col", class: "number" }, "samples"),
  );
  return card(
    "Unreadable replies",
    "Replies of the model that were neither an action nor an answer.",
    h("table", { class: "plain" }, h("thead", {}, head), h("tbody", {}, rows)),
  );
}
