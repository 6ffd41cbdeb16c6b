/**
 * Remembers the caches of earlier conversations, so that a prompt is computed only from where it first differs.
 * Prefixes are compared as token ids, never as text: two texts that look alike may be made of different tokens.
 */

import { largest } from "../../base/data/extremes.ts";
import type { KvCache } from "./kv_cache.ts";

interface Slot {
  ids: readonly number[];
  cache: KvCache;
  /** Tokens of `ids` that were a prompt; what follows them was generated. */
  promptLength: number;
  /** A prefix that several conversations share. It is evicted last, and always copied, never continued. */
  shared: boolean;
  hits: number;
}

/** Shorter common beginnings (the header of a chat template) are not worth keeping. */
const MIN_SHARED_TOKENS = 64;
const MAX_SHARED_SLOTS = 4;

export interface PrefixLease {
  /** Holds the first `reused` tokens of the prompt; the caller owns it. */
  cache: KvCache | undefined;
  reused: number;
  /** A prefix that has just turned out to be shared and that no shorter shared prefix begins. */
  discovered?: { ids: readonly number[]; cache: KvCache } | undefined;
}

export class PrefixStore {
  readonly #maxBytes: number;
  /** Least recently used first. */
  #slots: Slot[] = [];

  /** @param maxBytes memory for all caches together; 0 turns reuse off */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#slots.reduce((sum, s) => sum + s.cache.bytes, 0);
  }

  /** Tokens of this prompt that would not have to be computed. The last one always has to: its logits are needed. */
  reusable(ids: readonly number[]): number {
    return this.#best(ids)?.length ?? 0;
  }

  take(ids: readonly number[]): PrefixLease {
    const best = this.#best(ids);
    if (!best) return { cache: undefined, reused: 0 };
    const { slot, length } = best;
    slot.hits++;
    this.#remove(slot);
    if (!slot.shared && length >= slot.promptLength) {
      slot.cache.truncate(length);
      return { cache: slot.cache, reused: length };
    }
    this.#slots.push(slot);
    const discovered = this.share(slot.ids, length, slot.cache);
    return { cache: slot.cache.fork(length), reused: length, discovered };
  }

  /** Keeps a cache that holds exactly `ids`. */
  put(ids: readonly number[], cache: KvCache, promptLength: number): void {
    if (this.#maxBytes === 0 || cache.length === 0) return;
    const extended = (s: Slot): boolean => !s.shared && commonLength(s.ids, ids) === s.ids.length;
    this.#slots = this.#slots.filter((s) => !extended(s));
    this.#slots.push({ ids, cache, promptLength, shared: false, hits: 0 });
    this.#evict();
  }

  putShared(ids: readonly number[], cache: KvCache): void {
    if (this.#maxBytes === 0) return;
    const shared = this.#slots.filter((s) => s.shared);
    if (shared.length >= MAX_SHARED_SLOTS) {
      const least = shared.reduce((a, b) => (b.hits < a.hits ? b : a));
      this.#remove(least);
    }
    this.#slots.push({ ids, cache, promptLength: ids.length, shared: true, hits: 0 });
    this.#evict();
  }

  /**
   * Where two conversations part inside the prompt of the first, what they share is likely to come again: it is kept.
   * @param source holds at least the first `length` of `all` @returns what is new and no shorter shared prefix begins
   */
  share(all: readonly number[], length: number, source: KvCache): PrefixLease["discovered"] {
    const shared = this.#slots.filter((s) => s.shared);
    const ids = all.slice(0, length);
    const known = largest(
      shared.map((s) => commonLength(s.ids, ids)),
      0,
    );
    const close = shared.some(
      (s) => Math.abs(s.ids.length - length) < MIN_SHARED_TOKENS && commonLength(s.ids, ids) >= known,
    );
    if (length < MIN_SHARED_TOKENS || close) return undefined;
    const cache = source.fork(length);
    this.putShared(ids, cache);
    const hasShorter = shared.some(
      (s) => s.ids.length >= MIN_SHARED_TOKENS && commonLength(s.ids, ids) === s.ids.length,
    );
    return hasShorter ? undefined : { ids, cache };
  }

  #best(ids: readonly number[]): { slot: Slot; length: number } | undefined {
    let best: { slot: Slot; length: number } | undefined;
    for (const slot of this.#slots) {
      const length = Math.min(commonLength(slot.ids, ids), ids.length - 1);
      if (length > (best?.length ?? 0)) best = { slot, length };
    }
    return best;
  }

  #remove(slot: Slot): void {
    this.#slots = this.#slots.filter((s) => s !== slot);
  }

  /** Drops the least recently used caches, shared ones last. The newest one goes too where it alone is too large. */
  #evict(): void {
    for (const candidates of [this.#slots.filter((s) => !s.shared), this.#slots.filter((s) => s.shared)]) {
      for (const slot of candidates) {
        if (this.bytes <= this.#maxBytes) return;
        this.#remove(slot);
      }
    }
  }
}

/** Length of the longest common beginning. */
export function commonLength(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) i++;
  return i;
}
