/** Puts a patch into a commit on a new branch of the user's repository that nothing else notices. */

import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { inLine } from "../../utils/base/text/text.ts";
import { sameAsCommitted } from "../../utils/git/changes/committed.ts";
import { requireNames } from "../../utils/git/changes/names.ts";
import { GitError, git, gitSucceeds } from "../../utils/git/git.ts";
import { entriesOf, type TreeEntry } from "../../utils/git/git_objects.ts";
import type { FileChange } from "../project/patch.ts";

/**
 * To be asked before anything is spent on a repair.
 * @throws UserError where `branch` cannot become a new branch of the repository, or could not hold what is tested:
 * files of the last commit differ from it
 */
export function requireNewBranch(root: string, branch: string): void {
  requireOwnRepository(root, branch);
  if (!gitSucceeds(root, ["check-ref-format", "--branch", branch]))
    throw new UserError(`"${branch}" is not a valid name for a branch.`);
  if (gitSucceeds(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) {
    throw new UserError(`The branch ${branch} exists already: choose another name.`);
  }
  if (!gitSucceeds(root, ["rev-parse", "--verify", "--quiet", "HEAD"]))
    throw new UserError(`${root} has no commit yet: commit first, or use --write.`);
  requireCommitted(root, root, new Map());
}

/**
 * Commits a patch on top of HEAD to a new branch. The work tree, its index and the present branch stay as they are.
 * @param base the tree that was tested, without the patch
 * @returns the commit
 * @throws UserError where the commit would hold anything else than what was tested, but for files that git does not
 * track
 */
export function commitToBranch(
  root: string,
  branch: string,
  { base, changes, message }: { base: string; changes: readonly FileChange[]; message: string },
): string {
  requireNames(changes);
  requireNewBranch(root, branch);
  requireOwnFiles(root, changes);
  requireCommitted(root, base, new Map(changes.map(({ file, before }) => [file, before])));
  const head = git(root, ["rev-parse", "--verify", "HEAD^{commit}"]).trim();
  const parent = entriesOf(root, head);
  const wanted = changes.map((change) => ({ change, entry: committedAs(root, change, parent) }));
  using folder = makeTemporaryFolder("index");
  const env = { GIT_INDEX_FILE: join(folder.path, "index") };
  try {
    git(root, [...STRICT, "read-tree", head], { env });
    git(root, [...STRICT, "update-index", "-z", "--index-info"], {
      env,
      input: wanted.map(({ change: { file }, entry }) => indexLine(file, entry)).join(""),
    });
    const tree = git(root, ["write-tree"], { env }).trim();
    requireTree(parent, entriesOf(root, tree), wanted);
    const commit = git(root, ["commit-tree", tree, "-p", head, "-F", "-"], { env, input: message }).trim();
    // Only where it is still not there.
    git(root, ["update-ref", "--no-deref", `refs/heads/${branch}`, commit, "0".repeat(head.length)], { env });
    return commit;
  } catch (error) {
    if (error instanceof UserError && !(error instanceof GitError)) throw error;
    throw new UserError(`git commit failed: ${said(error)}.`);
  }
}

/** Names that another file system takes for those of git are refused by git, too. */
const STRICT = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"];

/** Null where the file goes. */
type NewEntry = TreeEntry | null;

const indexLine = (file: string, entry: NewEntry): string =>
  entry === null ? `0 ${"0".repeat(40)}\t${file}\0` : `${entry.mode} ${entry.id}\t${file}\0`;

/**
 * The object that a changed file becomes, in the form that the last commit has it: line ends may be other ones there.
 */
function committedAs(
  root: string,
  { file, before, after, mode }: FileChange,
  parent: ReadonlyMap<string, TreeEntry>,
): NewEntry {
  const known = parent.get(file);
  if (before === null ? known : !known)
    throw new UserError(
      `${file} is not in the last commit as it was tested: commit your changes first, or use --write.`,
    );
  if (after === null) return null;
  const stored = known ? git(root, ["cat-file", "blob", known.id]) : null;
  const isPlain = stored !== null && before?.includes("\r\n") && stored === before.replaceAll("\r\n", "\n");
  if (stored !== null && stored !== before && !isPlain)
    throw new UserError(`${file} differs from the last commit: commit your changes first, or use --write.`);
  const text = isPlain ? after.replaceAll("\r\n", "\n") : after;
  const id = git(root, ["hash-object", "-w", "--no-filters", "--stdin"], { input: text }).trim();
  return { mode: mode && mode.before !== mode.after ? mode.after : (known?.mode ?? mode?.after ?? "100644"), id };
}

/** The tree that is committed holds, object by object, what the last commit does but for what was wanted. */
function requireTree(
  parent: ReadonlyMap<string, TreeEntry>,
  tree: ReadonlyMap<string, TreeEntry>,
  wanted: readonly { change: FileChange; entry: NewEntry }[],
): void {
  const expected = new Map(parent);
  for (const { change, entry } of wanted) {
    if (entry === null) expected.delete(change.file);
    else expected.set(change.file, entry);
  }
  const names = [...new Set([...expected.keys(), ...tree.keys()])];
  const other = names.find((name) => {
    const [one, two] = [expected.get(name), tree.get(name)];
    return one?.id !== two?.id || one?.mode !== two?.mode;
  });
  if (other !== undefined)
    throw new UserError(`The commit would change ${inLine(other)} after the test, so no branch was made.`);
}

/** @param changed files that the patch changes, with the text that they have in `tree` */
function requireCommitted(root: string, tree: string, changed: ReadonlyMap<string, string | null>): void {
  const other = sameAsCommitted(root, tree);
  if (other === null) return;
  const what = changed.has(other) ? ", which the patch changes," : "";
  throw new UserError(
    `${inLine(other)}${what} differs from the last commit, so a branch would not hold what is tested: ` +
      "commit or stash your changes first, or use --write.",
  );
}

/**
 * A folder that came from somebody else may say that another repository of the user is its own.
 * @throws UserError where the repository does not name this folder as its work tree in return, or lies behind links
 */
function requireOwnRepository(root: string, branch: string): void {
  const place = join(root, ".git");
  if (!existsSync(place)) throw new UserError(`${root} is not a git repository, which --branch needs: use --write.`);
  const ask = (word: string) => realpathSync(resolve(root, git(root, ["rev-parse", word]).replace(/\n$/, "")));
  let own: string;
  let common: string;
  try {
    own = ask("--absolute-git-dir");
    common = ask("--git-common-dir");
  } catch (error) {
    throw new UserError(`git cannot read the repository ${root}: ${said(error)}.`);
  }
  const here = realpathSync(root);
  const isInside = lstatSync(place).isDirectory() && common === join(here, ".git");
  if (!isInside && !isNamedInReturn({ root, here, own, common })) {
    throw new UserError(
      `The .git of ${root} leads to ${inLine(common)}, which does not name this folder as its own: no ` +
        `branch is made there. Use --write, or, where both are yours, \`git -C ${inLine(root)} config ` +
        `core.worktree ${inLine(here)}\` first.`,
    );
  }
  const objects = readdirSync(join(common, "objects")).map((name) => `objects/${name}`);
  for (const name of [`refs/heads/${branch}`, `logs/refs/heads/${branch}`, "objects", ...objects])
    requireNoLink(common, name);
}

interface Places {
  root: string;
  /** The same without links. */
  here: string;
  /** Where git keeps what belongs to this work tree. */
  own: string;
  /** Where it keeps branches and objects. */
  common: string;
}

/** A work tree of several, and a submodule: both are named by a file that lies where the branches do. */
function isNamedInReturn({ root, here, own, common }: Places): boolean {
  try {
    if (dirname(own) === join(common, "worktrees"))
      return realpathSync(resolve(own, readFileSync(join(own, "gitdir"), "utf8").trim())) === join(here, ".git");
    const named = git(root, ["config", "--file", join(common, "config"), "--get", "core.worktree"]).replace(/\n$/, "");
    return own === common && realpathSync(resolve(common, named)) === here;
  } catch {
    return false;
  }
}

function requireNoLink(folder: string, name: string): void {
  const parts = name.split("/");
  for (const at of parts.keys()) {
    const path = join(folder, ...parts.slice(0, at + 1));
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UserError(`${inLine(path)} is a link, through which no branch is made: use --write.`);
  }
}

/** Files of submodules are committed in these alone. */
function requireOwnFiles(root: string, changes: readonly FileChange[]): void {
  // One that was just added is in the index alone.
  const entries = git(root, ["ls-files", "--stage", "-z"]).split("\0");
  const submodules = entries.flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? []);
  for (const { file } of changes) {
    const submodule = submodules.find((path) => file.startsWith(`${path}/`));
    if (submodule !== undefined)
      throw new UserError(
        `${file} is a file of the submodule ${submodule}, which has commits of its own, so no branch of ` +
          `${root} can hold the patch: use --write, then commit in ${join(root, submodule)}.`,
      );
  }
}

function said(error: unknown): string {
  const text = error instanceof GitError ? error.said : String(error);
  return text.split("\n").slice(0, 2).join("; ");
}
