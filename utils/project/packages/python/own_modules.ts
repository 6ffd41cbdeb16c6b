/**
 * Lets an environment import its project's modules from the tree that it lies in, whichever that is: what an editable
 * installation does for one place. What a build made of the project is kept apart, for each tree.
 */

import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../base/data/errors.ts";
import { tryForeignText } from "../../../base/files/foreign_file.ts";
import { isPlainPath } from "../../../base/files/plain_path.ts";
import { isFolder } from "../../../base/files/stat.ts";
import { writeOwnFile } from "../../../base/files/trees/copy_tree.ts";
import { filesOf } from "../../copy.ts";
import { PROJECT } from "./install.ts";

/** Beside `.venv`: what a build made of the project, as it lies in a tree. */
export const GENERATED = "generated";

/** From the folder of packages to the tree. */
const TO_TREE = "../../../..";

/** Files that a build made, by their path in a tree. */
export const generatedIn = (folder: string): string[] =>
  existsSync(join(folder, GENERATED)) ? filesOf(join(folder, GENERATED), "all").files : [];

/**
 * @param made files of the tree that a build made
 * @param folder holds `.venv`, in which programs of anybody's wrote; @param tree of the project as it was installed
 * @throws UserError where they made links of its folders
 */
export function importFromTree(
  folder: string,
  { tree, minor, made }: { tree: string; minor: string; made: readonly string[] },
): void {
  const packages = join(realpathSync(folder), ".venv", "lib", `python${minor}`, "site-packages");
  requirePlain(packages);
  rmSync(join(folder, GENERATED), { recursive: true, force: true });
  const files = filesOf(tree, "all").files.filter((name) => !made.includes(name));
  const own = new Map<string, string[]>();
  for (const file of installedFiles(packages)) {
    const [top = ""] = file.split("/");
    own.set(top, [...(own.get(top) ?? []), file]);
  }
  const prefixes = new Set<string>();
  for (const group of own.values()) {
    const prefix = prefixOf(group, files);
    if (prefix === null) continue;
    prefixes.add(prefix);
    for (const file of group)
      moveOut(packages, file, join(folder, GENERATED, prefix, file), files.includes(prefix + file));
  }
  if (own.size === 0) for (const prefix of ["", "src/"]) if (isFolder(join(tree, prefix))) prefixes.add(prefix);
  const lines = [...prefixes].map((prefix) => join(TO_TREE, prefix));
  writeOwnFile(join(packages, "_project.pth"), lines.map((line) => `${line}\n`).join(""));
}

/** What is written or removed in a folder is nowhere else. */
function requirePlain(path: string): void {
  if (!existsSync(path) || realpathSync(path) !== path)
    throw new UserError("a program that built its packages changed the environment's folders");
}

/** Files of the project by their path in the folder of packages; none where it was not installed. */
function installedFiles(packages: string): string[] {
  const infos = readdirSync(packages).filter((name) => name.endsWith(".dist-info"));
  const own = infos.find((name) =>
    tryForeignText(packages, join(name, "direct_url.json")).text?.includes(`"file://${PROJECT}"`),
  );
  if (own === undefined) return [];
  const lines = (tryForeignText(packages, join(own, "RECORD")).text ?? "").split("\n");
  const names = lines.map((line) => line.replace(/,[^,]*,[^,]*$/, ""));
  return names.filter((name) => isPlainPath(name) && !name.startsWith(`${own}/`));
}

/** The folder of the tree, with a slash, that most of these files lie in; null where none of them is in the tree. */
function prefixOf(group: readonly string[], files: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const file of group)
    for (const name of files)
      if (name === file || name.endsWith(`/${file}`)) {
        const prefix = name.slice(0, name.length - file.length);
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
  const [best] = [...counts].sort(([a, n], [b, m]) => m - n || a.length - b.length);
  return best?.[0] ?? null;
}

/** Removes a file, or keeps it apart where the tree has none of its name. */
function moveOut(packages: string, file: string, apart: string, isInTree: boolean): void {
  const from = join(packages, file);
  if (!existsSync(dirname(from))) return;
  requirePlain(dirname(from));
  if (isInTree) rmSync(from, { force: true });
  else {
    mkdirSync(dirname(apart), { recursive: true });
    if (existsSync(from)) renameSync(from, apart);
  }
  for (let at = dirname(file); at !== "."; at = dirname(at)) {
    const left = readdirSync(join(packages, at)).filter((name) => name !== "__pycache__");
    if (left.length > 0) return;
    rmSync(join(packages, at, "__pycache__"), { recursive: true, force: true });
    rmdirSync(join(packages, at));
  }
}
