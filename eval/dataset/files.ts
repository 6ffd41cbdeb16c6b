/** Tasks from a file on this machine: JSON Lines, gzipped or not, or Parquet. */

import { fileError, UserError } from "../../utils/errors.ts";
import { readLocatedJsonl } from "../../utils/jsonl.ts";
import { parseRecord } from "../../utils/record.ts";
import type { Task } from "../../utils/task.ts";
import { type LocatedRow, RowSchema, toTasks } from "./rows.ts";

const EXTENSIONS = [".jsonl", ".jsonl.gz", ".parquet"];

/** Whether the name says that `readTasks` can read the file. */
export const isDataFile = (file: string): boolean => EXTENSIONS.some((extension) => file.endsWith(extension));

/**
 * Every task of a file for which `isDataFile` holds.
 * @throws UserError naming file, line or row, and field
 */
export async function readTasks(file: string): Promise<Task[]> {
  return toTasks(file.endsWith(".parquet") ? await parquetRows(file) : await jsonlRows(file), file);
}

async function jsonlRows(file: string): Promise<LocatedRow[]> {
  const located = await readLocatedJsonl(file, RowSchema);
  return located.map(({ line, value }) => ({ where: `${file}, line ${line}`, row: value }));
}

async function parquetRows(file: string): Promise<LocatedRow[]> {
  const values = await parquetObjects(file);
  return values.map((value, i) => {
    const where = `${file}, row ${i + 1}`;
    return { where, row: parseRecord(value, RowSchema, where) };
  });
}

async function parquetObjects(file: string): Promise<Record<string, unknown>[]> {
  const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const bytes = await asyncBufferFromFile(file).catch((error: unknown) => {
    throw fileError(error, file);
  });
  try {
    return await parquetReadObjects({ file: bytes, compressors });
  } catch (error) {
    const known = fileError(error, file);
    if (known instanceof UserError) throw known;
    throw new UserError(`${file} is not a readable Parquet file: ${error instanceof Error ? error.message : error}.`);
  }
}
