/**
 * Folders of mend's own compiled parts, kept in the user's cache folder for later processes. Only mend writes there,
 * and only what its own sources compile to; no box shows it.
 */

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../host/cache_folder.ts";
import { keepNewest } from "./newest.ts";

/** The sum of each file, by its path in the folder; in the kept folder itself. */
const SUMS = "sums.json";
const isInside = (file: string) => !isAbsolute(file) && !file.split("/").includes("..");
const Sums = z.record(z.string().refine(isInside), z.string());
/** How many are kept for each name: those of other versions of the compiler or of mend. */
const MOST_KEPT = 3;

export interface CacheKey {
  name: string;
  /** Everything that decides the result, except mend's own version. */
  madeOf: readonly unknown[];
}

const sumOf = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** The files of a folder with those of its folders, by their paths in it. */
const filesIn = (folder: string, below = ""): string[] =>
  readdirSync(join(folder, below), { withFileTypes: true }).flatMap((one) => {
    const path = join(below, one.name);
    return one.isDirectory() ? filesIn(folder, path) : [path];
  });

/** What tells one version of a program or a header from another, without a look into it. */
export function versionOf(path: string): unknown {
  if (!existsSync(path)) return [path];
  const { size, mtimeMs } = statSync(path);
  return [path, size, mtimeMs];
}

/** The texts of our own sources. */
export const textsIn = (folder: string): string[][] =>
  filesIn(folder)
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), "utf8")]);

/**
 * Fills an empty folder, which others may read: from the cache, else with `make`, whose result is cached. Damaged
 * parts are made again. If the cache cannot be written, nothing is kept.
 * @throws what `make` throws
 */
export async function fillFromCache(
  { name, madeOf }: CacheKey,
  folder: string,
  make: () => Promise<void>,
  place = join(cacheFolder(), "compiled-parts"),
): Promise<void> {
  const all = join(place, name);
  const kept = join(all, sumOf(JSON.stringify(madeOf)).slice(0, 32));
  if (take(kept, folder)) return;
  await make();
  try {
    keep(folder, kept);
    // Including what killed processes left behind.
    keepNewest(all, MOST_KEPT);
  } catch {
    // A full disk or a read-only folder: the next process makes it again.
  }
}

/** False if it is missing or damaged; `folder` then stays empty. */
function take(kept: string, folder: string): boolean {
  let found: [string, Buffer][];
  try {
    const sums = Object.entries(Sums.parse(JSON.parse(readFileSync(join(kept, SUMS), "utf8"))));
    if (sums.length === 0) return false;
    found = sums.map(([file, sum]) => {
      const data = readFileSync(join(kept, file));
      if (sumOf(data) !== sum) throw new Error(`${file} is damaged`);
      return [file, data];
    });
  } catch {
    return false;
  }
  for (const [file, data] of found) write(folder, file, data);
  return true;
}

/** All or nothing, since another process may do the same at this moment. */
function keep(folder: string, kept: string): void {
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
  const made = mkdtempSync(`${kept}.`);
  try {
    const sums: z.infer<typeof Sums> = {};
    for (const file of filesIn(folder)) {
      const data = readFileSync(join(folder, file));
      sums[file] = sumOf(data);
      write(made, file, data);
    }
    write(made, SUMS, JSON.stringify(sums));
    // The one that is there is damaged, or another process has just written the same.
    rmSync(kept, { recursive: true, force: true });
    renameSync(made, kept);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function write(folder: string, file: string, data: string | Buffer): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, data, { mode: 0o644 });
}
