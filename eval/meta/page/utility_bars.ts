/** The utility of each agent on dev and what its parts add to it, with a 95% interval. */

import type { RunView } from "./data.ts";
import { type Html, html } from "./html.ts";

const WIDTH = 560;
const BAR = 18;
const GAP = 12;
const LEFT = 78;

export function utilityBars({ agents }: RunView): Html {
  const rows = agents.flatMap(({ agent, utility }) => (utility ? { n: agent.n, ...utility } : []));
  if (rows.length === 0) return html`<p class="note">No agent was measured on all of dev yet.</p>`;
  const x = (value: number) => LEFT + value * WIDTH;
  const bars = rows.map(({ n, mean, interval: [low, high] }, i) => {
    const y = i * (BAR + GAP) + 4;
    const parts = [
      ["score", 0, mean.score],
      ["cost", mean.score, mean.cost],
      ["time", mean.score + mean.cost, mean.time],
    ] satisfies [string, number, number][];
    const rects = parts.map(
      ([name, from, size]) =>
        html`<rect class="part ${name}" x="${x(from)}" y="${y}" width="${size * WIDTH}" height="${BAR}"><title>${name}: ${size.toFixed(4)}</title></rect>`,
    );
    const middle = y + BAR / 2;
    return html`<text class="row" x="${LEFT - 10}" y="${middle + 4}">agent ${n}</text>${rects}<path class="whisker" d="M ${x(low)} ${middle} H ${x(high)} M ${x(low)} ${y + 4} v ${BAR - 8} M ${x(high)} ${y + 4} v ${BAR - 8}"/><text class="value" x="${x(1) + 10}" y="${middle + 4}">${mean.value.toFixed(4)} [${low.toFixed(3)}–${high.toFixed(3)}]</text>`;
  });
  const height = rows.length * (BAR + GAP);
  return html`<div class="scroll"><svg class="utility" role="img" aria-label="Utility by agent" viewBox="0 0 ${x(1) + 190} ${height}" width="${x(1) + 190}" height="${height}">${bars}</svg></div><p class="legend"><span class="key score"></span> score <span class="key cost"></span> cost <span class="key time"></span> time · interval: bootstrap over tasks</p>`;
}
