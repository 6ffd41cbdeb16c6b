/** Keeps a run of `mend repair` or `mend fix` as a run like those of `mend eval`, so that every page shows it. */

import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Model } from "../../../agent/models/model.ts";
import type { Trajectory } from "../../../agent/run/trajectory.ts";
import type { Outcome } from "../../../fix/outcome/outcome.ts";
import { writing } from "../../../utils/base/data/errors.ts";
import { jsonHash } from "../../../utils/base/data/json_hash.ts";
import { makeFolder } from "../../../utils/base/files/make_folder.ts";
import { newRunName } from "../lock.ts";
import { codeHash, gitCommit, type Manifest, RUN_FORMAT } from "../manifest.ts";
import { type Result, repliesIn, sampleKey, trajectoryFile, written } from "../results.ts";
import { trajectoryText } from "../store.ts";
import { removeOldest } from "./folder.ts";
import { OUTCOME_FILE, OWN_FILES } from "./outcome.ts";

export interface RepairRecord {
  /** As the user named it: a file, or a folder. */
  target: string;
  model: Pick<Model, "name" | "parameters">;
  limits: Record<string, number>;
  seed: number | null;
  attempts: readonly Trajectory[];
  /** Null where a model failed. */
  outcome: Outcome | null;
  startedAt: Date;
  /** The command, for a shell. */
  again: string | undefined;
}

/**
 * Writes it in one step: a reader sees all of it or nothing, and of two at a time both.
 * @returns its folder
 * @throws UserError where the system refuses to write
 */
export function keepRepair(folder: string, repair: RepairRecord): string {
  makeFolder(folder);
  const task = basename(repair.outcome?.file ?? repair.target);
  // By their names the newest is last, also of two that end in one second.
  const time = new Date().toISOString().replace(/\D/g, "");
  const [, , ...named] = newRunName(repair.model.name, task).split("-");
  const name = [time, ...named, randomBytes(2).toString("hex")].join("-");
  const draft = join(folder, `.${name}`);
  const results = repair.attempts.map((trajectory, attempt) => resultOf(trajectory, { task, attempt }, repair));
  try {
    writing(draft, () => {
      mkdirSync(join(draft, "trajectories"), { recursive: true });
      // It holds what the user's files say.
      chmodSync(draft, 0o700);
      const write = (file: string, text: string) => writeFileSync(join(draft, file), text);
      const wall_seconds = (Date.now() - repair.startedAt.getTime()) / 1000;
      write("manifest.json", asJson(manifestOf(task, repair)));
      write("results.jsonl", results.map((result) => `${JSON.stringify(written(result))}\n`).join(""));
      write("session.json", asJson({ v: 1, wall_seconds, stopped: null }));
      if (repair.outcome) write(OUTCOME_FILE, asJson(repair.outcome));
      for (const [i, patch] of patchesOf(repair.outcome).entries()) write(patchFile(i + 1), patch);
      for (const [attempt, trajectory] of repair.attempts.entries())
        write(join("trajectories", trajectoryFile({ task_id: task, attempt })), trajectoryText(trajectory));
      renameSync(draft, join(folder, name));
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeOldest(folder);
  return join(folder, name);
}

/** That of the repair first, then others that pass, as they are numbered. */
const patchesOf = (outcome: Outcome | null): string[] =>
  outcome ? [outcome.diff, ...outcome.alternatives.map(({ diff }) => diff)].filter((diff) => diff !== "") : [];

/** The file of a kept run that `git apply` takes. */
export const patchFile = (number: number): string => `${number}.patch`;

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function manifestOf(task: string, repair: RepairRecord): Manifest {
  const { model, limits, seed, attempts, outcome, target, startedAt, again } = repair;
  return {
    v: RUN_FORMAT,
    decides: {
      protocol: OWN_FILES,
      shown: `your files${outcome ? ` and your tests (${outcome.test_command})` : ""}`,
      model: { name: model.name, parameters: model.parameters },
      dataset: { name: target, sha256: jsonHash([outcome?.root ?? target, outcome?.file, outcome?.test_command]) },
      few_shot: { from: "dataset", task_ids: [] },
      tools: [],
      limits,
      seed,
      prices: null,
      sandbox: { layer: outcome?.sandbox ?? "unknown", python: "as your tests use it" },
      code: codeHash(),
      attempts: Math.max(1, attempts.length),
      samples: attempts.map((_, attempt) => sampleKey({ task_id: task, attempt })),
    },
    again,
    git_commit: gitCommit(),
    started_at: startedAt.toISOString(),
  };
}

function resultOf(
  trajectory: Trajectory,
  { task, attempt }: { task: string; attempt: number },
  { outcome, seed }: RepairRecord,
): Result {
  const { usage, error, verified, stop, iterations } = trajectory;
  const sample = { index: 0, task_id: task, attempt, bug_type: "", ...(seed === null ? {} : { seed }) };
  if (error) return { ...sample, error: { kind: error.kind, message: error.message }, usage };
  return {
    ...sample,
    passed: verified,
    outcome: verified ? "passed" : "failed",
    explanation: verified ? "" : (outcome?.attempts[attempt]?.status ?? ""),
    verified,
    stop,
    iterations,
    ...repliesIn(trajectory),
    usage,
  };
}
