/** The decode loop: one reply from a computed prompt, several tokens a pass where a draft holds. */

import type { Decoder, Logits } from "./decoder.ts";
import type { KvCache } from "./kv-cache.ts";
import { endsInLoop } from "./loop-guard.ts";
import type { FinishReason, GenerateRequest } from "./messages.ts";
import { PromptLookup } from "./prompt-lookup.ts";
import { Sampler } from "./sampler.ts";
import { Detokenizer, StopFilter } from "./text-stream.ts";

/** Keeps a reply to a format, token by token. */
export interface Constraint {
  allowed(token: number): boolean;
  /** Every token allowed now. */
  all(): Iterable<number>;
  accept(token: number): void;
  /** Tokens that the format leaves no choice about; empty where there is one. */
  forced(): number[];
  /** Asks for an end of free text that leaves the model a choice of what follows. False where there is no such end. */
  hurry(): boolean;
  /** Tokens that end the reply at once. */
  closing(): number[];
  readonly complete: boolean;
}

export interface DecodeParts {
  decoder: Decoder;
  decode: (ids: readonly number[]) => string;
  endIds: ReadonlySet<number>;
  constraint?: Constraint;
  speculate: boolean;
  onText: (text: string) => void;
  /** Throws where the caller no longer wants the reply. */
  check: () => void;
}

export interface Decoded {
  text: string;
  tokens: readonly number[];
  finish: FinishReason;
  passes: number;
  drafted: number;
  accepted: number;
}

/** How often a reply is looked through for loops, in tokens. */
const LOOP_CHECK = 16;
/** Share of the tokens of a reply after which the format asks for an end. */
const HURRY_AFTER = 0.6;
/** No reply needs more tokens to be ended. */
const LONGEST_CLOSING = 200;
/** Tokens by which one more choice can put the end off: a longer tool name, an answer's fence in place of an action. */
const CLOSING_SLACK = 24;

export class DecodeLoop {
  readonly #parts: DecodeParts;
  readonly #request: GenerateRequest;
  readonly #sampler: Sampler;
  readonly #lookup: PromptLookup | undefined;
  readonly #detokenizer: Detokenizer;
  readonly #stops: StopFilter;
  readonly #tokens: number[] = [];
  /** Tokens that the repetition penalty applies to. */
  readonly #seen: Set<number>;
  /** Tokens decided but not yet in the cache. */
  #pending: number[] = [];
  #text = "";
  #finish: FinishReason | undefined;
  /** True where the reply has to be ended in the middle of its answer or input. */
  #looping = false;
  #counts = { passes: 0, drafted: 0, accepted: 0 };

  constructor(parts: DecodeParts, request: GenerateRequest, prompt: readonly number[]) {
    this.#parts = parts;
    this.#request = request;
    this.#sampler = new Sampler(request);
    this.#seen = new Set(request.repetitionPenalty === 1 ? [] : prompt);
    this.#lookup = parts.speculate ? new PromptLookup(prompt) : undefined;
    this.#detokenizer = new Detokenizer(parts.decode);
    // A format that ends by itself needs no stop texts, and they must not cut it.
    this.#stops = new StopFilter(request.format?.answer === "code" ? [] : request.stop);
  }

  /** Tokens generated so far; after `run` the cache holds the prompt and all of them but the last few. */
  get tokens(): readonly number[] {
    return this.#tokens;
  }

  /** @param cache holds the whole prompt @param logits of its last token */
  async run(cache: KvCache, logits: Logits): Promise<Decoded> {
    this.#force();
    if (this.#pending.length === 0) this.#choose(logits, 0);
    while (!this.#finish) {
      this.#parts.check();
      await this.#pass(cache);
    }
    this.#show(this.#detokenizer.flush());
    if (!this.#stops.stopped) this.#emit(this.#stops.flush());
    return { text: this.#text, tokens: this.#tokens, finish: this.#finish, ...this.#counts };
  }

  async #pass(cache: KvCache): Promise<void> {
    const known = this.#pending;
    const room = this.#request.maxNewTokens - this.#tokens.length - 1;
    const draft = this.#lookup?.propose(room) ?? [];
    const start = cache.length + known.length;
    const logits = await this.#parts.decoder.forward(cache, [...known, ...draft], draft.length + 1);
    this.#pending = [];
    let held = 0;
    while (this.#choose(logits, held, draft[held])) {
      held++;
      if (this.#finish || this.#pending.length > 0) break;
    }
    cache.truncate(start + held);
    this.#lookup?.report(draft.length, held);
    this.#counts.passes++;
    this.#counts.drafted += draft.length;
    this.#counts.accepted += held;
  }

  /** Decides one token. True where it is the drafted one, which the cache then already holds. */
  #choose(logits: Logits, row: number, drafted?: number): boolean {
    const { constraint } = this.#parts;
    const [allowed, all] = constraint ? [(t: number) => constraint.allowed(t), () => constraint.all()] : [];
    const token = this.#sampler.pick(logits.row(row), this.#seen, allowed, all);
    if (token === undefined) {
      this.#finish = "stop";
      return false;
    }
    const holds = token === drafted;
    this.#accept(token, !holds);
    this.#force();
    return holds;
  }

  /** Adds what the format leaves no choice about. */
  #force(): void {
    const { constraint } = this.#parts;
    if (!constraint) return;
    const left = this.#request.maxNewTokens - this.#tokens.length;
    if (this.#tokens.length > this.#request.maxNewTokens * HURRY_AFTER) constraint.hurry();
    const closing = this.#looping || left < LONGEST_CLOSING ? constraint.closing() : undefined;
    const mustClose = closing && (this.#looping || left <= closing.length + CLOSING_SLACK);
    for (const token of mustClose ? closing : constraint.forced()) if (!this.#finish) this.#accept(token, true);
    if (this.#looping) this.#finish = "loop";
  }

  #accept(token: number, pending: boolean): void {
    const { constraint, endIds } = this.#parts;
    this.#tokens.push(token);
    this.#lookup?.push(token);
    if (this.#request.repetitionPenalty !== 1) this.#seen.add(token);
    if (pending) this.#pending.push(token);
    constraint?.accept(token);
    if (!constraint && endIds.has(token)) {
      this.#finish = "stop";
      return;
    }
    this.#show(this.#detokenizer.push(token));
    if (this.#stops.stopped || constraint?.complete) this.#finish = "stop";
    else if (this.#tokens.length >= this.#request.maxNewTokens) this.#finish = "length";
    else if (this.#tokens.length % LOOP_CHECK === 0 && endsInLoop(this.#tokens)) this.#onLoop();
  }

  #onLoop(): void {
    const { constraint } = this.#parts;
    if (!constraint) this.#finish = "loop";
    else if (!constraint.hurry()) this.#looping = true;
  }

  #show(text: string): void {
    this.#emit(this.#stops.push(text));
  }

  #emit(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#parts.onText(text);
  }
}
