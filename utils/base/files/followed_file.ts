/** Reads the lines of a file while another process writes it. */

import { closeSync, fstatSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openForeign } from "./foreign_file.ts";

const LOOK_MS = 250;
const MOST_BYTES = 50_000_000;

export class FollowedFile implements Disposable {
  readonly #path: string;
  readonly #tell: (line: string) => void;
  readonly #timer: NodeJS.Timeout;
  #at = 0;
  #rest = Buffer.alloc(0);

  /** @param tell gets each complete line, without its line break */
  constructor(path: string, tell: (line: string) => void) {
    this.#path = path;
    this.#tell = tell;
    this.#timer = setInterval(() => this.read(), LOOK_MS);
  }

  /** Passes on new lines. A file that is not plain, or larger than 50 MB, has no more lines. */
  read(): void {
    let fd: number;
    try {
      // The writer may have put a link or a pipe there.
      fd = openForeign(dirname(this.#path), basename(this.#path), MOST_BYTES);
    } catch {
      return;
    }
    try {
      const found = fstatSync(fd);
      if (found.size <= this.#at) return;
      const piece = Buffer.alloc(found.size - this.#at);
      const length = readSync(fd, piece, 0, piece.length, this.#at);
      this.#at += length;
      this.#rest = Buffer.concat([this.#rest, piece.subarray(0, length)]);
    } finally {
      closeSync(fd);
    }
    const end = this.#rest.lastIndexOf("\n") + 1;
    const lines = this.#rest.toString("utf8", 0, end).split("\n").slice(0, -1);
    this.#rest = this.#rest.subarray(end);
    for (const line of lines) this.#tell(line);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
