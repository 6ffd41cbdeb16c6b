/** Tries a model file on a few prompts: what it computes and how long that takes, to compare one file with another. */

import { Decoder } from "./decoder.ts";
import type { EngineOptions } from "./messages.ts";
import { loadRuntime } from "./runtime.ts";
import { argmax } from "./sampler.ts";

const PROMPTS = [
  "def add(a, b):\n    return a - b\n\nThe function must return the sum. What is wrong with it?",
  "Write a Python function that returns the words of a text in reverse order, without empty ones.",
  "Thought: the loop ends one step too early, because range excludes its end.\nAction: code_interpreter\n",
];
/** Single steps after each prompt. */
const STEPS = 8;

export interface Trial {
  /** Logits at every step; all files are asked the same. */
  rows: Float32Array[];
  prefillSeconds: number;
  decodeSeconds: number;
}

/** Loads the file, runs the prompts and frees it again. */
export async function tryModel(options: EngineOptions): Promise<Trial> {
  const runtime = await loadRuntime(options);
  try {
    const decoder = new Decoder(runtime.session);
    const trial: Trial = { rows: [], prefillSeconds: 0, decodeSeconds: 0 };
    await decoder.forward(decoder.newCache(), runtime.tokenizer.encode("warm up"), 1);
    for (const content of PROMPTS) {
      const ids = runtime.tokenizer.render([{ role: "user", content }]);
      await tryPrompt(decoder, ids, trial);
    }
    return trial;
  } finally {
    await runtime.dispose();
  }
}

async function tryPrompt(decoder: Decoder, ids: readonly number[], trial: Trial): Promise<void> {
  const cache = decoder.newCache();
  const start = performance.now();
  const first = await decoder.forward(cache, ids, 1);
  const afterPrompt = performance.now();
  trial.rows.push(first.row(0).slice());
  for (let step = 0; step < STEPS; step++) {
    // The prompt itself is the continuation, so that every file computes the same positions.
    const logits = await decoder.forward(cache, ids.slice(step, step + 1), 1);
    trial.rows.push(logits.row(0).slice());
  }
  trial.prefillSeconds += (afterPrompt - start) / 1000;
  trial.decodeSeconds += (performance.now() - afterPrompt) / 1000;
}

export interface Comparison {
  /** Root mean square of the difference of logits, relative to that of the logits. */
  deviation: number;
  /** Share of steps whose likeliest token is the same. */
  agreement: number;
  /** Times as fast, prompts and steps together. */
  speedUp: number;
}

export function compareTrials(original: Trial, other: Trial): Comparison {
  let [difference, size, agreeing] = [0, 0, 0];
  original.rows.forEach((row, i) => {
    const its = other.rows[i] ?? new Float32Array(row.length);
    if (argmax(row) === argmax(its)) agreeing++;
    row.forEach((value, j) => {
      difference += (value - (its[j] ?? 0)) ** 2;
      size += value ** 2;
    });
  });
  const seconds = (trial: Trial): number => trial.prefillSeconds + trial.decodeSeconds;
  return {
    deviation: Math.sqrt(difference / Math.max(size, Number.MIN_VALUE)),
    agreement: agreeing / Math.max(1, original.rows.length),
    speedUp: seconds(original) / seconds(other),
  };
}
