/** What a project's lockfile names: npm's, Yarn's or pnpm's. Names and versions alone are read of it. */

import { z } from "zod";
import { jsonValue } from "../../base/data/record.ts";
import { tryForeignText } from "../../base/files/foreign_file.ts";

/** Versions by name of the package. */
export type LockedVersions = ReadonlyMap<string, ReadonlySet<string>>;

export interface Lockfile {
  /** Of the file. */
  name: string;
  versions: LockedVersions;
  /**
   * Whether it holds what packages want beside them (peers): npm before 7, Yarn 1 and pnpm leave that to the project.
   */
  hasPeers: boolean;
}

type LockfileContents = Pick<Lockfile, "hasPeers"> & { packages: Iterable<readonly [name: string, version: string]> };

const KINDS: readonly { name: string; read: (text: string) => LockfileContents | null }[] = [
  { name: "npm-shrinkwrap.json", read: ofNpm },
  { name: "package-lock.json", read: ofNpm },
  { name: "yarn.lock", read: ofYarn },
  { name: "pnpm-lock.yaml", read: (text) => ({ hasPeers: false, packages: ofPnpm(text) }) },
];

const MOST_BYTES = 50_000_000;
const NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;
const VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

/**
 * The first lockfile that a folder has and that names packages; null where it has none. @param folder may be anybody's
 */
export function readLockfile(folder: string): Lockfile | null {
  for (const { name, read } of KINDS) {
    const { text } = tryForeignText(folder, name, MOST_BYTES);
    const found = text === null ? null : read(text);
    const versions = new Map<string, Set<string>>();
    for (const [of, version] of found?.packages ?? []) {
      if (NAME.test(of) && VERSION.test(version)) versions.set(of, (versions.get(of) ?? new Set()).add(version));
    }
    if (found && versions.size > 0) return { name, versions, hasPeers: found.hasPeers };
  }
  return null;
}

const Entry = z.looseObject({
  version: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const NpmLock = z.looseObject({
  packages: z.record(z.string(), z.unknown()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

function ofNpm(text: string): LockfileContents | null {
  const lock = NpmLock.safeParse(jsonValue(text)).data;
  if (!lock) return null;
  const { packages: placed, dependencies = {} } = lock;
  const packages: [string, string][] = [];
  for (const [place, value] of Object.entries(placed ?? {})) {
    const { version, name } = Entry.safeParse(value).data ?? {};
    const [, last] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    if (last !== undefined && version !== undefined) packages.push([name ?? last, version]);
  }
  if (placed) return { hasPeers: true, packages };
  // Before npm 7: packages within packages.
  const open = Object.entries(dependencies);
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { version = "", dependencies: inner = {} } = Entry.safeParse(entry[1]).data ?? {};
    const [, real, its] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
    packages.push([real ?? entry[0], its ?? version]);
    for (const one of Object.entries(inner)) open.push(one);
  }
  return { hasPeers: false, packages };
}

/** Of Yarn 1, and of later ones: `"a@^1, a@^2":`, and below it `version "1.2.3"` or `version: 1.2.3`. */
function ofYarn(text: string): LockfileContents {
  const packages: [string, string][] = [];
  let name: string | undefined;
  for (const line of text.split("\n")) {
    const [, named, real] =
      /^"?((?:@[^/@\s"]+\/)?[^@\s"]+)@(?:npm:((?:@[^/@\s"]+\/)?[^@\s"]+)@)?.*:\s*$/.exec(line) ?? [];
    if (named !== undefined) name = real ?? named;
    const [, version] = /^ {2}version:? "?([^"\s]+)"?\s*$/.exec(line) ?? [];
    if (name !== undefined && version !== undefined) packages.push([name, version]);
  }
  return { hasPeers: false, packages };
}

/** Keys such as `/a/1.2.3:`, `/a@1.2.3(b@2.0.0):` and `'@s/a@1.2.3':`. */
function* ofPnpm(text: string): Generator<[string, string]> {
  const key = /^ {2}['"]?\/?((?:@[^/@\s'"]+\/)?[^/@\s'"]+)[@/](\d+\.\d+\.\d+[\dA-Za-z.+-]*)/;
  for (const line of text.split("\n")) {
    const [, name, version] = key.exec(line) ?? [];
    if (name !== undefined && version !== undefined) yield [name, version];
  }
}
