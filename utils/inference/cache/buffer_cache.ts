/**
 * The caches of slim graphs (`delta.*` outputs, see `onnx/slim.ts`, and grouped-query attention): `BufferCache` for one
 * conversation, `BatchCache` for several. Each is a buffer of this program with spare room: a pass reads it in place
 * and returns the new rows alone.
 */

import { largest } from "../../base/data/extremes.ts";
import { makeTensor } from "../runtime.ts";
import type { RuntimeTensor } from "../tensors.ts";
import { allocate, copyRows, type KvCache, type KvData, type KvField, kvDataOf } from "./kv_cache.ts";

/** Room is added in steps, so that few passes have to copy; passes go over all of it, so it must not be large. */
const ROOM_STEP = 256;

const roomFor = (tokens: number): number => Math.ceil(tokens / ROOM_STEP) * ROOM_STEP;

/** Where tokens lie: the data of one row of one field, from the token `at` on. */
interface Place {
  data: KvData;
  room: number;
  at: number;
}

/** Keys and values of a number of rows, each with the same room for tokens. */
class Buffers {
  readonly rows: number;
  readonly room: number;
  readonly #fields: readonly KvField[];
  readonly #data: readonly KvData[];
  /** Of the last pass; the next one mostly has as many rows. */
  #fed: { rows: number; feeds: Record<string, RuntimeTensor> } | undefined;

  constructor(fields: readonly KvField[], rows: number, room: number) {
    this.#fields = fields;
    this.rows = rows;
    this.room = room;
    this.#data = fields.map((field) => allocate(field, rows * room));
  }

  get bytes(): number {
    return this.#data.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  get fetches(): string[] {
    return this.#fields.map(({ name }) => `delta.${name}`);
  }

  /** `past_key_values.*` of a pass over the first `rows` rows. */
  feeds(rows: number): Record<string, RuntimeTensor> {
    if (this.#fed?.rows !== rows) {
      const feeds = this.#each((field, data) => {
        const dims = [rows, field.heads, this.room, field.headDim];
        const used = data.subarray(0, rows * field.heads * this.room * field.headDim);
        return [`past_key_values.${field.name}`, makeTensor(field.type, used, dims)] as const;
      });
      this.#fed = { rows, feeds: Object.fromEntries(feeds) };
    }
    return this.#fed.feeds;
  }

  /** Puts the `fresh` new tokens of every row behind the `lengths` that it has. */
  write(outputs: Record<string, RuntimeTensor>, lengths: readonly number[], fresh: number): void {
    this.#each((field, data) => {
      const delta = kvDataOf(field, outputs[`delta.${field.name}`]);
      lengths.forEach((at, row) => {
        copyRows(field, rowOf(field, delta, fresh, row), { ...rowOf(field, data, this.room, row), at }, fresh);
      });
    });
  }

  /** Copies the first `count` tokens of a row to a row of other buffers, or of these. */
  copyRow(row: number, to: Buffers, toRow: number, count: number): void {
    const places = to.places(toRow);
    this.places(row).forEach(({ field, place }, i) => {
      const target = places[i]?.place;
      if (target) copyRows(field, place, target, count);
    });
  }

  /** The same rows in buffers of another size. */
  resized(lengths: readonly number[], rows: number, room: number): Buffers {
    const next = new Buffers(this.#fields, rows, room);
    lengths.forEach((length, row) => {
      this.copyRow(row, next, row, length);
    });
    return next;
  }

  /** A cache of its own with the first `length` tokens of a row. */
  fork(row: number, length: number): BufferCache {
    return new BufferCache(this.#fields, length, (buffers) => this.copyRow(row, buffers, 0, length));
  }

  places(row: number): { field: KvField; place: Place }[] {
    return this.#each((field, data) => ({ field, place: rowOf(field, data, this.room, row) }));
  }

  #each<Value>(work: (field: KvField, data: KvData) => Value): Value[] {
    return this.#fields.map((field, i) => work(field, this.#data[i] ?? allocate(field, 0)));
  }
}

export class BufferCache implements KvCache {
  #length: number;
  #buffers: Buffers;

  /** @param fill writes the first `length` tokens to row 0 */
  constructor(fields: readonly KvField[], length = 0, fill?: (buffers: Buffers) => void) {
    this.#buffers = new Buffers(fields, 1, roomFor(length + 1));
    this.#length = length;
    fill?.(this.#buffers);
  }

  /** A cache that starts with the given contiguous rows. */
  static restore(fields: readonly KvField[], rows: readonly KvData[], length: number): BufferCache {
    return new BufferCache(fields, length, (buffers) => {
      buffers.places(0).forEach(({ field, place }, i) => {
        const data = rows[i];
        if (data) copyRows(field, { data, room: length, at: 0 }, place, length);
      });
    });
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#buffers.bytes;
  }

  get fetches(): string[] {
    return this.#buffers.fetches;
  }

  feeds(fresh: number): Record<string, RuntimeTensor> {
    const length = this.#length + fresh;
    if (length > this.#buffers.room) this.#buffers = this.#buffers.resized([this.#length], 1, roomFor(length));
    return this.#buffers.feeds(1);
  }

  append(outputs: Record<string, RuntimeTensor>, fresh: number): void {
    this.#buffers.write(outputs, [this.#length], fresh);
    this.#length += fresh;
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  fork(length: number): BufferCache {
    return this.#buffers.fork(0, Math.min(length, this.#length));
  }

  exportFields(length: number): { field: KvField; data: KvData }[] {
    return this.#buffers.places(0).map(({ field, place }) => {
      const data = allocate(field, length);
      copyRows(field, place, { data, room: length, at: 0 }, length);
      return { field, data };
    });
  }

  /** Copies all its tokens to a row of `target`. */
  copyTo(target: Buffers, row: number): void {
    this.#buffers.copyRow(0, target, row, this.#length);
  }
}

/** Several conversations of their own lengths side by side: a pass adds one token to each. */
export class BatchCache {
  #lengths: number[] = [];
  #buffers: Buffers;

  constructor(fields: readonly KvField[]) {
    this.#buffers = new Buffers(fields, 0, ROOM_STEP);
  }

  /** Tokens that each row holds. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /** Adds a conversation as the last row. */
  add(cache: BufferCache): void {
    const row = this.#lengths.length;
    const rows = row < this.#buffers.rows ? this.#buffers.rows : Math.max(2, row * 2);
    this.#fit(rows, cache.length + 1);
    cache.copyTo(this.#buffers, row);
    this.#lengths.push(cache.length);
  }

  /** Takes a row out; the last row gets its number. */
  remove(row: number): BufferCache {
    const cache = this.fork(row, this.#lengths[row] ?? 0);
    const length = this.#lengths.pop() ?? 0;
    const last = this.#lengths.length;
    if (row < last) {
      this.#buffers.copyRow(last, this.#buffers, row, length);
      this.#lengths[row] = length;
    }
    return cache;
  }

  fork(row: number, length: number): BufferCache {
    return this.#buffers.fork(row, length);
  }

  get fetches(): string[] {
    return this.#buffers.fetches;
  }

  /** `past_key_values.*` of a pass that adds one token to every row. */
  feeds(): Record<string, RuntimeTensor> {
    this.#fit(this.#buffers.rows, largest(this.#lengths) + 1);
    return this.#buffers.feeds(this.#lengths.length);
  }

  /** Takes over what a pass over one token of every row computed. */
  append(outputs: Record<string, RuntimeTensor>): void {
    this.#buffers.write(outputs, this.#lengths, 1);
    this.#lengths = this.#lengths.map((length) => length + 1);
  }

  #fit(rows: number, tokens: number): void {
    const room = Math.max(this.#buffers.room, roomFor(tokens));
    if (rows === this.#buffers.rows && room === this.#buffers.room) return;
    this.#buffers = this.#buffers.resized(this.#lengths, rows, room);
  }
}

/** One row of a field of a batch. */
function rowOf(field: KvField, data: KvData, room: number, row: number): Place {
  const size = field.heads * room * field.headDim;
  return { data: data.subarray(row * size, (row + 1) * size), room, at: 0 };
}
