/** Tasks from a file on this machine: JSON Lines, gzipped or not, or Parquet. */

import { fileError, UserError } from "../../utils/errors.ts";
import { readLocatedJsonl } from "../../utils/jsonl.ts";
import { parseRecord } from "../../utils/record.ts";
import type { DatasetFormat } from "./format.ts";
import { RowSchema, toTasks } from "./rows.ts";

export const jsonl: DatasetFormat = {
  what: "a .jsonl file",
  extensions: [".jsonl", ".jsonl.gz"],
  read: async (file) => {
    const located = await readLocatedJsonl(file, RowSchema);
    const rows = located.map(({ line, value }) => ({ where: `${file}, line ${line}`, row: value }));
    return { tasks: toTasks(rows, file) };
  },
};

export const parquet: DatasetFormat = {
  what: "a .parquet file",
  extensions: [".parquet"],
  read: async (file) => {
    const values = await parquetObjects(file);
    const rows = values.map((value, i) => {
      const where = `${file}, row ${i + 1}`;
      return { where, row: parseRecord(value, RowSchema, where) };
    });
    return { tasks: toTasks(rows, file) };
  },
};

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
