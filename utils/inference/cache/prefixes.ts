/** What of a prompt need not be computed, wherever it is held: by a reply that runs, in memory, on disk. */

import type { Decoder } from "../decoding/decoder.ts";
import type { ReplyRow, Rows } from "../rows.ts";
import type { KvCache } from "./kv_cache.ts";
import { PrefixFiles } from "./prefix_files.ts";
import { type PrefixLease, PrefixStore } from "./prefix_store.ts";

/** A cache that holds the first `reused` tokens of a prompt, and what became known as shared when it was taken. */
export interface TakenPrefix extends PrefixLease {
  cache: KvCache;
}

export class Prefixes {
  readonly #decoder: Decoder;
  readonly #rows: Rows<ReplyRow>;
  readonly #store: PrefixStore;
  #files: PrefixFiles | undefined;

  /**
   * @param rows the replies that run
   * @param maxBytes memory for caches that are not in use; 0 turns reuse off
   * @param folder where shared prefixes are kept between processes; undefined keeps none
   */
  constructor(decoder: Decoder, rows: Rows<ReplyRow>, maxBytes: number, folder: string | undefined) {
    this.#decoder = decoder;
    this.#rows = rows;
    this.#store = new PrefixStore(maxBytes);
    this.#files = folder !== undefined && maxBytes > 0 ? new PrefixFiles(folder, decoder.fields) : undefined;
  }

  /** Tokens of a prompt that are in memory. */
  known(ids: readonly number[]): number {
    return Math.max(this.#store.reusable(ids), this.#rows.mostInCommon(ids)?.length ?? 0);
  }

  /** A cache with the longest known prefix of the prompt; it belongs to the caller. */
  take(ids: readonly number[]): TakenPrefix {
    const running = this.#rows.mostInCommon(ids);
    const stored = this.#onDisk((files) => files.find(ids, this.known(ids)));
    if (!stored && running && running.length > this.#store.reusable(ids)) {
      const { length } = running;
      const cache = running.fork();
      // Another sample of the same prompt does not show a prefix that other prompts share.
      const discovered = length < ids.length - 1 ? this.#store.share(ids, length, cache) : undefined;
      return { cache, reused: length, discovered };
    }
    if (stored) this.#store.putShared(stored.ids, this.#decoder.restoreCache(stored.rows, stored.ids.length));
    const taken = this.#store.take(ids);
    return { ...taken, cache: taken.cache ?? this.#decoder.newCache() };
  }

  /** Keeps a cache that holds exactly `ids`; the first `promptLength` are the prompt. */
  put(ids: readonly number[], cache: KvCache, promptLength: number): void {
    this.#store.put(ids, cache, promptLength);
  }

  /** Writes the prefix that `take` discovered to disk, if there is one. */
  saveDiscovered({ discovered }: TakenPrefix): void {
    if (discovered) this.#onDisk((files) => files.save(discovered.ids, discovered.cache));
  }

  /** A full or broken disk must not cost a reply: after its first error it is left alone. */
  #onDisk<Value>(work: (files: PrefixFiles) => Value): Value | undefined {
    try {
      return this.#files && work(this.#files);
    } catch {
      this.#files = undefined;
      return undefined;
    }
  }
}
