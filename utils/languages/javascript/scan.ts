/** Reads JavaScript lexically: words, literals and brackets, without judging its grammar. */

import { cutTokens, type Lexicon, type Literal, lexicon, type Scan, type Token as TokenOf } from "../tokens.ts";

type Kind = "word" | "text";

export type Token = TokenOf<Kind>;

const LEXICON = lexicon<Kind>([
  ["blank", /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u],
  ["word", /[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*/u],
  ["mark", /=>|[-+*/%&|^<>=!?.]+|[\s\S]/u],
]);
const BEFORE_OPERAND = /^(?:return|typeof|case|in|of|new|delete|void|throw|do|else|yield|await|instanceof)$/;
/** What a template opens with an expression in it. */
const EXPRESSION = "${";

/** Linear in the length of `code`; total. */
export const scan = (code: string): Scan<Token> => cutTokens(code, lexiconOf(code));

function lexiconOf(code: string): Lexicon<Kind> {
  const regExps = new RegExpEnds(code);
  return {
    ...LEXICON,
    literal(at, before, innermost) {
      const char = code.charAt(at);
      if (char === '"' || char === "'") return { kind: "text", ...endOfString(code, at) };
      const closes = char === "}" && innermost === EXPRESSION;
      if (char === "`" || closes) return { kind: "text", ...endOfTemplate(code, at + 1), closes };
      if (char !== "/" || /[/*]/.test(code.charAt(at + 1)) || !startsOperand(before)) return null;
      const end = regExps.endOf(at);
      return { kind: "text", end: end ?? at + 1, closed: end !== null };
    },
  };
}

type End = Pick<Literal<Kind>, "end" | "closed" | "opens">;

const endOfLine = (code: string, at: number): number => (code.indexOf("\n", at) + 1 || code.length + 1) - 1;

function endOfString(code: string, start: number): End {
  for (let at = start + 1; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === code.charAt(start)) return { end: at + 1, closed: true };
    if (char === "\\") at += 1;
    if (char === "\n") break;
  }
  return { end: endOfLine(code, start), closed: false };
}

function endOfTemplate(code: string, from: number): End {
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === "`") return { end: at + 1, closed: true };
    if (char === "\\") at += 1;
    else if (code.startsWith(EXPRESSION, at)) return { end: at + 2, closed: true, opens: EXPRESSION };
  }
  return { end: code.length, closed: false };
}

/** Whether a slash after `before` starts a regular expression and is not a division. */
function startsOperand(before: TokenOf<Kind> | undefined): boolean {
  if (!before) return true;
  if (before.kind === "word") return BEFORE_OPERAND.test(before.text);
  return before.kind === "mark" && ![")", "]", "}", "++", "--"].includes(before.text);
}

/** Where regular expressions end; each line is read once, however many slashes it has. */
class RegExpEnds {
  readonly #code: string;
  #start = 0;
  #end = -1;
  /** For each offset of the line the end of a regular expression that goes on there, outside of a class and in one. */
  #outside: (number | null)[] = [];
  #inside: (number | null)[] = [];

  constructor(code: string) {
    this.#code = code;
  }

  /** The offset behind the closing slash of one that opens at `at`; null where its line closes none. */
  endOf(at: number): number | null {
    if (at > this.#end) this.#read(at);
    return this.#outside[at + 1 - this.#start] ?? null;
  }

  /** Backwards, so that each offset needs only what stands behind it. */
  #read(from: number): void {
    this.#start = from;
    this.#end = endOfLine(this.#code, from);
    const length = this.#end - from;
    this.#outside = new Array<number | null>(length + 1).fill(null);
    this.#inside = new Array<number | null>(length + 1).fill(null);
    for (let i = length - 1; i >= 0; i--) {
      const char = this.#code.charAt(from + i);
      const next = i + (char === "\\" ? 2 : 1);
      const outside = this.#outside[next] ?? null;
      const inside = this.#inside[next] ?? null;
      this.#outside[i] = char === "/" ? from + i + 1 : char === "[" ? inside : outside;
      this.#inside[i] = char === "]" ? outside : inside;
    }
  }
}

/** True where `code` uses `name` outside strings and comments. */
export const mentions = (code: string, name: string): boolean =>
  code.includes(name) && scan(code).tokens.some(({ kind, text }) => kind === "word" && text === name);
