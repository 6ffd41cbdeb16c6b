/**
 * Dataset repositories of the Hugging Face hub: find the tasks of one language, download them once, then use the cached
 * file.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { errorCode, UserError } from "../../../utils/base/data/errors.ts";
import { type Env, Hub, huggingFaceHome, isOffline } from "../../../utils/base/data/hub.ts";
import { hubProblem } from "../../../utils/base/data/hub_problem.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { DEFAULT_CONFIG, languageNamed, unknownLanguage } from "../../../utils/task/languages.ts";
import { cachedSnapshot, isSafePath, repoFolder, saveToCache } from "./hub_cache.ts";

export interface HubOptions {
  /** Language of the tasks, as HumanEvalPack calls its configurations. Default: python. */
  config?: string;
  /** Default: HF_HUB_CACHE, else `hub` in HF_HOME, else `~/.cache/huggingface/hub`. */
  cacheDir?: string;
  /** How long the hub may take to answer a question, in milliseconds; a download may take ten times as long. */
  timeoutMs: number;
  signal?: AbortSignal;
  log: (line: string) => void;
}

/**
 * The file with the tasks in one language of a dataset repository. What is in the cache is used without asking the
 * network; the access token comes from HF_TOKEN.
 * @param id such as `bigcode/humanevalpack`
 * @throws UserError that says why it cannot be had and what the user can do, and whatever `signal` was aborted with
 */
export async function fetchFromHub(id: string, options: HubOptions): Promise<string> {
  const repo = repoFolder(options.cacheDir ?? cacheOf(process.env), id);
  // The tests of its other languages are much the same.
  keepFromBoxes(repo);
  let hub: Hub | undefined;
  try {
    const cached = await cachedFile(repo, options);
    if (cached) return cached;
    if (isOffline(process.env))
      throw new UserError(`${id} is not in the cache (${repo}), and HF_HUB_OFFLINE keeps the network off.`);
    const token = process.env.HF_TOKEN?.trim();
    if (token && !token.startsWith("hf_")) throw new UserError('HF_TOKEN must start with "hf_".');
    hub = new Hub("dataset", process.env);
    return await download(id, repo, hub, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new UserError(problemOf(hub ? hubProblem(error, hub, id) : error, id));
  }
}

const cacheOf = ({ HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, ...env }: Env): string =>
  HF_HUB_CACHE || HUGGINGFACE_HUB_CACHE || join(huggingFaceHome(env), "hub");

/** Whether files of a dataset repository are on this machine. */
export const isCached = async (id: string): Promise<boolean> =>
  (await cachedSnapshot(repoFolder(cacheOf(process.env), id))) !== undefined;

async function cachedFile(repo: string, options: HubOptions): Promise<string | undefined> {
  const cached = await cachedSnapshot(repo);
  if (!cached) return undefined;
  const chosen = chooseFile(cached.files, options);
  return "path" in chosen ? join(cached.folder, chosen.path) : undefined;
}

/** Of a question or a download: it ends after `limitMs`, or when the caller says so. */
function within(limitMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  return signal ? AbortSignal.any([limit, signal]) : limit;
}

async function download(
  id: string,
  cache: string,
  hub: Hub,
  { timeoutMs, signal, ...options }: HubOptions,
): Promise<string> {
  const repo = await hub.list(id, within(timeoutMs, signal));
  const chosen = chooseFile(repo.files.map(({ path }) => path).sort(), options);
  if ("problem" in chosen) throw new UserError(`${id} ${chosen.problem}`);
  options.log(`dataset: downloading ${chosen.path} of ${id}`);
  const response = await hub.open(repo, chosen.path, 0, within(10 * timeoutMs, signal));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { size = 0, sha256 } = repo.files.find(({ path }) => path === chosen.path) ?? {};
  const isOther = sha256 !== undefined && createHash("sha256").update(bytes).digest("hex") !== sha256;
  if (isOther || (size > 0 && bytes.length !== size)) throw new Error(`${chosen.path} arrived damaged`);
  return await saveToCache(cache, repo.revision, chosen.path, bytes);
}

/** A repository also holds JSON and CSV files that are not data. */
const isData = (path: string): boolean => /\.(jsonl|jsonl\.gz|parquet)$/.test(path);

/** As the hub names the files of a split. Others are for training. */
const TEST_SPLIT = /(?:^|\/)test-\d+-of-\d+\.parquet$/;

/** The one file with tasks in the language that is asked for among the paths of a repository. */
function chooseFile(
  paths: readonly string[],
  { config = DEFAULT_CONFIG }: Pick<HubOptions, "config">,
): { path: string } | { problem: string } {
  const language = languageNamed(config);
  const isOther = (part: string) =>
    unknownLanguage(part) !== undefined || (languageNamed(part) ?? language) !== language;
  const data = paths.filter((path) => isData(path) && isSafePath(path) && !path.split("/").some(isOther));
  // Where HumanEvalPack keeps them.
  const own = data.filter((path) => path.startsWith(`data/${config}/`));
  const found = own.length > 0 || config !== DEFAULT_CONFIG ? own : data;
  const tests = found.filter((path) => TEST_SPLIT.test(path));
  const candidates = tests.length > 0 ? tests : found;
  const [path] = candidates;
  if (path === undefined) {
    return { problem: `has no .jsonl or .parquet file with ${language?.title ?? config} tasks.` };
  }
  if (candidates.length === 1) return { path };
  const names = candidates.slice(0, 5).join(", ");
  return { problem: `has several data files (${names}); download the right one and give its path.` };
}

/** The sentence for anything that was thrown while the dataset `id` was fetched. */
function problemOf(error: unknown, id: string): string {
  if (error instanceof UserError) return error.message;
  const reason = error instanceof Error ? error : new Error(String(error));
  if (reason.name === "TimeoutError") return `The hub did not answer in time when asked for ${id}; is the network up?`;
  const code = errorCode(reason.cause) ?? errorCode(reason);
  const detail = typeof code === "string" ? code : reason.message;
  if (CACHE_TROUBLE.has(detail)) return `${id} cannot be kept in the cache (${detail}); set HF_HOME to another folder.`;
  if (reason.message === "terminated") return `The connection broke off while ${id} was downloaded; try again.`;
  return `${id} could not be downloaded: ${detail}.`;
}

const CACHE_TROUBLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR"]);
