/** Files of rows, whatever the rows are: JSON Lines, gzipped or not, and Parquet. */

import type { z } from "zod";
import { fileError, messageOf, UserError } from "../../utils/base/data/errors.ts";
import { jsonValue, parseRecord } from "../../utils/base/data/record.ts";
import { linesOf, readLocatedJsonl } from "../../utils/base/files/jsonl.ts";

/** A row and where it stands, e.g. `tasks.jsonl, line 3`. */
export interface LocatedRow<Row> {
  where: string;
  row: Row;
}

const PARQUET = ".parquet";
const EXTENSIONS = [".jsonl", ".jsonl.gz", PARQUET];
/** For messages. */
export const FILES_OF_ROWS = ".jsonl, .jsonl.gz or .parquet file";

/** Whether the name says that a file holds rows. */
export const isFileOfRows = (file: string): boolean => EXTENSIONS.some((end) => file.endsWith(end));

/** All rows of a file. @throws UserError naming file, line or row, and field */
export async function rowsOf<Row>(file: string, schema: z.ZodType<Row>): Promise<LocatedRow<Row>[]> {
  if (!file.endsWith(PARQUET)) {
    const located = await readLocatedJsonl(file, schema);
    return located.map(({ line, value }) => ({ where: `${file}, line ${line}`, row: value }));
  }
  return (await parquetObjects(file)).map((value, i) => {
    const where = `${file}, row ${i + 1}`;
    return { where, row: parseRecord(value, schema, where) };
  });
}

/**
 * Undefined where there is none, or it is no JSON: reading all rows says why. @throws UserError where the file cannot
 * be read
 */
export async function firstRowOf(file: string): Promise<unknown> {
  if (file.endsWith(PARQUET)) return (await parquetObjects(file, 1))[0];
  for await (const { value } of linesOf(file)) return jsonValue(withoutNaN(value));
  return undefined;
}

/** Python writes and reads numbers that JSON has not: as null. */
export const withoutNaN = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) => (token.startsWith('"') ? token : "null"));

async function parquetObjects(file: string, rowEnd?: number): Promise<Record<string, unknown>[]> {
  const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const bytes = await asyncBufferFromFile(file).catch((error: unknown) => {
    throw fileError(error, file);
  });
  try {
    return await parquetReadObjects({ file: bytes, compressors, ...(rowEnd !== undefined && { rowEnd }) });
  } catch (error) {
    const known = fileError(error, file);
    if (known instanceof UserError) throw known;
    throw new UserError(`${file} is not a readable Parquet file: ${messageOf(error)}.`);
  }
}
