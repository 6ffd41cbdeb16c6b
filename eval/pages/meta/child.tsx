/** One child in full: hypothesis, verdict, change log, diff, and the meta step it came from. */

import { dollars, plural, seconds, short, tokens } from "../../../utils/base/text/format.ts";
import type { Judgement } from "../../meta/log.ts";
import { CopyButton } from "../components/copy_button.tsx";
import { TextBlock } from "../components/text_block.tsx";
import type { AgentView, EditorTurn, StepView } from "./data.ts";

export function ChildSection({ view: { agent, verdict, step, diff, won } }: { view: AgentView }) {
  const title = agent.n === 0 ? "Agent 0, the first" : `Agent ${agent.n}, child of ${agent.parent}`;
  const round = agent.round > 1 ? ", second round" : "";
  return (
    <section class="child" id={`agent-${agent.n}`}>
      <h3>
        {title}
        {agent.n > 0 && ` · iteration ${agent.iteration}${round}`} <VerdictBadge verdict={verdict} />
      </h3>
      {agent.hypothesis && <p class="hypothesis">{agent.hypothesis}</p>}
      {verdict && (
        <p class="note">
          {verdict.gate}: {verdict.message}
        </p>
      )}
      {agent.changes && agent.changes !== agent.hypothesis && <p class="note">Change log: {agent.changes}</p>}
      {won.length > 0 && (
        <details>
          <summary>{plural(won.length, "task")} that its parent does not solve</summary>
          <ul class="notes">
            {won.map(({ task, said }) => (
              <li key={task}>
                <b>{task}</b> {said}
              </li>
            ))}
          </ul>
        </details>
      )}
      {diff && (
        <details>
          <summary>Diff ({plural(diff.split("\n").length, "line")})</summary>
          <div class="block">
            <CopyButton text={diff} />
            <pre class="diff">
              {diff.split("\n").map((line) => (
                <>
                  <span class={kindOf(line)}>{line}</span>
                  {"\n"}
                </>
              ))}
            </pre>
          </div>
        </details>
      )}
      {step && <StepDetails step={step} />}
    </section>
  );
}

/** A step after which there was no agent. */
export const FruitlessSection = ({ verdict, step }: { verdict: Judgement; step: StepView | null }) => (
  <section class="child">
    <h3>
      Iteration {verdict.iteration}, round {verdict.round}: no agent <VerdictBadge verdict={verdict} />
    </h3>
    <p class="note">
      {verdict.gate}: {verdict.message}
    </p>
    {step && <StepDetails step={step} />}
  </section>
);

export const VerdictBadge = ({ verdict }: { verdict: Judgement | null }) =>
  verdict && <span class={`badge ${verdict.verdict}`}>{verdict.verdict}</span>;

function kindOf(line: string): string {
  if (/^(\+\+\+|---|diff|index)/.test(line)) return "meta-line";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "hunk" : "";
}

function StepDetails({ step: { done, turns } }: { step: StepView }) {
  if (!done) return null;
  const used = `${tokens(done.inputTokens)} in, ${tokens(done.outputTokens)} out`;
  return (
    <details>
      <summary>
        {`Meta step: agent ${done.editor} edited for ${seconds(done.seconds)}, ${done.modelCalls} model calls, ` +
          `${used}, ${dollars(done.costUsd)}; ${done.stop}`}
      </summary>
      <EditorTurns turns={turns} />
    </details>
  );
}

/** Tokens where there is little room. */
const figure = (used: number | null): string => (used === null ? "unknown" : short(used));

/** The replies that an editor got from its model. */
export const EditorTurns = ({ turns }: { turns: readonly EditorTurn[] }) => (
  <div class="editor-turns">
    {turns.length > 0 && <p class="label">Editor's turns</p>}
    {turns.map(({ text, inputTokens, outputTokens, seconds: time }, i) => (
      <details key={`turn ${i}`}>
        <summary>
          {i + 1} · {firstLine(text)}{" "}
          <span class="note">
            {figure(inputTokens)} in · {figure(outputTokens)} out · {seconds(time)}
          </span>
        </summary>
        <TextBlock text={text} />
      </details>
    ))}
  </div>
);

const firstLine = (text: string): string => (text.trim().split("\n")[0] ?? "").slice(0, 120);
