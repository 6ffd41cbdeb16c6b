/**
 * Reads JSON as models write it: any quotes, raw newlines, trailing commas, Python literals, bare keys, a missing end.
 * Text that is strict JSON is read as `JSON.parse` reads it.
 */
import { scan } from "../../utils/languages/python/scan.ts";

export interface LenientValue<Value = unknown> {
  value: Value;
  /** Offset after the value. */
  end: number;
  /** True where the text ended inside a string. */
  cutInString: boolean;
}

/** Reads the object, list or string at `start` (white space may precede it); null where there is none. */
export const parseLenient = (text: string, start: number): LenientValue | null =>
  read(text, start, (reader) => reader.value(0));

/** The value that `text` starts with, as far as it goes; undefined where it starts with none. */
export const jsonIn = (text: string): unknown => parseLenient(text, 0)?.value;

/** A keyword, empty where the argument has none, and its value. */
type Argument = [string, unknown];

/** Reads `"a", key="b")` up to and with the closing parenthesis; `start` is after the opening one. */
export const parseArguments = (text: string, start: number): LenientValue<Argument[]> | null =>
  read(text, start, (reader) => reader.items(")", 0));

function read<Value>(
  text: string,
  start: number,
  take: (reader: Reader) => Value | typeof NONE,
): LenientValue<Value> | null {
  const reader = new Reader(text, start);
  const value = take(reader);
  return value === NONE ? null : { value, end: reader.at, cutInString: reader.cutInString };
}

const MAX_DEPTH = 50;
const NONE = Symbol("not a value");
const CLOSING: Record<string, string> = { "{": "}", "[": "]", "(": ")" };
const QUOTE = /[rRbBuUfF]{0,2}(?=["'`])/y;
const NEXT_STRING = /\s+(?:\+\s*)?(?=[rRbBuUfF]{0,2}["'])/y;
const KEY = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const COLON = /\s*(?::|=>?)/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
/** A number, a literal or a text without quotes, such as a path. */
const SCALAR = /[\w./\\@+*-][\w ./\\@+*-]*(?=\s*(?:[,}\])]|$|\n))/y;
const LITERALS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  none: null,
  undefined: null,
  nan: null,
};

class Reader {
  readonly #text: string;
  at: number;
  cutInString = false;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    this.#skipSpace();
    const char = this.#text.charAt(this.at);
    const closing = char === "(" && depth === 0 ? undefined : CLOSING[char];
    if (closing === undefined) return this.#string() ?? (depth > 0 ? this.#scalar() : NONE);
    this.at++;
    const items = this.items(closing, depth);
    if (items === NONE) return NONE;
    return closing === "}" ? Object.fromEntries(items) : items.map(([, value]) => value);
  }

  /** Keys (empty in a list) and values after an opening bracket, up to and with the closing one or the end of the text. */
  items(closing: string, depth: number): [string, unknown][] | typeof NONE {
    const items: [string, unknown][] = [];
    if (depth > MAX_DEPTH) return NONE;
    while (!this.#takes(closing) && !this.#atEnd()) {
      const key = this.#key(closing);
      if (key === undefined) return NONE;
      this.#skipSpace();
      if (this.#atEnd()) break;
      const value = this.value(depth + 1);
      if (value === NONE || !this.#separates(closing)) return NONE;
      items.push([key, value]);
    }
    return items;
  }

  #key(closing: string): string | undefined {
    if (closing !== "}") return closing === ")" ? (this.#match(KEYWORD)?.[1] ?? "") : "";
    const key = this.#string() ?? this.#match(KEY)?.[0];
    return this.#match(COLON) || this.#atEnd() ? key : undefined;
  }

  /** After an item: takes a comma; a line break or what closes the list will do as well. */
  #separates(closing: string): boolean {
    const from = this.at;
    if (this.#takes(",") || this.#atEnd() || this.#text.charAt(this.at) === closing) return true;
    return this.#text.slice(from, this.at).includes("\n");
  }

  #scalar(): unknown {
    const word = this.#match(SCALAR)?.[0].trim();
    if (word === undefined) return NONE;
    if (Object.hasOwn(LITERALS, word.toLowerCase())) return LITERALS[word.toLowerCase()];
    return Number.isNaN(Number(word)) ? word : Number(word);
  }

  /** A string and the strings that follow it after white space, as Python joins them; null where none starts here. */
  #string(): string | null {
    let joined: string | null = null;
    for (;;) {
      const back = this.at;
      if (joined !== null && this.#match(NEXT_STRING) === null) return joined;
      const prefix = this.#match(QUOTE)?.[0];
      if (prefix === undefined || (joined !== null && this.#startsKey())) {
        this.at = back;
        return joined;
      }
      joined = (joined ?? "") + this.#literal(/r/i.test(prefix));
    }
  }

  /** In an object whose comma was forgotten the next string is a key, not more of the value. */
  #startsKey(): boolean {
    const end = this.#text.indexOf(this.#text.charAt(this.at), this.at + 1);
    return end !== -1 && end - this.at < 60 && /^\s*:/.test(this.#text.slice(end + 1, end + 20));
  }

  #literal(isRaw: boolean): string {
    const quote = this.#text.charAt(this.at);
    const closing = this.#text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const from = this.at + closing.length;
    let end = from;
    while (end < this.#text.length && !this.#text.startsWith(closing, end)) {
      end += this.#text.charAt(end) === "\\" && quote !== "`" ? 2 : 1;
    }
    if (end >= this.#text.length) this.cutInString = true;
    this.at = Math.min(this.#text.length, end + closing.length);
    const content = this.#text.slice(from, end);
    return isRaw || quote === "`" ? content : decode(content, quote);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found) this.at += found[0].length;
    return found;
  }

  /** True where `char` is next but for white space; takes it. */
  #takes(char: string): boolean {
    this.#skipSpace();
    const isNext = this.#text.charAt(this.at) === char;
    if (isNext) this.at++;
    return isNext;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text.charAt(this.at))) this.at++;
  }

  #atEnd(): boolean {
    return this.at >= this.#text.length;
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

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Replaces JSON's escapes; an escape that JSON does not have (`\d`) stays as it is. */
export const unescapeText = (text: string): string =>
  text.replace(/\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[ntrbf/\\"'])/g, (whole) =>
    whole.length > 2
      ? String.fromCharCode(Number.parseInt(whole.slice(2), 16))
      : (ESCAPES[whole.charAt(1)] ?? whole.charAt(1)),
  );
