/** Crates beside the standard library that programs may use: those of the reference harness, if installed. */

import { blanked } from "../tokens.ts";
import { type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";

/** Code that uses one of these writes at least one of its names: they do not extend other types silently. */
export const CRATES = ["rand", "regex", "md5"] as const;

/**
 * Blanks out the imports from crates that `code` does not use, so that it compiles without them; line numbers stay.
 * Glob imports stay, too.
 * @param around other code that may use the imports
 */
export function withoutUnusedCrates(code: string, around = ""): string {
  if (!CRATES.some((name) => code.includes(name))) return code;
  const imports = itemsOf(code).flatMap((item) => {
    const crate = crateOf(code, item);
    return crate === null ? [] : [{ item, crate, names: namesOf(code, item) }];
  });
  const inside = ({ start }: { start: number }) => imports.some(({ item }) => start >= item.start && start < item.end);
  const outside = scan(code).tokens.filter((token) => !inside(token));
  const used = new Set([...outside, ...scan(around).tokens].map(({ text }) => text));
  const unused = imports.filter(({ crate, names }) => {
    const ofCrate = imports.filter((one) => one.crate === crate).flatMap((one) => one.names);
    return !used.has(crate) && !names.includes("*") && !ofCrate.some((name) => used.has(name));
  });
  return blanked(
    code,
    unused.map(({ item }) => item),
  );
}

/** Crates that `code` uses. */
export const usedCrates = (code: string): string[] => {
  const words = new Set(scan(withoutUnusedCrates(code)).tokens.map(({ text }) => text));
  return CRATES.filter((name) => words.has(name));
};

function crateOf(code: string, { kind, keyword, end }: Item): string | null {
  if (kind !== "use") return null;
  const [first, second] = scan(code.slice(keyword, end)).tokens.slice(1);
  const name = (first?.text === "::" ? second : first)?.text;
  return CRATES.find((one) => one === name) ?? null;
}

/** What an import brings: of `a::{b, c as d, self}` `a`, `b` and `d`. */
function namesOf(code: string, { keyword, end }: Item): string[] {
  const { tokens } = scan(code.slice(keyword, end));
  return tokens.flatMap(({ kind, text }, at) => {
    if (text === "*") return ["*"];
    const next = tokens[at + 1]?.text;
    return kind === "word" && text !== "use" && (next === "," || next === "}" || next === ";") ? [text] : [];
  });
}
