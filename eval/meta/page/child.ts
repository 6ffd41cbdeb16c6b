/** One child in full: hypothesis, verdict, change log, diff, and the meta step it came from. */

import { count, dollars } from "../../figures.ts";
import type { CallSummary, Judged, StepDone } from "../events.ts";
import type { AgentView } from "./data.ts";
import { type Html, html, seconds } from "./html.ts";

export function childSection({ agent, verdict, step, diff, utility }: AgentView): Html {
  const title = agent.n === 0 ? "Agent 0, the first" : `Agent ${agent.n}, child of ${agent.parent}`;
  const round = agent.round > 1 ? ", second round" : "";
  return html`<section class="child" id="agent-${agent.n}">
<h3>${title}${agent.n === 0 ? "" : ` · iteration ${agent.iteration}${round}`} ${badge(verdict)}</h3>
${agent.hypothesis ? html`<p class="hypothesis">${agent.hypothesis}</p>` : null}
${verdict ? html`<p class="note">${verdict.gate}: ${verdict.message}</p>` : null}
${agent.changes ? html`<p class="note">Change log: ${agent.changes}</p>` : null}
${utility ? html`<p class="note">Utility on dev ${utility.mean.value.toFixed(4)} = ${utility.mean.score.toFixed(4)} score + ${utility.mean.cost.toFixed(4)} cost + ${utility.mean.time.toFixed(4)} time</p>` : null}
${diff ? html`<details><summary>Diff (${diff.split("\n").length} lines)</summary><pre class="diff">${diffLines(diff)}</pre></details>` : null}
${step ? stepDetails(step) : null}
</section>`;
}

/** A step after which there was no agent. */
export const fruitlessSection = (verdict: Judged, step: StepDone | null): Html => html`<section class="child">
<h3>Iteration ${verdict.iteration}, round ${verdict.round}: no agent ${badge(verdict)}</h3>
<p class="note">${verdict.gate}: ${verdict.message}</p>
${step ? stepDetails(step) : null}
</section>`;

const badge = (verdict: Judged | null): Html | null =>
  verdict ? html`<span class="badge ${verdict.verdict}">${verdict.verdict}</span>` : null;

const diffLines = (diff: string): Html[] =>
  diff.split("\n").map((line) => {
    const kind = /^(\+\+\+|---|diff|index)/.test(line)
      ? "meta"
      : /^\+/.test(line)
        ? "added"
        : /^-/.test(line)
          ? "removed"
          : /^@@/.test(line)
            ? "hunk"
            : "";
    return kind ? html`<span class="${kind}">${line}</span>` : html`${line}`;
  });

function stepDetails(step: StepDone): Html {
  const longest = Math.max(...step.calls.map((call) => call.seconds), 0.001);
  const tokens = `${count(step.inputTokens)} tokens in, ${count(step.outputTokens)} out`;
  const head = `Meta step: agent ${step.editor} edited for ${seconds(step.seconds)}, ${step.modelCalls} model calls, ${tokens}, ${dollars(step.costUsd)}; ${step.stop}`;
  return html`<details><summary>${head}</summary>
<table class="calls"><thead><tr><th>call</th><th>task</th><th>ended</th><th class="number">turns</th><th class="number">tokens in / out</th><th>time</th></tr></thead><tbody>${step.calls.map((call) => callRow(call, longest))}</tbody></table>
${overseerNotes(step.overseer)}</details>`;
}

const callRow = ({ call, agent, task, stop, iterations, tokens, seconds: time }: CallSummary, longest: number): Html =>
  html`<tr><td class="tree depth-${Math.min(3, call.split(".").length - 1)}">${call} <b>${agent}</b></td><td class="task">${task.split("\n")[0] ?? ""}</td><td>${stop}</td><td class="number">${iterations}</td><td class="number">${count(tokens.input)} / ${count(tokens.output)}</td><td><svg class="bar" width="90" height="10" aria-hidden="true"><rect width="${(88 * time) / longest}" height="10"/></svg> ${seconds(time)}</td></tr>`;

function overseerNotes(notes: StepDone["overseer"]): Html {
  if (notes.length === 0) return html`<p class="note">The overseer had nothing to say.</p>`;
  const rows = notes.map(
    ({ kind, call, text, seconds: at }) => html`<li><b>${kind}</b> ${call} after ${seconds(at)}: ${text}</li>`,
  );
  return html`<p class="label">Overseer</p><ul class="notes">${rows}</ul>`;
}
