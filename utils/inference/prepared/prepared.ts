/**
 * Prepared models: a slim copy of a model folder in the cache, used in its place while the original has not changed.
 */

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readJsonFile } from "../../base/data/record.ts";
import { type SlimOptions, type SlimReport, slim } from "../onnx/slim.ts";

/** Written last: a folder without it is not complete. */
const MARKER = "prepared.json";
/** Of the rewriting: to be raised whenever another graph is written for the same file. */
const VERSION = 3;

/** What the marker says about where a copy comes from. */
const originSchema = z.object({ source: z.string(), file: z.string() });

/**
 * Where the prepared copy of this model file belongs. Another version of the file or of the rewriting has another
 * place.
 */
export function preparedFolder(cacheRoot: string, folder: string, file: string): string {
  const graph = join(resolve(folder), "onnx", `${file}.onnx`);
  const { size, mtimeMs } = statSync(graph);
  const key = createHash("sha256")
    .update(JSON.stringify([graph, size, mtimeMs, VERSION]))
    .digest("hex")
    .slice(0, 16);
  return join(cacheRoot, "prepared", `${basename(resolve(folder))}-${key}`);
}

export const isPrepared = (target: string): boolean => existsSync(join(target, MARKER));

/** Copies of this model file that are not used any more: it has changed since, or what `prepareCopy` writes has. */
export function outdatedCopies(cacheRoot: string, folder: string, file: string): string[] {
  const current = preparedFolder(cacheRoot, folder, file);
  const all = join(cacheRoot, "prepared");
  if (!existsSync(all)) return [];
  const paths = readdirSync(all).map((name) => join(all, name));
  return paths.filter((path) => path !== current && isCopyOf(path, resolve(folder), file));
}

function isCopyOf(path: string, source: string, file: string): boolean {
  const origin = readJsonFile(join(path, MARKER), originSchema);
  return origin?.source === source && origin.file === file;
}

/** Writes the slim copy to a temporary folder and returns it with what was changed; `keep` or `discard` decides. */
export function prepareCopy(folder: string, file: string, target: string, options: SlimOptions): PreparedCopy {
  const draft = `${target}.${process.pid}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, "onnx"), { recursive: true });
  for (const name of readdirSync(folder)) {
    if (statSync(join(folder, name)).isFile()) copyFileSync(join(folder, name), join(draft, name));
  }
  for (const name of readdirSync(join(folder, "onnx"))) {
    if (name.startsWith(`${file}.onnx_`)) linkOrCopy(join(folder, "onnx", name), join(draft, "onnx", name));
  }
  const report = slim(join(folder, "onnx", `${file}.onnx`), join(draft, "onnx", `${file}.onnx`), options);
  return {
    folder: draft,
    report,
    keep: () => {
      writeFileSync(join(draft, MARKER), JSON.stringify({ source: resolve(folder), file, ...options, ...report }));
      rmSync(target, { recursive: true, force: true });
      renameSync(draft, target);
    },
    discard: () => rmSync(draft, { recursive: true, force: true }),
  };
}

interface PreparedCopy {
  folder: string;
  report: SlimReport;
  keep(): void;
  discard(): void;
}

/** A link costs no disk; between file systems there is none. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
