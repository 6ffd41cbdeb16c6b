/** Installed packages of a task's tests: made once for all tasks that need the same, and kept. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { UserError } from "../../../../utils/base/data/errors.ts";
import { jsonHash } from "../../../../utils/base/data/json_hash.ts";
import { readJson } from "../../../../utils/base/data/record.ts";
import { copyMissing, copyTree } from "../../../../utils/base/files/trees/copy_tree.ts";
import { LANGUAGES } from "../../../../utils/languages/registry.ts";
import { MODULES } from "../../../../utils/languages/source_files.ts";
import { modulesOf } from "../../../../utils/project/packages/modules/fetch.ts";
import { GENERATED, generatedIn } from "../../../../utils/project/packages/python/own_modules.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { applyPatch } from "../checkout.ts";
import { npmRecipe } from "./npm.ts";
import { PYTHON, pythonRecipe } from "./python.ts";
import type { PackageTask, Recipe } from "./recipe.ts";

export interface EnvironmentOptions {
  /** Where they are kept. */
  folder: string;
  /** The box in which what is missing is installed; null: it is not. */
  prepare: CommandBox | null;
  /** The interpreter that the user named: Python tasks get no other. */
  python?: string | undefined;
  /** Told what is installed, and what is not as it was when the row was made, a line each. */
  say?: ((line: string) => void) | undefined;
}

/** What is known of an environment beside its packages. */
const EnvironmentRecord = z.object({
  /** Packages that tests asked for though nothing named them, and their versions. */
  added: z.record(z.string(), z.string()),
  /** What is not as it was when the row was made. */
  notes: z.array(z.string()),
});
type EnvironmentRecord = z.infer<typeof EnvironmentRecord>;

/**
 * Puts the packages of a task beside its tree.
 * @returns why there are none; null where they are there, or none are needed
 */
export async function addEnvironment(
  task: PackageTask,
  tree: string,
  options: EnvironmentOptions,
): Promise<string | null> {
  const { folder, prepare, say = () => {} } = options;
  if (LANGUAGES[task.language].files.installer === "modules") return await addModules(task, tree, options);
  const recipe = await recipeOf(task, tree, options);
  if (recipe === null || typeof recipe === "string") return recipe;
  const { key, packages } = recipe;
  const beside = join(tree, packages);
  if (lstatSync(beside, { throwIfNoEntry: false }))
    return `its repository has a ${packages} of its own, in whose place its packages would be`;
  const place = () => placeOf(folder, key, keptOf(folder, key).added);
  if (!existsSync(join(place(), packages))) {
    // Of Python the user's own interpreter may have them.
    if (prepare === null && packages === ".venv") return null;
    if (prepare === null) return `its packages are not installed (${place()}): run once with --prepare`;
    say(`${task.id}: its packages are being installed`);
    const failure = await install(recipe, keptOf(folder, key).added, prepare, folder);
    if (failure !== null) return `its packages cannot be installed: ${failure}`;
  }
  for (const note of keptOf(folder, key).notes) say(`${task.id}: ${note}`);
  symlinkSync(join(place(), packages), beside);
  copyMissing(join(place(), GENERATED), generatedIn(place()), tree);
  return null;
}

/** The same for what programs of a language fetch themselves; where none is kept the user's own may do. */
async function addModules(
  { id, language, patch = "" }: PackageTask,
  tree: string,
  { folder, prepare, say = () => {} }: EnvironmentOptions,
): Promise<string | null> {
  const beside = join(tree, MODULES);
  if (lstatSync(beside, { throwIfNoEntry: false })) return `its repository has a ${MODULES} of its own`;
  const found = await modulesOf(tree, {
    ...{ language, folder, box: prepare },
    change: { patch, applyTo: (copy) => applyPatch(copy, patch) },
    onFetch: () => say(`${id}: its modules are being fetched`),
  });
  if (found === null) return null;
  if (typeof found !== "string") return `its modules cannot be fetched: ${found.problem}`;
  symlinkSync(found, beside);
  return null;
}

/**
 * Makes the environment of a task once more, with packages that its tests did not find. Later users of the environment
 * get these, too.
 * @returns why it cannot be made, or that there is nothing to add
 */
export async function extendEnvironment(
  task: PackageTask,
  tree: string,
  names: Iterable<string>,
  { folder, prepare }: { folder: string; prepare: CommandBox },
): Promise<string | null> {
  const recipe = await recipeOf(task, tree, { folder, prepare });
  if (recipe === null) return "its repository does not say which packages it needs";
  if (typeof recipe === "string") return recipe;
  const { added } = keptOf(folder, recipe.key);
  const more = Object.fromEntries([...names].map((name) => [name, recipe.versionOf(name)]));
  if (Object.keys(more).every((name) => Object.hasOwn(added, name))) return "they are installed";
  return await install(recipe, { ...added, ...more }, prepare, folder);
}

/** Null if a task needs no packages, or none can be installed here; a text says why its packages are unknown. */
async function recipeOf(
  task: PackageTask,
  tree: string,
  { folder, prepare, python, say = () => {} }: EnvironmentOptions,
): Promise<Recipe | string | null> {
  const { installer } = LANGUAGES[task.language].files;
  if (installer === "npm") return npmRecipe(task, tree);
  if (installer !== "uv" || python !== undefined) return null;
  // To know which Pythons are here takes a second or two.
  if (prepare === null && !(existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(PYTHON))))
    return null;
  try {
    return await pythonRecipe(task, tree);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (prepare !== null) say(`${task.id}: ${error.message}`);
    return null;
  }
}

const recordOf = (folder: string, key: string): string => join(folder, `${key}.json`);

function keptOf(folder: string, key: string): EnvironmentRecord {
  const file = recordOf(folder, key);
  return (
    (existsSync(file) ? readJson(readFileSync(file, "utf8"), EnvironmentRecord) : null) ?? { added: {}, notes: [] }
  );
}

function placeOf(folder: string, key: string, added: EnvironmentRecord["added"]): string {
  if (Object.keys(added).length === 0) return join(folder, key);
  return join(folder, `${key}-${jsonHash(Object.entries(added).sort()).slice(0, 8)}`);
}

const underWay = new Map<string, Promise<string | null>>();

/** Once at a time for tasks that need the same. @returns why they cannot be installed */
function install(
  recipe: Recipe,
  added: EnvironmentRecord["added"],
  box: CommandBox,
  folder: string,
): Promise<string | null> {
  const place = placeOf(folder, recipe.key, added);
  const made = underWay.get(place) ?? make(recipe, added, box, folder).finally(() => underWay.delete(place));
  underWay.set(place, made);
  return made;
}

async function make(
  recipe: Recipe,
  added: EnvironmentRecord["added"],
  box: CommandBox,
  folder: string,
): Promise<string | null> {
  const made = await recipe.install(added, box, folder);
  if ("problem" in made) return made.problem;
  using done = made;
  keep(done.path, placeOf(folder, recipe.key, added), recipe.packages);
  writeAtomically(
    recordOf(folder, recipe.key),
    JSON.stringify({ added, notes: done.notes } satisfies EnvironmentRecord),
  );
  return null;
}

function keep(installed: string, place: string, packages: string): void {
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.`);
  try {
    chmodSync(draft, 0o755);
    copyTree(installed, draft);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(join(place, packages))) throw error;
  }
}

function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
