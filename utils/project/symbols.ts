/** Functions and classes of a file by their names. */

import { type LineRange, plainName } from "../languages/places.ts";
import { languageOf } from "../languages/registry.ts";

/** Functions that are named where none is found, and how many letters of a name have to agree. */
const MOST_SYMBOLS = 12;
const LIKE_CHARS = 4;
const CLASS = /\b(?:class|struct|interface|impl|trait|type|enum|record|object|namespace)\b/;

/** The lines of a function or class, and other functions of that name. */
interface SymbolPlace extends LineRange {
  others: string[];
}

/** The lines of a function or of a class with all its methods, or a sentence that says what the file has instead. */
export function symbolIn(file: string, text: string, symbol: string): SymbolPlace | { problem: string } {
  const all = languageOf(file)?.files.functions(text) ?? [];
  const inClass = all.filter(({ name }) => name.split(/\.|::/).slice(0, -1).includes(symbol));
  const same = all.filter(({ name }) => name === symbol);
  const [first] = inClass;
  if (first && same.length === 0) {
    const above = text.split("\n").slice(0, first.start);
    const head = above.findLastIndex((line) => CLASS.test(line) && line.split(/[^\p{L}\p{N}_$]+/u).includes(symbol));
    const start = head === -1 ? first.start : head + 1;
    return { start, end: Math.max(...inClass.map(({ end }) => end)), others: [] };
  }
  const alike = same.length > 0 ? same : all.filter(({ name }) => plainName(name) === plainName(symbol));
  const [found, ...others] = alike;
  if (found) return { ...found, others: others.map(withLine) };
  const known = all.map(withLine);
  const like = known.filter((one) => one.toLowerCase().includes(plainName(symbol).toLowerCase().slice(0, LIKE_CHARS)));
  const listed = (like.length > 0 ? like : known).slice(0, MOST_SYMBOLS).join(", ");
  return { problem: `${file} has no function or class ${symbol}.${listed === "" ? "" : ` It has ${listed}.`}` };
}

const withLine = ({ name, start }: { name: string; start: number }): string => `${name} (${start})`;
