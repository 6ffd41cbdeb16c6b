/** Reads Rust lexically. */

import { oneOf } from "../../base/text/patterns.ts";
import { cutTokens, type Lexicon, type Token as TokenOf } from "../tokens.ts";

type Kind = "string" | "lifetime" | "number" | "word";

export type Token = TokenOf<Kind>;

const LEXICON: Lexicon<Kind> = {
  part: new RegExp(
    oneOf(
      /(?<blank>\s+|\/\/[^\n]*|\/\*)/u,
      /(?<raw>(?:br|cr|r)(?<marks>#*)"(?:(?!"\k<marks>)[\s\S])*(?:"\k<marks>|(?![\s\S])))/u,
      /(?<string>[bc]?"(?:\\[\s\S]|[^"\\])*"?|b?'(?:\\(?:u\{[^}\n]*\}|x[\da-fA-F]{2}|.)|[^\\'\n])')/u,
      /(?<lifetime>'[\p{ID_Start}_][\p{ID_Continue}]*)/u,
      /(?<number>\d(?:[eE][+-](?=\d)|\.(?=\d)|[\p{ID_Continue}])*)/u,
      /(?<word>(?:r#)?[\p{ID_Start}_][\p{ID_Continue}]*)/u,
      /(?<mark>->|=>|::|&&|\|\||\.\.[.=]?|[\s\S])/u,
    ),
    "uy",
  ),
  kinds: { raw: "string", string: "string", lifetime: "lifetime", number: "number", word: "word" },
  closed: (text, group) => {
    if (group("raw") !== undefined) return text.endsWith(`"${group("marks")}`) && text.length > 2;
    return group("string") === undefined ? null : isClosed(text);
  },
  endOfComment,
};

export const scan = (code: string) => cutTokens(code, LEXICON);

/** Comments hold others. Null where it is not closed. */
function endOfComment(code: string, start: number): number | null {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let found = edge.exec(code); found; found = edge.exec(code)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return null;
}

const isClosed = (text: string): boolean => {
  const inner = text.replace(/^[bc]/, "");
  return inner.length >= 2 && inner.endsWith(inner.charAt(0)) && !/[^\\](?:\\\\)*\\.$/s.test(inner);
};
