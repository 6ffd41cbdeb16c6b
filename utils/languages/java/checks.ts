/** Rewrites `Arrays.asList(f(1) == 2, ...)` in tests, so that the verdict names the check that does not hold. */

import { changed, cut, type Span } from "../tokens.ts";
import { scan } from "./scan.ts";

const LIST = /\bList<Boolean>\s+\w+\s*=\s*(?:new\s+ArrayList<(?:Boolean)?>\(\s*)?(?:Arrays\.asList|List\.of)\(/g;
const MOST_CHARS = 220;

/** The same tests, each line where it was, with every check of a list of Booleans noted by its line and its text. */
export const withNotedChecks = (test: string): string =>
  withChecks(test, (check, line) => {
    const told = `line ${line}: ${check.replace(/\s+/g, " ").slice(0, MOST_CHARS)}`;
    return `mendjudge.Remote.check(${literal(told)}, ${check})`;
  });

/** @param write what takes the place of a check: its text, and its line in the tests */
export function withChecks(test: string, write: (check: string, line: number) => string): string {
  const found = [...test.matchAll(LIST)].flatMap(({ 0: text, index }) => argumentsAt(test, index + text.length - 1));
  const written = (span: Span) => write(cut(test, span), test.slice(0, span.start).split("\n").length);
  return changed(
    test,
    found.map((span) => ({ ...span, text: written(span) })),
  );
}

/** The arguments of a call whose `(` stands at an offset; none where it is not closed. */
function argumentsAt(code: string, offset: number): Span[] {
  const { tokens } = scan(code);
  const first = tokens.findIndex(({ start }) => start === offset);
  const depth = tokens[first]?.depth;
  if (depth === undefined) return [];
  const last = tokens.findIndex((token, at) => at > first && token.depth === depth);
  if (last === -1) return [];
  const marks = tokens
    .slice(first + 1, last)
    .filter((token) => token.depth === depth + 1 && code.slice(token.start, token.end) === ",");
  const bounds = [tokens[first], ...marks, tokens[last]];
  return bounds.slice(1).flatMap((bound, at) => {
    const [start, end] = [bounds[at]?.end ?? 0, bound?.start ?? 0];
    const text = code.slice(start, end);
    const from = start + (text.length - text.trimStart().length);
    return text.trim() === "" ? [] : [{ start: from, end: start + text.trimEnd().length }];
  });
}

/** As a text of Java, which reads `\u` before anything else. */
export const literal = (text: string): string =>
  JSON.stringify(text.replace(/\\u/g, "\\ u")).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
