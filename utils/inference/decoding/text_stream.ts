/**
 * Turns tokens into text as they come, without half characters, and stops at stop texts without showing a part of one.
 */

import { largest, smallest } from "../../base/data/extremes.ts";

/** Most tokens of one character; what is still incomplete after them is not a character. */
const LONGEST_CHARACTER = 4;

/** Text of a growing list of tokens. A character that needs more tokens is held back until it is whole. */
export class Detokenizer {
  readonly #decode: (ids: readonly number[]) => string;
  readonly #ids: number[] = [];
  /** Tokens before `#context` never change the text of later ones; those up to `#shown` have been given out. */
  #context = 0;
  #shown = 0;

  constructor(decode: (ids: readonly number[]) => string) {
    this.#decode = decode;
  }

  /** Text that this token completes; empty where a character is still open. */
  push(id: number): string {
    this.#ids.push(id);
    return this.#take(false);
  }

  /** What is still held back, half characters included. */
  flush(): string {
    return this.#take(true);
  }

  #take(all: boolean): string {
    const end = all ? this.#ids.length : this.#whole();
    const before = this.#decode(this.#ids.slice(this.#context, this.#shown));
    const now = this.#decode(this.#ids.slice(this.#context, end));
    if (now.length <= before.length) return "";
    this.#context = this.#shown;
    this.#shown = end;
    return now.slice(before.length);
  }

  /** Where the tokens end that may be given out; behind it a character may have begun. */
  #whole(): number {
    const ids = this.#ids.slice(this.#context);
    const text = this.#decode(ids);
    if (!text.endsWith("\ufffd")) return this.#ids.length;
    if (this.#ids.length - this.#shown < LONGEST_CHARACTER) return this.#shown;
    // The first of so many is no part of a character that is still open: give out as little as can stand by itself.
    for (let end = this.#shown - this.#context + 1; end < ids.length; end++) {
      if (this.#decode(ids.slice(0, end)) + this.#decode(ids.slice(end)) === text) return this.#context + end;
    }
    return this.#ids.length;
  }
}

/** Cuts a stream of text at the first stop text. */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = "";
  stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((s) => s !== "");
  }

  /** The part of the text that is safe to show: it cannot be the beginning of a stop text. */
  push(text: string): string {
    if (this.stopped) return "";
    const all = this.#held + text;
    const cuts = this.#stops.map((s) => all.indexOf(s)).filter((i) => i >= 0);
    if (cuts.length > 0) {
      this.stopped = true;
      this.#held = "";
      return all.slice(0, smallest(cuts));
    }
    const safe =
      all.length -
      largest(
        this.#stops.map((s) => overlap(all, s)),
        0,
      );
    this.#held = all.slice(safe);
    return all.slice(0, safe);
  }

  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** Length of the longest end of `text` that begins `stop`. */
function overlap(text: string, stop: string): number {
  for (let n = Math.min(text.length, stop.length - 1); n > 0; n--) if (text.endsWith(stop.slice(0, n))) return n;
  return 0;
}
