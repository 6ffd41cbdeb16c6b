/** Drafted tokens: where they come from, and whether they gain more than neighbours do. */

/** Tokens that must match before a draft is made. */
const MATCH = 3;
const MAX_DRAFT = 12;

/**
 * Drafts the next tokens by finding an earlier occurrence of the last few: most of a repair repeats the buggy code. The
 * model verifies each draft, so drafts never change the reply. Source: Saxena 2023, "Prompt Lookup Decoding".
 */
export class PromptLookup {
  readonly #ids: number[];
  /** Hash of MATCH tokens -> index after their last occurrence. Collisions only make bad drafts. */
  readonly #after = new Map<number, number>();
  #limit = MAX_DRAFT / 2;

  constructor(prompt: readonly number[]) {
    this.#ids = [...prompt];
    for (let end = MATCH; end < prompt.length; end++) this.#after.set(this.#hash(end), end);
  }

  push(token: number): void {
    // The end itself is indexed only now: before, it would have been its own match.
    if (this.#ids.length >= MATCH) this.#after.set(this.#hash(this.#ids.length), this.#ids.length);
    this.#ids.push(token);
  }

  /** Up to `room` tokens that may come next. */
  propose(room: number): number[] {
    const at = this.#after.get(this.#hash(this.#ids.length));
    if (at === undefined || this.#ids.length < MATCH) return [];
    // Behind the end a match goes on with itself: what repeats goes on repeating.
    const period = this.#ids.length - at;
    return Array.from({ length: Math.min(this.#limit, room) }, (_, i) => this.#ids[at + (i % period)] ?? 0);
  }

  /** Longer drafts while they hold, shorter ones while they do not. */
  report(drafted: number, accepted: number): void {
    if (drafted === 0) return;
    if (accepted === drafted) this.#limit = Math.min(MAX_DRAFT, this.#limit * 2);
    else if (accepted < drafted / 2) this.#limit = Math.max(2, Math.floor(this.#limit / 2));
  }

  /** Of the MATCH tokens before `end`. */
  #hash(end: number): number {
    let hash = 0;
    for (let i = end - MATCH; i < end; i++) hash = (Math.imul(hash, 0x01000193) ^ (this.#ids[i] ?? -1)) | 0;
    return hash;
  }
}

/** A token more in a pass costs this share of a pass over one token: 0.16 to 0.24 measured after 10 to 2,700 tokens. */
const COST_OF_TOKEN = 0.2;
/** What four rows side by side gain over one after another: 1.6 to 2.4 measured, less with fewer rows. */
const GAIN_OF_NEIGHBOURS = 1.5;
/** Passes of later replies after which a reply counts half. */
const HALF_LIFE = 100;

interface Sums {
  tokens: number;
  cost: number;
}

/**
 * Whether a reply should be computed alone, with drafts, or beside others, without them. Both make a token cheaper;
 * what drafts gain depends on the text and is measured on replies that run alone.
 */
export class DraftGain {
  /** Begins with what a repair is expected to gain: it mostly repeats what stands in its prompt. */
  #past: Sums = { tokens: 200, cost: 100 };
  #current = { passes: 0, tokens: 0, cost: 0 };

  /** A pass of a reply that runs alone. @param computed tokens in the pass @param held of these, the ones that hold */
  record(computed: number, held: number): void {
    const { passes, tokens, cost } = this.#current;
    this.#current = { passes: passes + 1, tokens: tokens + held, cost: cost + 1 + (computed - 1) * COST_OF_TOKEN };
  }

  /** The reply has ended. Only now its passes count: a thought has few drafts that hold, the answer after it many. */
  settle(): void {
    const { passes, tokens, cost } = this.#current;
    const keep = 0.5 ** (passes / HALF_LIFE);
    const past = this.#past;
    this.#past = { tokens: past.tokens * keep + tokens, cost: past.cost * keep + cost };
    this.#current = { passes: 0, tokens: 0, cost: 0 };
  }

  /** Whether tokens cost less with drafts than beside other replies, going by the latest replies. */
  get beatsNeighbours(): boolean {
    return this.#past.tokens / this.#past.cost > GAIN_OF_NEIGHBOURS;
  }
}
