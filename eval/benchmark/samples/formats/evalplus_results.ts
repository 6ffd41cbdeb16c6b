/** `eval_results.json` of evalplus: `eval` has a list of samples with their verdicts for each task. */

import { isRecord } from "../../../../utils/base/data/record.ts";
import { type Fields, mostAre, nameOfKind, type Sample, type SampleFormat } from "../format.ts";
import { samplesOf } from "./rows.ts";

const evaluated = (document: Fields | null): Fields | null => {
  const found = document?.eval;
  return isRecord(found) && mostAre(Object.values(found), Array.isArray) ? found : null;
};

export const evalplusResults: SampleFormat = {
  name: "eval_results of evalplus",
  recognises: ({ document }) => evaluated(document) !== null,
  read: ({ document }) =>
    Object.entries(evaluated(document) ?? {}).flatMap(([task_id, samples]): Sample[] => {
      if (!Array.isArray(samples))
        return [{ place: task_id, problem: `it is ${nameOfKind(samples)}, and a list is needed` }];
      return samples.flatMap((sample: unknown, i) =>
        samplesOf({ ...(isRecord(sample) ? sample : {}), task_id }, `${task_id}, sample ${i + 1}`),
      );
    }),
};
