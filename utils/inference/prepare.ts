/** Makes a faster copy of a local model in the cache, once it has shown that it computes the same. */

import { rmSync } from "node:fs";
import { isEntry } from "../called_as.ts";
import { type Arguments, type Command, EXIT, type ExitCode, runCommand } from "../cli.ts";
import { UserError } from "../errors.ts";
import { classifyLoadError, describeFailure } from "./failures.ts";
import { cacheFolder } from "./files/cache_folder.ts";
import { locateModel } from "./files/locate.ts";
import { DEFAULT_DTYPE, DTYPE_NAMES, modelFile } from "./files/model_folder.ts";
import { downloadProgress } from "./files/progress_bar.ts";
import type { EngineOptions } from "./messages.ts";
import { isPrepared, outdatedCopies, prepareCopy, preparedFolder } from "./prepared/prepared.ts";
import { type Comparison, compareTrials, type Trial, tryModel } from "./prepared/trial.ts";

export const command = {
  usage: "FOLDER|ID [options]",
  summary:
    "Makes a faster copy of a model for this machine: less computed for the same answer. The copy is checked against the original and used in its place from then on.",
  options: {
    dtype: { value: "TYPE", help: `weights: ${DTYPE_NAMES.join(", ")} (default ${DEFAULT_DTYPE})` },
    threads: { value: "N", help: "threads of the trial (default 1)" },
    exact: { help: "keep activations in float: the original's answers but for rounding, less speed" },
    remove: { help: "remove the copy again" },
  },
  positionals: [1, 1],
} satisfies Command;

/** Int8 activations are a little less exact; a copy beyond these bounds is not used. */
const MAX_DEVIATION = { int8: 0.08, exact: 1e-4 } as const;
/** A copy that gains less is not worth its disk. */
const MIN_SPEED_UP = 1.05;

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
  if (args.flag("remove")) return EXIT.ok;
  if (isPrepared(target)) {
    log(`${model} (${dtype}) is prepared already: ${target}`);
    return EXIT.ok;
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
  if (await prepareWithoutOverflow(options, target, original)) {
    log(`${model} (${dtype}) now runs from ${target}`);
    return EXIT.ok;
  }
  for (const kind of args.flag("exact") ? (["exact"] as const) : (["int8", "exact"] as const)) {
    if (await prepare(kind, options, target, original)) {
      log(`${model} (${dtype}) now runs from ${target}`);
      return EXIT.ok;
    }
  }
  log(`${model} (${dtype}) stays as it is: no copy was both faster and equal enough.`);
  return EXIT.ok;
}

/** Where this processor's int8 products overflow, what the original says is wrong: then the exact copy is kept, fast or not. */
async function prepareWithoutOverflow(options: EngineOptions, target: string, original: Trial): Promise<boolean> {
  const copy = prepareCopy(options.folder, options.file, target, { int8Activations: false, unsignedWeights: true });
  let kept = false;
  try {
    if (copy.report.unsignedNodes === 0) return false;
    const exact = await trialOf(options.folder, { ...options, folder: copy.folder });
    const comparison = compareTrials(original, exact);
    if (comparison.deviation <= MAX_DEVIATION.exact) return false;
    log(`int8 products overflow on this processor; computed exactly, ${describe(comparison)}`);
    copy.keep();
    kept = true;
  } finally {
    if (!kept) copy.discard();
  }
  return kept;
}

/** Makes one kind of copy and keeps it if it holds. */
async function prepare(
  kind: keyof typeof MAX_DEVIATION,
  options: EngineOptions,
  target: string,
  original: Trial,
): Promise<boolean> {
  const copy = prepareCopy(options.folder, options.file, target, { int8Activations: kind === "int8" });
  let kept = false;
  try {
    const comparison = compareTrials(original, await trialOf(options.folder, { ...options, folder: copy.folder }));
    const fault = faultOf(comparison, kind);
    log(`${kind}: ${describe(comparison)}${fault ? `; not used: ${fault}` : ""}`);
    if (!fault) copy.keep();
    kept = !fault;
  } finally {
    if (!kept) copy.discard();
  }
  return kept;
}

/** Why a copy must not stand in for the original on this machine. */
function faultOf(comparison: Comparison, kind: keyof typeof MAX_DEVIATION): string | undefined {
  if (comparison.deviation > MAX_DEVIATION[kind]) return `more than ${100 * MAX_DEVIATION[kind]}%`;
  if (comparison.splitLost) {
    const percent = (100 * comparison.split).toFixed(2);
    return `a token alone and among others differs by up to ${percent}%, so no prompt could be reused`;
  }
  return comparison.speedUp < MIN_SPEED_UP ? "it gains too little" : undefined;
}

function describe({ deviation, agreement, speedUp }: Comparison): string {
  const [differ, same] = [(100 * deviation).toFixed(2), (100 * agreement).toFixed(0)];
  return `${speedUp.toFixed(2)} times as fast, logits differ by ${differ}%, same choice in ${same}% of steps`;
}

async function trialOf(model: string, options: EngineOptions): Promise<Trial> {
  try {
    return await tryModel(options);
  } catch (error) {
    const sentence = describeFailure(classifyLoadError(error), model);
    throw new UserError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }
}

if (isEntry(import.meta.url)) await runCommand(command, main);
