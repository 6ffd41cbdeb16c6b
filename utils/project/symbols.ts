/** Functions and classes of a file by their names. */

import { type LineRange, plainName } from "../languages/places.ts";
import { languageOf } from "../languages/registry.ts";

/** Functions that are named where none is found, and how many letters of a name have to agree. */
const MOST_SYMBOLS = 12;
const LIKE_CHARS = 4;
const CLASS = /\b(?:class|struct|interface|impl|trait|type|enum|record|object|namespace)\b/;

/** The lines of a function or of a class with all its methods, or a sentence that says what the file has instead. */
export function symbolIn(file: string, text: string, symbol: string): LineRange | { problem: string } {
  const all = languageOf(file)?.files.functions(text) ?? [];
  const found =
    all.find(({ name }) => name === symbol) ?? all.find(({ name }) => plainName(name) === plainName(symbol));
  if (found) return found;
  const methods = all.filter(({ name }) => name.split(/\.|::/).includes(symbol));
  const [first] = methods;
  if (first) {
    const above = text.split("\n").slice(0, first.start);
    const head = above.findLastIndex((line) => CLASS.test(line) && line.split(/[^\p{L}\p{N}_$]+/u).includes(symbol));
    return { start: head === -1 ? first.start : head + 1, end: Math.max(...methods.map(({ end }) => end)) };
  }
  const known = all.map(({ name, start }) => `${name} (${start})`);
  const like = known.filter((one) => one.toLowerCase().includes(plainName(symbol).toLowerCase().slice(0, LIKE_CHARS)));
  const listed = (like.length > 0 ? like : known).slice(0, MOST_SYMBOLS).join(", ");
  return { problem: `${file} has no function or class ${symbol}.${listed === "" ? "" : ` It has ${listed}.`}` };
}
