/** Collects the notices that the licences of bundled libraries require. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { z } from "zod";
import { readJsonFile } from "../utils/base/data/record.ts";
import { ROOT } from "./options.ts";

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** A file of a package, and the folder of the package. */
const IN_PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The notices of all packages with code in a bundle, sorted by name.
 * @throws Error if a package names no licence
 */
export function licencesOf(bundles: readonly Metafile[]): string {
  const held = bundles.flatMap(({ outputs }) => Object.values(outputs)).flatMap(({ inputs }) => Object.entries(inputs));
  const files = held.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []));
  const folders = new Set(files.flatMap((file) => IN_PACKAGE.exec(file)?.[1] ?? []));
  const notices = [...folders].map((folder) => noticeOf(join(ROOT, folder)));
  const head = "What dist/ holds of other libraries, each under its own licence.";
  return `${[head, ...new Set(notices.toSorted())].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

function noticeOf(folder: string): string {
  const manifest = readJsonFile(join(folder, "package.json"), Manifest);
  if (!manifest) throw new Error(`${folder}: package.json names no licence`);
  const { name, version, license, author } = manifest;
  const [file] = existsSync(folder) ? readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name)) : [];
  const text = file === undefined ? withoutFile(license, author) : readFileSync(join(folder, file), "utf8");
  return `${name} ${version}, ${license}\n\n${text.trim()}`.trim();
}

/** The MIT licence's text is the same everywhere but for who has the rights; of others only the name is known. */
function withoutFile(license: string, author: string | undefined): string {
  const [, permission = ""] = /^Copyright.*?\n(.*)/ms.exec(readFileSync(join(ROOT, "LICENSE"), "utf8")) ?? [];
  return [...(author ? [`Copyright (c) ${author}`] : []), ...(license === "MIT" ? [permission.trim()] : [])].join(
    "\n\n",
  );
}
