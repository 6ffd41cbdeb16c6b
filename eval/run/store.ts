/** A run on disk: manifest, results and trajectories. `results.jsonl` is the only truth; the rest can be rebuilt. */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trajectory } from "../../agent/trajectory.ts";
import { UserError, writeError } from "../../utils/errors.ts";
import { makeFolder } from "../../utils/files/make_folder.ts";
import { appendJsonl, readJsonlTolerant } from "../../utils/jsonl.ts";
import { lock } from "./lock.ts";
import { type Manifest, ManifestSchema, requireSame } from "./manifest.ts";
import { type Result, ResultSchema } from "./results.ts";
import { startSession } from "./session.ts";
import type { Summary } from "./summary/summary.ts";

export interface RunStore extends Disposable {
  readonly folder: string;
  /** Lines of `results.jsonl` so far, errors included, in the order they were written. */
  readonly results: readonly Result[];
  /** Appends one line, flushed to disk before it returns. */
  append(result: Result): void;
  saveTrajectory(attempt: number, trajectory: Trajectory): void;
  /** Puts `results.jsonl` into the order of the tasks, in one step: work that ran at once ended in any order. */
  sortResults(): void;
  writeSummary(summary: Summary): void;
  /** Records why no further sample was started; null where all were. */
  stopped(why: string | null): void;
}

/** Letters, digits and `._-`: a run's name is a folder's name. */
const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/;

/**
 * Creates the run's folder, or opens it to go on where it stopped.
 * @throws UserError where the name is no name, another process has the run open, or the manifest does not match
 */
export function openRun(runsFolder: string, name: string, manifest: Manifest): RunStore {
  if (!RUN_NAME.test(name)) throw new UserError(`--run takes a name of letters, digits and ._-, not "${name}".`);
  const folder = join(runsFolder, name);
  makeFolder(join(folder, "trajectories"));
  const unlock = lock(join(folder, "lock"), name);
  try {
    matchManifest(join(folder, "manifest.json"), manifest, name);
    const file = join(folder, "results.jsonl");
    const results = readJsonlTolerant(file, ResultSchema);
    const session = startSession(folder, results.length === 0);
    return {
      folder,
      results,
      append: (result) => {
        resumable(name, () => appendJsonl(file, result));
        results.push(result);
        session.save();
      },
      saveTrajectory: (attempt, trajectory) => {
        const path = join(folder, "trajectories", trajectoryFile(trajectory.taskId, attempt));
        resumable(name, () => writeWhole(path, trajectory));
      },
      sortResults: () => {
        const sorted = results.toSorted((a, b) => a.index - b.index || a.attempt - b.attempt);
        if (sorted.every((result, i) => result === results[i])) return;
        results.splice(0, results.length, ...sorted);
        resumable(name, () => writeText(file, sorted.map((result) => `${JSON.stringify(result)}\n`).join("")));
      },
      stopped: (why) => session.save(why),
      writeSummary: (summary) => resumable(name, () => writeWhole(join(folder, "summary.json"), summary)),
      [Symbol.dispose]: unlock,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** `Python/0` and attempt 0 → `Python_0.0.json`. */
export const trajectoryFile = (taskId: string, attempt: number): string =>
  `${taskId.replace(/[^A-Za-z0-9._-]/g, "_")}.${attempt}.json`;

function matchManifest(file: string, manifest: Manifest, name: string): void {
  if (!existsSync(file)) {
    writeWhole(file, manifest);
    return;
  }
  let before: Manifest;
  try {
    before = ManifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new UserError(`run "${name}" cannot be resumed: ${file} is not a manifest of this version.`);
  }
  requireSame(before, manifest, name);
}

/** Writes to the run `name`; where that fails, the user is told that nothing is lost. */
function resumable(name: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${error.message} The results so far are kept; --run ${name} goes on from there.`);
  }
}

/** Replaces the file in one step: a reader sees the old or the new one, never half of it. */
const writeWhole = (file: string, value: unknown): void => writeText(file, `${JSON.stringify(value, null, 2)}\n`);

function writeText(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw writeError(error, file);
  }
}
