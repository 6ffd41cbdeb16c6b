/** Puts a patch into the user's repository: into its files, or as a commit on a new branch that nothing else notices. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../utils/data/errors.ts";
import { GitError, git, gitSucceeds } from "../../../utils/files/git.ts";
import { makeTemporaryFolder } from "../../../utils/files/temporary.ts";
import { replaceUsersFile, requireWritable } from "../../../utils/files/users_file.ts";
import { type FileChange, renderPatch } from "../patch.ts";

/**
 * Applies a patch to the files.
 * @returns copies of originals that git does not have
 * @throws UserError where a file changed since it was copied; then none is changed
 */
export async function writeChanges(root: string, changes: readonly FileChange[]): Promise<string[]> {
  for (const { file, before } of changes) {
    const path = join(root, file);
    const now = existsSync(path) ? readFileSync(path, "utf8") : null;
    if (now !== before) throw new UserError(`${path} changed while it was being repaired; nothing was written.`);
    if (before !== null) requireWritable(path);
  }
  const backups: string[] = [];
  for (const { file, before, after } of changes) {
    const path = join(root, file);
    if (after === null) rmSync(path);
    else if (before === null) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, after, { flag: "wx" });
    } else {
      const backup = replaceUsersFile(path, before, after);
      if (backup !== null) backups.push(backup);
    }
  }
  return backups;
}

/**
 * To be asked before anything is spent on a repair.
 * @throws UserError where `branch` cannot become a new branch of the repository
 */
export function requireNewBranch(root: string, branch: string): void {
  if (!existsSync(join(root, ".git")))
    throw new UserError(`${root} is no git repository: --branch needs one; --write changes its files.`);
  if (!gitSucceeds(root, ["check-ref-format", "--branch", branch]))
    throw new UserError(`"${branch}" is no name for a branch.`);
  if (gitSucceeds(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])) {
    throw new UserError(`The branch ${branch} exists already: name another with --branch.`);
  }
  if (!gitSucceeds(root, ["rev-parse", "--verify", "--quiet", "HEAD"]))
    throw new UserError(`${root} has no commit yet: commit first, or use --write.`);
}

/**
 * Commits a patch on top of HEAD to a new branch. The work tree, its index and the present branch stay as they are.
 * @returns the commit
 * @throws UserError where the patch does not fit HEAD: what it changes is not committed, or is a submodule's
 */
export function commitToBranch(root: string, branch: string, changes: readonly FileChange[], message: string): string {
  requireNewBranch(root, branch);
  requireOwnFiles(root, changes);
  using folder = makeTemporaryFolder("index");
  const env = { GIT_INDEX_FILE: join(folder.path, "index") };
  git(root, ["read-tree", "HEAD"], { env });
  try {
    git(root, ["apply", "--cached", "--whitespace=nowarn", "-"], { env, input: renderPatch(changes) });
  } catch (error) {
    throw new UserError(
      `The patch does not fit the last commit (${said(error)}): commit your changes first, or use --write.`,
    );
  }
  const tree = git(root, ["write-tree"], { env }).trim();
  try {
    const commit = git(root, ["commit-tree", tree, "-p", "HEAD", "-F", "-"], { env, input: message }).trim();
    // Only where it is still not there.
    git(root, ["update-ref", `refs/heads/${branch}`, commit, "0".repeat(40)], { env });
    return commit;
  } catch (error) {
    throw new UserError(`git does not commit: ${said(error)}`);
  }
}

/** Files of submodules are committed in these alone. */
function requireOwnFiles(root: string, changes: readonly FileChange[]): void {
  const entries = git(root, ["ls-files", "--stage", "-z"]).split("\0");
  const submodules = entries.flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? []);
  for (const { file } of changes) {
    const submodule = submodules.find((path) => file.startsWith(`${path}/`));
    if (submodule !== undefined)
      throw new UserError(
        `${file} is a file of the submodule ${submodule}, which has commits of its own, so no branch of ${root} can hold the patch: use --write, then commit in ${join(root, submodule)}.`,
      );
  }
}

function said(error: unknown): string {
  const text = error instanceof GitError ? error.said : String(error);
  return text.split("\n").slice(0, 2).join("; ");
}
