/**
 * Reads JSON as models write it: any quotes, raw newlines, trailing commas, Python literals, bare keys, a missing end.
 * Text that is strict JSON is read as `JSON.parse` reads it.
 */
import { scan } from "../../utils/languages/python/scan.ts";

export interface LenientValue {
  value: unknown;
  /** Offset after the value. */
  end: number;
  /** False where the text ended before the value's closing bracket or quote. */
  closed: boolean;
  /** True where the text ended inside a string. */
  cutInString: boolean;
}

const MAX_DEPTH = 50;
const FAILED = Symbol("not a value");
const LITERALS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
  Infinity: null,
};
const ESCAPES: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** Reads the object, list or string at `start` (white space may precede it); null where there is none. */
export function parseLenient(text: string, start: number): LenientValue | null {
  const reader = new Reader(text, start);
  const value = reader.value(0);
  return value === FAILED ? null : { value, end: reader.at, closed: reader.closed, cutInString: reader.cutInString };
}

/** Arguments of a call in Python's syntax. */
export interface LenientArguments extends LenientValue {
  value: { positional: unknown[]; keyword: Record<string, unknown> };
}

/** Reads `"a", key="b")` up to and with the closing parenthesis; `start` is after the opening one. */
export function parseArguments(text: string, start: number): LenientArguments | null {
  const reader = new Reader(text, start);
  const value = reader.callArguments();
  return value === FAILED ? null : { value, end: reader.at, closed: reader.closed, cutInString: reader.cutInString };
}

class Reader {
  readonly text: string;
  at: number;
  closed = true;
  cutInString = false;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    this.skipSpace();
    const char = this.text.charAt(this.at);
    if (depth > MAX_DEPTH) return FAILED;
    if (char === "{") return this.object(depth);
    if (char === "[" || (char === "(" && depth > 0)) return this.list(depth, char === "[" ? "]" : ")");
    const string = this.string();
    if (string !== null) return string;
    return depth > 0 ? this.scalar() : FAILED;
  }

  callArguments(): { positional: unknown[]; keyword: Record<string, unknown> } | typeof FAILED {
    const positional: unknown[] = [];
    const keyword: [string, unknown][] = [];
    while (!this.ends(")")) {
      const key = this.match(/([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
      const value = this.value(1);
      if (value === FAILED || !this.separates(")")) return FAILED;
      if (key === undefined) positional.push(value);
      else keyword.push([key, value]);
    }
    return { positional, keyword: Object.fromEntries(keyword) };
  }

  private object(depth: number): unknown {
    const entries: [string, unknown][] = [];
    this.at++;
    while (!this.ends("}")) {
      const key = this.string() ?? this.match(/[\p{L}_$][\p{L}\p{N}_$-]*/uy)?.[0];
      if (key === undefined || (this.match(/\s*(?::|=>?)/y) === null && !this.atEnd())) return FAILED;
      this.skipSpace();
      if (this.atEnd()) {
        this.closed = false;
        break;
      }
      const value = this.value(depth + 1);
      if (value === FAILED || !this.separates("}")) return FAILED;
      entries.push([key, value]);
    }
    return Object.fromEntries(entries);
  }

  private list(depth: number, closing: string): unknown {
    const items: unknown[] = [];
    this.at++;
    while (!this.ends(closing)) {
      const value = this.value(depth + 1);
      if (value === FAILED || !this.separates(closing)) return FAILED;
      items.push(value);
    }
    return items;
  }

  /** True at the closing bracket (which it takes) and at the end of the text. */
  private ends(closing: string): boolean {
    this.skipSpace();
    if (this.text.charAt(this.at) === closing) {
      this.at++;
      return true;
    }
    if (this.atEnd()) this.closed = false;
    return this.atEnd();
  }

  /** After an item: takes a comma; a line break or what closes the list will do as well. */
  private separates(closing: string): boolean {
    const from = this.at;
    this.skipSpace();
    if (this.text.charAt(this.at) === ",") {
      this.at++;
      return true;
    }
    return this.atEnd() || this.text.charAt(this.at) === closing || this.text.slice(from, this.at).includes("\n");
  }

  private scalar(): unknown {
    const number = this.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=\s*(?:[,}\])]|$|\n))/y);
    if (number) return Number(number[0]);
    const word = this.match(/-?(true|false|null|True|False|None|undefined|NaN|Infinity)\b/y);
    if (word) return LITERALS[word[1] ?? ""];
    // A bare word, such as a path without quotes.
    return this.match(/[\w./\\@+*-][\w ./\\@+*-]*(?=\s*(?:[,}\]]|$|\n))/y)?.[0].trim() ?? FAILED;
  }

  /** A string and the strings that follow it after white space, as Python joins them; null where none starts here. */
  private string(): string | null {
    let joined: string | null = null;
    for (;;) {
      const back = this.at;
      if (joined !== null && this.match(/\s+(?:\+\s*)?(?=[rRbBuUfF]{0,2}["'])/y) === null) return joined;
      const prefix = this.match(/[rRbBuUfF]{0,2}(?=["'`])/y)?.[0];
      if (prefix === undefined || (joined !== null && this.startsKey())) {
        this.at = back;
        return joined;
      }
      joined = (joined ?? "") + this.literal(/r/i.test(prefix));
    }
  }

  /** In an object whose comma was forgotten the next string is a key, not more of the value. */
  private startsKey(): boolean {
    const quote = this.text.charAt(this.at);
    const end = this.text.indexOf(quote, this.at + 1);
    return end !== -1 && end - this.at < 60 && /^\s*:/.test(this.text.slice(end + 1, end + 20));
  }

  private literal(isRaw: boolean): string {
    const quote = this.text.charAt(this.at);
    const closing = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const from = this.at + closing.length;
    let end = from;
    while (end < this.text.length && !this.text.startsWith(closing, end)) {
      end += this.text.charAt(end) === "\\" && quote !== "`" ? 2 : 1;
    }
    const cut = end >= this.text.length;
    if (cut) {
      this.closed = false;
      this.cutInString = true;
    }
    this.at = cut ? this.text.length : end + closing.length;
    const content = this.text.slice(from, cut ? this.text.length : end);
    if (quote === "`") return closing === quote ? content : content.replace(/^(?:python|py)?\s*\n/i, "");
    return isRaw ? content : decode(content, quote);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found;
  }

  private skipSpace(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at++;
  }

  private atEnd(): boolean {
    return this.at >= this.text.length;
  }
}

/**
 * What a string literal means. One that holds real line breaks was not escaped by its author, so its backslashes belong
 * to the content (`print("a\nb")` inside a program), unless that makes broken Python and unescaping does not.
 */
function decode(content: string, quote: string): string {
  if (!content.includes("\\")) return content;
  const unescaped = unescapeText(content);
  if (!content.includes("\n")) return unescaped;
  const verbatim = content.replaceAll(`\\${quote}`, quote);
  return !scan(verbatim).sound && scan(unescaped).sound ? unescaped : verbatim;
}

/** Replaces JSON's escapes; an escape that JSON does not have (`\d`) stays as it is. */
export const unescapeText = (text: string): string =>
  text.replace(/\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^ux])/g, (whole) =>
    whole.length > 2 ? String.fromCharCode(Number.parseInt(whole.slice(2), 16)) : (ESCAPES[whole.charAt(1)] ?? whole),
  );
