/** Which agent solved which task: one row an agent, one column a task, by split. */

import { SPLITS } from "../splits.ts";
import type { AgentView, RunView } from "./data.ts";
import { type Html, html } from "./html.ts";

const CELL = 11;
const SPLIT_GAP = 14;
/** Room for the title of a small split. */
const LEAST_BLOCK = 110;
const ROW = 16;
const LEFT = 66;
const TOP = 18;

export function heatMap({ agents, splits, state }: RunView): Html {
  const shown = SPLITS.filter((split) => split !== "sealed" || state.sealed !== null);
  let left = LEFT;
  const blocks = shown.map((split) => {
    const from = left;
    left += Math.max(LEAST_BLOCK, splits[split].length * CELL) + SPLIT_GAP;
    const title = html`<text class="split" x="${from}" y="11">${split}, ${splits[split].length} tasks</text>`;
    const rows = agents.flatMap((view, row) => cells(view, splits[split], from, TOP + row * ROW));
    return html`${title}${rows}`;
  });
  const names = agents.map(
    ({ agent }, row) => html`<text class="row" x="${LEFT - 8}" y="${TOP + row * ROW + 11}">agent ${agent.n}</text>`,
  );
  const height = TOP + agents.length * ROW + 4;
  return html`<div class="scroll"><svg class="heat" role="img" aria-label="Agents by tasks" viewBox="0 0 ${left} ${height}" width="${left}" height="${height}">${names}${blocks}</svg></div><p class="legend"><span class="key solved"></span> solved <span class="key unsolved"></span> not solved <span class="key crashed"></span> crashed, timed out or broke the protocol <span class="key unknown"></span> not measured</p>`;
}

const cells = ({ agent, scores }: AgentView, tasks: readonly string[], left: number, top: number): Html[] =>
  tasks.map((task, column) => {
    const measured = scores.get(task);
    const kind = !measured
      ? "unknown"
      : measured.status !== "ok"
        ? "crashed"
        : measured.score > 0
          ? "solved"
          : "unsolved";
    const told = measured ? `${measured.outcome}, ${measured.seconds.toFixed(1)} s` : "not measured";
    return html`<rect class="cell ${kind}" x="${left + column * CELL}" y="${top}" width="${CELL - 1}" height="${ROW - 2}"><title>agent ${agent.n}, ${task}: ${told}</title></rect>`;
  });
