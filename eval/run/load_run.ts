/** Reads a run's folder for whoever looks at it: manifest, results, trajectories. Never writes to it. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode, UserError } from "../../utils/errors.ts";
import { readJsonlTolerant } from "../../utils/jsonl.ts";
import { isHeld } from "./lock.ts";
import { type Manifest, ManifestSchema } from "./manifest.ts";
import { latest, type Result, ResultSchema, UsageSchema } from "./results.ts";
import { readSession, type Session } from "./session.ts";
import { trajectoryFile } from "./store.ts";

/** Where commands look for a run that is given by its name. */
export const RUNS_FOLDER = "runs";

const Observation = z.object({ status: z.string(), output: z.string(), durationMs: z.number() });

const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("act"), tool: z.string(), input: z.record(z.string(), z.unknown()), thought: z.string() }),
  z.object({ kind: z.literal("answer"), text: z.string(), thought: z.string() }),
  z.object({ kind: z.literal("malformed"), problem: z.string(), error: z.string(), thought: z.string() }),
]);

const Step = z.object({
  iteration: z.number(),
  reply: Reply,
  observation: Observation,
  verification: z.object({ accepted: z.boolean(), result: z.string().nullable(), observation: Observation }).optional(),
  usage: UsageSchema.nullable(),
  seconds: z.number(),
});

const BestOf = z.object({
  chosen: z.number().nullable(),
  why: z.string(),
  compared: z.number(),
  groups: z.array(z.array(z.number())),
  candidates: z.array(
    z.object({
      seed: z.number().nullable(),
      stop: z.string(),
      verified: z.boolean(),
      answer: z.string().nullable(),
      edit: z.number().nullable(),
      iterations: z.number(),
      seconds: z.number(),
    }),
  ),
});

/** A trajectory as it lies on disk. Words that may grow (`stop`, kinds of error) are any word here. */
const StoredTrajectory = z.object({
  taskId: z.string(),
  model: z.string(),
  stop: z.string(),
  answer: z.string().nullable(),
  verified: z.boolean(),
  iterations: z.number(),
  steps: z.array(Step),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  usage: UsageSchema,
  seconds: z.number(),
  error: z.object({ kind: z.string(), message: z.string() }).optional(),
  bestOf: BestOf.optional(),
});
export type StoredTrajectory = z.infer<typeof StoredTrajectory>;
export type StoredStep = z.infer<typeof Step>;

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
}

/**
 * Opens a run by its folder, or by its name under `runs/`.
 * @throws UserError where there is no run, or one of a version this program does not read
 */
export function loadRun(nameOrFolder: string): Run {
  const folder = [nameOrFolder, join(RUNS_FOLDER, nameOrFolder)].find((path) =>
    existsSync(join(path, "manifest.json")),
  );
  if (!folder) {
    throw new UserError(
      `There is no run at ${nameOrFolder}: give the folder of a run, or its name under ${RUNS_FOLDER}/.`,
    );
  }
  const manifest = readManifest(join(folder, "manifest.json"));
  const results = latest(readJsonlTolerant(join(folder, "results.jsonl"), ResultSchema));
  return {
    folder,
    name: basename(resolve(folder)),
    manifest,
    results,
    expected: manifest.decides.samples.length,
    running: isHeld(join(folder, "lock")),
    session: readSession(folder),
  };
}

function readManifest(file: string): Manifest {
  try {
    return ManifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new UserError(`${file} is not a manifest of this version.`);
  }
}

/** Larger files are left alone: a reader that loads them would take the memory of everything else. */
const LARGEST_TRAJECTORY = 64 * 1024 * 1024;

/** A sample's trajectory, or one sentence that says why there is none to show. */
export function readTrajectory(
  folder: string,
  sample: Pick<Result, "task_id" | "attempt">,
): { trajectory: StoredTrajectory } | { missing: string } {
  const name = trajectoryFile(sample.task_id, sample.attempt);
  const file = join(folder, "trajectories", name);
  try {
    if (statSync(file).size > LARGEST_TRAJECTORY) return { missing: `trajectories/${name} is too large to be shown.` };
    return { trajectory: StoredTrajectory.parse(JSON.parse(readFileSync(file, "utf8"))) };
  } catch (error) {
    const absent = errorCode(error) === "ENOENT";
    return { missing: absent ? "No trajectory was written." : `trajectories/${name} cannot be read.` };
  }
}
