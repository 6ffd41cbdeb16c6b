/**
 * Reads a repository that anybody may have made: its objects alone, by their hashes. No name and no message of it
 * becomes an argument of git or is looked for in git's output, no work tree is read, and so none of its attributes,
 * filters and configuration counts.
 */

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../base/data/errors.ts";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { inLine } from "../base/text/text.ts";
import { git, gitBytes } from "./git.ts";

/** Whether a text is a SHA-1 or SHA-256 hash. */
export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** @throws UserError if what git or the caller gives is not a hash */
export function requireHash(text: string): string {
  if (!isHash(text)) throw new UserError(`"${inLine(text)}" is not the hash of a git object.`);
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

/** The hash of a commit's tree. @throws GitError where it is not there */
export const treeNamed = (repository: string, commit: string): string =>
  requireHash(git(repository, ["rev-parse", "--verify", "--end-of-options", `${requireHash(commit)}^{tree}`]).trim());

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

/** Sizes of objects in bytes, without those that are not there. */
function sizesOf(repository: string, hashes: Iterable<string>): Map<string, number> {
  const asked = [...new Set(hashes)].map(requireHash);
  if (asked.length === 0) return new Map();
  const told = git(repository, ["cat-file", "--batch-check"], { input: lines(asked) });
  return new Map([...told.matchAll(/^([0-9a-f]+) [a-z]+ (\d+)$/gm)].map(([, hash = "", size]) => [hash, Number(size)]));
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
  /** As git writes it, such as `100644`; `160000` for a submodule. */
  mode: string;
  /** Of the object. */
  id: string;
}

const SUBMODULE = "160000";

/** More than a hundred thousand entries: a small repository from elsewhere can hold an endless tree. */
const MOST_LISTED = 16 * 1024 * 1024;

/**
 * All entries of a commit or tree by their path, those of folders too.
 * @param mostBytes of the list. Default: what git may print
 * @throws GitError where an object is missing, and where they are too many
 */
export function entriesOf(repository: string, tree: string, mostBytes?: number): Map<string, TreeEntry> {
  const listed = git(repository, ["ls-tree", "-r", "-z", "--full-tree", tree], mostBytes ? { mostBytes } : {});
  return new Map(
    [...listed.matchAll(/(\d+) \w+ ([0-9a-f]+)\t([^\0]*)\0/g)].map(([, mode = "", id = "", path = ""]) => [
      path,
      { mode, id },
    ]),
  );
}

const MOST_TREE_BYTES = 1_000_000_000;

/**
 * Writes the tree of a commit to a folder as a checkout does (line ends as `.gitattributes` wants them, `export-ignore`
 * left alone), from a git folder of our own: nothing of the clone but its objects counts. Submodules become empty
 * folders.
 * @throws UserError where the tree holds what git writes to no work tree, or too much, or objects are missing
 */
export function writeTree(repository: string, commit: string, folder: string): void {
  const entries = [...entriesOf(repository, requireHash(commit), MOST_LISTED).values()];
  const files = entries.flatMap(({ mode, id }) => (mode === SUBMODULE ? [] : id));
  const sizes = sizesOf(repository, files);
  const bytes = files.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  if (bytes > MOST_TREE_BYTES) throw new UserError(`its tree has more than ${MOST_TREE_BYTES / 1e6} MB.`);
  const objects = resolve(repository, git(repository, ["rev-parse", "--git-path", "objects"]).replace(/\n$/, ""));
  mkdirSync(folder, { recursive: true });
  using own = makeTemporaryFolder("git");
  const format = commit.length === 64 ? ["--object-format=sha256"] : [];
  git(own.path, ["init", "--quiet", "--template=", ...format], { isolated: true });
  git(folder, ["-c", "core.protectHFS=true", "read-tree", "--reset", "-u", requireHash(commit)], {
    isolated: true,
    env: { GIT_DIR: join(own.path, ".git"), GIT_WORK_TREE: folder, GIT_OBJECT_DIRECTORY: objects },
  });
}
