import fc from "fast-check";

const SURROGATES = { from: 0xd800, count: 0x800 };
const ALL = 0x110000;

/**
 * Any character, half surrogate pairs apart. It stands for fast-check's unit "binary", which for the same characters makes
 * a table of all of them first, for half a second.
 */
export const anyCharacter = fc
  .nat(ALL - SURROGATES.count - 1)
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count), numberOf);

/** @throws for what is no such character, as fast-check asks of it */
function numberOf(character: unknown): number {
  const [point, ...more] = typeof character === "string" ? [...character].map((one) => one.codePointAt(0) ?? 0) : [];
  if (point === undefined || more.length > 0) throw new Error("not one character");
  return point < SURROGATES.from ? point : point - SURROGATES.count;
}
