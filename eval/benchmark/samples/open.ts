/** Opens a file of samples: what holds them, then which format they are in. */

import { statSync } from "node:fs";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isRecord } from "../../../utils/base/data/record.ts";
import { readNamed } from "../../../utils/base/files/foreign_file.ts";
import { inLine, listed } from "../../../utils/base/text/text.ts";
import { bytesOf } from "../files/lines.ts";
import { type FileRow, rowsIn } from "../files/rows.ts";
import { filesInZip } from "../files/zip.ts";
import { nameOfKind, type Sample, type SampleFile } from "./format.ts";
import { SAMPLE_FORMATS } from "./table.ts";

export interface OpenedSamples {
  /** The name of their format. */
  format: string;
  samples: Sample[];
}

/** @throws UserError if the file cannot be read, or is in no format with answers; the message says what to do */
export async function openSamples(file: string): Promise<OpenedSamples> {
  const rows = (await isZip(file)) ? [await rowOfLog(file)] : await allRows(file);
  const [only, other] = rows;
  if (!only) throw new UserError(`${inLine(file)} has no samples.`);
  const isOne = !other && only.problem === undefined && isRecord(only.value);
  const opened: SampleFile = { file, rows, document: isOne && isRecord(only.value) ? only.value : null };
  const format = SAMPLE_FORMATS.find((one) => one.recognises(opened));
  if (format) return { format: format.name, samples: format.read(opened) };
  throw new UserError(`${inLine(file)} holds no samples in a format that mend knows: ${described(rows)}. ${TAKEN}`);
}

const TAKEN =
  "A row needs `task_id` with `solution` (program) or `completion` (body), or `instance_id` with `model_patch`; " +
  "docs/measure.md lists the formats of other harnesses.";

function described(rows: readonly FileRow[]): string {
  const [first] = rows;
  const readable = rows.find((row) => row.problem === undefined);
  if (!readable || readable.problem !== undefined) return `${first?.place}: ${first?.problem}`;
  const { place, value } = readable;
  if (isRecord(value) && Object.keys(value).length > 0)
    return `${place} has the fields ${inLine(listed(Object.keys(value), 8))}`;
  const isContainer = isRecord(value) || Array.isArray(value);
  return `${place} is ${isContainer ? nameOfKind(value) : inLine(String(value))}`;
}

async function allRows(file: string): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const row of rowsIn(file)) rows.push(row);
  return rows;
}

/** A pipe cannot be opened twice, so its first bytes are not looked at. */
async function isZip(file: string): Promise<boolean> {
  try {
    if (!statSync(file).isFile()) return false;
  } catch {
    // Opening it reports what is wrong.
    return false;
  }
  for await (const piece of bytesOf(file)) return piece.subarray(0, 4).equals(Buffer.from("PK\x03\x04"));
  return false;
}

const MOST_BYTES = 1024 ** 3;

/** A log of Inspect is a zip file of JSON files. @returns the same as its other form, one JSON document */
async function rowOfLog(file: string): Promise<FileRow> {
  const files = await filesInZip(readNamed(file, MOST_BYTES), file, (name) =>
    /^(header\.json|_journal\/start\.json|samples\/.+\.json)$/.test(name),
  );
  const header = files.get("header.json") ?? files.get("_journal/start.json");
  if (header === undefined)
    throw new UserError(`${inLine(file)} is a zip file and no log of Inspect: unpack it, and give the file inside.`);
  const samples = [...files].filter(([name]) => name.startsWith("samples/"));
  const ordered = samples.toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  return {
    place: "the log",
    value: { ...(isRecord(header) ? header : {}), samples: ordered.map(([, value]) => value) },
  };
}
