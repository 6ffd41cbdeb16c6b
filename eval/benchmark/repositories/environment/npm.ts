/** Packages of JavaScript tasks: of the lockfile, else of the day on which the row was made. */

import { join } from "node:path";
import { jsonHash } from "../../../../utils/base/data/json_hash.ts";
import { listed } from "../../../../utils/base/text/text.ts";
import { type InstallOptions, installPackages, type Packages } from "../../../../utils/project/packages/install.ts";
import { type Lockfile, readLockfile } from "../../../../utils/project/packages/lockfile.ts";
import { DocumentCache } from "../../../../utils/project/packages/registry_view.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { neededPackages, readManifest } from "./dependencies.ts";
import { type Environment, endOfDay, type PackageTask, type Recipe } from "./recipe.ts";

/** What an environment is made of. */
interface Parts {
  wanted: Packages;
  lockfile: Lockfile | null;
  /** Whether the lockfile names all of them. */
  isLocked: boolean;
  /** The end of the day on which the row was made; null where it does not say. */
  time: Date | null;
}

/** Null if a task needs no packages; a text says why its packages are unknown. */
export function npmRecipe(task: PackageTask, tree: string): Recipe | string | null {
  const manifest = readManifest(tree);
  if (manifest === null || typeof manifest === "string") return manifest;
  const wanted = neededPackages(tree, manifest, task);
  const names = Object.values(wanted).flatMap(Object.keys);
  if (names.length === 0) return null;
  const lockfile = readLockfile(tree);
  const time = endOfDay(task.createdAt);
  const locked = lockfile && [...lockfile.versions].map(([name, versions]) => [name, ...[...versions].sort()]).sort();
  // Tasks of many days share what their lockfile names.
  const isLocked = names.every((name) => lockfile?.versions.has(name));
  const parts = { wanted, locked, day: isLocked ? null : (time?.toISOString() ?? null) };
  const key = jsonHash(parts).slice(0, 16);
  const declared = { ...manifest.peerDependencies, ...manifest.devDependencies, ...manifest.dependencies };
  return {
    key,
    packages: "node_modules",
    versionOf: (name) => declared[name] ?? "*",
    install: (added, box, folder) => install({ wanted, lockfile, isLocked, time }, added, box, folder),
  };
}

/** From its version 7 on, npm installs what packages want beside them. */
const NPM_7 = new Date("2020-10-13");

async function install(
  { wanted, lockfile, isLocked, time }: Parts,
  added: Readonly<Record<string, string>>,
  box: CommandBox,
  folder: string,
): Promise<Environment | { problem: string }> {
  const packages = { ...wanted, devDependencies: { ...wanted.devDependencies, ...added } };
  const kept = new DocumentCache(join(folder, "registry"));
  const [problems, notes]: [string[], string[]] = [[], []];
  if (time === null && !isLocked)
    notes.push(
      "its row does not say when it was made (created_at): packages that no lockfile names are those of today",
    );
  for (const { why, ...options } of attempts(lockfile, time)) {
    const installed = await installPackages(box, packages, { ...options, kept });
    if ("problem" in installed) {
      problems.push(installed.problem);
      if (!UNRESOLVED.test(installed.problem)) break;
      continue;
    }
    if (why !== null) notes.push(`${why}: ${problems.at(-1)}`);
    if (installed.undated.length > 0)
      notes.push(
        `the registry does not tell when versions came of ${listed(installed.undated, 3)}: they are those of today`,
      );
    return { ...installed, notes };
  }
  return { problem: problems[0] ?? "" };
}

/** npm found no versions that go together: others may. */
const UNRESOLVED = /ERESOLVE|ETARGET|ENOVERSIONS|No (?:matching )?versions?\b/;

/** Ways to install, the best first; each with what has to be said of it. */
function attempts(lockfile: Lockfile | null, before: Date | null): (InstallOptions & { why: string | null })[] {
  const none = new Map();
  const isOld = before !== null && before < NPM_7;
  const ways: { wish: InstallOptions["wish"]; withoutPeers: boolean; why: string | null }[] = [
    {
      wish: { before, locked: lockfile?.versions ?? none },
      withoutPeers: lockfile ? !lockfile.hasPeers : isOld,
      why: null,
    },
  ];
  if (lockfile)
    ways.push({
      wish: { before, locked: none },
      withoutPeers: isOld,
      why: `what ${lockfile.name} names cannot be installed`,
    });
  if (before)
    ways.push({
      wish: { before: null, locked: none },
      withoutPeers: isOld,
      why:
        `its packages are those of today, since what was there on ${before.toISOString().slice(0, 10)} ` +
        "cannot be installed",
    });
  return ways.flatMap((way) => (way.withoutPeers ? [way] : [way, { ...way, withoutPeers: true }]));
}
