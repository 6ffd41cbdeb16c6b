/** All runs of a folder, each with how far it is and what it scored. */

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { MetaManifest } from "../../meta/manifest.ts";
import { isMetaRun, loadRun, type Run, samplesNotRun } from "../../run/load_run.ts";
import { isRunning } from "../../run/lock.ts";
import { datasetName, readManifest, solverName } from "../../run/manifest.ts";
import { isScored } from "../../run/results.ts";
import { summarize } from "../../run/summary/summary.ts";
import { type Estimate, estimate, taskScores } from "../../run/summary/task_scores.ts";

/** A benchmark's run with what it came to. */
export interface MeasuredRun {
  name: string;
  model: string;
  dataset: string;
  protocol: string;
  /** What the model saw of a task, in words. */
  shown: string;
  startedAt: string;
  state: "running" | "complete" | "incomplete";
  expected: number;
  finished: number;
  errors: number;
  estimate: Estimate;
  /** pass@1 by parts of the tests, such as the first of two tries. */
  parts: [name: string, value: number | null][];
  /** Null where it is unknown for any sample. */
  costUsd: number | null;
  /** Sum over the samples, and wall-clock time; null if it was not recorded. */
  seconds: number;
  wallSeconds: number | null;
  /** Mean over the scored samples; null where there are none. */
  turns: number | null;
  /** See `Summary`. */
  wellFormed: number | null;
}

/** One run in the list, or why it cannot be read. */
export type RunEntry =
  | MeasuredRun
  /** A run of the self-edit loop. */
  | { name: string; state: "self-edit"; running: boolean; startedAt: string }
  | { name: string; state: "unreadable"; problem: string; startedAt: string };

/** Names of the folders that hold a run. Links are not followed: what is listed lies in this folder. */
export function runNames(runsFolder: string): string[] {
  try {
    const entries = readdirSync(runsFolder, { withFileTypes: true });
    return entries.flatMap((entry) =>
      entry.isDirectory() && hasManifest(join(runsFolder, entry.name)) ? entry.name : [],
    );
  } catch {
    return [];
  }
}

const hasManifest = (folder: string) => signature(folder, "manifest.json") !== "";

/** Changes whenever the file does; empty where there is none. */
export function signature(folder: string, file: string): string {
  try {
    const { mtimeMs, size } = statSync(join(folder, file));
    return `${mtimeMs}:${size}`;
  } catch {
    return "";
  }
}

/** Whether anything that a page about a run shows may have changed. */
export const runSignature = (folder: string): string =>
  ["manifest.json", "results.jsonl", "lock"].map((file) => signature(folder, file)).join(" ");

/** The same for a run of the self-edit loop: its log, and the replies that its editors get. */
export function metaSignature(folder: string): string {
  const recordings = join(folder, "recordings");
  const steps = existsSync(recordings) ? readdirSync(recordings).filter((file) => file.startsWith("step-")) : [];
  return [signature(folder, "log.jsonl"), ...steps.sort().map((file) => signature(recordings, file))].join(" ");
}

/** Lists the runs, newest first. Runs that did not change since the last call are not read again. */
export function createRunList(runsFolder: string): () => RunEntry[] {
  const known = new Map<string, { signature: string; entry: RunEntry }>();
  return () => {
    const entries = runNames(runsFolder).map((name) => {
      const now = runSignature(join(runsFolder, name));
      const before = known.get(name);
      // A run whose process was killed leaves its lock as it was, so a running one is looked at again.
      if (before?.signature === now && !hasEnded(before.entry, join(runsFolder, name))) return before.entry;
      const entry = readEntry(runsFolder, name);
      known.set(name, { signature: now, entry });
      return entry;
    });
    return entries.sort((a, b) => b.startedAt.localeCompare(a.startedAt) || a.name.localeCompare(b.name));
  };
}

const hasEnded = (entry: RunEntry, folder: string): boolean =>
  (entry.state === "running" || (entry.state === "self-edit" && entry.running)) && !isRunning(folder);

function readEntry(runsFolder: string, name: string): RunEntry {
  const folder = join(runsFolder, name);
  try {
    if (isMetaRun(folder)) {
      const running = isRunning(folder);
      return { name, state: "self-edit", running, startedAt: readManifest(folder, MetaManifest)?.started_at ?? "" };
    }
    return measuredRun(loadRun(folder));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name, state: "unreadable", problem: error.message, startedAt: "" };
  }
}

export function measuredRun(run: Run): MeasuredRun {
  const { name, manifest, results, expected, running, session } = run;
  const missing = samplesNotRun(run).length;
  const scored = results.filter(isScored);
  const { errors, parts = {}, wellFormed, usage } = summarize(results, expected);
  const { protocol, shown } = manifest.decides;
  const turns = scored.reduce((sum, { iterations }) => sum + iterations, 0);
  return {
    ...{ name, model: solverName(manifest), dataset: datasetName(manifest) },
    ...{ protocol, shown, expected, errors, wellFormed },
    startedAt: manifest.started_at,
    state: running ? "running" : missing + errors === 0 ? "complete" : "incomplete",
    finished: expected - missing,
    estimate: estimate(taskScores(results)),
    parts: Object.entries(parts).map(([part, { value }]) => [part, value]),
    costUsd: usage.costUsd,
    seconds: usage.seconds,
    wallSeconds: session?.wall_seconds ?? null,
    turns: scored.length === 0 ? null : turns / scored.length,
  };
}
