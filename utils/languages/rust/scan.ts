/** Reads Rust lexically. */

import { cutTokens, lexicon, type Token as TokenOf } from "../tokens.ts";

type Kind = "string" | "lifetime" | "number" | "word";

export type Token = TokenOf<Kind>;

const LEXICON = lexicon<Kind>(
  [
    ["blank", /\s+|\/\/[^\n]*|\/\*/u],
    ["string", /(?:br|cr|r)(?<marks>#*)"(?:(?!"\k<marks>)[\s\S])*(?:"\k<marks>|(?![\s\S]))/u],
    ["string", /[bc]?"(?:\\[\s\S]|[^"\\])*"?|b?'(?:\\(?:u\{[^}\n]*\}|x[\da-fA-F]{2}|.)|[^\\'\n])'/u],
    ["lifetime", /'[\p{ID_Start}_][\p{ID_Continue}]*/u],
    ["number", /\d(?:[eE][+-](?=\d)|\.(?=\d)|[\p{ID_Continue}])*/u],
    ["word", /(?:r#)?[\p{ID_Start}_][\p{ID_Continue}]*/u],
    ["mark", /->|=>|::|&&|\|\||\.\.[.=]?|[\s\S]/u],
  ],
  {
    closed: (text, kind, { marks }) => {
      if (marks !== undefined) return text.endsWith(`"${marks}`) && text.length > 2;
      return kind === "string" ? isClosed(text) : null;
    },
    endOfComment,
  },
);

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
