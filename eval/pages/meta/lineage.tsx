/** The lineage as a picture: one column an iteration, a line from parent to child, the verdict as colour. */

import type { AgentView } from "./data.ts";

const COLUMN = 132;
const ROW = 64;
const MARGIN = { left: 56, top: 34 };
const RADIUS = 15;

interface Placed {
  view: AgentView;
  x: number;
  y: number;
}

export function Lineage({ agents, champion }: { agents: readonly AgentView[]; champion: number }) {
  const placed = place(agents);
  const at = new Map(placed.map((one) => [one.view.agent.n, one]));
  const width = Math.max(0, ...placed.map(({ x }) => x)) + COLUMN;
  const height = Math.max(0, ...placed.map(({ y }) => y)) + RADIUS + 24;
  return (
    <div class="scroll">
      <svg
        class="lineage"
        role="img"
        aria-label="Lineage of the agents"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
      >
        {placed.map(({ view, x, y }) => {
          const parent = view.agent.parent === null ? undefined : at.get(view.agent.parent);
          if (!parent) return null;
          const middle = (parent.x + x) / 2;
          const d = `M ${parent.x + RADIUS} ${parent.y} C ${middle} ${parent.y}, ${middle} ${y}, ${x - RADIUS} ${y}`;
          return <path key={view.agent.n} class="edge" d={d} />;
        })}
        {placed.map((one) => (
          <Node key={`node ${one.view.agent.n}`} placed={one} isChampion={one.view.agent.n === champion} />
        ))}
      </svg>
    </div>
  );
}

/** A child stands on its parent's line where no other agent stands between the two, else on the first free line below. */
function place(agents: readonly AgentView[]): Placed[] {
  const rows = new Map<number, { from: number; row: number }>();
  return agents.map((view) => {
    const { n, iteration, parent } = view.agent;
    const above = parent === null ? undefined : rows.get(parent);
    const isTaken = (row: number) =>
      [...rows.values()].some((one) => one.row === row && one.from > (above?.from ?? -1) && one.from <= iteration);
    let row = above?.row ?? 0;
    while (isTaken(row)) row += 1;
    rows.set(n, { from: iteration, row });
    return { view, x: MARGIN.left + iteration * COLUMN, y: MARGIN.top + row * ROW };
  });
}

function Node({ placed: { view, x, y }, isChampion }: { placed: Placed; isChampion: boolean }) {
  const { agent, verdict, utility } = view;
  const kind = agent.n === 0 ? "first" : (verdict?.verdict ?? "pending");
  const label = agent.n === 0 ? "first" : (verdict?.verdict ?? "being judged");
  return (
    <a href={`#agent-${agent.n}`}>
      <g class={`node ${kind}`}>
        <title>{`agent ${agent.n}: ${label}${isChampion ? ", champion" : ""}`}</title>
        {isChampion && <circle class="champion" cx={x} cy={y} r={RADIUS + 4} />}
        <circle class="disc" cx={x} cy={y} r={RADIUS} />
        <text class="number" x={x} y={y + 5}>
          {agent.n}
        </text>
        <text class="caption" x={x} y={y + RADIUS + 16}>
          {`${label}${utility ? ` · ${utility.mean.value.toFixed(3)}` : ""}`}
        </text>
      </g>
    </a>
  );
}
