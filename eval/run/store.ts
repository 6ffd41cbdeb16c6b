/** A run on disk: manifest, results and trajectories. `results.jsonl` is the only truth; the rest can be rebuilt. */

import { join } from "node:path";
import type { Trajectory } from "../../agent/run/trajectory.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { appendJsonl, readJsonlTolerant } from "../../utils/base/files/jsonl.ts";
import { makeFolder } from "../../utils/base/files/make_folder.ts";
import { removeDrafts, replaceFile } from "../../utils/base/files/replace_file.ts";
import { requireOwnFiles } from "../../utils/base/files/write_inside.ts";
import { lockRun, runFolder } from "./lock.ts";
import { Manifest, matchManifest } from "./manifest.ts";
import { Result, type SampleId, sharedFile, trajectoryFile, written } from "./results.ts";
import { startSession } from "./session.ts";
import type { Summary } from "./summary/summary.ts";

export interface RunStore extends Disposable {
  readonly folder: string;
  /** That of the run's first call. */
  readonly manifest: Manifest;
  /** Lines of `results.jsonl` so far, errors included, in the order they were written. */
  readonly results: readonly Result[];
  /** Appends one line, flushed to disk before it returns. */
  append(result: Result): void;
  /** @param text as `trajectoryText` makes it */
  saveTrajectory(sample: SampleId, text: string | Uint8Array): void;
  /** Sorts `results.jsonl` in the order of the tasks, in one step: samples that ran side by side ended in any order. */
  sortResults(): void;
  writeSummary(summary: Summary): void;
  /** Records why no further sample was started; null where all were. */
  stopped(why: string | null): void;
}

/**
 * Creates the run's folder, or opens it to go on where it stopped.
 * @throws UserError where the name is no name, another process has the run open, the manifest does not match, or a link
 *   that lies in the folder would lead what is written elsewhere
 */
export function openRun(runsFolder: string, name: string, now: Manifest): RunStore {
  const folder = runFolder(name, runsFolder);
  const shared = sharedFile(now.decides.samples);
  if (shared)
    throw new UserError(
      `The samples ${shared.join(" and ")} would have one file for their trajectories: rename one task, or ` +
        "choose with --indices.",
    );
  const trajectories = join(folder, "trajectories");
  makeFolder(folder);
  const unlock = lockRun(folder);
  try {
    requireOwnFiles(folder);
    makeFolder(trajectories);
    for (const written of [folder, trajectories]) removeDrafts(written);
    const file = join(folder, "results.jsonl");
    const manifest = matchManifest(folder, Manifest, now, file);
    const results = readJsonlTolerant(folder, "results.jsonl", Result);
    const session = startSession(folder, results.length === 0);
    return {
      folder,
      manifest,
      results,
      append: (result) => {
        resumable(name, () => appendJsonl(file, written(result)));
        results.push(result);
        session.save();
      },
      saveTrajectory: (sample, text) => {
        const path = join(trajectories, trajectoryFile(sample));
        resumable(name, () => replaceFile(path, text));
      },
      sortResults: () => {
        const sorted = results.toSorted((a, b) => a.index - b.index || a.attempt - b.attempt);
        if (sorted.every((result, i) => result === results[i])) return;
        for (const [i, result] of sorted.entries()) results[i] = result;
        resumable(name, () =>
          replaceFile(file, sorted.map((result) => `${JSON.stringify(written(result))}\n`).join("")),
        );
      },
      stopped: (why) => session.save(why),
      writeSummary: (summary) => resumable(name, () => replaceFile(join(folder, "summary.json"), asJson(summary))),
      [Symbol.dispose]: unlock,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Writes to the run `name`; if that fails, the error says that nothing is lost. */
function resumable(name: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${error.message} The results so far are kept; --run ${name} goes on from there.`);
  }
}

/** Content of a trajectory's file. */
export const trajectoryText = (trajectory: Trajectory): string => asJson(trajectory);

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
