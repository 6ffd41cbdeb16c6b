/** Samples: answers to tasks that exist already, and the file formats that hold them. */

import { isRecord } from "../../../utils/base/data/record.ts";
import type { FileRow } from "../files/rows.ts";

/** Which task an answer is for: its id, or the position of its row in the dataset. */
export type TaskName = { id: string } | { position: number };

/** `program`: complete, or the body of a function. `completion`: what follows the prompt. */
export interface Answer {
  kind: "program" | "completion" | "patch";
  text: string;
}

/** An answer and its place in the file; `problem` says why a sample cannot be read. */
export type Sample = { place: string } & (
  | { task: TaskName; attempt?: number | undefined; answer: Answer; problem?: undefined }
  | { problem: string }
);

/** A file that was opened, before anybody knows its format. */
export interface SampleFile {
  file: string;
  rows: readonly FileRow[];
  /** The only row, if the file is one JSON object. */
  document: Fields | null;
}

/** Adding a format takes a file with one of these and its row in `table.ts`. */
export interface SampleFormat {
  /** As the summary and messages name it. */
  name: string;
  /** Whether the file is in this format; cheap, as every format is asked. */
  recognises(opened: SampleFile): boolean;
  /** @throws UserError that says what to do, if the format is known and holds no answers */
  read(opened: SampleFile): Sample[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** The objects among the first rows. */
export const firstObjects = ({ rows }: SampleFile): Fields[] =>
  rows.slice(0, 100).flatMap((row) => (row.problem === undefined && isRecord(row.value) ? [row.value] : []));

/** Whether a file is of a kind: more than half of its parts look like it, as single ones can be damaged. */
export const mostAre = <T>(parts: readonly T[], looksRight: (part: T) => boolean): boolean =>
  parts.filter(looksRight).length * 2 > parts.length;

/** A task's id, from a text or a number. */
export const nameOf = (value: unknown): TaskName | null =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? { id: String(value) } : null;

export const nameOfKind = (value: unknown): string =>
  value === undefined
    ? "no valid JSON"
    : value === null
      ? "null"
      : Array.isArray(value)
        ? "a list"
        : isRecord(value)
          ? "an object"
          : `a ${typeof value}`;
