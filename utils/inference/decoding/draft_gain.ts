/**
 * Whether a reply should be computed alone, with drafts, or beside others, without them. Both make a token cheaper; what
 * drafts gain depends on the text and is measured on replies that run alone.
 */

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
