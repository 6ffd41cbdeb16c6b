/** A decoder graph: token ids in, logits out, the cache grown. Knows the inputs that exported graphs differ in. */

import { largest } from "../../base/data/extremes.ts";
import { type BatchCache, BufferCache } from "../cache/buffer_cache.ts";
import type { KvCache, KvData, KvField } from "../cache/kv_cache.ts";
import { OutputCache } from "../cache/output_cache.ts";
import { makeTensor } from "../runtime.ts";
import type { InputInfo, OnnxSession, RuntimeTensor } from "../tensors.ts";

const PAST = "past_key_values.";
const KNOWN_INPUTS = ["input_ids", "attention_mask", "position_ids", "num_logits_to_keep"];

/** Logits of the last `count` positions of a pass. */
export interface Logits {
  count: number;
  /** Logits of one position, 0 <= index < count. */
  row(index: number): Float32Array;
}

export class Decoder {
  readonly #session: OnnxSession;
  readonly fields: readonly KvField[];
  readonly cacheKind: "buffers" | "outputs";

  constructor(session: OnnxSession) {
    const unknown = session.inputNames.filter((n) => !KNOWN_INPUTS.includes(n) && !n.startsWith(PAST));
    if (unknown.length > 0) throw new Error(`unsupported graph: it has the inputs ${unknown.join(", ")}`);
    this.#session = session;
    this.fields = session.inputMetadata.filter((m) => m.name.startsWith(PAST)).map(fieldOf);
    if (this.fields.length === 0) throw new Error("unsupported graph: it has no past_key_values inputs");
    const slim = this.fields.every((f) => session.outputNames.includes(`delta.${f.name}`));
    this.cacheKind = slim ? "buffers" : "outputs";
  }

  /** Memory of one token in a cache. */
  get bytesPerToken(): number {
    return this.fields.reduce((sum, f) => sum + f.heads * f.headDim * (f.type === "float16" ? 2 : 4), 0);
  }

  newCache(): KvCache {
    return this.cacheKind === "buffers" ? new BufferCache(this.fields) : new OutputCache(this.fields);
  }

  restoreCache(rows: KvData[], length: number): KvCache {
    if (this.cacheKind === "buffers") return BufferCache.restore(this.fields, rows, length);
    return new OutputCache(this.fields, rows, length);
  }

  /** Computes `ids` after what the cache holds, and adds them to it. @param keep positions whose logits are wanted */
  async forward(cache: KvCache, ids: readonly number[], keep: number): Promise<Logits> {
    const outputs = await this.#run([ids], [cache.length], keep, cache.feeds(ids.length), cache.fetches);
    cache.append(outputs, ids.length);
    return logitsOf(outputs.logits, 0, keep);
  }

  /** Computes one token for every row of a batch and adds it there; one logits of count 1 for each. */
  async forwardBatch(batch: BatchCache, tokens: readonly number[]): Promise<Logits[]> {
    const ids = tokens.map((token) => [token]);
    const outputs = await this.#run(ids, batch.lengths, 1, batch.feeds(), batch.fetches);
    batch.append(outputs);
    return tokens.map((_, row) => logitsOf(outputs.logits, row, 1));
  }

  /** One pass. @param ids the new tokens of every row, equally many @param past tokens each row's cache holds */
  #run(
    ids: readonly (readonly number[])[],
    past: readonly number[],
    keep: number,
    cacheFeeds: Record<string, RuntimeTensor>,
    fetches: readonly string[],
  ): Promise<Record<string, RuntimeTensor>> {
    const [rows, fresh] = [ids.length, ids[0]?.length ?? 0];
    const total = largest(past) + fresh;
    const int64 = (values: BigInt64Array): RuntimeTensor => makeTensor("int64", values, [rows, values.length / rows]);
    const mask = new BigInt64Array(rows * total);
    past.forEach((held, row) => {
      mask.fill(1n, row * total, row * total + held + fresh);
    });
    const feeds: Record<string, RuntimeTensor> = {
      ...cacheFeeds,
      input_ids: int64(BigInt64Array.from(ids.flat(), BigInt)),
      attention_mask: int64(mask),
    };
    const names = this.#session.inputNames;
    if (names.includes("position_ids")) {
      const positions = past.flatMap((held) => Array.from({ length: fresh }, (_, i) => BigInt(held + i)));
      feeds.position_ids = int64(BigInt64Array.from(positions));
    }
    if (names.includes("num_logits_to_keep")) {
      feeds.num_logits_to_keep = makeTensor("int64", BigInt64Array.of(BigInt(keep)), []);
    }
    return this.#session.run(feeds, ["logits", ...fetches]);
  }
}

function fieldOf(input: InputInfo): KvField {
  const [, heads, , headDim] = input.shape ?? [];
  const type = input.type === "float32" || input.type === "float16" ? input.type : undefined;
  if (typeof heads !== "number" || typeof headDim !== "number" || !type) {
    throw new Error(`unsupported graph: ${input.name} is ${input.type} [${input.shape?.join(", ")}]`);
  }
  return { name: input.name.slice(PAST.length), type, heads, headDim };
}

function logitsOf(tensor: RuntimeTensor | undefined, row: number, keep: number): Logits {
  const [, positions = 0, width = 0] = tensor?.dims ?? [];
  const data = tensor?.data;
  if (!(data instanceof Float32Array)) throw new Error(`unsupported graph: logits are ${tensor?.type}, not float32`);
  const count = Math.min(keep, positions);
  const first = (row + 1) * positions - count;
  return { count, row: (index) => data.subarray((first + index) * width, (first + index + 1) * width) };
}
