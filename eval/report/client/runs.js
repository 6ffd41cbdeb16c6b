/** The list of all runs, as they go. */

import { intervalChart } from "./chart.js";
import { h, show } from "./dom.js";
import { count, percent, plural } from "./format.js";
import { island } from "./source.js";

/** @typedef {import("../../view/run_list.ts").RunEntry} RunEntry */

const place = document.getElementById("page");
const body = h("div", { class: "runs" });
if (place)
  show(
    place,
    h("header", { class: "run" }, h("div", {}, h("p", { class: "kicker" }, "mend"), h("h1", {}, "Runs"))),
    body,
  );

/** @param {RunEntry[]} runs */
function draw(runs) {
  if (runs.length === 0)
    show(body, h("p", { class: "note" }, "There is no run yet: eval/pass1.ts makes one, and it appears here."));
  else show(body, runs.map(entry));
}

/** @param {RunEntry} run */
function entry(run) {
  if (run.state === "unreadable")
    return h(
      "div",
      { class: "run-link" },
      h("div", {}, h("h2", {}, run.name)),
      h("p", { class: "note unreadable" }, run.problem),
    );
  const { name, model, dataset, protocol, startedAt, state, expected, finished, errors, estimate } = run;
  const progress =
    state === "running"
      ? `running, ${count(finished)} of ${count(expected)}`
      : state === "complete"
        ? plural(estimate.tasks, "task")
        : `${count(finished - errors)} of ${count(expected)} scored`;
  return h(
    "a",
    { class: "run-link", href: `runs/${encodeURIComponent(name)}/` },
    h(
      "div",
      {},
      h("h2", {}, name),
      h("p", { class: "note" }, `${model} · ${dataset} · ${protocol} · ${startedAt.slice(0, 16).replace("T", " ")}`),
    ),
    intervalChart(estimate),
    h(
      "div",
      { class: "state" },
      h("div", { class: "score-value" }, percent(estimate.value, 1)),
      h("p", { class: "note" }, progress),
      errors > 0 && h("p", { class: "note" }, plural(errors, "error")),
    ),
  );
}

draw(JSON.parse(island("data")).runs);
new EventSource("events").onmessage = ({ data }) => draw(JSON.parse(data).runs);
