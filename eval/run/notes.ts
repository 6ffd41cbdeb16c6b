/** What people noted about samples of a run: `notes.json` in its folder, so that it goes where the run goes. */

import { z } from "zod";
import { readForeignJson } from "../../utils/base/files/foreign_file.ts";
import { replaceInside } from "../../utils/base/files/write_inside.ts";

export const NOTES_FILE = "notes.json";
/** Characters of one note. */
export const LONGEST_NOTE = 10_000;

const Notes = z.object({ v: z.literal(1), notes: z.record(z.string(), z.string()) });

/** By sample, see `sampleKey`; of a run without any there are none. */
export function readNotes(folder: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(readForeignJson(folder, NOTES_FILE, Notes)?.notes ?? {}));
}

/** An empty text removes the note. @throws UserError where the system refuses to write */
export function writeNote(folder: string, sample: string, text: string): void {
  const notes = new Map(readNotes(folder));
  if (text.trim() === "") notes.delete(sample);
  else notes.set(sample, text.slice(0, LONGEST_NOTE));
  replaceInside(folder, NOTES_FILE, `${JSON.stringify({ v: 1, notes: Object.fromEntries(notes) }, null, 2)}\n`);
}
