/** Reads Java lexically. */

import { cutTokens, lexicon, type Token as TokenOf } from "../tokens.ts";

export type Token = TokenOf;

const LEXICON = lexicon<"string" | "number" | "word">(
  [
    ["blank", /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u],
    ["string", /"""(?:\\[\s\S]|(?!""")[\s\S])*(?:"""|(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/u],
    ["number", /\d[\w.]*/u],
    ["word", /[\p{ID_Start}$_@][\p{ID_Continue}$]*/u],
    ["mark", /->|::|[\s\S]/u],
  ],
  { closed: (text, kind) => (kind === "string" ? isClosed(text) : null) },
);

export const scan = (code: string) => cutTokens(code, LEXICON);

function isClosed(text: string): boolean {
  const quote = text.startsWith('"""') ? '"""' : text.charAt(0);
  return text.length >= 2 * quote.length && text.endsWith(quote);
}
