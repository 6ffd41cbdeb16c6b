/** Keeps a reply to the text protocol while it is generated: a machine over bytes, asked token by token. */

import type { Constraint } from "../decoding/decode.ts";
import { ReplyGrammar, type ReplyShape, type ReplyState } from "./reply_grammar.ts";
import type { TokenBytes } from "./token_bytes.ts";

export class ReplyConstraint implements Constraint {
  readonly #grammar: ReplyGrammar;
  readonly #tokens: TokenBytes;
  readonly #encode: (text: string) => number[];
  readonly #endIds: ReadonlySet<number>;
  #state: ReplyState;
  #ended = false;

  constructor(format: ReplyShape, tokens: TokenBytes, encode: (text: string) => number[], endIds: ReadonlySet<number>) {
    this.#grammar = new ReplyGrammar(format);
    this.#tokens = tokens;
    this.#encode = encode;
    this.#endIds = endIds;
    this.#state = this.#grammar.start;
  }

  get complete(): boolean {
    return this.#ended || this.#state.kind === "done";
  }

  allowed(token: number): boolean {
    return this.#endIds.has(token) ? this.#grammar.mayEnd(this.#state) : this.#after(token) !== undefined;
  }

  *all(): Generator<number> {
    yield* this.#tokens.accepted(this.#state, (state, byte) => this.#grammar.step(state, byte));
    if (this.#grammar.mayEnd(this.#state)) yield* this.#endIds;
  }

  accept(token: number): void {
    if (this.#endIds.has(token)) this.#ended = true;
    else this.#state = this.#after(token) ?? this.#state;
  }

  forced(): number[] {
    return this.#encode(this.#grammar.forced(this.#state));
  }

  hurry(): boolean {
    const next = this.#grammar.hurry(this.#state);
    if (next) this.#state = next;
    return next !== undefined;
  }

  closing(): number[] {
    return this.#encode(this.#grammar.close(this.#state));
  }

  #after(token: number): ReplyState | undefined {
    const bytes = this.#tokens.of(token);
    if (!bytes || bytes.length === 0) return undefined;
    let state: ReplyState | undefined = this.#state;
    for (const byte of bytes) {
      state = this.#grammar.step(state, byte);
      if (!state) return undefined;
    }
    return state;
  }
}
