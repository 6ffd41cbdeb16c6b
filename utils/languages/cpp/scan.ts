/** Reads C++ lexically. */

import { cutTokens, lexicon, type Token as TokenOf } from "../tokens.ts";

type Kind = "directive" | "string" | "number" | "word";

/** A directive is a whole line of the preprocessor, with the lines that it goes on in. */
export type Token = TokenOf<Kind>;

const LEXICON = lexicon<Kind>(
  [
    ["blank", /\s+|\\\n|\/\/(?:\\\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u],
    ["directive", /(?<=^[^\S\n]*)#(?:\\\n|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?!\/\/)[^\n])*/u],
    ["string", /(?:u8|[uUL])?R"(?<mark1>[^()\\\s]{0,16})\((?:(?!\)\k<mark1>")[\s\S])*(?:\)\k<mark1>"|(?![\s\S]))/u],
    ["string", /(?:u8|[uUL])?(?:"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/u],
    ["number", /\.?\d(?:'[\da-fA-F]|[eEpP][+-]|[\w.])*/u],
    ["word", /[\p{ID_Start}_$][\p{ID_Continue}$]*/u],
    ["mark", /->|::|&&|[\s\S]/u],
  ],
  {
    closed: (text, kind, { mark1 }) => {
      if (mark1 !== undefined) return text.endsWith(`)${mark1}"`);
      return kind === "string" ? isClosed(text) : null;
    },
    hasLines: ({ mark1 }) => mark1 !== undefined,
  },
);

export const scan = (code: string) => cutTokens(code, LEXICON);

function isClosed(text: string): boolean {
  const quote = text.endsWith("'") ? "'" : '"';
  const first = text.search(/["']/);
  return (
    text.length > first + 1 && text.endsWith(quote) && text.charAt(first) === quote && !/[^\\](?:\\\\)*\\.$/.test(text)
  );
}
