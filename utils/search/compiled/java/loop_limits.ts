/**
 * Loops that count their turns, put into Java source without new lines: a version that goes on for too long is ended by
 * it.
 */

import { scan, type Token } from "../../../languages/java/scan.ts";

const LOOPS = new Set(["for", "while"]);

/**
 * @param turn a statement that counts a turn
 * @param turned a function that counts one and gives its argument, a truth value
 */
export function withCountedLoops(code: string, turn: string, turned: string): string {
  const { tokens } = scan(code);
  const text = (token: Token | undefined) => (token ? code.slice(token.start, token.end) : "");
  const put: { at: number; text: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word") continue;
    const word = text(token);
    if (word === "do" && text(tokens[at + 1]) === "{") put.push({ at: tokens[at + 1]?.end ?? 0, text: turn });
    if (!LOOPS.has(word) || text(tokens[at + 1]) !== "(") continue;
    const closing = tokens.findIndex((one, i) => i > at + 1 && one.depth === token.depth && text(one) === ")");
    const next = tokens[closing + 1];
    if (closing === -1 || !next) continue;
    if (text(next) === "{") put.push({ at: next.end, text: turn });
    else put.push(...aroundCondition(code, tokens.slice(at + 1, closing + 1), turned));
  }
  return put
    .toSorted((a, b) => b.at - a.at)
    .reduce((made, one) => made.slice(0, one.at) + one.text + made.slice(one.at), code);
}

/**
 * Of `(condition)` and `(…; condition; …)`. What always goes on has to say so itself, or what follows cannot be
 * reached.
 */
function aroundCondition(code: string, tokens: readonly Token[], turned: string) {
  const [open] = tokens;
  const close = tokens.at(-1);
  if (!open || !close) return [];
  const marks = tokens.filter((one) => one.depth === open.depth + 1 && /^[;:]$/.test(code.slice(one.start, one.end)));
  const [first, second] = marks;
  if (marks.length === 1) return [];
  const [from, to] = first && second ? [first.end, second.start] : [open.end, close.start];
  return /^\s*(?:true)?\s*$/.test(code.slice(from, to))
    ? []
    : [
        { at: from, text: `${turned}(` },
        { at: to, text: ")" },
      ];
}
