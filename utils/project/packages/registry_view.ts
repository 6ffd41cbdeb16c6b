/**
 * Which versions of a package an installation may choose from: those that a lockfile names, and of other packages those
 * that were there at a time, which npm itself tells by the registry's times (`before`).
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { jsonValue } from "../../base/data/record.ts";
import type { LockedVersions } from "./lockfile.ts";

export interface Wish {
  /** Null: what is current now. */
  before: Date | null;
  locked: LockedVersions;
}

const Fields = z.record(z.string(), z.unknown());
const Document = z.looseObject({
  name: z.string(),
  versions: z.record(z.string(), Fields),
  "dist-tags": z.record(z.string(), z.string()).catch({}).default({}),
  time: Fields.optional().catch(undefined),
});

/** What npm asks of a version's manifest to install it. */
const NEEDED = new Set([
  ...["name", "version", "dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "bin"],
  ...["bundleDependencies", "bundledDependencies", "engines", "os", "cpu", "libc", "dist", "directories", "deprecated"],
  ...["_hasShrinkwrap", "hasInstallScript"],
]);

/**
 * A package's document with only the versions that the wish allows.
 * @param text from the registry; returned unchanged if it is not such a document
 * @returns `isUndated`: the wish limits the time, and the registry gives no release times
 */
export function viewed(text: string, { before, locked }: Wish): { text: string; isUndated: boolean } {
  const found = Document.safeParse(jsonValue(text)).data;
  if (!found) return { text, isUndated: false };
  const wanted = locked.get(found.name);
  const kept = Object.entries(found.versions).filter(([version]) => wanted?.has(version));
  if (kept.length === 0) return { text, isUndated: before !== null && found.time === undefined };
  // Without times npm takes them whenever they came.
  const { time: _time, ...rest } = found;
  const tags = Object.entries(rest["dist-tags"]).filter(([, version]) => wanted?.has(version));
  const newest = kept.at(-1)?.[0] ?? "";
  const document = {
    ...rest,
    versions: Object.fromEntries(kept),
    "dist-tags": { latest: newest, ...Object.fromEntries(tags) },
  };
  return { text: JSON.stringify(document), isUndated: false };
}

/**
 * Keeps documents of packages in a folder, without the fields that npm does not read. A document serves requests for
 * times before it was kept.
 */
export class DocumentCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The document of an address, if it was kept after `time`; else null. */
  get(address: string, time: Date): string | null {
    try {
      const text = readFileSync(this.#file(address), "utf8");
      const at = text.indexOf("\n");
      return new Date(text.slice(0, at)) > time ? text.slice(at + 1) : null;
    } catch {
      return null;
    }
  }

  /** @returns what is kept; the text itself if it is not a package's document */
  keep(address: string, text: string): string {
    const found = Document.safeParse(jsonValue(text)).data;
    if (!found) return text;
    const { name, versions, time, "dist-tags": tags } = found;
    const short = JSON.stringify({
      name,
      "dist-tags": tags,
      ...(time ? { time } : {}),
      versions: Object.fromEntries(
        Object.entries(versions).map(([version, fields]) => [
          version,
          Object.fromEntries(Object.entries(fields).filter(([key]) => NEEDED.has(key))),
        ]),
      ),
    });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file(address)}.${process.pid}`;
    writeFileSync(draft, `${new Date().toISOString()}\n${short}`, { mode: 0o600 });
    renameSync(draft, this.#file(address));
    return short;
  }

  #file(address: string): string {
    return join(this.#folder, createHash("sha256").update(address).digest("hex").slice(0, 32));
  }
}
