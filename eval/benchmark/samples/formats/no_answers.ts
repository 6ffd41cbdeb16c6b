/** Files that people have beside their samples, and that hold no answers: what to give instead. */

import { UserError } from "../../../../utils/base/data/errors.ts";
import { inLine } from "../../../../utils/base/text/text.ts";
import { type Fields, firstObjects, type SampleFormat } from "../format.ts";

const has = (row: Fields, ...fields: string[]): boolean => fields.every((field) => field in row);

const KNOWN: readonly { what: string; is(row: Fields): boolean; instead: string }[] = [
  {
    what: "a report of SWE-bench",
    is: (row) => has(row, "resolved_ids") || has(row, "resolved_instances"),
    instead: "give the predictions that it is about (preds.json, or all_preds.jsonl)",
  },
  {
    what: "results of lm-evaluation-harness",
    is: (row) => has(row, "results", "configs") || has(row, "results", "n-shot"),
    instead: "run lm_eval with --log_samples and give samples_TASK_….jsonl",
  },
  {
    what: "results of bigcode-evaluation-harness",
    is: (row) => "config" in row && Object.values(row).some((one) => /"pass@\d+"/.test(JSON.stringify(one) ?? "")),
    instead: "run it with --save_generations and give generations.json",
  },
  {
    what: "a dataset",
    is: (row) => has(row, "canonical_solution", "test") || has(row, "canonical_solution", "base_input"),
    instead: "give it with --dataset, and a file with answers first",
  },
];

const known = (rows: readonly Fields[]) => KNOWN.find(({ is }) => rows.some(is));

export const noAnswers: SampleFormat = {
  name: "files without answers",
  recognises: (opened) => known(firstObjects(opened).filter((row) => !has(row, "solution"))) !== undefined,
  read: (opened) => {
    const found = known(firstObjects(opened));
    throw new UserError(`${inLine(opened.file)} is ${found?.what}, which holds no answers: ${found?.instead}.`);
  },
};
