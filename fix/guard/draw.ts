/** Values that are wrong and plausible, drawn anew for each copy of the tests. */

import { randomInt } from "node:crypto";
import type { TextEdit } from "../project/edits.ts";

/** Edits of the text of one file of tests. */
export interface WrongTests {
  /** One list of edits for each draw: after it each expectation of the file is another one. */
  wrong: TextEdit[][];
  /** After these a test fails, with the token, where it comes to one of these expectations. */
  reaching: TextEdit[];
  /** After these each test fails, with the token, before it does anything. */
  starts: TextEdit[];
}

const KINDS = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] as const;
const kindOf = (char: string): string | undefined => KINDS.find((kind) => kind.includes(char));
const PLACES = 1000;
const MOST = 1e15;
const ORDER = 1e9;

export class Draw {
  readonly #isNear: boolean;

  /** @param isNear next to the right value; else at some distance from it */
  constructor(isNear: boolean) {
    this.#isNear = isNear;
  }

  /** @param tolerant where what compares takes near values for equal */
  number(value: number, tolerant = false): number {
    if (!Number.isFinite(value) || Math.abs(value) > MOST) return randomInt(100);
    const size = Math.abs(value);
    const step = tolerant
      ? PLACES + size * randomInt(2, 9)
      : this.#isNear
        ? randomInt(1, 4)
        : (size * randomInt(500, 1500)) / PLACES + randomInt(4, 31);
    const whole = Number.isInteger(value) ? Math.trunc(step) : step;
    const isDown = randomInt(2) === 0 && (value < 0 || value - whole >= 0);
    return Math.round((isDown ? value - whole : value + whole) * PLACES) / PLACES;
  }

  /** One letter or digit becomes another one of its kind. */
  text(value: string): string {
    const places = [...value].flatMap((char, i) => (kindOf(char) ? [i] : []));
    const at = places[randomInt(Math.max(1, places.length))];
    if (at === undefined || [...value].length !== value.length) return `${value}x`;
    const others = (kindOf(value.charAt(at)) ?? "").replace(value.charAt(at), "");
    return value.slice(0, at) + others.charAt(randomInt(others.length)) + value.slice(at + 1);
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, at: randomInt(ORDER) }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}

/** A statement of JavaScript that fails with a token. */
export const throwing = (token: string): string => `throw new Error("${token}");`;
