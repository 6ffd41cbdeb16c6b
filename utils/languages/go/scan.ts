/** Reads Go lexically. */

import { cutTokens, lexicon, type Scan, type Token as TokenOf } from "../tokens.ts";

export interface Token extends TokenOf {
  /** True if Go inserts a semicolon after it: the statement ends with the line. */
  endsLine: boolean;
}

const LEXICON = lexicon<"string" | "number" | "word">(
  [
    ["blank", /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u],
    ["string", /`[^`]*(?:`|(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/u],
    ["number", /\.?\d(?:[eEpP][+-]|[\w.])*/u],
    ["word", /[\p{L}_][\p{L}\p{Nd}_]*/u],
    ["mark", /\.\.\.|:=|<-|\+\+|--|&&|\|\||[\s\S]/u],
  ],
  { closed: (text, kind) => (kind === "string" ? text.length >= 2 && text.endsWith(text.charAt(0)) : null) },
);
/** Words behind which no statement ends: all others are names, or keywords that may be the last of a line. */
const OPENING = new Set(
  `case chan const default defer else for func go goto if import interface map package range select struct switch type
  var`.split(/\s+/),
);
const ENDING = new Set([")", "]", "}", "++", "--"]);

export function scan(code: string): Scan<Token> {
  const found = cutTokens(code, LEXICON);
  const tokens = found.tokens.map((token, at) => {
    const next = found.tokens[at + 1];
    return Object.assign(token, { endsLine: (next?.startsLine ?? true) && mayEnd(token) });
  });
  return { ...found, tokens };
}

const mayEnd = ({ kind, text }: TokenOf): boolean =>
  kind === "word" ? !OPENING.has(text) : kind !== "mark" || ENDING.has(text);
