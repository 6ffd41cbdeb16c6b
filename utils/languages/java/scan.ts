/** Reads Java lexically. */

import { oneOf } from "../../base/text/patterns.ts";
import { cutTokens, type Lexicon, type Token as TokenOf } from "../tokens.ts";

export type Token = TokenOf;

const LEXICON: Lexicon<"string" | "number" | "word"> = {
  part: new RegExp(
    oneOf(
      /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))/u,
      /(?<string>"""(?:\\[\s\S]|(?!""")[\s\S])*(?:"""|(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/u,
      /(?<number>\d[\w.]*)/u,
      /(?<word>[\p{ID_Start}$_@][\p{ID_Continue}$]*)/u,
      /(?<mark>->|::|[\s\S])/u,
    ),
    "uy",
  ),
  kinds: { string: "string", number: "number", word: "word" },
  closed: (text, group) => (group("string") === undefined ? null : isClosed(text)),
};

export const scan = (code: string) => cutTokens(code, LEXICON);

function isClosed(text: string): boolean {
  const quote = text.startsWith('"""') ? '"""' : text.charAt(0);
  return text.length >= 2 * quote.length && text.endsWith(quote);
}
