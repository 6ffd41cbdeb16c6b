/**
 * Trees of benchmark repositories at the base of a task: from a git bundle with a tag a task, or a folder of clones.
 */

import { copyFileSync, existsSync, lstatSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { statOf } from "../../../utils/base/files/look.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { within } from "../../../utils/base/host/project_root.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { GitError, git } from "../../../utils/git/git.ts";
import { commitNamed, isHash, treeNamed, writeTree } from "../../../utils/git/git_objects.ts";
import { builtFiles } from "../../../utils/project/built_files.ts";
import type { RepositoryTask } from "./rows.ts";

/** What leads to the tree of a task. */
export type RepositoryPlace = Pick<RepositoryTask, "id" | "repo" | "base">;

export interface Repositories extends Disposable {
  /** Why there is no tree for a task; null where there is one. */
  missing(task: RepositoryPlace): string | null;
  /**
   * Of the files at the base of a task: the same wherever these are the same. @throws UserError where there are none
   */
  treeHash(task: RepositoryPlace): string;
  /** Writes the tree at the base of a task, without any history, to an empty folder. */
  checkOut(task: RepositoryPlace, folder: string): void;
}

/** @throws UserError where it is neither a bundle nor a folder */
export function openRepositories(path: string): Repositories {
  const found = statOf(path);
  if (!found) throw new UserError(`${path} is not there: --repositories takes a git bundle or a folder of clones.`);
  if (found.isDirectory())
    return isRepository(path) ? fromGit(null, () => resolve(path), baseOf) : clones(resolve(path));
  if (!found.isFile())
    throw new UserError(`${path} is no file: --repositories takes a git bundle or a folder of clones.`);
  const folder = makeTemporaryFolder("repositories");
  try {
    git(folder.path, ["clone", "--quiet", "--bare", resolve(path), "bundle"], {
      env: { GIT_ALLOW_PROTOCOL: "file" },
    });
  } catch (error) {
    folder[Symbol.dispose]();
    throw new UserError(`${path} is no git bundle: ${said(error)}`);
  }
  return fromGit(
    folder,
    () => join(folder.path, "bundle"),
    ({ id }) => `refs/tags/${id}`,
  );
}

/** `FOLDER/name`, `FOLDER/owner__name` or `FOLDER/owner/name`. */
function clones(folder: string): Repositories {
  const place = ({ repo }: RepositoryPlace) => {
    const [owner = "", name = ""] = repo.split("/");
    const all = [join(folder, owner, name), join(folder, `${owner}__${name}`), join(folder, name)];
    const clone = all.find((path) => path !== folder && existsSync(path)) ?? join(folder, `${owner}__${name}`);
    return existsSync(clone) ? requireOwn(clone, folder, repo) : clone;
  };
  return fromGit(null, place, baseOf);
}

/** A branch or a shortened hash may name another commit tomorrow, and one that nobody meant to give away. */
function baseOf({ base }: RepositoryPlace): string {
  if (!isHash(base)) throw new UserError(`its base "${inLine(base)}" is no whole hash of a commit.`);
  return base;
}

/**
 * A clone that is a link, or whose `.git` names another folder, could show any repository of this machine.
 * @throws UserError where the repository does not lie in the folder of clones
 */
function requireOwn(clone: string, folder: string, repo: string): string {
  const isOwn = (path: string) => within(realpathSync(folder), realpathSync(path));
  const problem = `the clone of ${repo} (${clone}) leads out of the folder of clones: put the clone itself there.`;
  if (!isOwn(clone)) throw new UserError(problem);
  if (!isRepository(clone)) throw new UserError(`${clone} is no clone of ${repo}.`);
  const told = git(clone, ["rev-parse", "--absolute-git-dir", "--git-common-dir"]).trimEnd().split("\n");
  if (!told.every((path) => isOwn(resolve(clone, path)))) throw new UserError(problem);
  return clone;
}

/** A clone, or a bare one. */
export const isRepository = (folder: string): boolean =>
  existsSync(join(folder, ".git")) || (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects")));

function fromGit(
  own: TemporaryFolder | null,
  place: (task: RepositoryPlace) => string,
  name: (task: RepositoryPlace) => string,
): Repositories {
  /** @throws UserError where there is none */
  const commitOf = (task: RepositoryPlace): [repository: string, commit: string] => {
    const repository = place(task);
    if (!existsSync(repository)) throw new UserError(`there is no clone of ${task.repo} (${repository})`);
    const revision = name(task);
    const commit = commitNamed(repository, revision);
    if (commit === null) throw new UserError(`its base ${revision} is not in the repositories`);
    return [repository, commit];
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
      if (existsSync(join(repository, ".git"))) addGenerated(repository, folder);
    },
    [Symbol.dispose]: () => own?.[Symbol.dispose](),
  };
}

/** Sources that a build made in the clone, such as a `_version.py`, where the tree has none of that name. */
function addGenerated(clone: string, tree: string): void {
  for (const name of builtFiles(clone, "generated")) {
    const place = join(tree, dirname(name));
    // A tree's folder may be a link to anywhere.
    const isIn = existsSync(place) && within(realpathSync(tree), realpathSync(place));
    if (isIn && !lstatSync(join(tree, name), { throwIfNoEntry: false }))
      copyFileSync(join(clone, name), join(tree, name));
  }
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
