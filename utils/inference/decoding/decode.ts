/** One reply token by token: says what a pass should compute and reads its logits; the engine runs the passes. */

import type { GenerateRequest, GenerateResult } from "../messages.ts";
import type { Logits } from "./decoder.ts";
import { PromptLookup } from "./drafts.ts";
import { Sampler } from "./sampler.ts";
import { Detokenizer, StopFilter } from "./text_stream.ts";

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

interface DecodeParts {
  decode: (ids: readonly number[]) => string;
  endIds: ReadonlySet<number>;
  constraint: Constraint | undefined;
  speculate: boolean;
  onText: (text: string) => void;
}

/** Tokens for one pass. */
interface Proposal {
  known: readonly number[];
  draft: readonly number[];
}

/** What a reply says of itself; the engine knows the rest. */
export type DecodeResult = Omit<GenerateResult, "inputTokens" | "cachedTokens" | "outputTokens">;

/** A loop is the same stretch of up to this many tokens … */
const MAX_PERIOD = 64;
/** … again and again, at least this many times and over at least this many tokens: tables in code repeat, too. */
const MIN_REPEATS = 8;
const MIN_SPAN = 160;
/** How often a reply is looked through for loops, in tokens. */
const LOOP_CHECK = 16;
/** Share of the tokens of a reply after which the format asks for an end. */
const HURRY_AFTER = 0.6;
/** No reply needs more tokens to be ended. */
const LONGEST_CLOSING = 200;
/** Tokens by which one more choice can put the end off: a longer tool name, an answer's fence in place of an action. */
const CLOSING_SLACK = 24;

export class Generation {
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
  #finish: GenerateResult["finish"] | undefined;
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
    this.#stops = new StopFilter(request.stop);
  }

  /** Tokens generated so far; the cache holds the prompt and all of them but the last few. */
  get tokens(): readonly number[] {
    return this.#tokens;
  }

  /** Decides the first tokens. @param logits of the last token of the prompt */
  start(logits: Logits): void {
    this.#force();
    if (this.#pending.length === 0) this.#choose(logits, 0);
  }

  get done(): boolean {
    return this.#finish !== undefined;
  }

  /**
   * What the next pass should compute: decided tokens, at most `limit`, and drafted ones where they come after all of
   * them.
   */
  propose(limit: number): Proposal {
    const known = this.#pending.slice(0, limit);
    const room = Math.min(limit - known.length, this.#request.maxNewTokens - this.#tokens.length - 1);
    const draft = known.length < this.#pending.length ? [] : (this.#lookup?.propose(room) ?? []);
    return { known, draft };
  }

  /**
   * Reads the logits of a pass over a proposal: those after its last known token, then those after each drafted one.
   * @returns how many tokens of the proposal hold; the others have to leave the cache
   */
  accept({ known, draft }: Proposal, logits: Logits): number {
    this.#pending = this.#pending.slice(known.length);
    this.#counts.passes++;
    if (this.#pending.length > 0) return known.length;
    let held = 0;
    while (this.#choose(logits, held, draft[held])) {
      held++;
      if (this.#finish || this.#pending.length > 0) break;
    }
    this.#lookup?.report(draft.length, held);
    this.#counts.drafted += draft.length;
    this.#counts.accepted += held;
    return known.length + held;
  }

  /** The reply, once it is done. */
  end(): DecodeResult {
    this.#show(this.#detokenizer.flush());
    if (!this.#stops.stopped) this.#emit(this.#stops.flush());
    return { text: this.#text, tokens: this.#tokens, finish: this.#finish ?? "stop", ...this.#counts };
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

/** Whether the tokens end in a loop. */
export function endsInLoop(tokens: readonly number[]): boolean {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    const span = Math.max(MIN_SPAN, period * MIN_REPEATS);
    if (span + period <= tokens.length && repeats(tokens, period, span)) return true;
  }
  return false;
}

function repeats(tokens: readonly number[], period: number, span: number): boolean {
  for (let i = tokens.length - span; i < tokens.length; i++) if (tokens[i] !== tokens[i - period]) return false;
  return true;
}
