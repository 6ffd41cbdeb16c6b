/** Draws a run's page and moves between the list of samples and one of them. */

import { linkTo } from "./columns.js";
import { detailSection, titleOf } from "./detail.js";
import { h, show } from "./dom.js";
import { listenForKeys, nextTheme } from "./keys.js";
import { factsSection, overviewSection } from "./overview.js";
import { keyOf, openSource } from "./source.js";
import { SampleTable } from "./table.js";
import { colouringOf } from "./tokens.js";

/** @typedef {import("../page_data.ts").Row} Row */

const source = openSource();
const { data } = source;
const table = new SampleTable((row) => {
  location.hash = linkTo(row);
});
const overviewPlace = h("div", { class: "overview" });
const list = h(
  "div",
  { class: "list" },
  runHeader(),
  overviewPlace,
  factsSection(data.facts),
  table.element,
  h(
    "footer",
    {},
    h(
      "p",
      { class: "note" },
      "Explanations may quote hidden tests: keep this page away from models that are to be measured.",
    ),
  ),
);
const sample = h("div", { class: "sample", hidden: true });
const page = document.getElementById("page");
if (page) show(page, list, sample);

const help = listenForKeys(() => (sample.hidden ? listKeys() : sampleKeys()));

function runHeader() {
  const model = data.facts.find(([name]) => name === "Model")?.[1];
  const shown = data.facts.find(([name]) => name === "Shown")?.[1];
  const connection = h("span", { class: "connection", id: "connection" });
  return h(
    "header",
    { class: "run" },
    h(
      "div",
      {},
      h("p", { class: "kicker" }, data.live ? h("a", { href: "../../" }, "All runs") : "mend · run report", connection),
      h("h1", {}, data.name),
      h("p", { class: "note" }, `${model} · shown: ${shown}`),
    ),
    tools(),
  );
}

function tools() {
  return h(
    "div",
    { class: "tools" },
    h("button", { type: "button", title: "Light or dark (t)", "aria-label": "Light or dark", onclick: nextTheme }, "◐"),
    h("button", { type: "button", title: "Keyboard (?)", "aria-label": "Keyboard", onclick: () => help() }, "?"),
  );
}

function drawList() {
  show(
    overviewPlace,
    overviewSection(data, (filter) => {
      table.choose({ outcome: "all", bugType: "", text: "", ...filter });
      table.element.scrollIntoView({ block: "start" });
    }),
  );
  table.update(data.rows);
}

let scrolled = 0;
/** Counts openings, so that a slow one does not draw over a later one. */
let opening = 0;

/** Shows what the address names: a sample, or the list. */
async function route() {
  const row = rowInAddress();
  opening += 1;
  if (!row) {
    sample.hidden = true;
    list.hidden = false;
    document.title = `${data.name} · mend`;
    scrollTo(0, scrolled);
    return;
  }
  if (!list.hidden) scrolled = scrollY;
  const mine = opening;
  table.select(row);
  const body = h("div", { class: "body" }, h("p", { class: "note" }, "Opening…"));
  show(sample, sampleHeader(row), body);
  list.hidden = true;
  sample.hidden = false;
  document.title = `${row.task} · ${data.name}`;
  scrollTo(0, 0);
  try {
    const detail = await source.detail(row);
    if (mine === opening) show(body, detailSection(row, detail, colouringOf(data.syntaxes[detail.language])));
  } catch (error) {
    if (mine === opening)
      show(
        body,
        h("p", { class: "note" }, `The trajectory cannot be shown: ${error instanceof Error ? error.message : error}`),
      );
  }
}

/** @returns {Row | undefined} */
function rowInAddress() {
  const [, task, attempt] = /^#\/(.+)\/(\d+)$/.exec(location.hash) ?? [];
  if (task === undefined || attempt === undefined) return undefined;
  try {
    const key = keyOf({ task: decodeURIComponent(task), attempt: Number(attempt) });
    return data.rows.find((row) => keyOf(row) === key);
  } catch {
    return undefined;
  }
}

/** @param {Row} row */
function sampleHeader(row) {
  const position = table.shown.findIndex((other) => keyOf(other) === keyOf(row));
  const place = position === -1 ? "" : `${position + 1} of ${table.shown.length}`;
  return h(
    "header",
    { class: "sample-bar" },
    h("button", { type: "button", class: "back", onclick: back }, "← All tasks"),
    h(
      "div",
      { class: "title" },
      titleOf(
        row,
        data.rows.some(({ attempt }) => attempt > 0),
      ),
    ),
    h(
      "div",
      { class: "tools" },
      h("span", { class: "note" }, place),
      h(
        "button",
        { type: "button", "aria-label": "Previous task", title: "Previous (k)", onclick: () => step(-1) },
        "↑",
      ),
      h("button", { type: "button", "aria-label": "Next task", title: "Next (j)", onclick: () => step(1) }, "↓"),
    ),
  );
}

function back() {
  history.pushState(null, "", location.pathname + location.search);
  void route();
}

/** To the next sample in the order of the list. @param {number} by */
function step(by) {
  const position = table.shown.findIndex((row) => keyOf(row) === table.selected);
  const next = table.shown[position + by];
  if (next) location.hash = linkTo(next);
}

/** To the next turn below, or the one above. @param {number} by */
function stepTurn(by) {
  const turns = [...document.querySelectorAll(".turn")];
  const edge = 80;
  const next =
    by > 0
      ? turns.find((turn) => turn.getBoundingClientRect().top > edge + 1)
      : turns.findLast((turn) => turn.getBoundingClientRect().top < edge - 30);
  next?.scrollIntoView({ block: "start" });
}

const theme = { keys: ["t"], label: "t", text: "light or dark", run: nextTheme };

const listKeys = () => [
  { keys: ["j", "ArrowDown"], label: "j ↓", text: "next task", run: () => table.move(1) },
  { keys: ["k", "ArrowUp"], label: "k ↑", text: "previous task", run: () => table.move(-1) },
  { keys: ["Enter", "o"], label: "Enter", text: "open the task", run: () => table.openSelected() },
  { keys: ["/"], label: "/", text: "filter", run: () => table.focusSearch() },
  {
    keys: ["Escape"],
    label: "Esc",
    text: "clear the filter",
    run: () => table.choose({ outcome: "all", bugType: "", text: "" }),
  },
  theme,
];

const sampleKeys = () => [
  { keys: ["j", "ArrowRight"], label: "j →", text: "next task", run: () => step(1) },
  { keys: ["k", "ArrowLeft"], label: "k ←", text: "previous task", run: () => step(-1) },
  { keys: ["n"], label: "n", text: "next turn", run: () => stepTurn(1) },
  { keys: ["p"], label: "p", text: "previous turn", run: () => stepTurn(-1) },
  { keys: ["Escape", "u"], label: "Esc", text: "back to all tasks", run: back },
  theme,
];

drawList();
addEventListener("hashchange", () => void route());
void route();
source.follow(
  () => {
    drawList();
    drawConnection(true);
  },
  (connected) => drawConnection(connected),
);

/** @param {boolean} connected */
function drawConnection(connected) {
  const connection = document.getElementById("connection");
  if (connection) connection.textContent = connected ? (data.overview.running ? "live" : "") : "not connected";
}
