/** Reads C++ lexically. */

import { oneOf } from "../../base/text/patterns.ts";
import { cutTokens, type Lexicon, type Token as TokenOf } from "../tokens.ts";

type Kind = "directive" | "string" | "number" | "word";

/** A directive is a whole line of the preprocessor, with the lines that it goes on in. */
export type Token = TokenOf<Kind>;

const LEXICON: Lexicon<Kind> = {
  part: new RegExp(
    oneOf(
      /(?<blank>\s+|\\\n|\/\/(?:\\\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))/u,
      /(?<directive>(?<=^[^\S\n]*)#(?:\\\n|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?!\/\/)[^\n])*)/mu,
      /(?<raw>(?:u8|[uUL])?R"(?<mark1>[^()\\\s]{0,16})\((?:(?!\)\k<mark1>")[\s\S])*(?:\)\k<mark1>"|(?![\s\S])))/u,
      /(?<string>(?:u8|[uUL])?(?:"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?))/u,
      /(?<number>\.?\d(?:'[\da-fA-F]|[eEpP][+-]|[\w.])*)/u,
      /(?<word>[\p{ID_Start}_$][\p{ID_Continue}$]*)/u,
      /(?<mark>->|::|&&|[\s\S])/u,
    ),
    "myu",
  ),
  kinds: { directive: "directive", raw: "string", string: "string", number: "number", word: "word" },
  closed: (text, group) => {
    if (group("raw") !== undefined) return text.endsWith(`)${group("mark1")}"`);
    return group("string") === undefined ? null : isClosed(text);
  },
  hasLines: (group) => group("raw") !== undefined,
};

export const scan = (code: string) => cutTokens(code, LEXICON);

function isClosed(text: string): boolean {
  const quote = text.endsWith("'") ? "'" : '"';
  const first = text.search(/["']/);
  return (
    text.length > first + 1 && text.endsWith(quote) && text.charAt(first) === quote && !/[^\\](?:\\\\)*\\.$/.test(text)
  );
}
