/**
 * A `.git` for a copy whose tests ask for one: one commit of the files that are there, without the project's history.
 */

import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../files/remove_folder.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../files/temporary.ts";
import { git } from "./git.ts";

const WHO = { NAME: "user", EMAIL: "user@localhost", DATE: "2000-01-01T00:00:00Z" };
const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => Object.entries(WHO).map(([key, value]) => [`GIT_${role}_${key}`, value])),
);

/** What programs print that look for a repository and find none. */
const ASKS = /not a git repository|InvalidGitRepositoryError|unable to detect version|No git repository/i;

export const asksForGit = (output: string): boolean => ASKS.test(output);

export class OwnGit implements Disposable {
  readonly #folder: TemporaryFolder = makeTemporaryFolder("git");

  /** @throws GitError */
  constructor(tree: string) {
    const env = { ...IDENTITY, GIT_DIR: this.#path, GIT_WORK_TREE: tree };
    const run = (...args: string[]) => git(tree, args, { env, isolated: true });
    git(this.#folder.path, ["init", "--quiet", "--template=", "--initial-branch=main", "."], {
      isolated: true,
    });
    run("add", "--all");
    run("commit", "--quiet", "--allow-empty", "--message", "the files as they are");
    run("repack", "-a", "-d", "--quiet");
  }

  get #path(): string {
    return join(this.#folder.path, ".git");
  }

  /** Puts it into a copy of the tree, or of a tree that was changed since; a `.git` that the tree itself has stays. */
  putInto(copy: string, tree: string): void {
    if (existsSync(join(tree, ".git"))) return;
    removeFolder(join(copy, ".git"));
    cpSync(this.#path, join(copy, ".git"), { recursive: true });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
