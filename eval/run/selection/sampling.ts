/**
 * Several attempts at each task: the options, the jobs, a seed for each, and a word where more attempts tell nothing
 * more.
 */

import type { Model } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, grouped, type Option } from "../../../utils/program/cli.ts";
import type { SampleJob } from "../sample.ts";
import { USUAL_KS } from "../summary/task_scores.ts";

export const samplingOptions = grouped("Attempts", {
  samples: { value: "N", help: "number of attempts at each task, each with its own seed (default 1)" },
  candidates: {
    value: "N",
    help: "number of answers for each attempt; the agent submits the one that behaves like most others (default 1)",
  },
  k: { value: "1,5,10", help: "values of k for pass@k, at most --samples (default: 1, 5, 10, … up to --samples)" },
} satisfies Record<string, Option>);

/** At one task: all are planned before the first begins. */
const MOST_ATTEMPTS = 10_000;

export interface Sampling {
  samples: number;
  /** Trajectories of a sample. */
  candidates: number;
  /** Ascending. */
  ks: number[];
  /** What every sample's seed is derived from; null: no seeds are sent. */
  seed: number | null;
}

/** @throws UserError for a k above the number of samples: no estimate of it exists */
export function readSampling(args: Arguments<keyof typeof samplingOptions | "seed">): Sampling {
  const samples = args.count("samples", 1, MOST_ATTEMPTS) ?? 1;
  const candidates = args.count("candidates", 1, MOST_ATTEMPTS) ?? 1;
  const asked = args.counts("k", 1);
  const tooLarge = asked?.find((k) => k > samples);
  if (tooLarge !== undefined) {
    throw new UserError(`pass@${tooLarge} needs ${tooLarge} samples of each task: give --samples ${tooLarge} or more.`);
  }
  const ks = [...new Set(asked ?? USUAL_KS.filter((k) => k <= samples))].sort((a, b) => a - b);
  const seed = args.count("seed", 0, Number.MAX_SAFE_INTEGER) ?? (samples * candidates > 1 ? 0 : null);
  return { samples, candidates, ks, seed };
}

/** Every task once, then every task again, so that a run that is stopped early has tried as many tasks as it could. */
export const repeatJobs = (jobs: readonly SampleJob[], samples: number): SampleJob[] =>
  Array.from({ length: samples }, (_, attempt) => jobs.map((job) => ({ ...job, attempt }))).flat();

/** A sentence of warning where several trajectories on a task will be the same, or nearly so; else null. */
export function warnOfSameness(
  { name, deterministic, parameters }: Pick<Model, "name" | "deterministic" | "parameters">,
  trajectories: number,
): string | null {
  const { temperature } = parameters;
  const draws = typeof temperature === "number" ? temperature > 0 : !deterministic;
  if (trajectories === 1 || draws) return null;
  const why =
    temperature === 0
      ? "gives nearly the same reply each time at temperature 0 (try --temperature 0.8)"
      : "always gives the same reply";
  return `${name} ${why}, so ${trajectories} attempts at a task tell little more than one.`;
}
