/**
 * `generations.json` of bigcode-evaluation-harness: a list with one list of programs for each task, in the order of the
 * dataset. HumanEvalFix is published with it.
 */

import { mostAre, nameOfKind, type Sample, type SampleFormat } from "../format.ts";

export const generations: SampleFormat = {
  name: "generations of bigcode-evaluation-harness",
  recognises: ({ rows }) => mostAre(rows, (row) => row.problem === undefined && isGenerated(row.value)),
  read: ({ rows }) =>
    rows.flatMap((row, position): Sample[] => {
      const { place } = row;
      if (row.problem !== undefined) return [{ place, problem: row.problem }];
      if (!Array.isArray(row.value))
        return [{ place, problem: `it is ${nameOfKind(row.value)}, and a list is needed` }];
      return row.value.map(
        (text: unknown): Sample =>
          typeof text === "string"
            ? { place, task: { position }, answer: { kind: "program", text } }
            : { place, problem: `it holds ${nameOfKind(text)}, and a text is needed` },
      );
    }),
};

/** A list, most likely of texts: one of another kind is one bad sample. */
const isGenerated = (value: unknown): boolean =>
  Array.isArray(value) && (value.length === 0 || value.some((one) => typeof one === "string"));
