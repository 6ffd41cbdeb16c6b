/** A loaded model that answers requests one at a time, in the order that computes least. */

import { type Constraint, type Decoded, DecodeLoop } from "./decode.ts";
import { Decoder, type Logits } from "./decoder.ts";
import { ReplyConstraint } from "./format/constraint.ts";
import { TokenBytes } from "./format/token-bytes.ts";
import type { KvCache } from "./kv-cache.ts";
import {
  type EngineInfo,
  type EngineOptions,
  type GenerateRequest,
  type GenerateResult,
  RequestError,
} from "./messages.ts";
import { PrefixFiles } from "./prefix-files.ts";
import { PrefixStore, type Taken } from "./prefix-store.ts";
import { probe } from "./probe.ts";
import { loadRuntime, type Runtime } from "./runtime.ts";

interface Job {
  request: GenerateRequest;
  ids: readonly number[];
  onText: (text: string) => void;
  signal: AbortSignal;
  resolve: (result: GenerateResult) => void;
  reject: (error: unknown) => void;
  /** Requests that were served first although they came later. */
  overtaken: number;
}

/** Prompt tokens computed in one pass: bounds memory, and how long an abort has to wait. */
const PREFILL_CHUNK = 256;
/** After this many later requests a waiting one is served, however cold its prefix is. */
const MAX_OVERTAKEN = 8;

export class Engine {
  readonly info: EngineInfo;
  readonly #runtime: Runtime;
  readonly #decoder: Decoder;
  readonly #store: PrefixStore;
  #files: PrefixFiles | undefined;
  #tokenBytes: TokenBytes | undefined;
  readonly #speculate: boolean;
  #waiting: Job[] = [];
  #busy = false;

  private constructor(runtime: Runtime, decoder: Decoder, options: EngineOptions, info: EngineInfo) {
    this.#runtime = runtime;
    this.#decoder = decoder;
    this.#store = new PrefixStore(info.splitInvariant ? options.cacheBytes : 0);
    const keepsFiles = info.splitInvariant && options.cacheBytes > 0 && options.prefixFolder !== undefined;
    this.#files = keepsFiles ? new PrefixFiles(options.prefixFolder ?? "", decoder.fields) : undefined;
    this.#speculate = options.speculate && info.splitInvariant && info.manyLogits;
    this.info = info;
  }

  static async load(options: EngineOptions): Promise<Engine> {
    const runtime = await loadRuntime(options);
    const decoder = new Decoder(runtime.session);
    const { contextLength } = runtime;
    const info: EngineInfo = { contextLength, cacheKind: decoder.cacheKind, ...(await probe(decoder)) };
    return new Engine(runtime, decoder, options, info);
  }

  /** Answers one request. Rejects with RequestError where the prompt does not fit or the signal fires. */
  generate(request: GenerateRequest, onText: (text: string) => void, signal: AbortSignal): Promise<GenerateResult> {
    const { prompt } = request;
    const ids = Array.isArray(prompt) ? this.#runtime.tokenizer.render(prompt) : prompt.ids;
    const { contextLength } = this.info;
    if (ids.length >= contextLength) {
      return Promise.reject(new RequestError({ kind: "context_overflow", inputTokens: ids.length, contextLength }));
    }
    const maxNewTokens = Math.min(request.maxNewTokens, contextLength - ids.length);
    return new Promise((resolve, reject) => {
      const job = { request: { ...request, maxNewTokens }, ids, onText, signal, resolve, reject, overtaken: 0 };
      this.#waiting.push(job);
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#next(); job; job = this.#next()) {
      await this.#answer(job).then(job.resolve, job.reject);
    }
    this.#busy = false;
  }

  /** The request that has least to compute, unless another has waited too long. */
  #next(): Job | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const cost = (job: Job): number => job.ids.length - this.#store.reusable(job.ids);
    const patient = first.overtaken < MAX_OVERTAKEN;
    const next = patient ? this.#waiting.reduce((a, b) => (cost(b) < cost(a) ? b : a)) : first;
    for (const job of this.#waiting.slice(0, this.#waiting.indexOf(next))) job.overtaken++;
    this.#waiting = this.#waiting.filter((job) => job !== next);
    return next;
  }

  async #answer(job: Job): Promise<GenerateResult> {
    const { request, ids } = job;
    const check = (): void => {
      if (job.signal.aborted) throw new RequestError({ kind: "aborted" });
    };
    check();
    const taken = this.#take(ids);
    const cache = taken.cache ?? this.#decoder.newCache();
    const loop = new DecodeLoop(
      {
        decoder: this.#decoder,
        decode: this.#runtime.tokenizer.decode,
        endIds: this.#runtime.endIds,
        ...this.#constraintFor(request),
        speculate: this.#speculate,
        onText: job.onText,
        check,
      },
      request,
      ids,
    );
    const keep = (): void => {
      const held = [...ids, ...loop.tokens].slice(0, cache.length);
      this.#store.put(held, cache, Math.min(ids.length, held.length));
    };
    try {
      const logits = await this.#prefill(cache, ids, check);
      const decoded = await loop.run(cache, logits);
      keep();
      return resultOf(decoded, ids.length, taken.reused);
    } catch (error) {
      // Between passes the cache is whole; after any other error nobody knows.
      if (error instanceof RequestError) keep();
      throw error;
    } finally {
      const { discovered } = taken;
      if (discovered) this.#onDisk((files) => files.save(discovered.ids, discovered.cache));
    }
  }

  /** The cache of the longest known prefix, from memory or from an earlier process. */
  #take(ids: readonly number[]): Taken {
    const stored = this.#onDisk((files) => files.find(ids, this.#store.reusable(ids)));
    if (stored) this.#store.putShared(stored.ids, this.#decoder.restoreCache(stored.rows, stored.ids.length));
    return this.#store.take(ids);
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

  #constraintFor({ format }: GenerateRequest): { constraint?: Constraint } {
    if (!format) return {};
    const { tokenizer, endIds } = this.#runtime;
    this.#tokenBytes ??= new TokenBytes(tokenizer);
    return { constraint: new ReplyConstraint(format, this.#tokenBytes, tokenizer.encode, endIds) };
  }

  /** Computes the rest of the prompt and returns the logits of its last token. */
  async #prefill(cache: KvCache, ids: readonly number[], check: () => void): Promise<Logits> {
    for (;;) {
      check();
      const end = Math.min(ids.length, cache.length + PREFILL_CHUNK);
      const logits = await this.#decoder.forward(cache, ids.slice(cache.length, end), 1);
      if (end === ids.length) return logits;
    }
  }
}

function resultOf(decoded: Decoded, inputTokens: number, cachedTokens: number): GenerateResult {
  return { ...decoded, inputTokens, cachedTokens, outputTokens: decoded.tokens.length };
}
