/** The page of one sample: verdict, change, every turn, the prompt. */

import { textBlock } from "./blocks.js";
import { badge } from "./columns.js";
import { diffBlock } from "./diff.js";
import { h } from "./dom.js";
import { count, dollars, mark, plural, seconds, short, words } from "./format.js";

/** @typedef {import("../detail.ts").Detail} Detail */
/** @typedef {import("../detail.ts").Turn} Turn */
/** @typedef {import("../page_data.ts").Row} Row */
/** @typedef {import("./tokens.js").Colouring} Colouring */

/** @param {Row} row @param {Detail} detail @param {Colouring} colouring of the task's language */
export function detailSection(row, detail, colouring) {
  return [
    h("section", { class: "verdict" }, verdict(row, detail)),
    detail.missing
      ? h("p", { class: "note" }, detail.missing)
      : [change(detail, colouring), candidates(detail), trajectory(detail, colouring), prompt(detail)],
  ].flat();
}

/** @param {Row} row @param {Detail} detail */
function verdict(row, { explanation, stop, error, missing }) {
  const isError = row.outcome === "error";
  const facts = [
    ["Hidden tests", isError ? "no score" : words(row.outcome)],
    ["Visible tests", row.verified === null ? "not known" : row.verified ? "passed" : "not passed"],
    ["Ended", words(row.stop ?? (missing ? "not known" : stop))],
    ["Turns", count(row.turns)],
    [
      "Tokens in",
      row.cachedTokens ? `${count(row.inputTokens)} (${short(row.cachedTokens)} cached)` : count(row.inputTokens),
    ],
    ["Tokens out", count(row.outputTokens)],
    ["Time", seconds(row.seconds)],
    ["Cost", dollars(row.costUsd)],
  ];
  return [
    h(
      "dl",
      { class: "facts-line" },
      facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    explanation.trim() !== "" &&
      h(
        "div",
        { class: `explanation ${isError ? "error" : "fail"}` },
        h("h3", {}, isError ? "Why there is no score" : "What the hidden tests found"),
        textBlock(explanation),
      ),
    error && !isError && h("p", { class: "note" }, error),
  ];
}

/** @param {Detail} detail @param {Colouring} colouring */
function change({ before, after, changes, verified }, colouring) {
  const title = (/** @type {string} */ note) => h("h2", {}, "Change ", h("span", { class: "note" }, note));
  if (after === null) return h("section", {}, title("no program was answered"));
  const note = verified
    ? "buggy program to answer"
    : "buggy program to last candidate; it did not pass the visible tests";
  if (before === null || changes === null)
    return h(
      "section",
      {},
      title("the answer; it cannot be set against the buggy program"),
      textBlock(after, colouring),
    );
  const same = changes.every(([kind]) => kind === " ");
  return h(
    "section",
    {},
    title(same ? "none: the answer is the buggy program" : note),
    !same && diffBlock(before, after, changes, colouring),
  );
}

/** @param {Detail} detail */
function candidates({ candidates: choice }) {
  if (!choice) return null;
  const heads = ["", "Visible tests", "Ended", "Behaves as group", "Characters changed", "Turns", "Time"];
  const cells = (/** @type {import("../detail.ts").CandidateRow} */ row, /** @type {number} */ i) => [
    `${i + 1}${row.chosen ? " (submitted)" : ""}`,
    row.verified ? "passed" : "not passed",
    words(row.stop),
    count(row.group),
    count(row.edit),
    count(row.turns),
    seconds(row.seconds),
  ];
  return h(
    "section",
    { class: "candidates" },
    h("h2", {}, "Candidates ", h("span", { class: "note" }, choice.why)),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((name) => h("th", {}, name)),
        ),
      ),
      h(
        "tbody",
        {},
        choice.rows.map((row, i) =>
          h(
            "tr",
            { class: row.chosen ? "chosen" : null },
            cells(row, i).map((text) => h("td", {}, text)),
          ),
        ),
      ),
    ),
  );
}

/** @param {Detail} detail @param {Colouring} colouring */
function trajectory({ turns }, colouring) {
  const slowest = Math.max(...turns.map((turn) => turn.seconds), 0.001);
  const strip = turns.map((turn, i) =>
    h(
      "a",
      { class: `step ${turnTone(turn)}`, href: `#turn-${i}`, title: summary(turn), onclick: (event) => jump(event, i) },
      turn.iteration,
    ),
  );
  return h(
    "section",
    { class: "trajectory" },
    h(
      "h2",
      {},
      "Trajectory ",
      h("span", { class: "note" }, plural(turns.filter(({ called }) => called).length, "call")),
    ),
    turns.length > 1 && h("nav", { class: "strip", "aria-label": "Turns" }, strip),
    turns.length === 0 && h("p", { class: "note" }, "The model was never asked."),
    h(
      "ol",
      { class: "turns" },
      turns.map((turn, i) => turnItem(turn, i, slowest, colouring)),
    ),
  );
}

/** The address stays that of the sample. @param {Event} event @param {number} i */
function jump(event, i) {
  event.preventDefault();
  document.getElementById(`turn-${i}`)?.scrollIntoView({ block: "start" });
}

/** @param {Turn} turn */
function turnTone({ kind, accepted, observation }) {
  if (kind === "malformed") return "error";
  if (kind === "answer") return accepted ? "pass" : "fail";
  return /^(ok|exit code 0)$/.test(observation.status) ? "calm" : "warn";
}

/** @param {Turn} turn */
const summary = ({ kind, label, iteration }) =>
  kind === "act"
    ? iteration === 0
      ? `${label}, given with the task`
      : label
    : kind === "answer"
      ? "final answer"
      : `unreadable reply: ${words(label)}`;

/** @param {Turn} turn @param {number} i @param {number} slowest @param {Colouring} colouring */
function turnItem(turn, i, slowest, colouring) {
  const { iteration, thought, parts, observation, accepted } = turn;
  const verdict = accepted === null ? null : badge(accepted ? "passed" : "failed");
  return h(
    "li",
    { class: `turn ${turnTone(turn)}`, id: `turn-${i}` },
    h("header", {}, h("span", { class: "index" }, iteration), h("h3", {}, summary(turn)), cost(turn, slowest)),
    thought.trim() !== "" && h("div", { class: "thought" }, textBlock(thought.trim())),
    parts.map((part) => partItem(part, colouring)),
    h(
      "div",
      { class: "observation" },
      h(
        "p",
        { class: "label" },
        turn.kind === "answer" ? "Visible tests " : "Observation ",
        verdict ?? h("span", { class: `status ${turnTone(turn)}` }, observation.status),
      ),
      observation.output.trim() !== "" && textBlock(observation.output),
    ),
  );
}

/** Short inputs on one line, the rest as blocks. @param {import("../detail.ts").Part} part @param {Colouring} colouring */
function partItem({ name, text, isCode }, colouring) {
  if (!isCode && text.length < 60 && !text.includes("\n"))
    return h("p", { class: "input" }, h("span", { class: "label" }, name), " ", h("code", {}, text));
  return h("div", { class: "part" }, h("p", { class: "label" }, name), textBlock(text, isCode ? colouring : undefined));
}

/** @param {Turn} turn @param {number} slowest */
function cost({ called, inputTokens, cachedTokens, outputTokens, seconds: time }, slowest) {
  const counted = called && (inputTokens !== null || outputTokens !== null);
  const tokens = counted
    ? `${short(inputTokens)} in${cachedTokens ? ` (${short(cachedTokens)} cached)` : ""} · ${short(outputTokens)} out · `
    : "";
  return h(
    "span",
    { class: "cost" },
    tokens,
    seconds(time),
    h("meter", { min: 0, max: slowest, value: time, "aria-hidden": "true" }),
  );
}

/** @param {Detail} detail */
function prompt({ prompt: messages }) {
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  const body = h("div", { class: "messages" });
  const draw = () => {
    if (body.childElementCount > 0) return;
    body.append(
      ...messages.map(({ role, text }) =>
        h("div", { class: `message ${role}` }, h("p", { class: "label" }, role), textBlock(text)),
      ),
    );
  };
  return h(
    "details",
    { class: "prompt", ontoggle: draw },
    h(
      "summary",
      {},
      `What the model was shown before its first turn: ${plural(messages.length, "message")}, ${count(characters)} characters`,
    ),
    body,
  );
}

/** The line under a sample's name. @param {Row} row */
export const titleOf = ({ task, attempt, bugType, outcome }, severalAttempts = false) => [
  h(
    "span",
    { class: `dot ${outcome === "passed" ? "pass" : outcome === "error" ? "error" : "fail"}`, "aria-hidden": "true" },
    mark(outcome),
  ),
  h("h1", {}, task),
  h("span", { class: "note" }, `${bugType}${severalAttempts ? ` · attempt ${attempt}` : ""}`),
];
