/** The cache of slim graphs: buffers of ours that passes read in place. */

import { allocate, copyRows, type KvCache, type KvData, type KvField, kvDataOf } from "./kv-cache.ts";
import { makeTensor, type RuntimeTensor } from "./runtime.ts";

/** Room is added in steps, so that few passes have to copy; more room than needed costs memory but no time. */
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
