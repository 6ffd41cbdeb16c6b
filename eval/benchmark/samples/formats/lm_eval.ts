/**
 * Samples of lm-evaluation-harness (`--log_samples`): `doc` is the task, `filtered_resps` the answers after a filter,
 * `resps` before it.
 */

import { isRecord } from "../../../../utils/base/data/record.ts";
import { type Fields, firstObjects, mostAre, nameOf, type Sample, type SampleFormat } from "../format.ts";

const isLogged = (value: unknown): value is Fields =>
  isRecord(value) && "doc" in value && ("resps" in value || "filtered_resps" in value);

export const lmEval: SampleFormat = {
  name: "samples of lm-evaluation-harness",
  recognises: (opened) => firstObjects(opened).some(isLogged),
  read: (opened) => {
    // A task that has several filters has a line for each.
    const logged = firstObjects(opened).filter(isLogged);
    const [filter] = logged.map((row) => row.filter);
    const areNamed = mostAre(logged, (row) => idOf(row) !== null);
    return opened.rows.flatMap((row): Sample[] => {
      const { place } = row;
      if (row.problem !== undefined) return [{ place, problem: row.problem }];
      if (!isLogged(row.value)) return [{ place, problem: "`doc`, or `resps`, is missing" }];
      return row.value.filter === filter ? samplesIn(row.value, place, areNamed) : [];
    });
  },
};

function idOf({ doc }: Fields) {
  return isRecord(doc) ? (nameOf(doc.task_id) ?? nameOf(doc.id)) : null;
}

/** @param areNamed whether the other rows have ids; `doc_id`, a position, counts only where none has */
function samplesIn(row: Fields, place: string, areNamed: boolean): Sample[] {
  const position = row.doc_id;
  const byPosition = !areNamed && Number.isInteger(position) ? { position: Number(position) } : null;
  const task = idOf(row) ?? byPosition;
  if (task === null) return [{ place, problem: `\`${areNamed ? "doc.task_id" : "doc_id"}\` is missing` }];
  const texts = [row.filtered_resps, row.resps].map(textsIn).find(({ length }) => length > 0) ?? [];
  if (texts.length === 0) return [{ place, problem: "`resps` holds no text" }];
  return texts.map((text) => ({ place, task, answer: { kind: "program", text } }));
}

/** The texts of lists within lists. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.flatMap(textsIn) : [];
