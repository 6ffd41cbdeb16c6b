/**
 * Keys and values of the tokens a decoder has seen: grown by every pass, cut back, and forked for another conversation.
 */

import type { RuntimeTensor } from "../tensors.ts";

/** One `past_key_values.*` input: [1, heads, tokens, headDim]. */
export interface KvField {
  /** `<layer>.key` or `<layer>.value`. */
  name: string;
  type: "float32" | "float16";
  heads: number;
  headDim: number;
}

export interface KvCache {
  /** Tokens held. */
  readonly length: number;
  readonly bytes: number;
  /** Values of the `past_key_values.*` inputs for a pass that adds `fresh` tokens. */
  feeds(fresh: number): Record<string, RuntimeTensor>;
  /** Outputs of a pass that `append` needs. */
  readonly fetches: readonly string[];
  /** Takes over what a pass over `fresh` tokens computed. */
  append(outputs: Record<string, RuntimeTensor>, fresh: number): void;
  /** Forgets everything after the first `length` tokens. */
  truncate(length: number): void;
  /** A cache of its own with the first `length` tokens. */
  fork(length: number): KvCache;
  /** The first `length` tokens of every field, contiguous: for writing to disk. */
  exportFields(length: number): { field: KvField; data: KvData }[];
}

export type KvData = Float32Array | Uint16Array;

/** Zeros for a number of tokens. */
export const allocate = (field: KvField, tokens: number): KvData => {
  const size = field.heads * tokens * field.headDim;
  return field.type === "float16" ? new Uint16Array(size) : new Float32Array(size);
};

/** The values of a tensor that the runtime gave. Newer Node gives half floats a type of their own. */
export function kvDataOf(field: KvField, tensor: RuntimeTensor | undefined): KvData {
  const data = tensor?.data;
  if (!ArrayBuffer.isView(data)) throw new Error(`the model gave no ${field.name}`);
  if (field.type === "float32" && data instanceof Float32Array) return data;
  if (data instanceof Uint16Array) return data;
  return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
}

/** Copies `count` rows of every head between two layouts with their own room for tokens. */
export function copyRows(
  field: KvField,
  from: { data: KvData; room: number; at: number },
  to: { data: KvData; room: number; at: number },
  count: number,
): void {
  const row = field.headDim;
  for (let head = 0; head < field.heads; head++) {
    const start = (head * from.room + from.at) * row;
    to.data.set(from.data.subarray(start, start + count * row), (head * to.room + to.at) * row);
  }
}
