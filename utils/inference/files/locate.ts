/** From what a user calls a model to a folder that can be loaded: a folder as it is, a hub id through the cache. */

import { writeFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { z } from "zod";
import { UserError } from "../../base/data/errors.ts";
import { type Env, Hub, isOffline, type Repo, type RepoFile } from "../../base/data/hub.ts";
import { hubProblem } from "../../base/data/hub_problem.ts";
import { readJsonFile } from "../../base/data/record.ts";
import { isFolder } from "../../base/files/stat.ts";
import { download, isWhole, type OnProgress } from "./download.ts";
import { cacheFolder, checkFolder, type Dtype, dtypesIn, modelFile, NEEDED_FILES, OPTIONAL_FILES } from "./folders.ts";

interface LocateOptions {
  dtype: Dtype;
  env: Env;
  onProgress: OnProgress;
}

/** @returns a folder that `checkFolder` accepts @throws UserError */
export async function locateModel(spec: string, options: LocateOptions): Promise<string> {
  const isLocal = isAbsolute(spec) || /^\.\.?(?:[/\\]|$)/.test(spec) || isFolder(spec);
  const folder = isLocal ? spec : await locateOnHub(exportOf(spec), options);
  checkFolder(spec, folder, options.dtype);
  return folder;
}

/** Whether a hub id can be loaded without a network. */
export const isDownloaded = (id: string, dtype: Dtype, env: Env): boolean =>
  isComplete(folderOf(exportOf(id), env), dtype);

const folderOf = (id: string, env: Env): string => join(cacheFolder(env), "models", id.replace("/", "--"));

/** Qwen publishes no ONNX files itself. */
const exportOf = (id: string): string => id.replace(/^Qwen\//, "onnx-community/");

async function locateOnHub(id: string, { dtype, env, onProgress }: LocateOptions): Promise<string> {
  const folder = folderOf(id, env);
  if (isComplete(folder, dtype)) return folder;
  if (isOffline(env)) {
    throw new UserError(
      `${id} (${dtype}) is not in the cache ${folder} and HF_HUB_OFFLINE is set: unset it to download the ` +
        "model, or give a folder.",
    );
  }
  const hub = new Hub("model", env);
  const repo = await hub.list(id).catch((error: unknown) => {
    throw hubProblem(error, hub, id);
  });
  const files = filesFor(repo, dtype);
  await download(hub, repo, files, folder, onProgress);
  remember(folder, repo, dtype, files);
  return folder;
}

/** @throws UserError where the repository has no such files */
function filesFor(repo: Repo, dtype: Dtype): RepoFile[] {
  const inOnnx = repo.files.filter((f) => f.path.startsWith("onnx/"));
  const dtypes = dtypesIn(inOnnx.map((f) => basename(f.path)));
  if (dtypes.length === 0) {
    throw new UserError(
      `${repo.id} has no ONNX files: choose an export for transformers.js, such as those of onnx-community.`,
    );
  }
  if (!dtypes.includes(dtype)) {
    throw new UserError(`${repo.id} has no ${dtype} files: choose with --dtype ${dtypes.join(", ")}.`);
  }
  const graph = `onnx/${modelFile(dtype)}.onnx`;
  const weights = inOnnx.filter((f) => f.path === graph || f.path.startsWith(`${graph}_data`));
  const small = [...NEEDED_FILES, ...OPTIONAL_FILES];
  return [...repo.files.filter((f) => small.some((name) => name === f.path)), ...weights];
}

const completeSchema = z.record(
  z.string(),
  z.object({ revision: z.string(), files: z.array(z.object({ path: z.string(), size: z.number() })) }),
);
const MARKER = "downloaded.json";

const readMarker = (folder: string): z.infer<typeof completeSchema> =>
  readJsonFile(join(folder, MARKER), completeSchema) ?? {};

/** Whether all files of this dtype are here. Then no network is needed. */
function isComplete(folder: string, dtype: Dtype): boolean {
  const entry = readMarker(folder)[dtype];
  return entry?.files.every((file) => isWhole(join(folder, file.path), file)) ?? false;
}

function remember(folder: string, { revision }: Repo, dtype: Dtype, files: readonly RepoFile[]): void {
  const entry = { revision, files: files.map(({ path, size }) => ({ path, size })) };
  writeFileSync(join(folder, MARKER), JSON.stringify({ ...readMarker(folder), [dtype]: entry }));
}
