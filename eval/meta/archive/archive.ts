/** Agents as commits of a bare git repository: equal tree = same agent, parent = lineage, diff = what changed. */

import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { removeFolder } from "../../../utils/base/files/trees/remove_folder.ts";
import { replaceInside } from "../../../utils/base/files/write_inside.ts";
import { GitError, git } from "../../../utils/git/git.ts";

/** What an agent consists of. Nothing else is ever committed or checked out. */
export const SURFACE = ["agent", "prompts"] as const;

export interface StoredAgent {
  sha: string;
  tree: string;
}

export interface Archive {
  /** Commits the surface found in `folder`. The same content, parent, message and ordinal give the same commit. */
  commit(folder: string, agent: { parent: string | null; message: string; ordinal: number }): Promise<StoredAgent>;
  /** The tree that `commit` would make of `folder`. */
  treeOf(folder: string): Promise<string>;
  /** Writes an agent's files into `folder`, which is emptied first. */
  checkout(sha: string, folder: string): Promise<void>;
  /** Unified diff between two agents. */
  diff(from: string, to: string): Promise<string>;
}

/** A fixed date, so that a commit made again after a kill is the same commit. */
const EPOCH = 946_684_800;
const AUTHOR = {
  GIT_AUTHOR_NAME: "mend",
  GIT_AUTHOR_EMAIL: "mend@localhost",
  GIT_COMMITTER_NAME: "mend",
  GIT_COMMITTER_EMAIL: "mend@localhost",
};
/** How git says that it may not write. */
const NOT_WRITTEN = /^.*(?:No space left on device|Disk quota exceeded|Read-only file system|Permission denied)/m;

const CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";
/** Files of a repository that have git read another one's objects or configuration. */
const LEADING_ELSEWHERE = ["commondir", "config.worktree", "objects/info/alternates", "info/attributes"];

/** Opens the repository under `folder`, or makes it. */
export async function openArchive(folder: string): Promise<Archive> {
  mkdirSync(folder, { recursive: true });
  const repository = join(folder, "agents.git");
  if (!existsSync(join(repository, "HEAD"))) {
    await isolated(folder, ["init", "--quiet", "--bare", "--initial-branch=main", repository]);
  }
  // A run may be somebody else's, and a configuration can name programs.
  for (const name of LEADING_ELSEWHERE) rmSync(join(repository, name), { force: true });
  replaceInside(repository, "config", CONFIGURATION);
  const inRepository = (args: string[], env: Record<string, string> = {}, input = "") =>
    isolated(
      folder,
      [`--git-dir=${repository}`, "-c", "core.fileMode=false", "-c", "core.autocrlf=false", ...args],
      env,
      input,
    );

  const withIndex = async <T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> => {
    const index = join(repository, `index.${randomUUID()}`);
    try {
      return await work({ GIT_INDEX_FILE: index });
    } finally {
      rmSync(index, { force: true });
    }
  };

  const treeOf = (source: string) =>
    withIndex(async (env) => {
      const present = SURFACE.filter((name) => existsSync(join(source, name)));
      await inRepository([`--work-tree=${source}`, "add", "--force", "--all", "--", ...present], env);
      return inRepository(["write-tree"], env);
    });

  return {
    commit: async (source, { parent, message, ordinal }) => {
      const tree = await treeOf(source);
      const date = `${EPOCH + ordinal} +0000`;
      const sha = await inRepository(
        ["commit-tree", tree, ...(parent ? ["-p", parent] : []), "-F", "-"],
        { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
        // An argument of a program has a limit of 128 KB, and git takes no NUL.
        `${message.replaceAll("\0", "")}\n`,
      );
      await inRepository(["update-ref", `refs/heads/agent-${ordinal}`, sha]);
      return { sha, tree };
    },
    treeOf,
    checkout: (sha, target) =>
      withIndex(async (env) => {
        removeFolder(target);
        mkdirSync(target, { recursive: true });
        await inRepository(["read-tree", sha], env);
        await inRepository([`--work-tree=${target}`, "checkout-index", "--all", "--force"], env);
      }),
    diff: (from, to) => inRepository(["diff", "--no-color", "--no-ext-diff", "--no-textconv", from, to]),
  };
}

/** Git without the user's configuration: an agent's commit must not depend on whose machine it was made on. */
async function isolated(folder: string, args: string[], env: Record<string, string> = {}, input = ""): Promise<string> {
  try {
    return git(folder, args, { isolated: true, env: { ...AUTHOR, ...env }, input }).trimEnd();
  } catch (error) {
    const said = NOT_WRITTEN.exec(error instanceof GitError ? error.said : "");
    throw said
      ? new UserError(`The archive of agents cannot be written (${said[0].trim()}); the run goes on from here.`)
      : error;
  }
}

/** What a killed process leaves in the folder of a run, which the next one makes anew. */
const FOLDERS = ["seed", "checkout", "workspace", "brief", "checked", "builds/node_modules"];
const DRAFT = /^builds\/[^/]+\.draft$/;

/** @param name a path from the run's folder */
export const isLeftover = (name: string): boolean => FOLDERS.includes(name) || DRAFT.test(name);

/** Call it only while holding the run's lock: no other process may work in these folders. */
export function removeLeftovers(folder: string): void {
  const builds = join(folder, "builds");
  const drafts = existsSync(builds) ? readdirSync(builds).map((name) => join("builds", name)) : [];
  const paths = [...FOLDERS, ...drafts.filter(isLeftover)].map((name) => join(folder, name));
  for (const path of paths) if (lstatSync(path, { throwIfNoEntry: false })) removeFolder(path);
}
