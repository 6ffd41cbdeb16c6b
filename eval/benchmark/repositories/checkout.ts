/**
 * Trees of benchmark repositories at the base of a task: from a git bundle with a tag for each task or with the base
 * commits, a folder of clones, or one clone.
 */

import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { statOf } from "../../../utils/base/files/stat.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyMissing } from "../../../utils/base/files/trees/copy_tree.ts";
import { within } from "../../../utils/base/host/project_root.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { GitError, git } from "../../../utils/git/git.ts";
import { commitNamed, isHash, treeNamed, writeTree } from "../../../utils/git/git_objects.ts";
import { builtFiles } from "../../../utils/project/built_files.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { RepositoryTask } from "./rows.ts";

/** What leads to the tree of a task. */
export type RepositoryPlace = Pick<RepositoryTask, "id" | "repo" | "base"> & Partial<Pick<RepositoryTask, "image">>;

export interface Repositories extends Disposable {
  /** Why there is no tree for a task; null where there is one. */
  missing(task: RepositoryPlace): string | null;
  /**
   * Of the files at the base of a task: the same wherever these are the same. @throws UserError where there are none
   */
  treeHash(task: RepositoryPlace): string;
  /** Writes the tree at the base of a task, without any history, to an empty folder. @throws UserError */
  checkOut(task: RepositoryPlace, folder: string): void | Promise<void>;
  /** What runs the commands of a task, where its tree comes with programs of its own. @throws UserError */
  boxOf?(task: RepositoryPlace): Promise<CommandBox>;
}

/** @throws UserError where it is neither a bundle nor a folder */
export function openRepositories(path: string): Repositories {
  const found = statOf(path);
  if (!found) throw new UserError(`${path} is not there: --repositories takes a git bundle or a folder of clones.`);
  if (found.isDirectory())
    return isRepository(path)
      ? fromGit(
          null,
          () => [resolve(path)],
          ({ base }) => [baseOf(base)],
        )
      : clones(resolve(path));
  if (!found.isFile())
    throw new UserError(`${path} is not a file: --repositories takes a git bundle or a folder of clones.`);
  const folder = makeTemporaryFolder("repositories");
  try {
    git(folder.path, ["clone", "--quiet", "--bare", resolve(path), "bundle"], {
      env: { GIT_ALLOW_PROTOCOL: "file" },
    });
  } catch (error) {
    folder[Symbol.dispose]();
    throw new UserError(`${path} is not a git bundle: ${said(error)}`);
  }
  return fromGit(
    folder,
    () => [join(folder.path, "bundle")],
    ({ id, base }) => [`refs/tags/${id}`, ...(isHash(base) ? [base] : [])],
  );
}

/** The names that a clone of `owner/name` may have in a folder of clones. */
function namesOf(repo: string): string[] {
  const parts = repo.split("/");
  const names = [parts.join("__"), parts.join("/"), parts.at(-1) ?? ""];
  return [...new Set(names.flatMap((name) => [name, `${name}.git`]))];
}

function clones(folder: string): Repositories {
  return fromGit(
    null,
    ({ repo }) => clonesOf(repo, folder),
    ({ base }) => [baseOf(base)],
  );
}

/** @throws UserError where there is none */
function clonesOf(repo: string, folder: string): string[] {
  const names = namesOf(repo);
  const found = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length === 0)
    throw new UserError(`there is no clone of ${repo} in ${folder}: looked for ${names.join(", ")}`);
  // A folder of an owner's clones may be called as a repository is.
  const are = found.filter((path) => requireOwn(path, folder, repo));
  if (are.length === 0) throw new UserError(`${found.join(" and ")}: a folder, and no clone of ${repo}.`);
  return are;
}

/**
 * A branch or a shortened hash may name another commit tomorrow, perhaps one that was not meant to be shared.
 * @throws UserError if it is not a whole hash
 */
function baseOf(base: string): string {
  if (!isHash(base)) throw new UserError(`its base "${inLine(base)}" is not the whole hash of a commit.`);
  return base;
}

/**
 * Whether a folder is a clone. One that is a link, or whose `.git` names another folder, could show any repository of
 * this machine.
 * @throws UserError where the repository does not lie in the folder of clones
 */
function requireOwn(clone: string, folder: string, repo: string): boolean {
  const isOwn = (path: string) => within(realpathSync(folder), realpathSync(path));
  const problem = `the clone of ${repo} (${clone}) leads out of the folder of clones: put the clone itself there.`;
  if (!isOwn(clone)) throw new UserError(problem);
  if (!isRepository(clone)) return false;
  const lines = git(clone, ["rev-parse", "--absolute-git-dir", "--git-common-dir"]).trimEnd().split("\n");
  if (!lines.every((path) => isOwn(resolve(clone, path)))) throw new UserError(problem);
  return true;
}

/** A clone, or a bare one. */
export const isRepository = (folder: string): boolean =>
  existsSync(join(folder, ".git")) || (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects")));

/**
 * @param places the repositories that may hold a task's commit, @param names what the commit may be called there; both
 * in the order in which they are tried
 */
function fromGit(
  own: TemporaryFolder | null,
  places: (task: RepositoryPlace) => string[],
  names: (task: RepositoryPlace) => string[],
): Repositories {
  /** @throws UserError where there is none */
  const commitOf = (task: RepositoryPlace): [repository: string, commit: string] => {
    const repositories = places(task);
    const revisions = names(task);
    for (const repository of repositories)
      for (const revision of revisions) {
        const commit = commitNamed(repository, revision);
        if (commit !== null) return [repository, commit];
      }
    const where = own ? "in the bundle" : `in ${repositories.join(" or ")}`;
    throw new UserError(`its base ${revisions.join(" or ")} is not ${where}`);
  };
  return {
    missing: (task) => {
      try {
        commitOf(task);
        return null;
      } catch (error) {
        if (error instanceof UserError) return error.message;
        throw error;
      }
    },
    treeHash: (task) => treeNamed(...commitOf(task)),
    checkOut: (task, folder) => {
      const [repository, commit] = commitOf(task);
      writeTree(repository, commit, folder);
      // Sources that a build made in the clone, such as a `_version.py`.
      if (existsSync(join(repository, ".git"))) copyMissing(repository, builtFiles(repository, "generated"), folder);
    },
    [Symbol.dispose]: () => own?.[Symbol.dispose](),
  };
}

/** @returns why the patch does not apply; null where it did. git refuses paths that lead out of the folder. */
export function applyPatch(folder: string, patch: string): string | null {
  using place = makeTemporaryFolder("patch");
  const file = join(place.path, "patch");
  writeFileSync(file, patch.endsWith("\n") ? patch : `${patch}\n`);
  try {
    git(folder, ["apply", "--whitespace=nowarn", file], { env: { GIT_CEILING_DIRECTORIES: join(folder, "..") } });
    return null;
  } catch (error) {
    return said(error);
  }
}

const said = (error: unknown): string =>
  (error instanceof GitError ? error.said : String(error)).split("\n").at(-1) ?? "";
