/** The agents of a run: their lineage with verdict and utility, and which solved which task. */

import { PlainTable } from "../components/data_table.tsx";
import { VerdictBadge } from "./child.tsx";
import type { AgentView, MetaData } from "./data.ts";

/** Each agent below its parent. */
export const AgentTable = ({ agents, champion }: Pick<MetaData, "agents" | "champion">) => (
  <div class="scroll">
    <PlainTable
      columns={[
        ["Agent"],
        ["Verdict"],
        ["Utility on dev", "number"],
        ["Score", "number"],
        ["Cost", "number"],
        ["Time", "number"],
      ]}
      rows={withDepths(agents).map(({ view, depth }) => rowOf(view, depth, champion))}
    />
  </div>
);

function withDepths(agents: readonly AgentView[], parent: number | null = null, depth = 0) {
  const children = agents.filter(({ agent }) => agent.parent === parent);
  return children.flatMap((view): { view: AgentView; depth: number }[] => [
    { view, depth },
    ...withDepths(agents, view.agent.n, depth + 1),
  ]);
}

function rowOf({ agent: { n }, verdict, utility }: AgentView, depth: number, champion: number) {
  const { mean, interval } = utility ?? {};
  const part = (value: number | undefined) => value?.toFixed(4) ?? "–";
  const range = interval ? ` [${interval.map((bound) => bound.toFixed(3)).join("–")}]` : "";
  return [
    <a class={`depth-${Math.min(3, depth)}`} href={`#agent-${n}`}>
      agent {n}
    </a>,
    <>
      {n === 0 ? "the first" : verdict ? <VerdictBadge verdict={verdict} /> : "being judged"}
      {n === champion && <b> champion</b>}
    </>,
    `${part(mean?.value)}${range}`,
    ...[mean?.score, mean?.cost, mean?.time].map(part),
  ];
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
