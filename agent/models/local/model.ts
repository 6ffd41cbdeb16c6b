/** Models that run on this machine through transformers.js: finds, checks and loads them. */

import { availableParallelism, totalmem } from "node:os";
import { UserError } from "../../../utils/base/data/errors.ts";
import { prefixFolderFor } from "../../../utils/inference/cache/prefix_files.ts";
import { EngineClient, LocalModelError } from "../../../utils/inference/engine_client.ts";
import { describeFailure, hasLibrary } from "../../../utils/inference/failures.ts";
import { downloadProgress } from "../../../utils/inference/files/download.ts";
import { cacheFolder, DEFAULT_DTYPE, type Dtype, modelFile } from "../../../utils/inference/files/folders.ts";
import { locateModel } from "../../../utils/inference/files/locate.ts";
import type { EngineOptions } from "../../../utils/inference/messages.ts";
import type { LocalOptions } from "../../../utils/inference/options.ts";
import { isPrepared, outdatedCopies, preparedFolder } from "../../../utils/inference/prepared/prepared.ts";
import { calledAs } from "../../../utils/program/called_as.ts";
import type { MadeModel, ModelOptions } from "../model.ts";
import { ChatTransformers } from "./chat.ts";

const DEFAULT_MAX_TOKENS = 1024;
const MAX_CACHE_BYTES = 2 ** 31;

/** @throws UserError where the library is missing or the model has no files; a hub id is downloaded */
export async function requireUsable(spec: string, options: Pick<ModelOptions, "log" | "env" | "local">): Promise<void> {
  const missing = describeFailure({ kind: "load", reason: "package_missing", detail: "" }, spec);
  if (!hasLibrary()) throw new UserError(`${capital(missing)}.`);
  await filesOf(spec, options);
}

const filesOf = (
  spec: string,
  { log, env = process.env, local: { dtype = DEFAULT_DTYPE } = {} }: Pick<ModelOptions, "log" | "env" | "local">,
): Promise<string> => locateModel(spec, { dtype, env, onProgress: downloadProgress(spec, log) });

/**
 * Loads the model that a hub id or a folder names, in a process of its own; a hub id is downloaded into the cache
 * first. The time limit of one attempt does not apply: a request may wait for others. @throws UserError
 */
export async function createTransformersModel(
  spec: string,
  options: Pick<ModelOptions, "temperature" | "seed" | "maxTokens" | "log" | "env">,
  local: LocalOptions = {},
): Promise<MadeModel & { chat: ChatTransformers }> {
  const { temperature, seed, maxTokens = DEFAULT_MAX_TOKENS, log, env = process.env } = options;
  const { dtype = DEFAULT_DTYPE, topK = 20, topP = 1, repetitionPenalty = 1, constrain = true } = local;
  const folder = await filesOf(spec, { log, env, local });
  const engineOptions = optionsFor(folder, dtype, local, cacheFolder(env));
  if (engineOptions.folder === folder && outdatedCopies(cacheFolder(env), folder, engineOptions.file).length > 0) {
    const again = `${calledAs("models prepare")} ` + `${spec}${dtype === DEFAULT_DTYPE ? "" : ` --dtype ${dtype}`}`;
    log(`${spec}: its prepared copy is out of date and not used; make it again: ${again}`);
  }
  const engine = await EngineClient.start(spec, engineOptions).catch((error: unknown) => {
    if (error instanceof LocalModelError) throw new UserError(`${capital(error.message)}.`);
    throw error;
  });
  if (!engine.info.splitInvariant) {
    log(`${spec}: this file computes other values when a prompt is split, so nothing is reused; q4 does not have this`);
  }
  const sampling = { temperature, topK, topP, repetitionPenalty, maxTokens, constrain };
  const { device, threads } = engineOptions;
  return {
    name: spec,
    spec,
    chat: new ChatTransformers(engine, spec, { ...sampling, seed }),
    parameters: { ...sampling, seed: seed ?? null, dtype, device, threads, prepared: engineOptions.folder !== folder },
    deterministic: temperature === 0 || seed !== undefined,
    close: () => engine.close(),
  };
}

function optionsFor(folder: string, dtype: Dtype, local: LocalOptions, cache: string): EngineOptions {
  const { device = "cpu", threads = defaultThreads(), keepPrefixes = true, speculate = true } = local;
  const file = modelFile(dtype);
  const prepared = preparedFolder(cache, folder, file);
  const used = isPrepared(prepared) ? prepared : folder;
  return {
    folder: used,
    file,
    device,
    threads,
    cacheBytes: local.cacheBytes ?? Math.min(MAX_CACHE_BYTES, totalmem() / 8),
    prefixFolder: keepPrefixes ? prefixFolderFor(cache, used, file, `${device} ${threads}`) : undefined,
    speculate,
    maxBatch: local.maxBatch,
  };
}

const defaultThreads = (): number => Math.min(8, availableParallelism());

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
