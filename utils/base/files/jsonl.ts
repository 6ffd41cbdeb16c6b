/** JSON Lines: reads a text strictly, reads a log that a killed process may have torn, and appends whole lines. */

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { UserError, writing } from "../data/errors.ts";
import { jsonValue, parseRecord } from "../data/record.ts";
import { tryForeignText } from "./foreign_file.ts";

/** Results of 100,000 samples have about a quarter of it. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;

/**
 * Every record of `text`. Blank lines are skipped, a byte order mark and CRLF are accepted.
 * @throws UserError naming `fileName`, line and field: not JSON, or not what the schema wants
 */
export function parseJsonl<T>(text: string, schema: z.ZodType<T>, fileName: string): T[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, i) => (line.trim() === "" ? [] : [parseLine(line, schema, `${fileName}, line ${i + 1}`)]));
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

function parseLine<T>(text: string, schema: z.ZodType<T>, where: string): T {
  const value = jsonValue(text);
  if (value === undefined) throw new UserError(`${where}: not valid JSON. Is the line cut off?`);
  return parseRecord(value, schema, where);
}
