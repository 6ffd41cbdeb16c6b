/** Rows of a file, whatever holds them: JSON Lines, a JSON document, CSV or Parquet, gzipped or not. */

import { fileError, messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { jsonValue } from "../../../utils/base/data/record.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { bytesOf, chained, type Line, linesOf } from "./lines.ts";

/** A row and its place, e.g. `line 3`; `problem` says why it cannot be read. */
export type FileRow = { place: string } & (
  | {
      value: unknown;
      /** The row's JSON as the file has it, which keeps 1.0 apart from 1. Absent in files that hold no JSON lines. */
      text?: string;
      problem?: undefined;
    }
  | { problem: string }
);

/** For messages. */
export const FILES_OF_ROWS = ".jsonl, .json, .csv or .parquet file, or one of these with .gz";
const NAMES = /\.(jsonl|json|csv|tsv|parquet)(\.gz)?$/i;
const CSV = /\.(csv|tsv)(\.gz)?$/i;

/** Whether the name says that a file holds rows. */
export const isFileOfRows = (file: string): boolean => NAMES.test(file);

const isParquet = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from("PAR1"));
const isUtf16 = (head: Buffer): boolean => /^(fffe|feff)/.test(head.subarray(0, 2).toString("hex"));

/**
 * All rows of a file: lines of JSON, items of a JSON list, or lines of a table. A JSON object is one row. A row that
 * cannot be read comes with its problem.
 * @throws UserError if the file as a whole cannot be read
 */
export async function* rowsIn(file: string): AsyncGenerator<FileRow> {
  const bytes = bytesOf(file);
  const first = await bytes.next();
  if (first.done) return;
  const head = first.value;
  // A pipe cannot be opened twice, so its Parquet is read as text and reported as lines that are not JSON.
  if (isParquet(head) || file.endsWith(".parquet")) {
    await bytes.return(undefined);
    return yield* parquetRows(file);
  }
  if (isUtf16(head))
    throw new UserError(`${inLine(file)} is UTF-16 text; mend reads UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW.`);
  const all = chained(head, bytes);
  yield* CSV.test(file) ? csvRows(file, all) : jsonRows(file, linesOf(all, file));
}

/** Lines of JSON if the first one is an object, else one document if the whole text is one. */
async function* jsonRows(file: string, lines: AsyncGenerator<Line>): AsyncGenerator<FileRow> {
  const first = await lines.next();
  if (first.done) return;
  const line = first.value;
  if (isObject(line.problem === undefined ? jsonOf(line.text) : undefined)) {
    yield jsonRow(line);
    for await (const next of lines) yield jsonRow(next);
    return;
  }
  const all = await allOf(chained(line, lines), file);
  const text = all.every(({ problem }) => problem === undefined) ? textOf(all) : null;
  const document = text !== null && /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
  if (Array.isArray(document)) yield* document.map((value, i) => ({ place: `item ${i + 1}`, value }));
  else if (document !== undefined) yield { place: "the document", value: document };
  else yield* all.map(jsonRow);
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** The longest text that is read in one piece; a string of V8 cannot have twice as many characters. */
const MOST_CHARACTERS = 256 * 1024 * 1024;

/** @throws UserError if there are more characters than a document may have */
async function allOf(lines: AsyncIterable<Line>, file: string): Promise<Line[]> {
  const all: Line[] = [];
  let characters = 0;
  for await (const line of lines) {
    characters += line.problem === undefined ? line.text.length : 0;
    if (characters > MOST_CHARACTERS)
      throw new UserError(
        `${inLine(file)} is a document of more than ${MOST_CHARACTERS / 1024 / 1024} MB: write one object a line.`,
      );
    all.push(line);
  }
  return all;
}

const textOf = (lines: readonly Line[]): string =>
  lines.map((line) => (line.problem === undefined ? line.text : "")).join("\n");

function jsonRow(line: Line): FileRow {
  const place = `line ${line.number}`;
  if (line.problem !== undefined) return { place, problem: line.problem };
  const value = jsonOf(line.text);
  if (value === undefined) return { place, problem: "it is not valid JSON, perhaps cut off" };
  return { place, value, text: line.text.trim() };
}

/** Python also writes NaN and Infinity, which are read as null. Undefined: the text is no JSON. */
function jsonOf(text: string): unknown {
  const value = jsonValue(text);
  return value === undefined && /NaN|Infinity/.test(text) ? jsonValue(withoutNaN(text)) : value;
}

/** The text with `null` for the numbers that JSON does not have. Strings are skipped, however long. */
function withoutNaN(json: string): string {
  const parts: string[] = [];
  for (let from = 0; from < json.length; ) {
    const open = json.indexOf('"', from);
    parts.push(json.slice(from, open === -1 ? undefined : open).replace(/-?\bInfinity\b|\bNaN\b/g, "null"));
    if (open === -1) break;
    const end = stringEnd(json, open);
    parts.push(json.slice(open, end));
    from = end;
  }
  return parts.join("");
}

/** The position after the string that opens at `open`. */
function stringEnd(json: string, open: number): number {
  for (let quote = json.indexOf('"', open + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json[before - 1] === "\\") before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return json.length;
}

async function* csvRows(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow> {
  const { parse } = await import("csv-parse/sync");
  const skipped: FileRow[] = [];
  try {
    const rows = parse<Record<string, string>>(await textOfBytes(bytes), {
      ...{ columns: true, bom: true, skip_empty_lines: true, skip_records_with_error: true },
      delimiter: /\.tsv/i.test(file) ? "\t" : ",",
      on_skip: (error) => void skipped.push({ place: "a row", problem: error?.message ?? "it cannot be read" }),
    });
    yield* rows.map((value, i) => ({ place: `row ${i + 1}`, value }));
    yield* skipped;
  } catch (error) {
    const known = fileError(error, file);
    if (known instanceof UserError) throw known;
    throw new UserError(`${inLine(file)} is not a readable CSV file: ${messageOf(error)}.`);
  }
}

/** @throws TypeError if it is not UTF-8 */
async function textOfBytes(bytes: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
}

/** @throws UserError if it is not whole */
async function* parquetRows(file: string): AsyncGenerator<FileRow> {
  const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const bytes = await asyncBufferFromFile(file).catch((error: unknown) => {
    throw fileError(error, file);
  });
  const rows = await parquetReadObjects({ file: bytes, compressors }).catch((error: unknown) => {
    const known = fileError(error, file);
    if (known instanceof UserError) throw known;
    throw new UserError(`${inLine(file)} is not a readable Parquet file: ${messageOf(error)}.`);
  });
  for (const [i, row] of rows.entries()) yield { place: `row ${i + 1}`, value: asJson(row) };
}

/** Values that JSON does not have, as it would write them. */
function asJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]));
}
