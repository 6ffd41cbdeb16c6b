/**
 * Answers by the name of their task in one object: predictions of SWE-bench (`{instance_id: {model_patch}}` or
 * `{instance_id: patch}`), or programs (`{task_id: {solution}}`, `{task_id: program}`, `{task_id: [program, …]}`).
 */

import { isRecord } from "../../../../utils/base/data/record.ts";
import { type Fields, mostAre, type SampleFormat } from "../format.ts";
import { samplesOf } from "./rows.ts";

const isPrediction = (value: unknown): boolean =>
  isRecord(value) && ["model_patch", "fix_patch", "solution", "completion"].some((field) => field in value);
const isPatch = (value: unknown): boolean => typeof value === "string" && /^(diff --git |--- )/m.test(value);

const isText = (value: unknown): boolean => typeof value === "string";
const isProgram = ([name, value]: [string, unknown]): boolean =>
  /\d$/.test(name) && (isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)));

const predicted = (document: Fields | null): [string, unknown][] => {
  const entries = Object.entries(document ?? {});
  const isKnown = entries.some(([, value]) => isPrediction(value) || isPatch(value)) || mostAre(entries, isProgram);
  return isKnown ? entries : [];
};

export const predictions: SampleFormat = {
  name: "predictions by task",
  recognises: ({ document }) => !document?.task_id && !document?.instance_id && predicted(document).length > 0,
  read: ({ document }) => {
    const entries = predicted(document);
    const field =
      mostAre(entries, isProgram) && !entries.some(([, value]) => isPatch(value)) ? "solution" : "model_patch";
    return entries.flatMap(([instance_id, value]) =>
      samplesOf({ instance_id, ...(isRecord(value) ? value : { [field]: value }) }, instance_id),
    );
  },
};
