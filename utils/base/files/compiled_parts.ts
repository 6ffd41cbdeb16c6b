/**
 * Folders of compiled parts of mend's own, kept from process to process in the user's cache folder. Only mend itself
 * writes there, with what its own sources were compiled to; no box shows it.
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
/** Of each name so many are kept: other versions of the compiler or of mend. */
const MOST_KEPT = 3;

export interface Kept {
  name: string;
  /** All that decides what is made, but what mend itself is. */
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
 * Fills an empty folder, which others may read: with what is kept, else by `make`, which is kept then. What is damaged
 * is made anew, and nothing is kept where that does not work.
 * @throws what `make` throws
 */
export async function fillKept(
  { name, madeOf }: Kept,
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
    // With what was left by processes that were killed.
    keepNewest(all, MOST_KEPT);
  } catch {
    // A full disk, a folder that may not be written: the next process makes it, too.
  }
}

/** False where it is not there, or not as it was kept; `folder` holds nothing of it then. */
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

/** All or nothing, as others may do the same at this moment. */
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
    // One that is there was not what it should be, or is of another process that was as quick: the same.
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
