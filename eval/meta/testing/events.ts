/** For tests: events of a run's log, with what does not matter filled in. */

import type { AgentAdded, Judgement, MeasuredLine, StepDone } from "../log.ts";

const at = "2026-01-01T00:00:00.000Z";

export const agentAdded = (n: number, more: Partial<AgentAdded> = {}): AgentAdded => ({
  ...{ type: "agent", n, sha: `c${n}`, tree: `t${n}`, parent: n === 0 ? null : 0, iteration: n, round: 1 },
  ...{ hypothesis: "", changes: "", at },
  ...more,
});

export const measuredLine = (tree: string, task: string, more: Partial<MeasuredLine> = {}): MeasuredLine => ({
  ...{ type: "measured", key: `${tree} ${task}`, tree, task, split: "dev", attempt: 0, score: 1, outcome: "passed" },
  ...{ status: "ok", costUsd: 0, inputTokens: 0, outputTokens: 0, modelCalls: 1, seconds: 1, at },
  ...more,
});

export const stepDone = (iteration: number, more: Partial<StepDone> = {}): StepDone => ({
  ...{ type: "step", iteration, round: 1, editor: 0, stop: "answered", problem: "", modelCalls: 6 },
  ...{ inputTokens: 900, outputTokens: 90, costUsd: 0.1, seconds: 41, at },
  ...more,
});

export const judged = (n: number, verdict: Judgement["verdict"], more: Partial<Judgement> = {}): Judgement => ({
  ...{ type: "verdict", iteration: n, round: 1, agent: n, verdict, gate: "dev", message: "", test: null, again: false },
  at,
  ...more,
});
