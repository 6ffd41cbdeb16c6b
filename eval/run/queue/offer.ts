/** What a run asks of its workers, and what passes between them. */

import { z } from "zod";
import { TOOL_CALLS } from "../../../agent/models/model.ts";
import { jsonHash } from "../../../utils/base/data/json_hash.ts";
import { DTYPE_NAMES } from "../../../utils/inference/files/folders.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { SandboxInfo } from "../../../utils/sandbox/types.ts";
import { FewShotExample } from "../../../utils/task/task.ts";
import { FUNCTIONS, unpackedFunction } from "../../benchmark/functions.ts";
import type { Unpacker, UnpackOptions } from "../../benchmark/row.ts";
import { BENCHMARKS } from "../../benchmark/table.ts";
import { codeHash, Manifest, settingsThatDiffer } from "../manifest.ts";
import type { SampleJob } from "../results.ts";
import { Result } from "../results.ts";

/** The directory of runs: a queue with one job a run, read and never taken. */
export const OFFERS = "mend-runs";

const Decides = Manifest.shape.decides
  .pick({
    protocol: true,
    model: true,
    few_shot: true,
    tools: true,
    limits: true,
    seed: true,
    prices: true,
    sandbox: true,
    code: true,
  })
  .extend({ limits: z.object({ max_iterations: z.number(), timeout_ms: z.number() }) });

/** How a worker makes the model. Holds no key: a worker takes its own from its environment. */
const OfferedModel = z.object({
  spec: z.string(),
  temperature: z.number(),
  seed: z.number().optional(),
  maxTokens: z.number().optional(),
  searchSteps: z.number().optional(),
  toolCalls: z.enum(TOOL_CALLS).optional(),
  local: z.object({ dtype: z.enum(DTYPE_NAMES), device: z.string(), threads: z.number() }).partial(),
  /** How many requests all workers together may have at the model's server at a time. */
  maxRequests: z.number().optional(),
  /** How many requests all workers together may begin in a minute. */
  requestsPerMinute: z.number().optional(),
});
export type OfferedModel = z.infer<typeof OfferedModel>;

export const SampleOffer = z.object({
  /** What decides a result, as in the run's manifest. */
  decides: Decides,
  /** It must come out as `decides.model`. */
  model: OfferedModel,
  fewShot: z.array(FewShotExample),
  /** What has to be on a worker's machine for the tasks, by the row that unpacks them. */
  needs: z.record(z.string(), z.array(z.unknown())).default({}),
});
export type SampleOffer = z.infer<typeof SampleOffer>;

const SampleData = z.object({
  index: z.number(),
  attempt: z.number(),
  parcel: z.object({ benchmark: z.string(), data: z.unknown() }),
});

/** @throws Error where its task is bound to the machine of its run */
export function sampleData({ index, attempt, task }: SampleJob): z.infer<typeof SampleData> {
  if (!task.parcel) throw new Error(`${task.id} is not a task that can travel`);
  return { index, attempt, parcel: task.parcel };
}

/** What the tasks of a run need on a worker's machine, each thing once. */
export function needsOf(jobs: readonly SampleJob[]): SampleOffer["needs"] {
  const needs: Record<string, Map<string, unknown>> = {};
  for (const { task } of jobs) {
    if (task.parcel?.needs === undefined) continue;
    const { benchmark, needs: needed } = task.parcel;
    needs[benchmark] ??= new Map();
    needs[benchmark].set(JSON.stringify(needed), needed);
  }
  return Object.fromEntries(Object.entries(needs).map(([benchmark, all]) => [benchmark, [...all.values()]]));
}

/**
 * A sample to be solved as it travelled, hidden tests included.
 * @param unpackers by their row
 * @throws Error for what is none
 */
export async function sampleJob(data: unknown, unpackers: (row: string) => Promise<Unpacker>): Promise<SampleJob> {
  const { index, attempt, parcel } = SampleData.parse(data);
  return { index, attempt, task: await (await unpackers(parcel.benchmark)).task(parcel.data) };
}

/** @param name of its row @throws Error where its tasks do not travel, UserError where what is here cannot be read */
export async function openUnpacker(name: string, options: UnpackOptions): Promise<Unpacker> {
  if (name === FUNCTIONS) return { task: async (data) => unpackedFunction(data) };
  const row = BENCHMARKS.find((one) => one.name === name);
  if (!row || !("unpacker" in row) || !row.unpacker)
    throw new Error(`${name} is not a benchmark whose tasks can travel`);
  return await row.unpacker(options);
}

/** What became of it. Its trajectory is attached, as its file holds it: within JSON it would be escaped. */
export const SolvedSample = z.object({
  result: Result,
  /** A failure of the model that every further sample would meet too. */
  fatal: z.string().optional(),
});
export type SolvedSample = z.infer<typeof SolvedSample>;

/**
 * The name of a run's queue: the same when the run is resumed, another for a run of the same name elsewhere.
 * @param startedAt of its manifest
 */
export const queueOf = (run: string, startedAt: string): string =>
  `mend-${run.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 12)}-${jsonHash([run, startedAt]).slice(0, 8)}`;

/** The settings that decide a result as they are on this machine, for a run that wants `wanted`. */
export function decidedHere(
  info: SandboxInfo,
  wanted: Record<string, string>,
): Pick<SampleOffer["decides"], "code" | "sandbox"> {
  const runtimes = Object.values(LANGUAGES).flatMap(({ runtime }) => runtime ?? []);
  const versions = runtimes.filter(({ id }) => id in wanted).map(({ id, version }) => [id, version]);
  return {
    code: codeHash(),
    sandbox: { layer: info.layer, python: info.pythonVersion, ...Object.fromEntries(versions) },
  };
}

/** A sentence that says how this machine differs from what the run wants; null where it does not. */
export function misfit(wanted: Record<string, unknown>, here: Record<string, unknown>): string | null {
  const differences = settingsThatDiffer(wanted, here).map(
    ({ setting, a, b }) => `${setting} is ${a} in the run and ${b} here`,
  );
  return differences.length > 0 ? differences.join(", ") : null;
}
