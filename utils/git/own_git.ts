/**
 * A `.git` for a copy whose tests ask for one: one commit of the files that are there, without the project's history.
 */

import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder, type TemporaryFolder } from "../base/files/temporary.ts";
import { removeFolder } from "../base/files/trees/remove_folder.ts";
import { oneOf } from "../base/text/patterns.ts";
import { git } from "./git.ts";

const WHO = { NAME: "user", EMAIL: "user@localhost", DATE: "2000-01-01T00:00:00Z" };
const IDENTITY = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => Object.entries(WHO).map(([key, value]) => [`GIT_${role}_${key}`, value])),
);

/** Messages of programs that miss a repository and do not contain the word git. */
const NAMED =
  /NotA?GitRepo|InvalidGitRepo|unable to detect version|obtaining VCS status|Could not find HEAD|Repository not found/i;
/** git as a word, or its folder: no part of an address, of a package or of another name. */
const GIT = /(?<![\w@.:/+-])git(?![\w@:.+/-])|(?<![\w-])\.git\b(?!hub|ignore|attributes|modules|keep)/i;
const NOT_THERE = /no|not|n[o']t|never|unable|missing|outside/;
const NEEDED = /requires?|must|need(?:s|ed)?/;
const FAILED = /fatal|fail(?:ed|s)?|ENOENT|128/;
const ABSENT = new RegExp(`\\b${oneOf(NOT_THERE, NEEDED, FAILED)}\\b|n't\\b`, "i");
/** Longer lines are data. */
const MOST_CHARACTERS = 1000;

/** Whether programs print that they look for a repository and find none: a line of git and of what is not there. */
export const asksForGit = (output: string): boolean =>
  NAMED.test(output) ||
  output.split("\n").some((line) => line.length <= MOST_CHARACTERS && GIT.test(line) && ABSENT.test(line));

export class OwnGit implements Disposable {
  readonly #folder: TemporaryFolder = makeTemporaryFolder("git");

  /** @throws GitError */
  constructor(tree: string) {
    const run = (...args: string[]) => this.#run(tree, ...args);
    git(this.#folder.path, ["init", "--quiet", "--template=", "--initial-branch=main", "."], {
      isolated: true,
    });
    run("add", "--all");
    run("commit", "--quiet", "--allow-empty", "--message", "the files as they are");
    run("repack", "-a", "-d", "--quiet");
  }

  #run(tree: string, ...args: string[]) {
    const env = { ...IDENTITY, GIT_DIR: this.#path, GIT_WORK_TREE: tree };
    return git(tree, args, { env, isolated: true });
  }

  /** Files of a tree that the commit does not have and no `.gitignore` leaves out. */
  untracked(tree: string): string[] {
    const names = this.#run(tree, "ls-files", "--others", "--exclude-standard", "-z");
    return names.split("\0").filter(Boolean);
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
