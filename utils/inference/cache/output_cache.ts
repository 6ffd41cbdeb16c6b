/** The cache of graphs that give all of it back with every pass. */

import { makeTensor } from "../runtime.ts";
import type { RuntimeTensor } from "../tensors.ts";
import { allocate, copyRows, type KvCache, type KvData, type KvField, kvDataOf } from "./kv_cache.ts";

/**
 * For graphs that give back the whole cache (`present.*`) with every pass: the outputs of one pass are the inputs of
 * the next. The runtime never writes to inputs, so forks of full length share their tensors.
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
