/** Tries a model file on a few prompts: what it computes and how long that takes, to compare one file with another. */

import { appendTo } from "../../base/data/extremes.ts";
import { Decoder } from "../decoding/decoder.ts";
import { argmax } from "../decoding/sampler.ts";
import type { EngineOptions } from "../messages.ts";
import { loadRuntime } from "../runtime.ts";
import { relativeDifference, TOLERANCE } from "./probe.ts";

const PROMPTS = [
  "def add(a, b):\n    return a - b\n\nThe function must return the sum. What is wrong with it?",
  "Write a Python function that returns the words of a text in reverse order, without empty ones.",
  "Thought: the loop ends one step too early, because range excludes its end.\nAction: code_interpreter\n",
];
/** Single steps after each prompt. */
const STEPS = 8;

export interface CopyTrial {
  /** Logits at every step; all files are asked the same. */
  rows: Float32Array[];
  /**
   * Largest difference between a step's logits and those of the same token in one pass with its neighbours
   * (`probe.ts`).
   */
  split: number;
  /** Of prompts and steps, all threads together: other processes do not change it. */
  cpuSeconds: number;
}

/** Loads the file, runs the prompts and frees it again. */
export async function tryModel(options: EngineOptions): Promise<CopyTrial> {
  const runtime = await loadRuntime(options);
  try {
    const decoder = new Decoder(runtime.session);
    const trial: CopyTrial = { rows: [], split: 0, cpuSeconds: 0 };
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

async function tryPrompt(decoder: Decoder, ids: readonly number[], trial: CopyTrial): Promise<void> {
  const cache = decoder.newCache();
  const start = cpuSeconds();
  const first = await decoder.forward(cache, ids, 1);
  const afterPrompt = cpuSeconds();
  trial.rows.push(first.row(0).slice());
  const fork = cache.fork(cache.length);
  const beforeSteps = cpuSeconds();
  const steps: Float32Array[] = [];
  for (let step = 0; step < STEPS; step++) {
    // The prompt itself is the continuation, so that every file computes the same positions.
    const logits = await decoder.forward(cache, ids.slice(step, step + 1), 1);
    steps.push(logits.row(0).slice());
  }
  trial.cpuSeconds += afterPrompt - start + (cpuSeconds() - beforeSteps);
  appendTo(trial.rows, steps);
  const together = await decoder.forward(fork, ids.slice(0, STEPS), STEPS);
  for (let i = 0; i < together.count; i++) {
    const alone = steps[steps.length - together.count + i];
    if (alone) trial.split = Math.max(trial.split, relativeDifference(together.row(i), alone));
  }
}

export interface LogitComparison {
  /** Root mean square of the difference of logits, relative to that of the logits. */
  deviation: number;
  /** Share of steps whose likeliest token is the same. */
  agreement: number;
  /** Times as fast, in CPU time. */
  speedUp: number;
  /** The other's `split`; `splitLost` where it is no rounding any more and the original's is. */
  split: number;
  splitLost: boolean;
}

export function compareTrials(original: CopyTrial, other: CopyTrial): LogitComparison {
  let [difference, size, agreeing] = [0, 0, 0];
  original.rows.forEach((row, i) => {
    const its = other.rows[i] ?? new Float32Array(row.length);
    if (argmax(row) === argmax(its)) agreeing++;
    row.forEach((value, j) => {
      difference += (value - (its[j] ?? 0)) ** 2;
      size += value ** 2;
    });
  });
  return {
    deviation: Math.sqrt(difference / Math.max(size, Number.MIN_VALUE)),
    agreement: agreeing / Math.max(1, original.rows.length),
    speedUp: original.cpuSeconds / other.cpuSeconds,
    split: other.split,
    splitLost: other.split > TOLERANCE && original.split <= TOLERANCE,
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
