/** Installed packages of a task's tests: made once for all tasks that need the same, and kept. */

import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { jsonValue } from "../../../utils/data/record.ts";
import { copyTree } from "../../../utils/files/copy_tree.ts";
import { tryForeignText } from "../../../utils/files/foreign_file.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { installPackages, type Packages } from "../../../utils/packages/install.ts";
import { filesOf } from "../../../utils/project/copy.ts";
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
  if (LANGUAGES[task.language].files.installer !== "npm") return null;
  const manifest = readManifest(tree);
  if (manifest === null || typeof manifest === "string") return manifest;
  const wanted = neededPackages(tree, manifest, task);
  if (Object.values(wanted).every((packages) => Object.keys(packages).length === 0)) return null;
  const key = createHash("sha256").update(JSON.stringify(wanted)).digest("hex").slice(0, 16);
  const place = join(folder, key);
  if (lstatSync(join(tree, "node_modules"), { throwIfNoEntry: false }))
    return "its repository has a node_modules of its own, in whose place its packages would be";
  if (!existsSync(join(place, "node_modules"))) {
    if (prepare === null) return `its packages are not installed (${place}): run once with --prepare`;
    const failure = await install(prepare, wanted, place);
    if (failure !== null) return `its packages cannot be installed: ${failure}`;
  }
  symlinkSync(join(place, "node_modules"), join(tree, "node_modules"));
  return null;
}

/** Null where there is none; a text says why it cannot be used. */
function readManifest(tree: string): Packages | string | null {
  const { text, problem } = tryForeignText(tree, "package.json", MOST_BYTES);
  if (problem) return problem.isMissing ? null : `its package.json cannot be read: ${reasonOf(problem, tree)}`;
  const parsed = Manifest.safeParse(jsonValue(text));
  return parsed.success ? parsed.data : "its package.json is no JSON object with the packages that it needs";
}

/** Without the folder, which is gone when it is read. */
const reasonOf = ({ message }: Error, tree: string) => message.replaceAll(`${tree}/`, "");

/** Of a manifest, of a file of tests and of settings. */
const MOST_BYTES = 4_000_000;

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

/** Tests, helpers of tests and settings as one text; what is no plain file of the tree is none of them. */
function textsOf(tree: string): string {
  const wanted = filesOf(tree, "all").files.filter(
    (name) => /^(?:tests?|spec|__tests__)\/.*\.[cm]?[jt]sx?$/.test(name) || SETTINGS.test(name),
  );
  return wanted.map((name) => tryForeignText(tree, name, MOST_BYTES).text ?? "").join("\n");
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
