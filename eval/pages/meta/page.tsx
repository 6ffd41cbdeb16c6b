/** The page of a meta run: progress or outcome, lineage, utility, tasks, every child. */

import { useEffect, useState } from "preact/hooks";
import { count, dollars, seconds, tokens } from "../../../utils/base/text/format.ts";
import type { LoopProgress } from "../../meta/progress.ts";
import { follow, island } from "../browser/source.ts";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import { AgentTable, HeatMap } from "./agents.tsx";
import { ChildSection, EditorTurns, FruitlessSection } from "./child.tsx";
import type { MetaData } from "./data.ts";

const first: MetaData = JSON.parse(island("data"));

function MetaPage() {
  const [data, setData] = useState(first);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    if (first.live) return follow<MetaData>(setData, setTrouble);
  }, []);
  const { dialog, help } = useKeyboard([]);
  const { name, model, editor, splits, attempts, spent, progress, stopped, outcome, agents, fruitless, editing } = data;
  return (
    <div class="meta">
      <PageHead
        kicker={data.live ? <a href="../../">All runs</a> : "Self-edit loop"}
        title={name}
        note={
          `Solver ${model} · editor ${editor} · ${splits.dev.length} dev, ${splits.validation.length} validation, ` +
          `${splits.sealed.length} sealed tasks · ${attempts} attempts measured · ${tokens(spent.tokens)}, ` +
          dollars(spent.costUsd)
        }
        trouble={trouble}
        help={help}
      />
      {progress && <ProgressNotice progress={progress} />}
      {stopped && (
        <p class="notice stopped">
          <b>Stopped</b> before its end, at {count(stopped.done)} of {count(stopped.total)} · {stopped.now} · the same
          command goes on
        </p>
      )}
      {outcome && <p class="outcome">{outcome}</p>}
      {editing && (
        <section>
          <h2>
            Child {editing.iteration}
            {editing.round > 1 && ", second round"}: what its editor writes
          </h2>
          <EditorTurns turns={editing.step.turns} />
          {editing.step.turns.length === 0 && <p class="note">No reply yet.</p>}
        </section>
      )}
      <section>
        <h2>Agents</h2>
        <AgentTable agents={agents} champion={data.champion} />
      </section>
      <section>
        <h2>Agents and tasks</h2>
        <HeatMap data={data} />
      </section>
      <section>
        <h2>Children</h2>
        {agents.map((view) => (
          <ChildSection key={view.agent.n} view={view} />
        ))}
        {fruitless.map(({ verdict, step }) => (
          <FruitlessSection key={`${verdict.iteration}.${verdict.round}`} verdict={verdict} step={step} />
        ))}
      </section>
      {dialog}
    </div>
  );
}

const ProgressNotice = ({ progress: { now, done, total, etaSeconds } }: { progress: LoopProgress }) => (
  <div class="notice running">
    <b>Running</b> · {count(done)}
    {total !== null && ` of ${count(total)}`} · {now}
    {etaSeconds !== null && ` · about ${seconds(etaSeconds)} left`}
    {total !== null && <progress max={Math.max(1, total)} value={done} aria-label="progress" />}
  </div>
);

draw(<MetaPage />);
