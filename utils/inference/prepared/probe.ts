/** Measures what a graph's kernels keep to: the same values in one pass, in parts and side by side; many logits. */

import { BatchCache, BufferCache } from "../cache/buffer_cache.ts";
import type { Decoder } from "../decoding/decoder.ts";

/** Ids that every vocabulary has. */
const PROBE = Array.from({ length: 12 }, (_, i) => (i * 37 + 11) % 250);
const SPLIT = 7;
/**
 * Largest difference of logits, relative to the largest logit, that counts as rounding. Measured: 2e-6 with activations
 * in float; with int8 activations, where rounding decides which of two integers a value becomes, 7e-4 after 24 layers
 * of 896 values and up to 2e-2 after 2 of 64, on any processor; 3e-2 and more where activations are quantized over a
 * whole pass.
 */
export const TOLERANCE = 5e-3;

/**
 * Reusing a prefix and verifying drafts both rest on the first. Graphs that quantize activations over a whole pass
 * fail.
 */
export async function probe(
  decoder: Decoder,
): Promise<{ splitInvariant: boolean; manyLogits: boolean; batches: boolean }> {
  const whole = await decoder.forward(decoder.newCache(), PROBE, PROBE.length - SPLIT);
  const cache = decoder.newCache();
  await decoder.forward(cache, PROBE.slice(0, SPLIT), 1);
  let splitInvariant = true;
  for (let i = SPLIT; i < PROBE.length; i++) {
    const step = await decoder.forward(cache, PROBE.slice(i, i + 1), 1);
    const row = whole.count - (PROBE.length - i);
    if (row >= 0 && !isClose(whole.row(row), step.row(0))) splitInvariant = false;
  }
  const batches = splitInvariant && (await probeBatch(decoder).catch(() => false));
  return { splitInvariant, manyLogits: whole.count > 1, batches };
}

/** Whether conversations of different lengths get in one pass what each gets alone. */
async function probeBatch(decoder: Decoder): Promise<boolean> {
  const batch = new BatchCache(decoder.fields);
  const alone: Float32Array[] = [];
  for (const length of [SPLIT, PROBE.length - 1]) {
    const cache = decoder.newCache();
    if (!(cache instanceof BufferCache)) return false;
    await decoder.forward(cache, PROBE.slice(0, length), 1);
    batch.add(cache);
    alone.push((await decoder.forward(cache, PROBE.slice(length, length + 1), 1)).row(0).slice());
  }
  const together = await decoder.forwardBatch(batch, [PROBE[SPLIT] ?? 0, PROBE.at(-1) ?? 0]);
  return together.every((logits, i) => isClose(logits.row(0), alone[i] ?? new Float32Array()));
}

const isClose = (a: Float32Array, b: Float32Array): boolean => relativeDifference(a, b) <= TOLERANCE;

/** Largest difference of two rows of logits, relative to the largest logit of the first. */
export function relativeDifference(a: Float32Array, b: Float32Array): number {
  let largest = Number.MIN_VALUE;
  let difference = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    largest = Math.max(largest, Math.abs(x));
    difference = Math.max(difference, Math.abs(x - y));
  }
  return difference / largest;
}
