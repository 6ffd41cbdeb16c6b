/** Trees of benchmark repositories at the base of a task: from a git bundle with a tag a task, or a folder of clones. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../../utils/data/errors.ts";
import { GitError, git, gitBytes, gitSucceeds } from "../../../utils/files/git.ts";
import { statOf } from "../../../utils/files/look.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/files/temporary.ts";
import type { RepositoryTask } from "./rows.ts";

/** What leads to the tree of a task. */
export type RepositoryPlace = Pick<RepositoryTask, "id" | "repo" | "base">;

export interface Repositories extends Disposable {
  /** Why there is no tree for a task; null where there is one. */
  missing(task: RepositoryPlace): string | null;
  /** Writes the tree at the base of a task, without any history, to an empty folder. */
  checkOut(task: RepositoryPlace, folder: string): void;
}

/** @throws UserError where it is neither a bundle nor a folder */
export function openRepositories(path: string): Repositories {
  const found = statOf(path);
  if (!found) throw new UserError(`${path} is not there: --repositories takes a git bundle or a folder of clones.`);
  if (found.isDirectory()) return clones(resolve(path));
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

/** `FOLDER/name`, `FOLDER/owner__name` or `FOLDER/owner/name`; or the folder is itself the one repository. */
function clones(folder: string): Repositories {
  if (isRepository(folder))
    return fromGit(
      null,
      () => folder,
      ({ base }) => base,
    );
  const place = ({ repo }: RepositoryPlace) => {
    const [owner = "", name = ""] = repo.split("/");
    const all = [join(folder, owner, name), join(folder, `${owner}__${name}`), join(folder, name)];
    return all.find((path) => existsSync(path)) ?? join(folder, `${owner}__${name}`);
  };
  return fromGit(null, place, ({ base }) => base);
}

/** A clone, or a bare one. */
export const isRepository = (folder: string): boolean =>
  existsSync(join(folder, ".git")) || (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects")));

function fromGit(
  own: TemporaryFolder | null,
  place: (task: RepositoryPlace) => string,
  name: (task: RepositoryPlace) => string,
): Repositories {
  return {
    missing: (task) => {
      if (!existsSync(place(task))) return `there is no clone of ${task.repo} (${place(task)})`;
      return gitSucceeds(place(task), ["rev-parse", "--verify", "--quiet", `${name(task)}^{commit}`])
        ? null
        : `its base ${name(task)} is not in the repositories`;
    },
    checkOut: (task, folder) => {
      const archive = gitBytes(place(task), ["archive", "--format=tar", name(task)]);
      mkdirSync(folder, { recursive: true });
      execFileSync("tar", ["-x", "-f", "-", "--no-same-owner"], { cwd: folder, input: archive });
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
