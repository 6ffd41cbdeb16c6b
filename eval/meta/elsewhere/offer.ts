/** What measurements of one agent ask of workers on other machines, and what passes between them. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { FewShotExample, Task, VisibleTask } from "../../../utils/task/task.ts";
import { OfferedFiles, OfferedModel, SampleOffer } from "../../run/queue/offer.ts";
import { isName } from "../archive/surface.ts";
import { MeasuredLine, TRACE_CHARS } from "../log.ts";

/** An agent's files: content in base64 by path, with `/`. */
const Surface = z.record(
  z.string().refine((path) => path.split("/").every(isName), "no path of an agent's file"),
  z.string(),
);
export type Surface = z.infer<typeof Surface>;

export const MeasureOffer = z.object({
  kind: z.literal("measurements"),
  decides: SampleOffer.shape.decides.pick({ code: true, sandbox: true, model: true, candidates: true }),
  model: OfferedModel,
  /** The agent to be measured: its name, and what a worker builds it from. */
  tree: z.string(),
  surface: Surface,
  prices: z.object({ input: z.number(), cachedInput: z.number(), output: z.number() }),
  fewShot: z.array(FewShotExample),
  files: OfferedFiles,
  limits: z.object({ maxIterations: z.number(), timeoutMs: z.number(), graceMs: z.number() }),
  seed: z.number(),
  searchSteps: z.number().optional(),
  /** See `Evaluator`. */
  hash: z.string(),
});
export type MeasureOffer = z.infer<typeof MeasureOffer>;

/** One attempt at one task, hidden tests included. */
export const MeasureData = z.object({
  split: MeasuredLine.shape.split,
  attempt: z.number(),
  task: Task,
  visible: VisibleTask,
});
export type MeasureData = z.infer<typeof MeasureData>;

export const MeasureOutcome = z.union([
  z.object({ measured: MeasuredLine, trace: z.string().max(TRACE_CHARS) }),
  z.object({
    unmeasured: z.string(),
    unpaid: z.boolean().optional(),
    used: MeasuredLine.pick({ costUsd: true, inputTokens: true, outputTokens: true, modelCalls: true }).optional(),
  }),
]);
export type MeasureOutcome = z.infer<typeof MeasureOutcome>;

/** @param folder of a surface that the gates have seen: files and folders alone */
export function readSurface(folder: string): Surface {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "base64")]));
}

export function writeSurface(surface: Surface, folder: string): void {
  for (const [path, content] of Object.entries(surface)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, "base64");
  }
}
