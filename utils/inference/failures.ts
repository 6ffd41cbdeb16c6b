/** Tells errors of the runtime apart, and says in one sentence what happened and what to do. */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { messageOf } from "../base/data/errors.ts";
import type { EngineFailure, LoadFailure } from "./messages.ts";

/** The command that installs the library that runs models, which no other part of mend needs. */
export const INSTALL_LIBRARY = existsSync(new URL("../../package-lock.json", import.meta.url))
  ? "`npm run local-models` in the clone of mend"
  : "`npm install --ignore-scripts @huggingface/transformers@4` where mend is installed";

/** Whether it is there. */
export function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve("@huggingface/transformers");
    return true;
  } catch {
    return false;
  }
}

const LOAD_PATTERNS: readonly (readonly [RegExp, LoadFailure])[] = [
  [/Cannot find (?:package|module) '(?:@huggingface\/transformers|onnxruntime-node)/, "package_missing"],
  [/bad_alloc|out of memory|Failed to allocate|Array buffer allocation failed|Cannot allocate/i, "out_of_memory"],
  [/^unsupported graph|Unsupported model type|not a registered function|Unrecognized attribute/i, "unsupported"],
  [/Unsupported device|execution provider|CUDA|WebGPU|backend not found/i, "device"],
  [/Protobuf parsing failed|INVALID_PROTOBUF|Load model from|external data|out of bounds/i, "corrupt"],
  [/exceeds file size|File size|ended in the middle|Deserialize tensor/i, "corrupt"],
  [/Unexpected end of JSON|JSON at position|not valid JSON|in JSON/i, "corrupt"],
];

export function classifyLoadError(error: unknown): EngineFailure {
  const detail = messageOf(error).split("\n")[0]?.slice(0, 300) ?? "";
  const reason = LOAD_PATTERNS.find(([pattern]) => pattern.test(detail))?.[1] ?? "other";
  return { kind: "load", reason, detail };
}

const LOAD_SENTENCES: Record<LoadFailure, (model: string, detail: string) => string> = {
  package_missing: () =>
    `local models need the optional package @huggingface/transformers: run ${INSTALL_LIBRARY}, or choose ` +
    "another model with --model",
  corrupt: (model, detail) =>
    `a file of the model ${model} is damaged or incomplete (${detail}): delete it and load the model again`,
  out_of_memory: (model, detail) =>
    `there is not enough memory for the model ${model} (${detail}): choose a smaller one or a smaller --dtype (q4)`,
  unsupported: (model, detail) =>
    `the model ${model} is not a decoder this program can run (${detail}): choose a causal language ` +
    "model exported for transformers.js",
  device: (model, detail) => `the model ${model} cannot run on this device (${detail}): use --device cpu`,
  other: (model, detail) => `the model ${model} could not be loaded: ${detail}`,
};

/** What to tell the user, in one sentence without a full stop. @param model the model as the user named it */
export function describeFailure(failure: EngineFailure, model: string): string {
  switch (failure.kind) {
    case "context_overflow":
      return (
        `the prompt of ${failure.inputTokens} tokens does not fit the context of ${failure.contextLength} ` +
        `tokens of the model ${model}: show fewer examples (--few-shot-k) or choose another model`
      );
    case "aborted":
      return "the request was aborted";
    case "load":
      return LOAD_SENTENCES[failure.reason](model, failure.detail);
    case "ended":
      return `the model ${model} answers no more: ${failure.detail}`;
    case "runtime":
      return `the model ${model} failed while generating: ${failure.detail}`;
  }
}
