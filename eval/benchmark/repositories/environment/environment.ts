/** Installed packages of a task's tests: made once for all tasks that need the same, and kept. */

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readJson } from "../../../../utils/base/data/record.ts";
import { copyTree } from "../../../../utils/base/files/trees/copy_tree.ts";
import { cacheFolder } from "../../../../utils/base/host/cache_folder.ts";
import { listed } from "../../../../utils/base/text/text.ts";
import { LANGUAGES } from "../../../../utils/languages/registry.ts";
import { type InstallOptions, installPackages, type Packages } from "../../../../utils/project/packages/install.ts";
import { type Lockfile, readLockfile } from "../../../../utils/project/packages/lockfile.ts";
import { KeptDocuments } from "../../../../utils/project/packages/registry_view.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import type { RepositoryTask } from "../rows.ts";
import { neededPackages, readManifest } from "./needed.ts";

export const ENVIRONMENTS_FOLDER = join(cacheFolder(), "environments");

/** What is asked of a task to know its packages. */
type Packaged = Pick<RepositoryTask, "id" | "language" | "framework" | "build" | "command" | "createdAt">;

export interface EnvironmentOptions {
  /** Where they are kept. */
  folder: string;
  /** The box in which what is missing is installed; null: it is not. */
  prepare: CommandBox | null;
  /** Told what is not as it was when the row was made, a line each. */
  say?: ((line: string) => void) | undefined;
}

/** What is known of an environment beside its packages. */
const Kept = z.object({
  /** Packages that tests asked for though nothing named them, and their versions. */
  added: z.record(z.string(), z.string()),
  /** What is not as it was when the row was made. */
  notes: z.array(z.string()),
});
type Kept = z.infer<typeof Kept>;

/** What an environment is made of. */
interface Recipe {
  wanted: Packages;
  lockfile: Lockfile | null;
  /** Whether the lockfile names all of them. */
  isLocked: boolean;
  /** The end of the day on which the row was made; null where it does not say. */
  time: Date | null;
  /** Of all of it. */
  key: string;
}

/**
 * Puts the packages of a task beside its tree.
 * @returns why there are none; null where they are there, or none are needed
 */
export async function addEnvironment(
  task: Packaged,
  tree: string,
  { folder, prepare, say = () => {} }: EnvironmentOptions,
): Promise<string | null> {
  const recipe = recipeOf(task, tree);
  if (recipe === null || typeof recipe === "string") return recipe;
  const modules = join(tree, "node_modules");
  if (lstatSync(modules, { throwIfNoEntry: false }))
    return "its repository has a node_modules of its own, in whose place its packages would be";
  const place = () => placeOf(folder, recipe.key, keptOf(folder, recipe.key).added);
  if (!existsSync(join(place(), "node_modules"))) {
    if (prepare === null) return `its packages are not installed (${place()}): run once with --prepare`;
    const failure = await install(recipe, keptOf(folder, recipe.key).added, prepare, folder);
    if (failure !== null) return `its packages cannot be installed: ${failure}`;
  }
  for (const note of keptOf(folder, recipe.key).notes) say(`${task.id}: ${note}`);
  symlinkSync(join(place(), "node_modules"), modules);
  return null;
}

/**
 * Makes the environment of a task once more, with packages that its tests did not find; whoever adds it after that gets
 * those, too.
 * @returns why it cannot be made, or that there is nothing to add
 */
export async function extendEnvironment(
  task: RepositoryTask,
  tree: string,
  names: Iterable<string>,
  { folder, prepare }: { folder: string; prepare: CommandBox },
): Promise<string | null> {
  const manifest = readManifest(tree);
  const recipe = recipeOf(task, tree);
  if (manifest === null || typeof manifest === "string") return "its repository has no package.json that can be read";
  if (recipe === null || typeof recipe === "string") return recipe;
  const { added } = keptOf(folder, recipe.key);
  const declared = { ...manifest.peerDependencies, ...manifest.devDependencies, ...manifest.dependencies };
  const more = Object.fromEntries([...names].map((name) => [name, declared[name] ?? "*"]));
  if (Object.keys(more).every((name) => Object.hasOwn(added, name))) return "they are installed";
  return await install(recipe, { ...added, ...more }, prepare, folder);
}

/** Null where a task needs no packages; a text says why they cannot be told. */
function recipeOf(task: Packaged, tree: string): Recipe | string | null {
  if (LANGUAGES[task.language].files.installer !== "npm") return null;
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
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
  return { wanted, lockfile, isLocked, time, key };
}

/** Null where it is no time, or one that is yet to come. */
function endOfDay(text: string): Date | null {
  const day = new Date(text);
  if (text === "" || Number.isNaN(day.getTime()) || day > new Date()) return null;
  return new Date(`${day.toISOString().slice(0, 10)}T23:59:59.999Z`);
}

const recordOf = (folder: string, key: string): string => join(folder, `${key}.json`);

function keptOf(folder: string, key: string): Kept {
  const file = recordOf(folder, key);
  return (existsSync(file) ? readJson(readFileSync(file, "utf8"), Kept) : null) ?? { added: {}, notes: [] };
}

function placeOf(folder: string, key: string, added: Kept["added"]): string {
  if (Object.keys(added).length === 0) return join(folder, key);
  const names = JSON.stringify(Object.entries(added).sort());
  return join(folder, `${key}-${createHash("sha256").update(names).digest("hex").slice(0, 8)}`);
}

/** From its version 7 on, npm installs what packages want beside them. */
const NPM_7 = new Date("2020-10-13");

/** @returns why they cannot be installed */
async function install(
  { wanted, lockfile, isLocked, time, key }: Recipe,
  added: Kept["added"],
  box: CommandBox,
  folder: string,
): Promise<string | null> {
  const packages = { ...wanted, devDependencies: { ...wanted.devDependencies, ...added } };
  const kept = new KeptDocuments(join(folder, "registry"));
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
    using done = installed;
    if (why !== null) notes.push(`${why}: ${problems.at(-1)}`);
    if (done.undated.length > 0)
      notes.push(
        `the registry does not tell when versions came of ${listed(done.undated, 3)}: they are those of today`,
      );
    keep(done.path, placeOf(folder, key, added));
    writeAtomically(recordOf(folder, key), JSON.stringify({ added, notes } satisfies Kept));
    return null;
  }
  return problems[0] ?? "";
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

function keep(installed: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.`);
  try {
    chmodSync(draft, 0o755);
    copyTree(installed, draft);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(join(place, "node_modules"))) throw error;
  }
}

function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
