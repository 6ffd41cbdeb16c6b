/** The caches of slim graphs, buffers of ours that passes read in place: one for a conversation, one for several. */

import { makeTensor, type RuntimeTensor } from "../runtime.ts";
import { allocate, copyRows, type KvCache, type KvData, type KvField, kvDataOf } from "./kv_cache.ts";

/** Room is added in steps, so that few passes have to copy; passes go over all of it, so it must not be large. */
const ROOM_STEP = 256;

const roomFor = (tokens: number): number => Math.ceil(tokens / ROOM_STEP) * ROOM_STEP;

interface Buffers {
  room: number;
  fields: { data: KvData; tensor: RuntimeTensor }[];
}

/**
 * For graphs with `delta.*` outputs (see `onnx/slim.ts`) and grouped-query attention: the cache stays in buffers of ours
 * with spare room, passes read them in place and give back only the new rows.
 */
export class BufferCache implements KvCache {
  readonly #fields: readonly KvField[];
  #length = 0;
  #buffers: Buffers;

  constructor(fields: readonly KvField[], room = ROOM_STEP) {
    this.#fields = fields;
    this.#buffers = makeBuffers(fields, 1, room);
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return bytesOf(this.#buffers);
  }

  get fetches(): string[] {
    return deltasOf(this.#fields);
  }

  feeds(fresh: number): Record<string, RuntimeTensor> {
    if (this.#length + fresh > this.#buffers.room) {
      const old = this.#buffers;
      this.#buffers = makeBuffers(this.#fields, 1, roomFor(this.#length + fresh));
      copyRow(this.#fields, old, 0, this.#buffers, 0, this.#length);
    }
    return feedsOf(this.#fields, this.#buffers);
  }

  append(outputs: Record<string, RuntimeTensor>, fresh: number): void {
    writeDeltas(this.#fields, this.#buffers, outputs, [this.#length], fresh);
    this.#length += fresh;
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  fork(length: number): BufferCache {
    return BufferCache.copy(this.#fields, this.#buffers, 0, Math.min(length, this.#length));
  }

  exportFields(length: number): { field: KvField; data: KvData }[] {
    const { room, fields } = this.#buffers;
    return this.#fields.map((field, i) => {
      const data = allocate(field, length);
      copyRows(field, { data: fields[i]?.data ?? data, room, at: 0 }, { data, room: length, at: 0 }, length);
      return { field, data };
    });
  }

  /** Copies the tokens to a row of `target`. */
  copyTo(target: Buffers, row: number): void {
    copyRow(this.#fields, this.#buffers, 0, target, row, this.#length);
  }

  /** A cache of its own with the first `length` tokens of one row. */
  static copy(fields: readonly KvField[], from: Buffers, row: number, length: number): BufferCache {
    const cache = new BufferCache(fields, roomFor(length + 1));
    copyRow(fields, from, row, cache.#buffers, 0, length);
    cache.#length = length;
    return cache;
  }

  /** A cache that starts with the given contiguous rows. */
  static restore(fields: readonly KvField[], rows: readonly KvData[], length: number): BufferCache {
    const cache = new BufferCache(fields, roomFor(length + 1));
    fields.forEach((field, i) => {
      const [from, to] = [rows[i], cache.#buffers.fields[i]];
      if (!from || !to) return;
      const { room } = cache.#buffers;
      copyRows(field, { data: from, room: length, at: 0 }, { data: to.data, room, at: 0 }, length);
    });
    cache.#length = length;
    return cache;
  }
}

/** Several conversations of their own lengths side by side: a pass adds one token to each. */
export class BatchCache {
  readonly #fields: readonly KvField[];
  #lengths: number[] = [];
  #capacity = 0;
  #buffers: Buffers;

  constructor(fields: readonly KvField[]) {
    this.#fields = fields;
    this.#buffers = makeBuffers(fields, 0, ROOM_STEP);
  }

  /** Tokens that each row holds. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /** Adds a conversation as the last row. */
  add(cache: BufferCache): void {
    const row = this.#lengths.length;
    if (row + 1 > this.#capacity) this.#resize(row < 2 ? 2 : row * 2, this.#buffers.room);
    if (cache.length + 1 > this.#buffers.room) this.#resize(this.#capacity, roomFor(cache.length + 1));
    cache.copyTo(this.#buffers, row);
    this.#lengths.push(cache.length);
  }

  /** Takes a row out; the last row gets its number. */
  remove(row: number): BufferCache {
    const cache = this.fork(row, this.#lengths[row] ?? 0);
    const length = this.#lengths.pop() ?? 0;
    const last = this.#lengths.length;
    if (row < last) {
      copyRow(this.#fields, this.#buffers, last, this.#buffers, row, length);
      this.#lengths[row] = length;
    }
    return cache;
  }

  fork(row: number, length: number): BufferCache {
    return BufferCache.copy(this.#fields, this.#buffers, row, length);
  }

  get fetches(): string[] {
    return deltasOf(this.#fields);
  }

  /** `past_key_values.*` of a pass that adds one token to every row. */
  feeds(): Record<string, RuntimeTensor> {
    const longest = Math.max(...this.#lengths) + 1;
    if (longest > this.#buffers.room) this.#resize(this.#capacity, roomFor(longest));
    const rows = this.#lengths.length;
    const { room } = this.#buffers;
    const fields = this.#fields.map((field, i) => {
      const data = this.#buffers.fields[i]?.data ?? allocate(field, 0);
      const used = data.subarray(0, rows * field.heads * room * field.headDim);
      return { data: used, tensor: makeTensor(field.type, used, [rows, field.heads, room, field.headDim]) };
    });
    return feedsOf(this.#fields, { room, fields });
  }

  /** Takes over what a pass over one token of every row computed. */
  append(outputs: Record<string, RuntimeTensor>): void {
    writeDeltas(this.#fields, this.#buffers, outputs, this.#lengths, 1);
    this.#lengths = this.#lengths.map((length) => length + 1);
  }

  #resize(capacity: number, room: number): void {
    const old = this.#buffers;
    this.#buffers = makeBuffers(this.#fields, capacity, room);
    this.#lengths.forEach((length, row) => {
      copyRow(this.#fields, old, row, this.#buffers, row, length);
    });
    this.#capacity = capacity;
  }
}

function makeBuffers(fields: readonly KvField[], rows: number, room: number): Buffers {
  return {
    room,
    fields: fields.map((field) => {
      const data = allocate(field, rows * room);
      return { data, tensor: makeTensor(field.type, data, [rows, field.heads, room, field.headDim]) };
    }),
  };
}

const bytesOf = ({ fields }: Buffers): number => fields.reduce((sum, { data }) => sum + data.byteLength, 0);

const deltasOf = (fields: readonly KvField[]): string[] => fields.map(({ name }) => `delta.${name}`);

const feedsOf = (fields: readonly KvField[], buffers: Buffers): Record<string, RuntimeTensor> =>
  Object.fromEntries(buffers.fields.map(({ tensor }, i) => [`past_key_values.${fields[i]?.name}`, tensor]));

/** Puts the `fresh` new tokens of every row behind those it has. */
function writeDeltas(
  fields: readonly KvField[],
  { room, fields: buffers }: Buffers,
  outputs: Record<string, RuntimeTensor>,
  lengths: readonly number[],
  fresh: number,
): void {
  fields.forEach((field, i) => {
    const delta = kvDataOf(field, outputs[`delta.${field.name}`]);
    const data = buffers[i]?.data;
    if (!data) return;
    lengths.forEach((at, row) => {
      copyRows(field, rowOf(field, delta, fresh, row), { ...rowOf(field, data, room, row), at }, fresh);
    });
  });
}

/** One row of a field of a batch. */
function rowOf(field: KvField, data: KvData, room: number, row: number): { data: KvData; room: number; at: number } {
  const size = field.heads * room * field.headDim;
  return { data: data.subarray(row * size, (row + 1) * size), room, at: 0 };
}

/** Copies the first `count` tokens of one row of a batch to a row of another. */
function copyRow(
  fields: readonly KvField[],
  from: Buffers,
  fromRow: number,
  to: Buffers,
  toRow: number,
  count: number,
): void {
  fields.forEach((field, i) => {
    const [source, target] = [from.fields[i]?.data, to.fields[i]?.data];
    if (!source || !target) return;
    copyRows(field, rowOf(field, source, from.room, fromRow), rowOf(field, target, to.room, toRow), count);
  });
}
