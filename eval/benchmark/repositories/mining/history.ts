/** Commits of a git repository, and what they change. */

import { isSource } from "../../../../fix/project/functions.ts";
import { isTestName } from "../../../../fix/project/kinds.ts";
import { isPlainPath } from "../../../../utils/base/files/plain_path.ts";
import { git } from "../../../../utils/git/git.ts";
import { type GitCommit, gitCommits } from "../../../../utils/git/git_history.ts";

export interface Commit extends Omit<GitCommit, "changed"> {
  /** Paths of what it changes. */
  source: string[];
  tests: string[];
  /** Lines that it adds to or removes from `source`. */
  lines: number;
}

/** All commits with one parent, the newest first. @throws UserError as `gitCommits` */
export function* commits(repository: string, options: { since?: Date | undefined } = {}): Generator<Commit> {
  for (const { changed, ...commit } of gitCommits(repository, options)) {
    const known = changed.filter(({ path }) => isSource(path) && isPlainPath(path));
    const source = known.filter(({ path }) => !isTestName(path));
    yield {
      ...commit,
      source: source.map(({ path }) => path),
      tests: known.filter(({ path }) => isTestName(path)).map(({ path }) => path),
      lines: source.reduce((sum, { lines }) => sum + lines, 0),
    };
  }
}

/**
 * What a commit changes in some files, as `git apply` takes it. A plumbing command, as it ignores the user's
 * configuration of `diff`.
 */
export const patchOf = (repository: string, { parent, sha }: Commit, files: readonly string[]): string =>
  git(repository, [
    ...["diff-tree", "-p", "-r", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--full-index"],
    "--end-of-options",
    parent,
    sha,
    "--",
    ...files,
  ]);
