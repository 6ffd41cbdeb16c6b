/** `eval_results.json` of evalplus: `eval` has a list of samples with their verdicts for each task. */

import { isRecord } from "../../../../utils/base/data/record.ts";
import type { Fields, Sample, SampleFormat } from "../format.ts";
import { samplesOf } from "./rows.ts";

const evaluated = (document: Fields | null): Fields | null => {
  const found = document?.eval;
  return isRecord(found) && Object.values(found).every((one) => Array.isArray(one)) ? found : null;
};

export const evalplusResults: SampleFormat = {
  name: "eval_results of evalplus",
  recognises: ({ document }) => evaluated(document) !== null,
  read: ({ document }) =>
    Object.entries(evaluated(document) ?? {}).flatMap(([task_id, samples]) =>
      (Array.isArray(samples) ? samples : []).flatMap((sample: unknown, i): Sample[] =>
        samplesOf({ ...(isRecord(sample) ? sample : {}), task_id }, `${task_id}, sample ${i + 1}`),
      ),
    ),
};
