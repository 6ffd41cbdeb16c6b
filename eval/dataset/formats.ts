/** The formats of datasets that mend reads. A new one is its file and its row. */

import { jsonl, parquet } from "./files.ts";
import type { DatasetFormat } from "./format.ts";
import { quixBugs } from "./quixbugs.ts";

export const FORMATS: readonly DatasetFormat[] = [jsonl, parquet, quixBugs];

/** The format of a file or folder; undefined where it has none of them, or is not there. */
export const formatOf = (path: string, formats = FORMATS): DatasetFormat | undefined =>
  formats.find(({ extensions, isFolder }) => extensions.some((end) => path.endsWith(end)) || isFolder?.(path));

/** Whether the name says that a file holds tasks. */
export const isDataFile = (file: string): boolean =>
  FORMATS.some(({ extensions }) => extensions.some((end) => file.endsWith(end)));
