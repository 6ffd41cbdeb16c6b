/**
 * `generations.json` of bigcode-evaluation-harness: a list with one list of programs for each task, in the order of the
 * dataset. HumanEvalFix is published with it.
 */

import { nameOfKind, type Sample, type SampleFormat } from "../format.ts";

export const generations: SampleFormat = {
  name: "generations of bigcode-evaluation-harness",
  recognises: ({ rows }) => rows.length > 0 && rows.every((row) => row.problem === undefined && isGenerated(row.value)),
  read: ({ rows }) =>
    rows.flatMap((row, position) => {
      const { place } = row;
      const answers: unknown[] = row.problem === undefined && Array.isArray(row.value) ? row.value : [];
      return answers.map(
        (text): Sample =>
          typeof text === "string"
            ? { place, task: { position }, answer: { kind: "program", text } }
            : { place, problem: `it holds ${nameOfKind(text)}, and a text is needed` },
      );
    }),
};

/** A list, most likely of texts: one of another kind is one bad sample. */
const isGenerated = (value: unknown): boolean =>
  Array.isArray(value) && (value.length === 0 || value.some((one) => typeof one === "string"));
