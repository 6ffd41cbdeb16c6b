/** Keys and values of the tokens a decoder has seen: grown by every pass, cut back, and forked for another conversation. */

import { makeTensor, type RuntimeTensor } from "./runtime.ts";

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

const allocate = (field: KvField, tokens: number): KvData => {
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
function copyRows(
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

/**
 * For graphs that give back the whole cache (`present.*`) with every pass: the outputs of one pass are the inputs of the
 * next. The runtime never writes to inputs, so forks of full length share their tensors.
 */
export class OutputCache implements KvCache {
  readonly #fields: readonly KvField[];
  #length: number;
  #data: KvData[];

  constructor(fields: readonly KvField[], data?: KvData[], length = 0) {
    this.#fields = fields;
    this.#data = data ?? fields.map((field) => allocate(field, 0));
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#data.reduce((sum, d) => sum + d.byteLength, 0);
  }

  get fetches(): string[] {
    return this.#fields.map((f) => `present.${f.name}`);
  }

  feeds(): Record<string, RuntimeTensor> {
    const entries = this.#fields.map((f, i) => {
      const data = this.#data[i] ?? allocate(f, 0);
      return [`past_key_values.${f.name}`, makeTensor(f.type, data, [1, f.heads, this.#length, f.headDim])] as const;
    });
    return Object.fromEntries(entries);
  }

  append(outputs: Record<string, RuntimeTensor>, fresh: number): void {
    this.#data = this.#fields.map((f) => kvDataOf(f, outputs[`present.${f.name}`]));
    this.#length += fresh;
  }

  truncate(length: number): void {
    if (length >= this.#length) return;
    this.#data = this.exportFields(length).map((f) => f.data);
    this.#length = length;
  }

  fork(length: number): KvCache {
    const data = length >= this.#length ? this.#data : this.exportFields(length).map((f) => f.data);
    return new OutputCache(this.#fields, [...data], Math.min(length, this.#length));
  }

  exportFields(length: number): { field: KvField; data: KvData }[] {
    return this.#fields.map((field, i) => {
      const data = allocate(field, length);
      const from = { data: this.#data[i] ?? allocate(field, 0), room: this.#length, at: 0 };
      copyRows(field, from, { data, room: length, at: 0 }, length);
      return { field, data };
    });
  }
}

/** Room is added in steps, because the runtime clears scratch memory as large as the room in every pass. */
const ROOM_STEP = 512;

/**
 * For graphs with `delta.*` outputs (see `onnx/slim.ts`) and grouped-query attention: the cache stays in buffers of ours
 * with spare room, passes read them in place and give back only the new rows.
 */
export class BufferCache implements KvCache {
  readonly #fields: readonly KvField[];
  #length = 0;
  #room = 0;
  #buffers: { data: KvData; tensor: RuntimeTensor }[] = [];

  constructor(fields: readonly KvField[], room = ROOM_STEP) {
    this.#fields = fields;
    this.#reserve(room);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#buffers.reduce((sum, b) => sum + b.data.byteLength, 0);
  }

  get fetches(): string[] {
    return this.#fields.map((f) => `delta.${f.name}`);
  }

  feeds(fresh: number): Record<string, RuntimeTensor> {
    this.#reserve(this.#length + fresh);
    return Object.fromEntries(this.#buffers.map((b, i) => [`past_key_values.${this.#fields[i]?.name}`, b.tensor]));
  }

  append(outputs: Record<string, RuntimeTensor>, fresh: number): void {
    this.#fields.forEach((field, i) => {
      this.#write(i, kvDataOf(field, outputs[`delta.${field.name}`]), fresh);
    });
    this.#length += fresh;
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  fork(length: number): KvCache {
    const count = Math.min(length, this.#length);
    const copy = new BufferCache(this.#fields, count + ROOM_STEP);
    copy.#copyFrom(this, count);
    return copy;
  }

  exportFields(length: number): { field: KvField; data: KvData }[] {
    return this.#fields.map((field, i) => {
      const data = allocate(field, length);
      const from = { data: this.#buffers[i]?.data ?? data, room: this.#room, at: 0 };
      copyRows(field, from, { data, room: length, at: 0 }, length);
      return { field, data };
    });
  }

  /** A cache that starts with the given contiguous rows. */
  static restore(fields: readonly KvField[], rows: readonly KvData[], length: number): BufferCache {
    const cache = new BufferCache(fields, length + ROOM_STEP);
    rows.forEach((data, i) => {
      cache.#write(i, data, length);
    });
    cache.#length = length;
    return cache;
  }

  #write(index: number, rows: KvData, count: number): void {
    const field = this.#fields[index];
    const buffer = this.#buffers[index];
    if (!field || !buffer) return;
    const to = { data: buffer.data, room: this.#room, at: this.#length };
    copyRows(field, { data: rows, room: count, at: 0 }, to, count);
  }

  #copyFrom(source: BufferCache, count: number): void {
    this.#fields.forEach((field, i) => {
      const [from, to] = [source.#buffers[i], this.#buffers[i]];
      if (!from || !to) return;
      copyRows(
        field,
        { data: from.data, room: source.#room, at: 0 },
        { data: to.data, room: this.#room, at: 0 },
        count,
      );
    });
    this.#length = count;
  }

  #reserve(tokens: number): void {
    if (tokens <= this.#room) return;
    const room = Math.ceil(tokens / ROOM_STEP) * ROOM_STEP;
    this.#buffers = this.#fields.map((field, i) => {
      const data = allocate(field, room);
      const old = this.#buffers[i];
      if (old) copyRows(field, { data: old.data, room: this.#room, at: 0 }, { data, room, at: 0 }, this.#length);
      return { data, tensor: makeTensor(field.type, data, [1, field.heads, room, field.headDim]) };
    });
    this.#room = room;
  }
}
