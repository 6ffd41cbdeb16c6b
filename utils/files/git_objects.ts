/**
 * Reads a repository that anybody may have made: its objects alone, by their hashes. No name and no message of it becomes an
 * argument of git or is looked for in git's output, no work tree is read, and so none of its attributes, filters and
 * configuration counts.
 */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { errorCode, UserError, writeError } from "../data/errors.ts";
import { inLine } from "../text/text.ts";
import { git, gitBytes } from "./git.ts";
import { leadsInside } from "./plain_path.ts";

/** Of SHA-1 or SHA-256. */
export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** @throws UserError where git's word for a hash is none, or whoever asks gives none */
export function requireHash(text: string): string {
  if (!isHash(text)) throw new UserError(`"${inLine(text)}" is no hash of an object of git.`);
  return text;
}

/** The hash of the commit that a revision names; null where it names none. */
export function commitNamed(repository: string, revision: string): string | null {
  try {
    const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    return requireHash(git(repository, words).trim());
  } catch {
    return null;
  }
}

/** What is asked for at once, in bytes. */
const MOST_AT_ONCE = 64 * 1024 * 1024;

/**
 * Contents of objects by their hash, in the order that is asked for.
 * @returns without those that are not there, and those of more than `mostBytes`
 */
export function* readObjects(
  repository: string,
  hashes: Iterable<string>,
  mostBytes: number,
): Generator<readonly [hash: string, content: Buffer]> {
  const asked = [...new Set(hashes)].map(requireHash);
  if (asked.length === 0) return;
  const told = git(repository, ["cat-file", "--batch-check"], { input: lines(asked) })
    .trimEnd()
    .split("\n");
  let batch: string[] = [];
  let bytes = 0;
  for (const line of told) {
    const [, hash = "", length] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(line) ?? [];
    if (hash === "" || Number(length) > mostBytes) continue;
    batch.push(hash);
    bytes += Number(length);
    if (bytes < MOST_AT_ONCE) continue;
    yield* contents(repository, batch);
    [batch, bytes] = [[], 0];
  }
  yield* contents(repository, batch);
}

function* contents(repository: string, hashes: readonly string[]): Generator<readonly [string, Buffer]> {
  if (hashes.length === 0) return;
  const out = gitBytes(repository, ["cat-file", "--batch"], { input: lines(hashes) });
  let at = 0;
  for (const hash of hashes) {
    const end = out.indexOf("\n", at);
    const length = Number(/^[0-9a-f]+ [a-z]+ (\d+)$/.exec(out.toString("latin1", at, end))?.[1]);
    if (!Number.isFinite(length)) throw new UserError(`${repository}: the object ${hash} cannot be read.`);
    yield [hash, out.subarray(end + 1, end + 1 + length)];
    at = end + 1 + length + 1;
  }
}

const lines = (hashes: readonly string[]) => `${hashes.join("\n")}\n`;

/** A file, a link or a submodule of a commit. */
export interface TreeEntry {
  path: string;
  /** The path as git has it: it need be no UTF-8. */
  name: Buffer;
  kind: "file" | "program" | "link" | "submodule";
  hash: string;
}

const KINDS: Record<string, TreeEntry["kind"]> = { 100755: "program", 120000: "link", 160000: "submodule" };

/** All entries of a commit, those of folders too. @throws GitError where an object is missing */
export function treeEntries(repository: string, commit: string): TreeEntry[] {
  const out = gitBytes(repository, ["ls-tree", "-r", "-z", "--full-tree", requireHash(commit)]);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < out.length; ) {
    const [tab, end] = [out.indexOf("\t", at), out.indexOf("\0", at)];
    const [mode = "", , hash = ""] = out.toString("latin1", at, tab).split(" ");
    const name = out.subarray(tab + 1, end);
    entries.push({ path: name.toString("utf8"), name, kind: KINDS[mode] ?? "file", hash: requireHash(hash) });
    at = end + 1;
  }
  return entries;
}

const MOST_TREE_BYTES = 1_000_000_000;

/**
 * Writes the tree of a commit to an empty folder, byte for byte as it is committed: no filter and no `export-ignore` counts.
 * Submodules become empty folders.
 * @throws UserError where the tree holds what is no file of a work tree, or too much
 */
export function writeTree(repository: string, commit: string, folder: string): void {
  const entries = treeEntries(repository, commit);
  const strange = entries.find(({ path }) => !leadsInside(path));
  if (strange) throw new UserError(`its tree holds "${inLine(strange.path)}", which is no path of a file.`);
  mkdirSync(folder, { recursive: true });
  const write = entryWriter(folder);
  const byHash = new Map<string, TreeEntry[]>();
  for (const entry of entries) {
    const same = byHash.get(entry.hash);
    if (entry.kind === "submodule") write(entry, NOTHING);
    else if (same) same.push(entry);
    else byHash.set(entry.hash, [entry]);
  }
  // Links come last: nothing is written through them, whatever the tree says.
  const links: [TreeEntry, Buffer][] = [];
  let bytes = 0;
  for (const [hash, content] of readObjects(repository, byHash.keys(), MOST_TREE_BYTES)) {
    const same = byHash.get(hash) ?? [];
    byHash.delete(hash);
    bytes += content.length * same.length;
    if (bytes > MOST_TREE_BYTES) throw new UserError(`its tree has more than ${MOST_TREE_BYTES / 1e6} MB.`);
    for (const entry of same) {
      if (entry.kind === "link") links.push([entry, Buffer.from(content)]);
      else write(entry, content);
    }
  }
  if (byHash.size > 0)
    throw new UserError(
      `files of its tree are missing in the clone (fetch it as a whole), or larger than ${MOST_TREE_BYTES / 1e6} MB.`,
    );
  for (const [entry, content] of links) write(entry, content);
}

const NOTHING = Buffer.alloc(0);

function entryWriter(folder: string): (entry: TreeEntry, content: Buffer) => void {
  const root = Buffer.from(`${folder}/`);
  const made = new Set<string>();
  const makeFolder = (path: Buffer) => {
    const key = path.toString("latin1");
    if (path.length > root.length && !made.has(key)) mkdirSync(path, { recursive: true });
    made.add(key);
  };
  return ({ name, path, kind }, content) => {
    const place = Buffer.concat([root, name]);
    try {
      makeFolder(kind === "submodule" ? place : place.subarray(0, place.lastIndexOf("/")));
      if (kind === "link") symlinkSync(content, place);
      else if (kind !== "submodule")
        writeFileSync(place, content, { flag: "wx", mode: kind === "program" ? 0o755 : 0o644 });
    } catch (error) {
      throw unwritable(error, path);
    }
  };
}

/** Whether it is the disk or the tree. */
function unwritable(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EROFS") return writeError(error, path);
  return typeof code === "string"
    ? new UserError(`its tree holds "${inLine(path)}", which cannot be written here (${code}).`)
    : error;
}
