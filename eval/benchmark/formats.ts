/** The formats of datasets that mend reads, and two of them: JSON Lines, gzipped or not, and Parquet. A new one is its file and its row. */

import { fileError, messageOf, UserError } from "../../utils/data/errors.ts";
import { parseRecord } from "../../utils/data/record.ts";
import { readLocatedJsonl } from "../../utils/files/jsonl.ts";
import type { DatasetFormat } from "./format.ts";
import { quixBugs } from "./quixbugs.ts";
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
    throw new UserError(`${file} is not a readable Parquet file: ${messageOf(error)}.`);
  }
}

export const FORMATS: readonly DatasetFormat[] = [jsonl, parquet, quixBugs];

/** The format of a file or folder; undefined where it has none of them, or is not there. */
export const formatOf = (path: string, formats = FORMATS): DatasetFormat | undefined =>
  formats.find(({ extensions, isFolder }) => extensions.some((end) => path.endsWith(end)) || isFolder?.(path));

/** Whether the name says that a file holds tasks. */
export const isDataFile = (file: string): boolean =>
  FORMATS.some(({ extensions }) => extensions.some((end) => file.endsWith(end)));
