/** A Rust program as a crate that others may use whole: everything in it is public. */

import { changed, type Span } from "../tokens.ts";
import { type Item, itemsOf } from "./items.ts";
import { scan, type Token } from "./scan.ts";

/** Each line stays where it was. */
export function withAllPublic(code: string): string {
  const places = itemsOf(code).flatMap((one) => placesOf(code, one));
  return changed(
    code,
    places.map((place) => ({ ...place, text: "pub " })),
  );
}

/** Where `pub` is to stand; it takes the place of what stands there of it already. */
function placesOf(code: string, item: Item): Span[] {
  const keyword = /^\w*/.exec(code.slice(item.keyword))?.[0];
  if (item.kind === "impl") {
    const isOfTrait = scan(code.slice(item.keyword, item.body ?? item.end)).tokens.some(({ text }) => text === "for");
    return isOfTrait ? [] : item.items.flatMap((one) => placesOf(code, one));
  }
  if (item.kind === "mod") return [behindAttributes(code, item), ...item.items.flatMap((one) => placesOf(code, one))];
  if (item.kind !== "fn" && item.kind !== "type" && item.kind !== "const") return [];
  const fields = keyword === "struct" || keyword === "union" ? fieldsOf(code, item) : [];
  return [behindAttributes(code, item), ...fields];
}

function behindAttributes(code: string, { attributes, start }: Item): Span {
  const from = attributes.at(-1)?.end ?? start;
  const [, blank = "", there = ""] = /^(\s*)(pub\b(?:\s*\([^)]*\))?\s*)?/.exec(code.slice(from)) ?? [];
  return { start: from + blank.length, end: from + blank.length + there.length };
}

/** Where the fields of a struct begin. */
function fieldsOf(code: string, item: Item): Span[] {
  const { tokens } = scan(code.slice(item.keyword, item.end));
  const opens = tokens.findIndex(({ text, depth }) => depth === 0 && (text === "{" || text === "("));
  const found: Span[] = [];
  let [angles, begins] = [0, true];
  for (let at = opens + 1; opens !== -1 && at < tokens.length; at++) {
    const { text, depth } = tokens[at] as Token;
    if (depth === 0) break;
    if (text === "<") angles += 1;
    if (text === ">") angles -= 1;
    if (begins && text === "#") {
      at = closing(tokens, at + 1);
      continue;
    }
    if (begins) found.push(placeAt(tokens, at, item.keyword));
    begins = depth === 1 && angles === 0 && text === ",";
  }
  return found;
}

const closing = (tokens: readonly Token[], open: number): number =>
  tokens.findIndex(({ depth }, at) => at > open && depth === tokens[open]?.depth);

function placeAt(tokens: readonly Token[], at: number, offset: number): Span {
  const start = (tokens[at]?.start ?? 0) + offset;
  if (tokens[at]?.text !== "pub") return { start, end: start };
  const last = tokens[at + 1]?.text === "(" && isScope(tokens[at + 2]?.text) ? closing(tokens, at + 1) : at;
  return { start, end: (tokens[last]?.end ?? 0) + offset };
}

const isScope = (word: string | undefined): boolean => /^(?:crate|super|self|in)$/.test(word ?? "");
