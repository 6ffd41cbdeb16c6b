/** Reads a run's folder: manifest, results, trajectories. Never writes to it. */

import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Trajectory } from "../../agent/run/trajectory.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { readJsonlTolerant } from "../../utils/base/files/jsonl.ts";
import { inLine } from "../../utils/base/text/text.ts";
import { isRunning, RUNS_FOLDER } from "./lock.ts";
import { Manifest, readManifest } from "./manifest.ts";
import { keptRuns, repairsFolder } from "./repairs/folder.ts";
import { type KeptOutcome, readOutcome } from "./repairs/outcome.ts";
import { latest, Result, type SampleId, sampleKey, trajectoryFile } from "./results.ts";
import { readSession, type Session } from "./session.ts";

export interface Run {
  folder: string;
  name: string;
  manifest: Manifest;
  /** The latest result of each sample, in the order of the tasks. */
  results: Result[];
  /** Samples the run should have. */
  expected: number;
  /** True while a process is writing it. */
  running: boolean;
  /** Null where none was recorded. */
  session: Session | null;
  /** Of a repair of the user's own files what it came to; null of a benchmark. */
  outcome: KeptOutcome | null;
}

/**
 * Opens a run by its folder, or by its name under `runs/`, or among the repairs that were kept.
 * @throws UserError where there is no run, or one of a version this program does not read
 */
export function loadRun(nameOrFolder: string): Run {
  const folder = [nameOrFolder, ...[RUNS_FOLDER, repairsFolder()].map((runs) => join(runs, nameOrFolder))].find(
    (path) => existsSync(join(path, "manifest.json")),
  );
  if (!folder) {
    throw new UserError(
      `There is no run at ${inLine(nameOrFolder)}: give the folder of a run, or its name under ${RUNS_FOLDER}/.`,
    );
  }
  if (isMetaRun(folder))
    throw new UserError(
      `${folder} is a run of mend improve: its page is ${join(folder, "report.html")}, or in mend view.`,
    );
  const manifest = readManifest(folder, Manifest);
  if (!manifest) throw new UserError(`${join(folder, "manifest.json")} is not a manifest of this version.`);
  const results = latest(readJsonlTolerant(folder, "results.jsonl", Result));
  return {
    folder,
    name: basename(resolve(folder)),
    manifest,
    results,
    expected: manifest.decides.samples.length,
    running: isRunning(folder),
    session: readSession(folder),
    outcome: readOutcome(folder),
  };
}

/** The newest repair that was kept. @throws UserError where there is none */
export function loadLastRepair(): Run {
  const folder = repairsFolder();
  const [newest] = existsSync(folder) ? keptRuns(folder) : [];
  if (newest === undefined)
    throw new UserError(`No repair is kept in ${folder} yet: mend repair and mend fix keep theirs there.`);
  return loadRun(join(folder, newest));
}

/** Samples of the manifest without a result. */
export function samplesNotRun({ manifest, results }: Run): string[] {
  const known = new Set(results.map(sampleKey));
  return manifest.decides.samples.filter((sample) => !known.has(sample));
}

/** Whether a folder holds a run of the self-edit loop. */
export const isMetaRun = (folder: string): boolean => existsSync(join(folder, "agents.git"));

/** What is read of a run and could not be had again: no page and no export may be written over it. */
export function filesOfRun({ folder }: Pick<Run, "folder">): string[] {
  const trajectories = join(folder, "trajectories");
  const names = existsSync(trajectories) ? readdirSync(trajectories) : [];
  return [
    join(folder, "manifest.json"),
    join(folder, "results.jsonl"),
    ...names.map((name) => join(trajectories, name)),
  ];
}

/** A sample's trajectory, or one sentence that says why there is none to show. */
export function readTrajectory(folder: string, sample: SampleId): { trajectory: Trajectory } | { missing: string } {
  const name = trajectoryFile(sample);
  const { text, problem } = tryForeignText(folder, join("trajectories", name));
  if (problem) return { missing: problem.isMissing ? "No trajectory was written." : problem.message };
  const trajectory = readJson(text, Trajectory);
  return trajectory ? { trajectory } : { missing: `trajectories/${name} cannot be read.` };
}
