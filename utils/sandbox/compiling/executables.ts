/**
 * Executables of jobs as files, kept as long as they are needed. The sandbox's server opens them; no job sees them.
 */

import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder, type TemporaryFolder } from "../../base/files/temporary.ts";

/** Files of one job; they go when it is disposed of. */
export interface ExecutableFiles extends Disposable {
  files: string[];
}

export class Executables {
  #folder: TemporaryFolder | null = null;
  #next = 1;

  /** @param made of a compilation, each in base 64 */
  bring(...made: string[]): ExecutableFiles {
    this.#folder ??= makeTemporaryFolder("executables");
    const { path } = this.#folder;
    const files = made.map((text) => {
      const file = join(path, String(this.#next++));
      writeFileSync(file, text, { encoding: "base64", mode: 0o600 });
      return file;
    });
    return {
      files,
      [Symbol.dispose]: () => {
        for (const file of files) unlinkSync(file);
      },
    };
  }

  close(): void {
    this.#folder?.[Symbol.dispose]();
    this.#folder = null;
  }
}
