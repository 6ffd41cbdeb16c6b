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
const MOST_DIGITS = 14;

export class Draw {
  readonly #isNear: boolean;

  /** @param isNear next to the right value; else further away, and no longer as text, for a copy that is shorter */
  constructor(isNear: boolean) {
    this.#isNear = isNear;
  }

  /** @param tolerant where what compares takes near values for equal */
  number(value: number, tolerant = false): number {
    if (!Number.isFinite(value) || Math.abs(value) > MOST) return randomInt(100);
    const size = Math.abs(value);
    if (!tolerant && !this.#isNear) return Math.sign(value || 1) * otherDigits(size);
    const step = tolerant ? PLACES + size * randomInt(2, 9) : randomInt(1, 4);
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

/** Another number of as many digits at most, more than three steps of the last digit away. */
function otherDigits(size: number): number {
  const text = String(size);
  if (text.includes("e")) return 0;
  const [whole = "", places = ""] = text.split(".");
  const unit = 10 ** places.length;
  const most = 10 ** Math.min(MOST_DIGITS, whole.length + places.length);
  const known = Math.round(size * unit) % most;
  return ((known + randomInt(4, most - 3)) % most) / unit;
}

/** A statement of JavaScript that fails with a token. */
export const throwing = (token: string): string => `throw new Error("${token}");`;
