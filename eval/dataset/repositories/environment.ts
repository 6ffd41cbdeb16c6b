/** Installed packages of a task's tests: made once for all tasks that need the same, and kept. */

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { copyTree } from "../../../utils/files/copy_tree.ts";
import { installPackages, type Packages } from "../../../utils/packages/install.ts";
import type { CommandBox } from "../../../utils/sandbox/command_box.ts";
import type { RepositoryTask } from "./rows.ts";

const Versions = z.record(z.string(), z.string()).catch({}).default({});
const Manifest = z.looseObject({ dependencies: Versions, devDependencies: Versions });

export const ENVIRONMENTS_FOLDER = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "mend",
  "environments",
);

/**
 * Puts the packages of a task beside its tree.
 * @param prepare the box in which what is missing is installed; null: it is not
 * @returns why there are none; null where they are there, or none are needed
 */
export async function addEnvironment(
  task: RepositoryTask,
  tree: string,
  { folder, prepare }: { folder: string; prepare: CommandBox | null },
): Promise<string | null> {
  const file = join(tree, "package.json");
  if (task.language !== "javascript" || !existsSync(file)) return null;
  const wanted = neededPackages(tree, Manifest.parse(JSON.parse(readFileSync(file, "utf8"))), task);
  if (Object.values(wanted).every((packages) => Object.keys(packages).length === 0)) return null;
  const key = createHash("sha256").update(JSON.stringify(wanted)).digest("hex").slice(0, 16);
  const place = join(folder, key);
  if (!existsSync(join(place, "node_modules"))) {
    if (prepare === null) return `its packages are not installed (${place}): run once with --prepare`;
    const failure = await install(prepare, wanted, place);
    if (failure !== null) return `its packages cannot be installed: ${failure}`;
  }
  symlinkSync(join(place, "node_modules"), join(tree, "node_modules"));
  return null;
}

/** Dependencies, and of those for development what tests, their settings or a build speak of. */
function neededPackages(
  tree: string,
  { dependencies, devDependencies }: Packages,
  { framework, build }: RepositoryTask,
): Packages {
  const told = `${build}\n${textsOf(tree)}`;
  const isNeeded = (name: string) =>
    name === framework ||
    name.startsWith("@types/") ||
    new RegExp(`["'/\\s]${name.replace(/[^\w]/g, "\\$&")}["'/\\s]`).test(told);
  const sorted = (all: [string, string][]) => Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const development = Object.entries(devDependencies).filter(([name]) => isNeeded(name));
  return { dependencies: sorted(Object.entries(dependencies)), devDependencies: sorted(development) };
}

const SETTINGS = /^(?:\.mocharc.*|tsconfig.*\.json|(?:jest|babel|vitest)\.config\..*|\.babelrc.*)$/;

/** Tests, helpers of tests and settings as one text. */
function textsOf(tree: string): string {
  const names = readdirSync(tree, { recursive: true, encoding: "utf8" });
  const wanted = names.filter(
    (name) => /^(?:tests?|spec|__tests__)\/.*\.[cm]?[jt]sx?$/.test(name) || SETTINGS.test(name),
  );
  return wanted.map((name) => readFileSync(join(tree, name), "utf8")).join("\n");
}

/** @returns why they cannot be installed */
async function install(box: CommandBox, wanted: Packages, place: string): Promise<string | null> {
  const installed = await installPackages(box, wanted);
  if ("problem" in installed) return installed.problem;
  using _installed = installed;
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.`);
  try {
    chmodSync(draft, 0o755);
    copyTree(installed.path, draft);
    renameSync(draft, place);
    return null;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have been faster.
    if (existsSync(join(place, "node_modules"))) return null;
    throw error;
  }
}
