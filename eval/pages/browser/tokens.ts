/** Splits source code into tokens for colouring, by the syntax of its language. */

import type { PageSyntax } from "../report/page_data.ts";

export interface Colouring {
  /** Its named groups are the kinds. */
  token: RegExp;
  /** Kinds of the names that have one. */
  words: Map<string, string>;
}

export interface Token {
  /** "" for plain text. */
  kind: string;
  text: string;
}

const NO_COLOURS: PageSyntax = { pattern: "(?!)", keywords: [], builtins: [] };

/** @param syntax undefined for a language that this page does not know, as one left open while its server learnt it */
export function colouringOf({ pattern, keywords, builtins }: PageSyntax = NO_COLOURS): Colouring {
  const entries = (words: readonly string[], kind: string) => words.map((word): [string, string] => [word, kind]);
  return {
    token: new RegExp(pattern, "gmu"),
    words: new Map([...entries(builtins, "builtin"), ...entries(keywords, "keyword")]),
  };
}

/** Tokens whose texts together are the source. */
function codeTokens(source: string, { token, words }: Colouring): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.matchAll(token)) {
    if (match.index > end) tokens.push({ kind: "", text: source.slice(end, match.index) });
    const text = match[0];
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    tokens.push({ kind: kind === "name" ? (words.get(text) ?? "") : kind, text });
    end = match.index + text.length;
  }
  if (end < source.length) tokens.push({ kind: "", text: source.slice(end) });
  return tokens;
}

/** Tokens line by line. Colours go on over line ends, as a docstring does. */
export function lineTokens(lines: readonly string[], colouring: Colouring | undefined): Token[][] {
  if (!colouring) return lines.map((text) => [{ kind: "", text }]);
  const result: Token[][] = [[]];
  for (const { kind, text } of codeTokens(lines.join("\n"), colouring)) {
    text.split("\n").forEach((part, i) => {
      if (i > 0) result.push([]);
      if (part !== "") result.at(-1)?.push({ kind, text: part });
    });
  }
  return result;
}

/** The first characters of a line, never half of a pair. */
export function shorten(line: string, chars: number): { shown: string; rest: number } {
  if (line.length <= chars * 1.2) return { shown: line, rest: 0 };
  const shown = line.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  return { shown, rest: line.length - shown.length };
}
