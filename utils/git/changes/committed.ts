/** Whether a tree of files is what a commit of a repository holds, object by object. */

import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { git } from "../git.ts";
import { entriesOf, type TreeEntry } from "../git_objects.ts";

/** Tests see packages in their original place; packages are not part of the tested copy. */
const INSTALLED = /(?:^|\/)(?:node_modules|\.venv|venv)\//;

/**
 * @param root the repository
 * @param folder the tree: its own files, or a copy of them. What the commit does not hold is passed over, and so is
 * what git keeps in another form (LFS and the like)
 * @returns the first file that is not what the commit holds; null where all are
 */
export function sameAsCommitted(root: string, folder: string, commit = "HEAD"): string | null {
  const others: string[] = [];
  // A file system may not know who executes a file.
  const knowsModes = !saysNo(root, "core.fileMode");
  for (const [name, entry] of entriesOf(root, commit)) {
    if (INSTALLED.test(name)) continue;
    if (entry.mode === "160000") {
      const inner = join(root, name);
      const other = existsSync(join(inner, ".git")) ? sameAsCommitted(inner, join(folder, name), entry.id) : null;
      if (other !== null) return join(name, other);
    } else if (!isEntry(join(folder, name), entry, knowsModes)) others.push(name);
  }
  const kept = others.length > 0 ? inOtherForm(root, others) : new Set();
  return others.find((name) => !kept.has(name)) ?? null;
}

function saysNo(root: string, key: string): boolean {
  try {
    return git(root, ["config", "--bool", "--get", key]).trim() === "false";
  } catch {
    return false;
  }
}

function isEntry(path: string, { mode, id }: TreeEntry, knowsModes: boolean): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isSymbolicLink()) return mode === "120000" && idOf(Buffer.from(readlinkSync(path)), id) === id;
  if (!found.isFile() || mode === "120000") return false;
  if (knowsModes && ((found.mode & 0o100) !== 0) !== (mode === "100755")) return false;
  const bytes = readFileSync(path);
  if (idOf(bytes, id) === id) return true;
  // Where git writes line ends as Windows has them.
  return (
    bytes.includes("\r\n") && idOf(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id) === id
  );
}

/** The name that git gives a file's bytes. @param like an id of the same repository */
function idOf(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Files for which the repository's attributes name a program or another encoding. */
function inOtherForm(root: string, names: readonly string[]): Set<string> {
  const words = git(root, ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"], {
    input: names.map((name) => `${name}\0`).join(""),
  }).split("\0");
  const found = new Set<string>();
  for (let i = 0; i + 2 < words.length; i += 3) {
    if (!/^(?:unspecified|unset)$/.test(words[i + 2] ?? "")) found.add(words[i] ?? "");
  }
  return found;
}
