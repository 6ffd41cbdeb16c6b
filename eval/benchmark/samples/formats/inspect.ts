/** Logs of Inspect: `.json`, and `.eval`, whose samples `open.ts` takes out of its zip file. */

import { UserError } from "../../../../utils/base/data/errors.ts";
import { isRecord } from "../../../../utils/base/data/record.ts";
import { inLine } from "../../../../utils/base/text/text.ts";
import { type Fields, nameOf, nameOfKind, type Sample, type SampleFormat } from "../format.ts";

export const inspect: SampleFormat = {
  name: "log of Inspect",
  recognises: ({ document }) => isRecord(document?.eval) && ("samples" in document || "status" in document),
  read: ({ document, file }) => {
    const samples = document?.samples;
    if (!Array.isArray(samples) || samples.length === 0) {
      const status = inLine(String(document?.status ?? "unknown"));
      throw new UserError(
        `${inLine(file)} is a log of Inspect without samples (status ${status}): ` +
          "run the evaluation with --log-samples, or wait for its end.",
      );
    }
    return samples.map((sample: unknown, i) => sampleOf(sample, `sample ${i + 1}`));
  },
};

function sampleOf(sample: unknown, place: string): Sample {
  if (!isRecord(sample)) return { place, problem: `it is ${nameOfKind(sample)}, and an object is needed` };
  const task = nameOf(sample.id);
  if (task === null) return { place, problem: "`id` is missing" };
  if (isRecord(sample.error))
    return { place, problem: `it ended with an error: ${inLine(String(sample.error.message))}` };
  const text = isRecord(sample.output) ? textOf(sample.output) : null;
  if (text === null) return { place, problem: "it has no output" };
  return { place, task, answer: { kind: "program", text } };
}

function textOf(output: Fields): string | null {
  if (typeof output.completion === "string") return output.completion;
  const choices: unknown[] = Array.isArray(output.choices) ? output.choices : [];
  const [choice] = choices;
  const message = isRecord(choice) ? choice.message : null;
  const content = isRecord(message) ? message.content : null;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
