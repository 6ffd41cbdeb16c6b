/** Predictions of SWE-bench as one object: `{instance_id: {model_patch}}`, or `{instance_id: patch}`. */

import { type Fields, isFields, type SampleFormat } from "../format.ts";
import { samplesOf } from "./rows.ts";

const isPrediction = (value: unknown): boolean =>
  isFields(value) && ["model_patch", "fix_patch", "solution", "completion"].some((field) => field in value);
const isPatch = (value: unknown): boolean => typeof value === "string" && /^(diff --git |--- )/m.test(value);

const predicted = (document: Fields | null): [string, unknown][] => {
  const entries = Object.entries(document ?? {});
  return entries.some(([, value]) => isPrediction(value) || isPatch(value)) ? entries : [];
};

export const predictions: SampleFormat = {
  name: "predictions by task",
  recognises: ({ document }) => !document?.task_id && !document?.instance_id && predicted(document).length > 0,
  read: ({ document }) =>
    predicted(document).flatMap(([instance_id, value]) =>
      samplesOf(isFields(value) ? { instance_id, ...value } : { instance_id, model_patch: value }, instance_id),
    ),
};
