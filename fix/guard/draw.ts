/** Values that are wrong and plausible, drawn anew for each copy of the tests. */

import { randomInt } from "node:crypto";

const KINDS = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] as const;
const kindOf = (char: string): string | undefined => KINDS.find((kind) => kind.includes(char));
const PLACES = 1000;
const MOST = 1e15;
const ORDER = 1e9;
const MOST_DIGITS = 14;

const NUMBER = /^(-?)(0[xob][\da-f_]+|[\d_']*\.?[\d_]*(?:e[-+]?\d+)?)([a-z]\w*)?$/i;
const QUOTE = `"{3}|'{3}|["'\`]`;
/** The opening quote with what stands before it, the text, the closing quote. */
const TEXT = new RegExp(`^([^"'\`]*(?:${QUOTE}))([\\s\\S]*?)((?:${QUOTE})#*)$`);
const ESCAPE = /\\(?:x[\da-f]{2}|u\{[^}]*\}|u[\da-f]{4}|U[\da-f]{8}|N\{[^}]*\}|[0-7]{1,3}|[\s\S])/gi;

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

  /** Another number for one that is written in a program, of the same type. */
  written(number: string, tolerant = false): string {
    const [, sign = "", digits = number, suffix = ""] = NUMBER.exec(number) ?? [];
    const made = this.number(Number(digits.replace(/[_']/g, "")), tolerant);
    const isFraction = /^[^x]*[.e]/i.test(digits);
    return `${sign}${isFraction && Number.isInteger(made) ? made.toFixed(1) : made}${suffix}`;
  }

  /** One letter or digit becomes another one of its kind; those of escapes stay. */
  text(value: string): string {
    const escapes = [...value.matchAll(ESCAPE)].map((one): [number, number] => [one.index, one.index + one[0].length]);
    const isFree = (at: number) => !escapes.some(([start, end]) => start <= at && at < end);
    const places = [...value.matchAll(/[0-9a-zA-Z]/g)].map(({ index }) => index).filter(isFree);
    const at = places[randomInt(Math.max(1, places.length))];
    if (at === undefined) return `${value}x`;
    const others = (kindOf(value.charAt(at)) ?? "").replace(value.charAt(at), "");
    return value.slice(0, at) + others.charAt(randomInt(others.length)) + value.slice(at + 1);
  }

  /** The same for a text as a program has it, in its quotes. */
  quoted(literal: string): string {
    const [, before = "", inner = literal, after = ""] = TEXT.exec(literal) ?? [];
    return before + this.text(inner) + after;
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
