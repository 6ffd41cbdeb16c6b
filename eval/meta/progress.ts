/** How far a meta run is, what it does now, about how long that takes, and what it cost so far. */

import { largest } from "../../utils/base/data/extremes.ts";
import { dollars, plural, seconds, tokens } from "../../utils/base/text/format.ts";
import { openStatus } from "../../utils/program/status.ts";
import type { Spending } from "../run/cost/budget.ts";
import type { Split } from "./gates/splits.ts";
import type { MeasuredLine, RunState } from "./log.ts";

export interface LoopProgress {
  /** What it does now. */
  now: string;
  /** Pieces of the present phase. `total` is null if unknown. */
  done: number;
  total: number | null;
  /** To the end of the phase; null where there is nothing to tell it from. */
  etaSeconds: number | null;
  /** The step under way, if it is one. */
  editing: { iteration: number; round: number } | null;
}

/** Attempts of A_0 at each task: what they differ in is noise. */
export const BASELINE_ATTEMPTS = 2;

/** How many tasks there are of each. */
type Sizes = Record<Split, { readonly length: number }>;

/** @param iterations children to make in all; null if the run does not record it */
export function progressOf(state: RunState, splits: Sizes, iterations: number | null): LoopProgress {
  const first = state.agents[0];
  const attempts = BASELINE_ATTEMPTS * (splits.dev.length + splits.validation.length);
  const measured = measuredOf(state, first).filter(({ split }) => split === "dev" || split === "validation");
  if (measured.length < attempts) {
    return {
      now: "measuring the first agent twice on each task",
      done: measured.length,
      total: attempts,
      etaSeconds: remaining(measured, attempts - measured.length),
      editing: null,
    };
  }
  const { settled } = state;
  const total = iterations === null ? null : Math.max(iterations, settled.length);
  if (total !== null && settled.length >= total) {
    if (state.sealed !== null || state.champion === 0)
      return { now: "all children are judged", done: settled.length, total, etaSeconds: null, editing: null };
    const sealed = [...state.measured.values()].filter(({ split }) => split === "sealed");
    const pieces = 2 * splits.sealed.length;
    const now = "measuring the first agent and the champion on the sealed tasks";
    const etaSeconds = remaining(sealed, pieces - sealed.length);
    return { now, done: sealed.length, total: pieces, etaSeconds, editing: null };
  }
  const start = measured.toSorted((a, b) => (a.at < b.at ? -1 : 1)).slice(-1);
  const children = {
    done: settled.length,
    total,
    etaSeconds: total === null ? null : remaining([...start, ...settled], total - settled.length),
  };
  const iteration =
    largest(
      settled.map((verdict) => verdict.iteration),
      0,
    ) + 1;
  const round = state.verdicts.some((verdict) => verdict.iteration === iteration) ? 2 : 1;
  const made = state.agents.find((agent) => agent.iteration === iteration && agent.round === round);
  if (!made) return { ...children, now: `an editor makes child ${iteration}`, editing: { iteration, round } };
  const known = measuredOf(state, made);
  const split = known.some((one) => one.split === "validation") ? "validation" : "dev";
  const tried = known.filter((one) => one.split === split).length;
  const now = `the gates judge agent ${made.n}: ${tried} of ${plural(splits[split].length, `${split} task`)}`;
  // Before any child has its verdict the tasks tell the time, all of those that may be asked for.
  const rest = splits.dev.length + splits.validation.length - known.length;
  return { ...children, now, etaSeconds: children.etaSeconds ?? remaining(known, rest), editing: null };
}

const measuredOf = (state: RunState, agent: { tree: string } | undefined): MeasuredLine[] =>
  [...state.measured.values()].filter(({ tree }) => tree === agent?.tree);

/** By the median time between two: a run that stood still for a night is not slower for it. */
function remaining(events: readonly { at: string }[], pieces: number): number | null {
  const at = events.map((event) => Date.parse(event.at) / 1000).sort((a, b) => a - b);
  const gaps = at.slice(1).map((time, i) => time - (at[i] ?? time));
  const median = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  return median === undefined ? null : median * pieces;
}

/** A meta step while it goes: what it used, which is in no log yet. */
export interface EditorUse extends Spending {
  turns: number;
}

/** `child 2 of 5 · an editor makes child 2, 14 turns · about 6 min left · $0.42, 81,000 tokens` */
export function progressLine(
  { now, done, total, etaSeconds }: LoopProgress,
  spent: Spending,
  editing: EditorUse | null,
): string {
  const count = total === null ? String(done) : `${done} of ${total}`;
  const turns = editing === null ? now : `${now}, ${plural(editing.turns, "turn")}`;
  const parts = [`${count} done`, turns];
  if (etaSeconds !== null) parts.push(`about ${seconds(etaSeconds)} left`);
  const sum = (part: keyof Spending) => {
    const [before, more] = [spent[part], editing ? editing[part] : 0];
    return before === null || more === null ? null : before + more;
  };
  return [...parts, `${dollars(sum("costUsd"))}, ${tokens(sum("tokens"))}`].join(" · ");
}

/** The same on stderr, kept up to date. */
export interface MetaProgress {
  /** Something was logged. */
  update(): void;
  /** The editor took a turn. */
  edits(editing: EditorUse): void;
  end(): void;
}

export function showProgress(state: RunState, splits: Sizes, iterations: number): MetaProgress {
  const status = openStatus();
  let editing: EditorUse | null = null;
  let steps = state.steps.length;
  const line = () => progressLine(progressOf(state, splits, iterations), state.spent, editing);
  return {
    update() {
      // A try is logged in the middle of a step, what the step used at its end.
      if (state.steps.length !== steps) editing = null;
      steps = state.steps.length;
      status.update(line);
    },
    edits(newest) {
      editing = newest;
      status.update(line);
    },
    end: () => status.end(),
  };
}
