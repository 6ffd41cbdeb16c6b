/** A local git repository as material for benchmarks: its commits, its files at a commit. Nothing in it is ever run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { type GitCommit, gitCommits, textsOf } from "../../../utils/git/git_history.ts";
import { commitNamed, type TreeEntry, treeEntries } from "../../../utils/git/git_objects.ts";

/** Files that an agent is given at most, so that a large repository makes tasks of the same size as a small one. */
const MAX_FILES = 400;
const MAX_FILE_BYTES = 200_000;

export class Repository {
  readonly #path: string;
  /** The newest commit. */
  readonly head: string;

  /** @throws UserError where there is no repository with a commit */
  static async open(path: string): Promise<Repository> {
    const head = commitNamed(path, "HEAD");
    if (head === null) throw new UserError(`${path} is no git repository with a commit.`);
    return new Repository(path, head);
  }

  private constructor(path: string, head: string) {
    this.#path = path;
    this.head = head;
  }

  /** As `gitCommits`. */
  commits(): Generator<GitCommit> {
    return gitCommits(this.#path);
  }

  /** Texts of files by their hash, without those that are none or too large. */
  texts(hashes: readonly string[]): Map<string, string> {
    const texts = textsOf(this.#path, hashes, MAX_FILE_BYTES);
    return new Map([...texts].filter(([, text]) => !text.includes("\0")));
  }

  /** Plain files at a commit: no links, no submodules. */
  files(commit: string): TreeEntry[] {
    return treeEntries(this.#path, commit).filter(({ kind, path }) => kind === "file" && isPlainPath(path));
  }

  /** Writes the source files of a commit into a folder. @param wanted files that must be among them */
  async write(commit: string, folder: string, wanted: readonly string[]): Promise<void> {
    const files = this.files(commit);
    const first = files.filter(({ path }) => wanted.includes(path));
    const others = files.filter(({ path }) => SOURCE.test(path) && !wanted.includes(path));
    const written = [...first, ...others].slice(0, MAX_FILES);
    const texts = this.texts(written.map(({ hash }) => hash));
    for (const { path, hash } of written) {
      const text = texts.get(hash);
      if (text === undefined) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
}

export const SOURCE = /\.(ts|tsx|js|mjs|py|rs|go|java|c|h|cc|cpp|rb)$/;
