/** Reads Python source lexically: strings, comments, brackets and line continuations, without judging its grammar. */

import { cutTokens, lexicon, type Token as TokenOf } from "../tokens.ts";

type Kind = "string" | "number" | "word";
type Token = TokenOf<Kind>;

/** One statement's worth of text: physical lines joined by brackets, triple quotes or backslashes. */
export interface LogicalLine {
  /** Offset of the first physical line's first character, white space included. */
  start: number;
  /** Offset just after the line's newline, or the end of the source. */
  end: number;
  /** White space before the first token. */
  indent: string;
  /** True where the last token is a colon outside brackets: an indented block must follow. */
  opensBlock: boolean;
}

export interface Scan {
  tokens: Token[];
  /** Blank lines and lines that hold only a comment are not among them. */
  lines: LogicalLine[];
  /** Offsets of physical lines that start inside a string: their white space is content, not layout. */
  insideString: ReadonlySet<number>;
  /** False where the source ends inside a bracket, a triple-quoted string or after a backslash. */
  complete: boolean;
  /** False where a bracket, a quote or a backslash is somewhere it can never be in Python. */
  sound: boolean;
}

const LEXICON = lexicon<Kind>([
  ["blank", /[ \t\f\n]+|#[^\n]*/u],
  ["number", /\d[\w.]*/u],
  ["word", /[\p{L}_][\p{L}\p{N}_]*/u],
  ["mark", /\\[\s\S]|[\s\S]/u],
]);

/**
 * Where the string literal whose first quote is at `at` ends: the offset after its closing quote. A string with one
 * quote ends at the line's end at the latest, as in Python. `closed` is false where the closing quote is missing.
 */
export function stringEnd(code: string, at: number): { end: number; closed: boolean } {
  const quote = code.charAt(at);
  const triple = code.startsWith(quote.repeat(3), at);
  const closing = triple ? quote.repeat(3) : quote;
  for (let i = at + closing.length; i < code.length; i++) {
    const char = code.charAt(i);
    if (char === "\\") i++;
    else if (char === "\n" && !triple) return { end: i, closed: false };
    else if (char === quote && code.startsWith(closing, i)) return { end: i + closing.length, closed: true };
  }
  return { end: code.length, closed: false };
}

const afterNewline = (code: string, at: number): number => code.indexOf("\n", at) + 1 || code.length;

/** Splits `code` into logical lines. Total and linear in the length of `code`. */
export function scan(code: string): Scan {
  const literal = (at: number) =>
    /["']/.test(code.charAt(at)) ? { kind: "string" as const, ...stringEnd(code, at) } : null;
  const { tokens, depth, sound, insideText } = cutTokens(code, { ...LEXICON, literal });
  const last = tokens.at(-1);
  return {
    tokens,
    lines: linesOf(code, tokens),
    insideString: insideText,
    complete: depth === 0 && !(last?.end === code.length && goesOn(code, last)),
    sound: sound && !tokens.some(({ text }) => text.startsWith("\\") && text !== "\\\n"),
  };
}

/** Whether more has to follow the last token of a source: it is a backslash, or a string that nothing closes. */
const goesOn = (code: string, { kind, text, start }: Token): boolean =>
  text.startsWith("\\") || (kind === "string" && !stringEnd(code, start).closed);

function linesOf(code: string, tokens: readonly Token[]): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let [depth, behind] = [0, 0];
  for (const { kind, text, start, end, startsLine } of tokens) {
    let line = lines.at(-1);
    if (line === undefined || (startsLine && depth === 0)) {
      if (line) line.end = afterNewline(code, behind);
      const from = code.lastIndexOf("\n", start) + 1;
      line = { start: from, end: code.length, indent: code.slice(from, start), opensBlock: false };
      lines.push(line);
    }
    if (kind === "mark" && "([{".includes(text)) depth += 1;
    if (kind === "mark" && ")]}".includes(text)) depth = Math.max(0, depth - 1);
    // A backslash joins what stands around it.
    if (!text.startsWith("\\")) line.opensBlock = text === ":";
    behind = end;
  }
  const line = lines.at(-1);
  if (line && depth === 0) line.end = afterNewline(code, behind);
  return lines;
}

/** The identifiers and keywords of `code` in order, those inside strings and comments left out. */
export const words = (code: string): string[] =>
  scan(code).tokens.flatMap(({ kind, text }) => (kind === "word" ? text : []));

/** True where `code` uses `name` outside strings and comments. */
export const mentions = (code: string, name: string): boolean => code.includes(name) && words(code).includes(name);
