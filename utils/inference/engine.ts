/**
 * A loaded model that answers requests, several side by side where the graph allows it, in the order that computes
 * least.
 */

import type { KvCache } from "./cache/kv_cache.ts";
import { Prefixes, type TakenPrefix } from "./cache/prefixes.ts";
import { type Constraint, type DecodeResult, Generation } from "./decoding/decode.ts";
import { Decoder, type Logits } from "./decoding/decoder.ts";
import { ReplyConstraint } from "./format/constraint.ts";
import { TokenBytes } from "./format/token_bytes.ts";
import {
  type EngineInfo,
  type EngineOptions,
  type GenerateRequest,
  type GenerateResult,
  RequestError,
} from "./messages.ts";
import { probe } from "./prepared/probe.ts";
import { type ReplyRow, Rows } from "./rows.ts";
import { type LoadedModel, loadRuntime } from "./runtime.ts";
import { Scheduler, type Waiting } from "./scheduler.ts";

interface PendingRequest extends Waiting {
  request: GenerateRequest;
  onText: (text: string) => void;
  signal: AbortSignal;
  resolve: (result: GenerateResult) => void;
  reject: (error: unknown) => void;
}

/** A request whose reply is being generated. */
interface Running extends ReplyRow {
  job: PendingRequest;
  taken: TakenPrefix;
}

/** Prompt tokens computed in one pass: bounds memory, and how long an abort has to wait. */
const PREFILL_CHUNK = 256;
const DEFAULT_BATCH = 4;

export class Engine {
  readonly info: EngineInfo;
  readonly #runtime: LoadedModel;
  readonly #decoder: Decoder;
  readonly #prefixes: Prefixes;
  #tokenBytes: TokenBytes | undefined;
  readonly #speculate: boolean;
  readonly #rows: Rows<Running>;
  readonly #waiting: Scheduler<PendingRequest>;
  #busy = false;

  private constructor(runtime: LoadedModel, decoder: Decoder, options: EngineOptions, info: EngineInfo) {
    this.#runtime = runtime;
    this.#decoder = decoder;
    this.#speculate = options.speculate && info.splitInvariant && info.manyLogits;
    this.#rows = new Rows(decoder);
    const reusable = info.splitInvariant ? options.cacheBytes : 0;
    this.#prefixes = new Prefixes(decoder, this.#rows, reusable, options.prefixFolder);
    this.#waiting = new Scheduler(this.#rows, {
      maxBatch: info.batches ? (options.maxBatch ?? DEFAULT_BATCH) : 1,
      maxTokens: options.cacheBytes / decoder.bytesPerToken,
      speculate: this.#speculate,
    });
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
      this.#waiting.add(job);
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#waiting.size > 0 || this.#rows.all.length > 0) {
      await this.#admit();
      for (const row of this.#rows.all.filter(({ job }) => job.signal.aborted)) {
        this.#settle(row, new RequestError({ kind: "aborted" }));
      }
      if (this.#rows.all.length === 0) continue;
      try {
        await this.#rows.pass();
      } catch (error) {
        for (const row of [...this.#rows.all]) this.#settle(row, error);
      }
      for (const row of this.#rows.all.filter(({ reply }) => reply.done)) this.#settle(row);
    }
    this.#busy = false;
  }

  /** Begins waiting requests as long as one should run beside those that do. */
  async #admit(): Promise<void> {
    for (;;) {
      const job = this.#waiting.next((ids) => this.#prefixes.known(ids));
      if (!job) return;
      await this.#begin(job).catch(job.reject);
    }
  }

  /** Computes the prompt and adds the reply to those that run. Rejects with RequestError where it is aborted. */
  async #begin(job: PendingRequest): Promise<void> {
    const { request, ids, signal, onText } = job;
    const check = (): void => {
      if (signal.aborted) throw new RequestError({ kind: "aborted" });
    };
    check();
    const taken = this.#prefixes.take(ids);
    const { cache } = taken;
    try {
      const logits = await this.#prefill(cache, ids, check);
      const { decode } = this.#runtime.tokenizer;
      const constraint = this.#constraintFor(request);
      const parts = { decode, endIds: this.#runtime.endIds, constraint, speculate: this.#speculate, onText };
      const reply = new Generation(parts, request, ids);
      reply.start(logits);
      const row = { ids, reply, job, taken };
      this.#rows.add(row, cache);
      if (reply.done) this.#settle(row);
    } catch (error) {
      // A RequestError comes between passes, when the cache is complete; after any other error it may not be.
      if (error instanceof RequestError) this.#prefixes.put(ids.slice(0, cache.length), cache, cache.length);
      this.#prefixes.saveDiscovered(taken);
      throw error;
    }
  }

  /** Ends a reply: its cache is kept for what may follow it, unless an error has left it in doubt. */
  #settle(row: Running, error?: unknown): void {
    const { ids, reply, job, taken } = row;
    const cache = this.#rows.remove(row);
    if (error === undefined || error instanceof RequestError) {
      const held = [...ids, ...reply.tokens].slice(0, cache.length);
      this.#prefixes.put(held, cache, Math.min(ids.length, held.length));
    }
    this.#prefixes.saveDiscovered(taken);
    if (error === undefined) job.resolve(resultOf(reply.end(), ids.length, taken.reused));
    else job.reject(error);
  }

  #constraintFor({ format }: GenerateRequest): Constraint | undefined {
    if (!format) return undefined;
    const { tokenizer, endIds } = this.#runtime;
    this.#tokenBytes ??= new TokenBytes(tokenizer);
    return new ReplyConstraint(format, this.#tokenBytes, tokenizer.encode, endIds);
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

function resultOf(decoded: DecodeResult, inputTokens: number, cachedTokens: number): GenerateResult {
  return { ...decoded, inputTokens, cachedTokens, outputTokens: decoded.tokens.length };
}
