/** Makes a faster copy of a local model in the cache, once it has shown that it computes the same. */

import { rmSync } from "node:fs";
import { UserError } from "../base/data/errors.ts";
import { type Arguments, type Command, EXIT, type ExitCode, printDocument } from "../program/cli.ts";
import { classifyLoadError, describeFailure } from "./failures.ts";
import { downloadProgress } from "./files/download.ts";
import { cacheFolder, DEFAULT_DTYPE, DTYPE_NAMES, modelFile } from "./files/folders.ts";
import { locateModel } from "./files/locate.ts";
import type { EngineOptions } from "./messages.ts";
import type { SlimOptions } from "./onnx/slim.ts";
import { isPrepared, outdatedCopies, prepareCopy, preparedFolder } from "./prepared/prepared.ts";
import type { CopyTrial, LogitComparison } from "./prepared/trial.ts";

export const command = {
  usage: "FOLDER|ID [options]",
  summary:
    "Makes a faster copy of a model for this machine: less computed for the same answer. The copy is " +
    "checked against the original and used in its place from then on.",
  options: {
    dtype: { value: "TYPE", help: `weights: ${DTYPE_NAMES.join(", ")} (default ${DEFAULT_DTYPE})` },
    threads: { value: "N", help: "threads of the trial (default 1)" },
    exact: { help: "keep activations in float: the original's answers but for rounding, less speed" },
    remove: { help: "remove the copy again" },
    json: { help: "what became of the copy as one JSON document on stdout" },
  },
  positionals: [1, 1],
} satisfies Command;

/** Int8 activations are a little less exact; a copy beyond these bounds is not used. */
const MAX_DEVIATION = { int8: 0.08, exact: 1e-4 } as const;
/** A copy that gains less is not worth its disk. */
const MIN_SPEED_UP = 1.05;

/** Loaded late: help and completions work without the library that runs models. */
const trials = () => import("./prepared/trial.ts");

const log = (line: string): void => console.error(line);

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [model = ""] = args.positionals;
  const dtype = args.choice("dtype", DTYPE_NAMES) ?? DEFAULT_DTYPE;
  const folder = await locateModel(model, { dtype, env: process.env, onProgress: downloadProgress(model, log) });
  const file = modelFile(dtype);
  const target = preparedFolder(cacheFolder(process.env), folder, file);
  // An outdated copy is as large as the model and of no use, whatever comes of a new one.
  const outdated = outdatedCopies(cacheFolder(process.env), folder, file);
  for (const path of args.flag("remove") ? [target, ...outdated] : outdated) {
    rmSync(path, { recursive: true, force: true });
  }
  const end = (outcome: string, copy: string | null): ExitCode => {
    if (args.flag("json")) printDocument({ model, dtype, outcome, copy });
    return EXIT.ok;
  };
  if (args.flag("remove")) return end("removed", null);
  if (isPrepared(target)) {
    log(`${model} (${dtype}) is prepared already: ${target}`);
    return end("prepared already", target);
  }
  const options = {
    folder,
    file,
    device: "cpu",
    threads: args.count("threads", 1) ?? 1,
    cacheBytes: 0,
    speculate: false,
  };
  const original = await trialOf(model, options);
  const kinds = args.flag("exact") ? (["exact"] as const) : (["int8", "exact"] as const);
  const attempts: [SlimOptions, (copy: CopyTrial) => Promise<boolean>][] = [
    [{ int8Activations: false, unsignedWeights: true }, (copy) => overflows(original, copy)],
    ...kinds.map((kind): [SlimOptions, (copy: CopyTrial) => Promise<boolean>] => [
      { int8Activations: kind === "int8" },
      (copy) => holds(kind, original, copy),
    ]),
  ];
  for (const [slim, judge] of attempts) {
    if (await prepare(slim, options, target, judge)) {
      log(`${model} (${dtype}) now runs from ${target}`);
      return end("prepared", target);
    }
  }
  log(`${model} (${dtype}) stays as it is: no copy was both faster and equal enough.`);
  return end("no faster copy", null);
}

/** Makes a copy and keeps it where `judge` says so. */
async function prepare(
  slim: SlimOptions,
  options: EngineOptions,
  target: string,
  judge: (trial: CopyTrial) => Promise<boolean>,
): Promise<boolean> {
  const copy = prepareCopy(options.folder, options.file, target, slim);
  let kept = false;
  try {
    // Without a product to make unsigned the copy would be the exact one.
    const isOther = !slim.unsignedWeights || copy.report.unsignedNodes > 0;
    kept = isOther && (await judge(await trialOf(options.folder, { ...options, folder: copy.folder })));
    if (kept) copy.keep();
  } finally {
    if (!kept) copy.discard();
  }
  return kept;
}

/**
 * Where this processor's int8 products overflow, what the original says is wrong: then the exact copy is kept, fast or
 * not.
 */
async function overflows(original: CopyTrial, exact: CopyTrial): Promise<boolean> {
  const { compareTrials } = await trials();
  const comparison = compareTrials(original, exact);
  if (comparison.deviation <= MAX_DEVIATION.exact) return false;
  log(`int8 products overflow on this processor; computed exactly, ${describe(comparison)}`);
  return true;
}

/** Whether a copy may stand in for the original. */
async function holds(kind: keyof typeof MAX_DEVIATION, original: CopyTrial, copy: CopyTrial): Promise<boolean> {
  const { compareTrials } = await trials();
  const comparison = compareTrials(original, copy);
  const fault = faultOf(comparison, kind);
  log(`${kind}: ${describe(comparison)}${fault ? `; not used: ${fault}` : ""}`);
  return !fault;
}

/** Why a copy must not stand in for the original on this machine. */
function faultOf(comparison: LogitComparison, kind: keyof typeof MAX_DEVIATION): string | undefined {
  if (comparison.deviation > MAX_DEVIATION[kind]) return `more than ${100 * MAX_DEVIATION[kind]}%`;
  if (comparison.splitLost) {
    const percent = (100 * comparison.split).toFixed(2);
    return `a token alone and among others differs by up to ${percent}%, so no prompt could be reused`;
  }
  return comparison.speedUp < MIN_SPEED_UP ? "it gains too little" : undefined;
}

function describe({ deviation, agreement, speedUp }: LogitComparison): string {
  const [differ, same] = [(100 * deviation).toFixed(2), (100 * agreement).toFixed(0)];
  return `${speedUp.toFixed(2)} times as fast, logits differ by ${differ}%, same choice in ${same}% of steps`;
}

async function trialOf(model: string, options: EngineOptions): Promise<CopyTrial> {
  try {
    return await (await trials()).tryModel(options);
  } catch (error) {
    const sentence = describeFailure(classifyLoadError(error), model);
    throw new UserError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }
}
