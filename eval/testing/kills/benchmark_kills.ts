/** Kills `pass1`, resumes it each time, and compares what it leaves with an undisturbed run. */

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { countLines, finish, killAt, leftBehind, measureWork, onceWritten, randomMoments } from "./kills.ts";

const COMMAND = fileURLToPath(new URL("../../cli/commands/eval.ts", import.meta.url));

export interface RunKillReport {
  /** Kills that hit a living process. */
  kills: number;
  /** Results on disk after each kill. */
  progress: number[];
  /** Of the last run that was killed; a run with another one than 0 is the last. */
  exitCode: number | null;
  /**
   * Results and trajectories without what a clock wrote, by file, of the undisturbed run and of each that was killed.
   */
  undisturbed: Record<string, string>;
  killed: Record<string, string>[];
  /** Temporary folders and processes that are there when all runs have ended. */
  left: string[];
}

export interface RunKillCheck {
  /** So many kills at random moments, in as many runs as that takes, or one as soon as there are so many results. */
  when: { kills: number; seed: number } | { results: number };
  /** Options of `pass1`: model, dataset, tasks. */
  args: readonly string[];
  signal?: "SIGKILL" | "SIGINT";
}

/**
 * Kills come at random moments, or as soon as there are so many results; the undisturbed run tells how long the work
 * takes.
 */
export async function checkKills({ when, args, signal }: RunKillCheck): Promise<RunKillReport> {
  using folder = makeTemporaryFolder("kills");
  const cwd = folder.path;
  const temporary = join(cwd, "temporary");
  mkdirSync(temporary);
  const victim = (run: string) => ({
    command: COMMAND,
    args: [...args, "--run", run],
    cwd,
    run: join(cwd, "runs", run),
    temporary,
    signal,
  });
  const workMs = await measureWork(victim("undisturbed"));
  const progress: number[] = [];
  const killed: RunKillReport["killed"] = [];
  const wanted = "results" in when ? 1 : when.kills;
  let exitCode: number | null = 0;
  while (progress.length < wanted && exitCode === 0) {
    const run = `killed-${killed.length}`;
    const done = () => countLines(join(cwd, "runs", run, "results.jsonl"));
    const moments =
      "results" in when
        ? [onceWritten(join(cwd, "runs", run, "results.jsonl"), when.results)]
        : randomMoments(wanted - progress.length, when.seed + killed.length, workMs, done);
    await killAt(moments, victim(run), () => progress.push(done()));
    exitCode = await finish(victim(run));
    killed.push(contents(join(cwd, "runs", run)));
  }
  return {
    kills: progress.length,
    progress,
    exitCode,
    undisturbed: contents(join(cwd, "runs/undisturbed")),
    killed,
    left: leftBehind(temporary),
  };
}

/** Every file of a run but the lock and the manifest, whose date differs. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const compared = files.filter((file) => /\.jsonl?$|\.tmp$/.test(file) && file !== "manifest.json");
  return Object.fromEntries(compared.map((file) => [file, withoutClocks(readFileSync(join(folder, file), "utf8"))]));
}

const withoutClocks = (text: string): string => text.replace(/"((?:wall_)?seconds|durationMs)": ?[\d.e-]+/g, '"$1":0');
