/** `--measured RUN`: what another run of the loop has measured, for one that would measure the same again. */

import { UserError } from "../../utils/base/data/errors.ts";
import { readManifest } from "../run/manifest.ts";
import type { Measurement } from "./evaluate.ts";
import { readState, readTrace } from "./log.ts";
import { MetaManifest } from "./manifest.ts";

/** Finds a measurement by its key, which holds all that decides it: agent, task, attempt, model, evaluator. */
export type EarlierMeasurements = (key: string) => Extract<Measurement, { measured: unknown }> | null;

/** @throws UserError where the run `name` in a folder has measured nothing */
export function requireMeasured(folder: string, name: string): void {
  if (readState(folder).measured.size === 0)
    throw new UserError(`--measured ${name}: ${folder} holds no measurements of a self-edit run.`);
}

/**
 * Measurements of the run `name` in a folder but those of its sealed split: each run opens that for itself.
 * @param evaluator the hash of this run's, see `Evaluator`
 * @throws UserError where the run has measured nothing, or by another evaluator: nothing could be taken over
 */
export function measuredBefore(folder: string, name: string, evaluator: string): EarlierMeasurements {
  requireMeasured(folder, name);
  const { measured: all } = readState(folder);
  if (readManifest(folder, MetaManifest)?.decides.evaluator !== evaluator)
    throw new UserError(
      `--measured ${name}: that run measured otherwise, as its code, dataset, examples, limits, seed or ` +
        "sandbox are others. Leave it out, or use the settings of that run.",
    );
  return (key) => {
    const measured = all.get(key);
    return !measured || measured.split === "sealed" ? null : { measured, trace: readTrace(folder, measured) ?? "" };
  };
}
