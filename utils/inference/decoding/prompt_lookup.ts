/**
 * Drafts the next tokens by finding where the last few stood before: a repair mostly repeats the buggy code. Drafts are
 * verified by the model, so they never change what is said. Source: Saxena 2023, "Prompt Lookup Decoding".
 */

/** Tokens that must match before a draft is made. */
const MATCH = 3;
const MAX_DRAFT = 12;

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
