/** Which agent solved which task: one row an agent, one cell a task, by split. Cells wrap where there is no room. */

import type { MetaData } from "./data.ts";

export const HeatMap = ({ data: { agents, splits, shown } }: { data: MetaData }) => (
  <div class="heat">
    {shown.map((split) => (
      <div key={split} class="split">
        <h3>
          {split}, {splits[split].length} tasks
        </h3>
        {agents.map(({ agent, cells }) => (
          <div key={agent.n} class="cells" role="img" aria-label={`Agent ${agent.n} on ${split}`}>
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
