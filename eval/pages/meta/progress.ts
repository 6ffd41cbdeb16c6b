/** How far a meta run is, what it does now, and about how long it takes. */

import type { RunState } from "../../meta/log.ts";
import { BASELINE_ATTEMPTS } from "../../meta/loop.ts";

export interface Progress {
  /** What it does now. */
  now: string;
  /** Pieces of the present phase. `total` is null where nobody knows. */
  done: number;
  total: number | null;
  /** To the end of the phase; null where there is nothing to tell it from. */
  etaSeconds: number | null;
  /** The step under way, if it is one. */
  editing: { iteration: number; round: number } | null;
}

/** @param iterations children to make in all; null where nobody wrote that down */
export function progressOf(
  state: RunState,
  splits: { dev: readonly string[]; validation: readonly string[] },
  iterations: number | null,
): Progress {
  const first = state.agents[0];
  const attempts = BASELINE_ATTEMPTS * (splits.dev.length + splits.validation.length);
  const measured = [...state.measured.values()].filter(({ tree, split }) => tree === first?.tree && split !== "sealed");
  if (measured.length < attempts) {
    const times = measured.map(({ at }) => at);
    return {
      now: `measuring A_0 ${BASELINE_ATTEMPTS} times on every task, to know its noise`,
      done: measured.length,
      total: attempts,
      etaSeconds: remaining(times, attempts - measured.length),
      editing: null,
    };
  }
  const settled = state.verdicts.filter(({ again }) => !again);
  const total = iterations === null ? null : Math.max(iterations, settled.length);
  const start = measured
    .map(({ at }) => at)
    .sort()
    .at(-1);
  const times = [...(start === undefined ? [] : [start]), ...settled.map(({ at }) => at)];
  const common = {
    done: settled.length,
    total,
    etaSeconds: total === null ? null : remaining(times, total - settled.length),
  };
  if (total !== null && settled.length >= total)
    return { ...common, now: "measuring A_0 and the champion on the sealed tasks", etaSeconds: null, editing: null };
  const iteration = Math.max(0, ...settled.map((verdict) => verdict.iteration)) + 1;
  const round = state.verdicts.some((verdict) => verdict.iteration === iteration) ? 2 : 1;
  const made = state.agents.find((agent) => agent.iteration === iteration && agent.round === round);
  if (!made) return { ...common, now: `an editor makes child ${iteration}`, editing: { iteration, round } };
  const known = [...state.measured.values()].filter(({ tree }) => tree === made.tree).length;
  return { ...common, now: `the gates judge agent ${made.n}: ${known} attempts measured`, editing: null };
}

/** By the median time between two: a run that stood still for a night is not slower for it. */
function remaining(times: readonly string[], pieces: number): number | null {
  const at = times.map((time) => Date.parse(time) / 1000).sort((a, b) => a - b);
  const gaps = at.slice(1).map((time, i) => time - (at[i] ?? time));
  const median = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  return median === undefined ? null : median * pieces;
}
