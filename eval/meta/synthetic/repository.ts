/** A local git repository as material for benchmarks: its commits, its files at a commit. Nothing in it is ever run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../../utils/data/errors.ts";
import { git } from "../../../utils/files/git.ts";

/** Files that an agent is given at most, so that a large repository makes tasks of the same size as a small one. */
const MAX_FILES = 400;
const MAX_FILE_BYTES = 200_000;

export class Repository {
  readonly #path: string;

  /** @throws UserError where there is no repository with a commit */
  static async open(path: string): Promise<Repository> {
    const repository = new Repository(path);
    await repository.git("rev-parse", "--verify", "HEAD").catch(() => {
      throw new UserError(`${path} is no git repository with a commit.`);
    });
    return repository;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  async git(...args: string[]): Promise<string> {
    return git(this.#path, args, { isolated: true });
  }

  /** Text of a file at a commit; null where it is none or no text. */
  async text(commit: string, file: string): Promise<string | null> {
    const text = await this.git("show", `${commit}:${file}`).catch(() => null);
    return text === null || text.length > MAX_FILE_BYTES || text.includes("\0") ? null : text;
  }

  /** Regular files at a commit: no links, no submodules. */
  async files(commit: string): Promise<string[]> {
    const lines = (await this.git("ls-tree", "-r", "-z", commit)).split("\0");
    return lines.flatMap((line) => /^100\d{3} blob \w+\t(.+)$/s.exec(line)?.[1] ?? []);
  }

  /** Writes the source files of a commit into a folder. @param wanted files that must be among them */
  async write(commit: string, folder: string, wanted: readonly string[]): Promise<void> {
    const others = (await this.files(commit)).filter((file) => SOURCE.test(file) && !wanted.includes(file));
    for (const file of [...wanted, ...others].slice(0, MAX_FILES)) {
      const text = await this.text(commit, file);
      if (text === null) continue;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }
}

export const SOURCE = /\.(ts|tsx|js|mjs|py|rs|go|java|c|h|cc|cpp|rb)$/;
