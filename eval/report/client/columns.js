/** What the table of samples can show, sort by and filter by. */

import { h } from "./dom.js";
import { count, dollars, mark, seconds, short, tone, words } from "./format.js";

/** @typedef {import("../page_data.ts").Row} Row */

/** @type {[name: string, value: (row: Row) => string | number | null, text: (row: Row) => import("./dom.js").Child, kind: string][]} */
export const COLUMNS = [
  ["Task", (row) => row.index * 1e6 + row.attempt, (row) => row.task, "task"],
  ["Attempt", (row) => row.attempt, (row) => row.attempt, "number attempt"],
  ["Bug", (row) => row.bugType, (row) => row.bugType, "bug"],
  ["Hidden tests", (row) => row.outcome, (row) => badge(row.outcome), "outcome"],
  [
    "Visible",
    (row) => (row.verified === null ? null : Number(row.verified)),
    (row) => (row.verified === null ? "" : row.verified ? "✓" : "✗"),
    "visible wide",
  ],
  ["Ended", (row) => row.stop, (row) => words(row.stop ?? ""), "stop wide"],
  ["Turns", (row) => row.turns, (row) => count(row.turns), "number turns"],
  ["Tokens", (row) => tokensOf(row), (row) => short(tokensOf(row)), "number wide"],
  ["Cost", (row) => row.costUsd, (row) => dollars(row.costUsd), "number wide cost"],
  ["Time", (row) => row.seconds, (row) => seconds(row.seconds), "number"],
];

/** @param {Row} row */
const tokensOf = ({ inputTokens, outputTokens }) =>
  inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;

/** @param {string} outcome */
export const badge = (outcome) =>
  h(
    "span",
    { class: `badge ${tone(outcome)}` },
    h("span", { "aria-hidden": "true" }, mark(outcome)),
    ` ${words(outcome)}`,
  );

/** @type {Record<string, (row: Row) => boolean>} */
export const OUTCOMES = {
  all: () => true,
  passed: ({ outcome }) => outcome === "passed",
  failed: ({ outcome }) => outcome !== "passed" && outcome !== "error",
  misled: ({ outcome, verified }) => outcome !== "passed" && verified === true,
  error: ({ outcome }) => outcome === "error",
};
export const OUTCOME_NAMES = {
  all: "All",
  passed: "Passed",
  failed: "Failed",
  misled: "Passed visible only",
  error: "No score",
};

/** The address of a sample within the page. @param {Row} row */
export const linkTo = ({ task, attempt }) => `#/${encodeURIComponent(task)}/${attempt}`;
