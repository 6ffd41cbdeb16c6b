/** Tells which of the edits that pass do the same, in a process that tries nothing else. */

import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../utils/base/data/record.ts";
import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import { fromFolder } from "../../utils/project/project.ts";
import { BoxFailure } from "../../utils/project/repository_box.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { type FileEdit, type SearchPlace, withEdit } from "./findings.ts";
import type { Searcher } from "./searchers.ts";

/** For each edit, the first that does the same; null if unknown. */
const Told = z.object({ behaviours: z.array(z.number().nullable()) });

/** Processor time to start in, and for one edit beside what the tests take. */
const [START_SECONDS, EDIT_SECONDS] = [60, 15];

/**
 * Sets `behaviour` of edits of one function; a single edit, and edits that cannot be compared, keep theirs.
 * @param job the job of a search in this tree
 * @param most maximum processor time, in seconds
 * @returns the processor time that it took, in seconds, as far as known
 */
export async function tellBehaviours(
  prepared: Preparation,
  searcher: Searcher,
  {
    tree,
    job,
    places,
    edits,
  }: { tree: string; job: object; places: readonly SearchPlace[]; edits: readonly FileEdit[] },
  most = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<number> {
  const { suite, baseline } = prepared;
  const groups = [...groupsOf(places, edits)].filter(([, some]) => some.length > 1);
  if (groups.length === 0) return 0;
  const compare = groups.map(([{ file, name, start, end }, some]) => {
    const before = readForeignText(tree, file);
    const more = ({ old, text }: FileEdit) => lineCount(text) - lineCount(old);
    return {
      file: fromFolder(suite.project, file),
      name,
      start,
      end,
      edits: some.map((edit) => ({ text: withEdit(before, edit), end: end + more(edit) })),
    };
  });
  const found: (number | null)[][] = [];
  const run = suite.runCommand({
    tree,
    command: (out) => searcher.command(prepared, join(out, "lines"), join(out, "report")),
    stdin: JSON.stringify({ ...job, compare }),
    seconds: Math.min(most, START_SECONDS + edits.length * (EDIT_SECONDS + 3 * baseline.run.cpuSeconds)),
    onLine: (line) => {
      const told = readJson(line, Told);
      if (told) found.push(told.behaviours);
    },
    signal,
  });
  const ran = await run.catch((error: unknown) => {
    if (!(error instanceof BoxFailure)) throw error;
    return null;
  });
  for (const [i, [{ file, start }, some]] of groups.entries())
    for (const [j, edit] of some.entries()) {
      const first = found[i]?.[j];
      edit.behaviour = typeof first === "number" ? `${file} ${start} ${first}` : null;
    }
  return ran?.cpuSeconds ?? 0;
}

const lineCount = (text: string): number => text.split("\n").length;

/** Edits by the largest function that they are in: one inside another is searched with each. */
function groupsOf(places: readonly SearchPlace[], edits: readonly FileEdit[]): Map<SearchPlace, FileEdit[]> {
  const groups = new Map<SearchPlace, FileEdit[]>();
  for (const edit of edits) {
    const around = places.filter(({ file, start, end }) => file === edit.file && start <= edit.from && edit.to <= end);
    const place = around.reduce<SearchPlace | null>(
      (largest, one) => (largest && largest.end - largest.start >= one.end - one.start ? largest : one),
      null,
    );
    if (place) groups.set(place, [...(groups.get(place) ?? []), edit]);
  }
  return groups;
}
