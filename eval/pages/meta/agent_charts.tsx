/** The agents side by side: what makes the utility of each, and which solved which task. */

import { percent } from "../../../utils/base/text/format.ts";
import type { AgentView, MetaData } from "./data.ts";

const BAR = 18;

export function UtilityBars({ agents }: { agents: readonly AgentView[] }) {
  const rows = agents.flatMap(({ agent, utility }) => (utility ? { n: agent.n, ...utility } : []));
  if (rows.length === 0) return <p class="note">No agent was measured on all of dev yet.</p>;
  const x = (value: number) => percent(value, 3);
  const middle = BAR / 2;
  return (
    <>
      <div class="utilities">
        {rows.map(({ n, mean, interval: [low, high] }) => {
          const parts = [
            { name: "score", from: 0, size: mean.score },
            { name: "cost", from: mean.score, size: mean.cost },
            { name: "time", from: mean.score + mean.cost, size: mean.time },
          ];
          const figures = `${mean.value.toFixed(4)} [${low.toFixed(3)}–${high.toFixed(3)}]`;
          return (
            <div key={n} class="measure utility">
              <span class="name">agent {n}</span>
              <svg class="chart" role="img" aria-label={`Utility of agent ${n}: ${figures}`} width="100%" height={BAR}>
                {parts.map(({ name, from, size }) => (
                  <rect key={name} class={`part ${name}`} x={x(from)} y={0} width={x(size)} height={BAR}>
                    <title>{`${name}: ${size.toFixed(4)}`}</title>
                  </rect>
                ))}
                <line class="whisker" x1={x(low)} x2={x(high)} y1={middle} y2={middle} />
                <line class="whisker" x1={x(low)} x2={x(low)} y1={4} y2={BAR - 4} />
                <line class="whisker" x1={x(high)} x2={x(high)} y1={4} y2={BAR - 4} />
              </svg>
              <span class="number">{figures}</span>
            </div>
          );
        })}
      </div>
      <p class="legend">
        <span class="key score" /> score <span class="key cost" /> cost <span class="key time" /> time · interval:
        bootstrap over tasks
      </p>
    </>
  );
}

const solvedOf = (tasks: readonly string[], cells: MetaData["agents"][number]["cells"]): string =>
  tasks.filter((task) => cells[task]?.kind === "solved").join(", ");

export const HeatMap = ({ data: { agents, splits, shown } }: { data: MetaData }) => (
  <div class="heat">
    {shown.map((split) => (
      <div key={split} class="split">
        <h3>
          {split}, {splits[split].length} tasks
        </h3>
        {agents.map(({ agent, cells }) => (
          <div
            key={agent.n}
            class="cells"
            role="img"
            aria-label={`Agent ${agent.n} on ${split}: solved ${solvedOf(splits[split], cells) || "none"}`}
          >
            <span class="row">agent {agent.n}</span>
            <span class="tasks-of">
              {splits[split].map((task) => {
                const cell = cells[task];
                const told = `agent ${agent.n}, ${task}: ${cell?.told ?? "not measured"}`;
                return <span key={task} class={`cell ${cell?.kind ?? "unknown"}`} title={told} />;
              })}
            </span>
          </div>
        ))}
      </div>
    ))}
    <p class="legend">
      <span class="key solved" /> solved <span class="key unsolved" /> not solved <span class="key crashed" /> crashed,
      timed out or broke the protocol <span class="key unknown" /> not measured
    </p>
  </div>
);
