/** `--measured RUN`: what another run of the loop has measured, for one that would measure the same again. */

import { UserError } from "../../utils/data/errors.ts";
import type { Measurement } from "./evaluate.ts";
import { readState } from "./log.ts";
import { readTrace } from "./workbench.ts";

/** Finds a measurement by its key, which holds all that decides it: agent, task, attempt, model, evaluator. */
export type MeasuredBefore = (key: string) => Extract<Measurement, { measured: unknown }> | null;

/**
 * Measurements of the run `name` in a folder but those of its sealed split: each run opens that for itself.
 * @throws UserError where the run has measured nothing
 */
export function measuredBefore(folder: string, name: string): MeasuredBefore {
  const { measured: all } = readState(folder);
  if (all.size === 0) throw new UserError(`--measured ${name}: ${folder} holds no measurements of a self-edit run.`);
  return (key) => {
    const measured = all.get(key);
    return !measured || measured.split === "sealed" ? null : { measured, trace: readTrace(folder, measured) ?? "" };
  };
}
