/**
 * The lineage as a picture: one row an agent, a line from parent to child, the verdict as colour. As wide as a phone.
 */

import type { AgentView } from "./data.ts";

const ROW = 40;
const LANE = 30;
const MARGIN = 22;
const RADIUS = 13;
const BEND = 10;
/** Room for a label. */
const LABEL = 210;

interface Placed {
  view: AgentView;
  lane: number;
  x: number;
  y: number;
}

export function Lineage({ agents, champion }: { agents: readonly AgentView[]; champion: number }) {
  const placed = place(agents);
  const at = new Map(placed.map((one) => [one.view.agent.n, one]));
  const labels = MARGIN + (Math.max(0, ...placed.map(({ lane }) => lane)) + 1) * LANE;
  const [width, height] = [labels + LABEL, agents.length * ROW + 8];
  return (
    <div class="scroll">
      <svg class="lineage" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <title>Lineage of the agents</title>
        {placed.map(({ view, x, y }) => {
          const parent = view.agent.parent === null ? undefined : at.get(view.agent.parent);
          if (!parent) return null;
          // Along the row of the parent to the lane of the child, where nothing stands between the two.
          const bend = `H ${x - BEND} Q ${x} ${parent.y}, ${x} ${parent.y + BEND}`;
          const d = `M ${parent.x} ${parent.y} ${x === parent.x ? "" : bend} V ${y}`;
          return <path key={view.agent.n} class="edge" d={d} />;
        })}
        {placed.map((one) => (
          <Node
            key={`node ${one.view.agent.n}`}
            placed={one}
            labels={labels}
            isChampion={one.view.agent.n === champion}
          />
        ))}
      </svg>
    </div>
  );
}

/** The first child of an agent stands below it, the next ones on the first lane that is free from their parent on. */
function place(agents: readonly AgentView[]): Placed[] {
  const rows = new Map(agents.map(({ agent }, row) => [agent.n, row]));
  const placed: Placed[] = [];
  agents.forEach((view, row) => {
    const { parent } = view.agent;
    const above = placed.find((one) => one.view.agent.n === parent);
    const from = parent === null ? 0 : (rows.get(parent) ?? 0);
    const isTaken = (lane: number) => placed.some((one, i) => one.lane === lane && i > from && i < row);
    let lane = above?.lane ?? 0;
    while (isTaken(lane)) lane += 1;
    placed.push({ view, lane, x: MARGIN + lane * LANE, y: row * ROW + MARGIN });
  });
  return placed;
}

function Node({ placed: { view, x, y }, labels, isChampion }: { placed: Placed; labels: number; isChampion: boolean }) {
  const { agent, verdict, utility } = view;
  const kind = agent.n === 0 ? "first" : (verdict?.verdict ?? "pending");
  const label = agent.n === 0 ? "first" : (verdict?.verdict ?? "being judged");
  return (
    <a href={`#agent-${agent.n}`}>
      <g class={`node ${kind}`}>
        <title>{`agent ${agent.n}: ${label}${isChampion ? ", champion" : ""}`}</title>
        {isChampion && <circle class="champion" cx={x} cy={y} r={RADIUS + 4} />}
        <circle class="disc" cx={x} cy={y} r={RADIUS} />
        <text class="number" x={x} y={y + 4}>
          {agent.n}
        </text>
        <text class="caption" x={labels} y={y + 4}>
          {`${label}${isChampion ? ", champion" : ""}${utility ? ` · ${utility.mean.value.toFixed(3)}` : ""}`}
        </text>
      </g>
    </a>
  );
}
