/** Rows of a file, whatever holds them: JSON Lines, a JSON document, CSV or Parquet, gzipped or not. */

import { fileError, messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { isRecord, jsonValue } from "../../../utils/base/data/record.ts";
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

/** What a file is that is not read, by the first bytes in hexadecimal, and the command that makes it readable. */
const UNREAD: readonly [start: RegExp, what: string, command: string][] = [
  [/^(fffe0000|0000feff)/, "UTF-32 text", "iconv -f UTF-32 -t UTF-8 FILE > NEW"],
  [/^(fffe|feff)/, "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE > NEW"],
  [/^[57]b00..00/, "UTF-16 text", "iconv -f UTF-16LE -t UTF-8 FILE > NEW"],
  [/^00[57]b00/, "UTF-16 text", "iconv -f UTF-16BE -t UTF-8 FILE > NEW"],
  [/^425a68/, "packed with bzip2", "bunzip2 -k FILE"],
  [/^fd377a58/, "packed with xz", "unxz -k FILE"],
  [/^28b52ffd/, "packed with Zstandard", "unzstd FILE"],
  [/^504b0304/, "a zip file", "unzip FILE"],
];

/** @throws UserError if it is text in another encoding, or packed in another way than with gzip */
function requireReadable(file: string, head: Buffer): void {
  const start = head.subarray(0, 4).toString("hex");
  const found = UNREAD.find(([known]) => known.test(start));
  if (!found) return;
  const [, what, command] = found;
  throw new UserError(`${inLine(file)} is ${what}; mend reads UTF-8 text, also packed with gzip: ${command}.`);
}

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
  requireReadable(file, head);
  const all = chained(head, bytes);
  yield* CSV.test(file) ? csvRows(file, all) : jsonRows(file, linesOf(all, file));
}

/** Lines of JSON if the first one is an object, else one document if the whole text is one. */
async function* jsonRows(file: string, lines: AsyncGenerator<Line>): AsyncGenerator<FileRow> {
  const first = await lines.next();
  if (first.done) return;
  const line = first.value;
  if (isRecord(line.problem === undefined ? jsonOf(line.text)?.value : undefined)) {
    yield jsonRow(line);
    for await (const next of lines) yield jsonRow(next);
    return;
  }
  const all = await allOf(chained(line, lines), file);
  const text = all.every(({ problem }) => problem === undefined) ? textOf(all) : null;
  const document = text !== null && /^\s*[[{]/.test(text) ? jsonOf(text)?.value : undefined;
  if (Array.isArray(document)) yield* document.map((value, i) => ({ place: `item ${i + 1}`, value }));
  else if (document !== undefined) yield { place: "the document", value: document };
  else yield* all.map(jsonRow);
}

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
  const read = jsonOf(line.text);
  return read ? { place, ...read } : { place, problem: "it is not valid JSON, perhaps cut off" };
}

/**
 * The value of a text, and the text without the commas after which nothing follows. Python also writes NaN and
 * Infinity, which are read as null. Null: the text is no JSON.
 */
function jsonOf(given: string): { value: unknown; text: string } | null {
  let text = given.trim();
  let value = jsonValue(text);
  if (value === undefined && /,\s*([\]}]|$)/.test(text)) {
    text = outsideStrings(text, /,(?=\s*(?:[\]}]|$))/g, "");
    value = jsonValue(text);
  }
  if (value === undefined && /NaN|Infinity/.test(text))
    value = jsonValue(outsideStrings(text, /-?\bInfinity\b|\bNaN\b/g, "null"));
  return value === undefined ? null : { value, text };
}

/** The text with `by` in place of what `pattern` finds. Strings are skipped, however long. */
function outsideStrings(json: string, pattern: RegExp, by: string): string {
  const parts: string[] = [];
  for (let from = 0; from < json.length; ) {
    const open = json.indexOf('"', from);
    // With the quote, as a comma before a string has something after it.
    parts.push(json.slice(from, open === -1 ? undefined : open + 1).replace(pattern, by));
    if (open === -1) break;
    const end = stringEnd(json, open);
    parts.push(json.slice(open + 1, end));
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
    const text = await textOfBytes(bytes);
    const rows = parse<Record<string, string>>(text, {
      ...{ columns: true, bom: true, skip_empty_lines: true, skip_records_with_error: true },
      delimiter: delimiterOf(text),
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

/** Spreadsheets also write semicolons or tabs, whatever the file is called: the names of the columns tell. */
const delimiterOf = (text: string): string => /[,;\t]/.exec(text.slice(0, text.search(/[\r\n]|$/)))?.[0] ?? ",";

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
