/** One repository in the Hugging Face cache on disk, in the layout that the other Hugging Face tools share. */

import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../../utils/base/data/errors.ts";

const COMMIT = /^[0-9a-f]{40}$/;

/** What the cache holds of a repository's `main`, as it was when a tool last looked. */
interface Snapshot {
  folder: string;
  /** Paths relative to `folder`, sorted, with `/` between their parts. */
  files: string[];
}

/** The folder of a dataset repository: `refs/main` names a commit, `snapshots/<commit>/` holds its files. */
export const repoFolder = (cacheDir: string, id: string): string =>
  join(cacheDir, `datasets--${id.replace("/", "--")}`);

/** The cached `main`, or undefined where there is none. */
export async function cachedSnapshot(repo: string): Promise<Snapshot | undefined> {
  try {
    const commit = (await readFile(join(repo, "refs", "main"), "utf8")).trim();
    if (!COMMIT.test(commit)) return undefined;
    const folder = join(repo, "snapshots", commit);
    const files = await readdir(folder, { recursive: true });
    return { folder, files: files.map((file) => file.replaceAll("\\", "/")).sort() };
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Puts a file of a commit into the cache and makes the commit the cached `main`. Others see each file whole or not at
 * all, however many processes download it at once.
 * @param path relative to the repository, as `isSafePath` wants it
 * @returns where the file is now
 */
export async function saveToCache(repo: string, commit: string, path: string, bytes: Uint8Array): Promise<string> {
  if (!COMMIT.test(commit) || !isSafePath(path)) throw new RangeError(`not a file of a commit: ${commit} ${path}`);
  const file = join(repo, "snapshots", commit, path);
  await writeWhole(file, bytes);
  await writeWhole(join(repo, "refs", "main"), commit);
  return file;
}

/** False for a path that would leave the folder it is joined to. */
export const isSafePath = (path: string): boolean =>
  !path.includes("\\") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.incomplete`;
  try {
    await writeFile(draft, content, { flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
