/** Dataset repositories of the Hugging Face hub: find the tasks of one language, download them once, then use the cached file. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  datasetInfo,
  downloadFile,
  getHFHubCachePath,
  HubApiError,
  type ListFileEntry,
  listFiles,
} from "@huggingface/hub";
import { errorCode, UserError } from "../../utils/errors.ts";
import { isDataFile } from "./formats.ts";
import { cachedSnapshot, isSafePath, repoFolder, saveToCache } from "./hub_cache.ts";
import { languageNamed, unknownLanguage } from "./rows.ts";

export interface HubOptions {
  /** Never use the network. Default: HF_HUB_OFFLINE. */
  offline?: boolean;
  /** Language of the tasks, as HumanEvalPack calls its configurations. Default: python. */
  config?: string;
  /** Default: HF_HUB_CACHE, else `hub` in HF_HOME, else `~/.cache/huggingface/hub`. */
  cacheDir?: string;
  /** Default: HF_ENDPOINT, else the public hub. */
  hubUrl?: string;
  /** How long the hub may take to answer a question, in milliseconds; a download may take ten times as long. */
  timeoutMs: number;
  signal?: AbortSignal;
  log: (line: string) => void;
}

/** The file, or one sentence that says why it cannot be had: what is wrong, and what the user can do. */
export type HubResult = { ok: true; file: string } | { ok: false; problem: string };

/**
 * The file with the tasks in one language of a dataset repository. What is in the cache is used without asking the network; the
 * access token comes from HF_TOKEN. (The client's own `downloadFileToCacheDir` is not used: it prints to stdout, does
 * not remember what `main` was, so it cannot work offline, and two processes would write the same temporary file.)
 * @param id such as `bigcode/humanevalpack`
 * @throws whatever `signal` was aborted with
 */
export async function fetchFromHub(id: string, options: HubOptions): Promise<HubResult> {
  const repo = repoFolder(options.cacheDir ?? getHFHubCachePath(), id);
  try {
    const cached = await cachedFile(repo, options);
    if (cached) return { ok: true, file: cached };
    if (options.offline ?? isOn(process.env.HF_HUB_OFFLINE)) {
      return { ok: false, problem: `${id} is not in the cache (${repo}), and HF_HUB_OFFLINE keeps the network off.` };
    }
    return await download(id, repo, connect(options), options);
  } catch (error) {
    options.signal?.throwIfAborted();
    return { ok: false, problem: explainHubError(error, id) };
  }
}

async function cachedFile(repo: string, options: HubOptions): Promise<string | undefined> {
  const cached = await cachedSnapshot(repo);
  if (!cached) return undefined;
  const chosen = chooseFile(cached.files, options);
  return chosen.ok ? join(cached.folder, chosen.path) : undefined;
}

interface Connection {
  access: { hubUrl: string; accessToken: string | undefined };
  /** For questions. */
  ask: typeof fetch;
  /** For contents. */
  load: typeof fetch;
}

function connect({ hubUrl, timeoutMs, signal }: HubOptions): Connection {
  const address = (hubUrl ?? (process.env.HF_ENDPOINT || "https://huggingface.co")).replace(/\/+$/, "");
  if (!/^https?:/.test(address) || !URL.canParse(address)) {
    throw new UserError(`HF_ENDPOINT must be the address of a hub such as https://huggingface.co, not "${address}".`);
  }
  const accessToken = process.env.HF_TOKEN?.trim() || undefined;
  if (accessToken?.startsWith("hf_") === false) throw new UserError('HF_TOKEN must start with "hf_".');
  const within = (limitMs: number) => limitedFetch(limitMs, signal);
  return { access: { hubUrl: address, accessToken }, ask: within(timeoutMs), load: within(10 * timeoutMs) };
}

/** `fetch` that gives up after `limitMs`, body included, or when `signal` says so. */
function limitedFetch(limitMs: number, signal?: AbortSignal): typeof fetch {
  return (input, init) => {
    const limit = AbortSignal.timeout(limitMs);
    return fetch(input, { ...init, signal: signal ? AbortSignal.any([limit, signal]) : limit });
  };
}

const isOn = (value: string | undefined): boolean => /^(1|true|yes|on)$/i.test(value ?? "");

async function download(
  id: string,
  cache: string,
  { access, ask, load }: Connection,
  options: HubOptions,
): Promise<HubResult> {
  const repo = { type: "dataset", name: id } as const;
  const { sha } = await datasetInfo({ ...access, name: id, additionalFields: ["sha"], fetch: ask });
  const entries = new Map<string, ListFileEntry>();
  for await (const entry of listFiles({ ...access, repo, revision: sha, recursive: true, fetch: ask })) {
    if (entry.type === "file") entries.set(entry.path, entry);
  }
  const chosen = chooseFile([...entries.keys()].sort(), options);
  if (!chosen.ok) return { ok: false, problem: `${id} ${chosen.problem}` };
  options.log(`dataset: downloading ${chosen.path} of ${id}`);
  const blob = await downloadFile({ ...access, repo, path: chosen.path, revision: sha, fetch: load, xet: false });
  if (!blob) throw new Error(`${chosen.path} is listed but is not there`);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const expected = entries.get(chosen.path)?.lfs?.oid;
  if (bytes.length !== blob.size || (expected && createHash("sha256").update(bytes).digest("hex") !== expected)) {
    throw new Error(`${chosen.path} arrived damaged`);
  }
  return { ok: true, file: await saveToCache(cache, sha, chosen.path, bytes) };
}

/** The one file with tasks in the language that is asked for among the paths of a repository. */
function chooseFile(
  paths: readonly string[],
  { config = "python" }: HubOptions,
): { ok: true; path: string } | { ok: false; problem: string } {
  const language = languageNamed(config);
  const isOther = (part: string) =>
    unknownLanguage(part) !== undefined || (languageNamed(part) ?? language) !== language;
  const data = paths.filter((path) => isDataFile(path) && isSafePath(path) && !path.split("/").some(isOther));
  // Where HumanEvalPack keeps them.
  const own = data.filter((path) => path.startsWith(`data/${config}/`));
  const candidates = own.length > 0 || config !== "python" ? own : data;
  const [path] = candidates;
  if (path === undefined) {
    return { ok: false, problem: `has no .jsonl or .parquet file with ${language?.title ?? config} tasks.` };
  }
  if (candidates.length === 1) return { ok: true, path };
  const names = candidates.slice(0, 5).join(", ");
  return { ok: false, problem: `has several data files (${names}); download the right one and give its path.` };
}

/** The sentence for anything that was thrown while the dataset `id` was fetched. */
function explainHubError(error: unknown, id: string): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof HubApiError) return explainStatus(error.statusCode, id, new URL(error.url).origin);
  const reason = error instanceof Error ? error : new Error(String(error));
  if (reason.name === "TimeoutError") return `The hub did not answer in time when asked for ${id}; is the network up?`;
  const code = errorCode(reason.cause) ?? errorCode(reason);
  const detail = typeof code === "string" ? code : reason.message;
  if (CACHE_TROUBLE.has(detail)) return `${id} cannot be kept in the cache (${detail}); set HF_HOME to another folder.`;
  if (reason.message === "fetch failed") return `The hub cannot be reached for ${id} (${detail}); is the network up?`;
  if (reason.message === "terminated") return `The connection broke off while ${id} was downloaded; try again.`;
  return `${id} could not be downloaded: ${detail}.`;
}

const CACHE_TROUBLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR"]);

function explainStatus(status: number, id: string, hub: string): string {
  if (status === 404) return `${hub} has no dataset ${id}; check the name.`;
  if (status === 401 || status === 403) {
    return process.env.HF_TOKEN
      ? `${hub} refuses ${id} (HTTP ${status}): accept its terms on its page with the account that HF_TOKEN belongs to.`
      : `${hub} refuses ${id} (HTTP ${status}): it is gated or private, or has another name; set HF_TOKEN to log in.`;
  }
  if (status === 429) return `${hub} limits how often it is asked (HTTP 429); try again later.`;
  return `${hub} failed when asked for ${id} (HTTP ${status}); try again later.`;
}
