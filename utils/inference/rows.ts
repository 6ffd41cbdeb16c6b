/** Replies that are generated side by side: their caches, alone or as one batch, and the passes over them. */

import { largest } from "../base/data/extremes.ts";
import { BatchCache, BufferCache } from "./cache/buffer_cache.ts";
import type { KvCache } from "./cache/kv_cache.ts";
import { commonLength } from "./cache/prefix_store.ts";
import type { Generation } from "./decoding/decode.ts";
import type { Decoder } from "./decoding/decoder.ts";
import { DraftGain } from "./decoding/drafts.ts";

/** One reply that is being generated. */
export interface ReplyRow {
  /** The prompt. */
  ids: readonly number[];
  reply: Generation;
}

/**
 * A single reply is computed on its own cache, with drafts. Several share every pass, so that the weights are read once
 * for all of them; one token each is all that batched kernels take, so they have no drafts.
 */
export class Rows<R extends ReplyRow> {
  readonly #decoder: Decoder;
  /** What drafts gained of late. */
  readonly draftGain = new DraftGain();
  #rows: R[] = [];
  /** The cache of a single row. */
  #alone: KvCache | undefined;
  /** Row i of the batch belongs to #rows[i]. */
  #batch: BatchCache | undefined;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  get all(): readonly R[] {
    return this.#rows;
  }

  /** Tokens of the longest row. */
  get longest(): number {
    return largest(
      this.#rows.map((_, i) => this.#length(i)),
      0,
    );
  }

  /** @param cache holds the whole prompt; it belongs to the rows from now on */
  add(row: R, cache: KvCache): void {
    this.#rows.push(row);
    if (this.#rows.length === 1) this.#alone = cache;
    else this.#batchFor().add(inPlace(cache));
  }

  /** Takes a row out and gives back its cache. */
  remove(row: R): KvCache {
    const index = this.#rows.indexOf(row);
    const last = this.#rows.pop();
    if (index < 0 || !last) throw new Error("no such row");
    if (last !== row) this.#rows[index] = last;
    if (this.#alone) this.draftGain.settle();
    const cache = this.#alone ?? this.#batch?.remove(index);
    this.#alone = this.#rows.length === 1 ? this.#batch?.remove(0) : undefined;
    if (this.#rows.length < 2) this.#batch = undefined;
    if (!cache) throw new Error("a row has no cache");
    return cache;
  }

  /** The longest beginning of a prompt that a row's cache holds, but for the prompt's last token. */
  mostInCommon(ids: readonly number[]): { length: number; fork(): KvCache; row: R } | undefined {
    const lengths = this.#rows.map((row, i) => Math.min(commonLength(row.ids, ids), ids.length - 1, this.#length(i)));
    const length = largest(lengths, 0);
    const index = lengths.indexOf(length);
    const row = this.#rows[index];
    if (length === 0 || !row) return undefined;
    return { length, row, fork: () => this.#alone?.fork(length) ?? this.#batchFor().fork(index, length) };
  }

  /** One pass over all rows. */
  async pass(): Promise<void> {
    const [first] = this.#rows;
    if (this.#alone && first) return this.#passAlone(first, this.#alone);
    const batch = this.#batchFor();
    const proposals = this.#rows.map(({ reply }) => reply.propose(1));
    const logits = await this.#decoder.forwardBatch(
      batch,
      proposals.map(({ known }) => known[0] ?? 0),
    );
    proposals.forEach((proposal, i) => {
      const own = logits[i];
      if (own) this.#rows[i]?.reply.accept(proposal, own);
    });
  }

  async #passAlone({ reply }: R, cache: KvCache): Promise<void> {
    const start = cache.length;
    const proposal = reply.propose(Number.POSITIVE_INFINITY);
    const { known, draft } = proposal;
    const logits = await this.#decoder.forward(cache, [...known, ...draft], draft.length + 1);
    const held = reply.accept(proposal, logits);
    this.draftGain.record(known.length + draft.length, held);
    cache.truncate(start + held);
  }

  #length(index: number): number {
    return this.#alone?.length ?? this.#batch?.lengths[index] ?? 0;
  }

  #batchFor(): BatchCache {
    if (!this.#batch) {
      this.#batch = new BatchCache(this.#decoder.fields);
      if (this.#alone) this.#batch.add(inPlace(this.#alone));
      this.#alone = undefined;
    }
    return this.#batch;
  }
}

function inPlace(cache: KvCache): BufferCache {
  if (cache instanceof BufferCache) return cache;
  throw new Error("only caches in buffers can be computed side by side");
}
