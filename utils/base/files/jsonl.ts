/**
 * JSON Lines: read strictly where a person wrote the file, tolerantly where a killed process may have, append whole
 * lines.
 */

import {
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { fileError, UserError, writing } from "../data/errors.ts";
import { jsonValue, parseRecord } from "../data/record.ts";
import { count } from "../text/format.ts";
import { inLine } from "../text/text.ts";
import { openNamed, tryForeignText } from "./foreign_file.ts";

/** Results of 100,000 samples have about a quarter of it. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

/** A record and the 1-based line it stands on. */
export interface Located<T> {
  line: number;
  value: T;
}

/**
 * Every record of `text`. Blank lines are skipped, a byte order mark and CRLF are accepted.
 * @param firstLine number of the first line of `text` in the file
 * @throws UserError naming `fileName`, line and field: not JSON, or not what the schema wants
 */
export function parseJsonl<T>(text: string, schema: z.ZodType<T>, fileName: string, firstLine = 1): T[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, schema, `${fileName}, line ${i + firstLine}`)]));
}

/**
 * As `parseJsonl`, from a file, read as a stream; a name that ends in `.gz` is unpacked. Each record comes with its
 * line, for checks that go beyond one record.
 * @throws UserError also where the file cannot be read, is not UTF-8 or not gzip
 */
export async function readLocatedJsonl<T>(file: string, schema: z.ZodType<T>): Promise<Located<T>[]> {
  const records: Located<T>[] = [];
  for await (const { line, value } of linesOf(file))
    records.push({ line, value: parseLine(value, schema, `${file}, line ${line}`) });
  return records;
}

/**
 * Every record of a log, `name` in the folder `root`, that a process may have been killed while writing: a torn last
 * line is dropped (the next `appendJsonl` removes it from the file). No file is an empty log.
 * @throws UserError where any other line is torn or is not what the schema wants, and as `readForeign`
 */
export function readJsonlTolerant<T>(root: string, name: string, schema: z.ZodType<T>): T[] {
  const { text, problem } = tryForeignText(root, name, MOST_LOG_BYTES);
  if (problem?.isMissing) return [];
  if (problem) throw problem;
  const file = join(root, name);
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  const rest = text.slice(complete.length);
  return parseJsonl(jsonValue(rest) !== undefined ? text : complete, schema, file);
}

/**
 * Adds a record (an object) as one line and flushes it to disk before it returns. What a killed process left behind is
 * mended first: a torn last line is cut off, a whole one gets its line break.
 * @throws UserError where the disk is full or the file may not be written
 */
export const appendJsonl = (file: string, value: unknown): void => writing(file, () => append(file, value));

function append(file: string, value: unknown): void {
  const fd = openSync(file, "a+");
  try {
    const torn = unfinishedLine(fd);
    const whole = torn.length > 0 && jsonValue(torn.toString("utf8")) !== undefined;
    if (torn.length > 0 && !whole) ftruncateSync(fd, fstatSync(fd).size - torn.length);
    writeFully(fd, `${whole ? "\n" : ""}${JSON.stringify(value)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What follows the last line break: nothing in a log that was written to its end. */
function unfinishedLine(fd: number): Buffer {
  const STEP = 64 * 1024;
  let tail = Buffer.alloc(0);
  let start = fstatSync(fd).size;
  for (let isFirst = true; start > 0; isFirst = false) {
    const chunk = Buffer.alloc(isFirst ? 1 : Math.min(STEP, start));
    start -= chunk.length;
    readSync(fd, chunk, 0, chunk.length, start);
    const lineBreak = chunk.lastIndexOf("\n");
    tail = Buffer.concat([chunk.subarray(lineBreak + 1), tail]);
    if (lineBreak !== -1) break;
  }
  return tail;
}

function writeFully(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
}

/** What a dataset or a file of samples may have, unpacked. */
const MOST_BYTES = 1024 ** 3;
const MOST_LINE_BYTES = 64 * 1024 * 1024;
const MOST_LINES = 10_000_000;

/**
 * Lines of a file that the user named, without their break, blank ones left out; a name that ends in `.gz` is unpacked.
 * Not node:readline, which also breaks lines at U+2028, a plain character inside JSON.
 * @throws UserError where the file is none or cannot be read, and where a line or all of it has no end within the
 * limits
 */
export async function* linesOf(file: string): AsyncGenerator<Located<string>> {
  const source = createReadStream("", { fd: openNamed(file, MOST_BYTES) });
  const stream = file.endsWith(".gz") ? pipeline(source, createGunzip(), reportedByTheReader) : source;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pieces: string[] = [];
  let [line, bytes, lineBytes] = [1, 0, 0];
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw endless(file, "it", MOST_BYTES);
      const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
      pieces.push(first);
      lineBytes = others.length === 0 ? lineBytes + chunk.length : 0;
      if (lineBytes > MOST_LINE_BYTES) throw endless(file, `line ${line}`, MOST_LINE_BYTES);
      for (const next of others) {
        const value = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
        if (value.trim() !== "") yield { line, value };
        pieces = [next];
        line += 1;
        if (line > MOST_LINES) throw new UserError(`${inLine(file)} has more than ${count(MOST_LINES)} lines.`);
      }
    }
    const value = pieces.join("") + decoder.decode();
    if (value.trim() !== "") yield { line, value };
  } catch (error) {
    throw fileError(error, file);
  } finally {
    source.destroy();
  }
}

const endless = (file: string, what: string, most: number) =>
  new UserError(`${inLine(file)}: ${what} has more than ${most / 1024 / 1024} MB, so it is not read on.`);

/** `pipeline` wants a callback; whoever reads its last stream gets the same error. */
const reportedByTheReader = () => {};

function parseLine<T>(text: string, schema: z.ZodType<T>, where: string): T {
  const value = jsonValue(text);
  if (value === undefined) throw new UserError(`${where}: not valid JSON. Is the line cut off?`);
  return parseRecord(value, schema, where);
}
