/** The bytes and lines of a file that a user named, gzipped or not. */

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileError, UserError } from "../../../utils/base/data/errors.ts";
import { openNamed } from "../../../utils/base/files/foreign_file.ts";
import { count } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";

/** A line without its break, and its 1-based number; `problem` says why it cannot be read. */
export type Line = { number: number } & ({ text: string; problem?: undefined } | { problem: string });

/** Largest size of a file, unpacked. */
const MOST_BYTES = 1024 ** 3;
const MOST_LINE_BYTES = 64 * 1024 * 1024;
const MOST_LINES = 10_000_000;
const GZIP = Buffer.from([0x1f, 0x8b]);
const LINE_BREAK = 0x0a;

/**
 * The bytes of a file in pieces. Gzip is recognised by its first bytes and unpacked.
 * @throws UserError if the file cannot be read, is damaged gzip, or has more than 1 GB
 */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream("", { fd: openNamed(file, MOST_BYTES) });
  try {
    const pieces = source[Symbol.asyncIterator]();
    const first = await pieces.next();
    if (first.done) return;
    const whole = chained(Buffer.from(first.value), { [Symbol.asyncIterator]: () => pieces });
    const isPacked = GZIP.equals(Buffer.from(first.value).subarray(0, 2));
    let bytes = 0;
    for await (const piece of isPacked ? pipeline(whole, createGunzip(), reportedByTheReader) : whole) {
      bytes += piece.length;
      if (bytes > MOST_BYTES)
        throw new UserError(`${inLine(file)} has more than ${MOST_BYTES / 1024 ** 2} MB, so it is not read on.`);
      yield Buffer.from(piece);
    }
  } catch (error) {
    throw fileError(error, file);
  } finally {
    source.destroy();
  }
}

/** `first`, then the rest of an iteration that has begun. */
export async function* chained<Piece>(first: Piece, rest: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  yield first;
  yield* rest;
}

/** `pipeline` wants a callback; the reader of its last stream gets the same error. */
const reportedByTheReader = () => {};

/**
 * The lines that are not blank. One that is too long or is not UTF-8 comes with its problem, and reading goes on.
 * Lines end at \n alone: node:readline also breaks them at U+2028, a plain character inside JSON.
 * @throws UserError if there are too many
 */
export async function* linesOf(pieces: AsyncIterable<Buffer>, file: string): AsyncGenerator<Line> {
  let [number, length] = [1, 0];
  let parts: Buffer[] = [];
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= MOST_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LINE_BREAK); end !== -1; end = piece.indexOf(LINE_BREAK, from)) {
      add(piece.subarray(from, end));
      const line = lineOf(number, length, parts);
      if (line) yield line;
      [from, length, parts] = [end + 1, 0, []];
      number += 1;
      if (number > MOST_LINES) throw new UserError(`${inLine(file)} has more than ${count(MOST_LINES)} lines.`);
    }
    add(piece.subarray(from));
  }
  const last = lineOf(number, length, parts);
  if (last) yield last;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null for a blank line. */
function lineOf(number: number, length: number, parts: readonly Buffer[]): Line | null {
  if (length > MOST_LINE_BYTES)
    return { number, problem: `it has more than ${MOST_LINE_BYTES / 1024 / 1024} MB, so it is not read` };
  if (length === 0) return null;
  try {
    const text = utf8.decode(Buffer.concat(parts));
    return text.trim() === "" ? null : { number, text };
  } catch {
    return { number, problem: "it is not UTF-8 text" };
  }
}
