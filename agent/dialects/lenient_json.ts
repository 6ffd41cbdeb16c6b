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

/** Arguments of a call in Python's syntax. */
export interface Arguments {
  positional: unknown[];
  keyword: Record<string, unknown>;
}

/** Reads `"a", key="b")` up to and with the closing parenthesis; `start` is after the opening one. */
export const parseArguments = (text: string, start: number): LenientValue<Arguments> | null =>
  read(text, start, (reader) => reader.callArguments());

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
const QUOTE = /[rRbBuUfF]{0,2}(?=["'`])/y;
const NEXT_STRING = /\s+(?:\+\s*)?(?=[rRbBuUfF]{0,2}["'])/y;
const KEY = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const COLON = /\s*(?::|=>?)/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=\s*(?:[,}\])]|$|\n))/y;
const WORD = /-?(?:true|false|null|None|undefined|NaN|Infinity)\b/iy;
/** A text without quotes, such as a path. */
const BARE = /[\w./\\@+*-][\w ./\\@+*-]*(?=\s*(?:[,}\]]|$|\n))/y;

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
    const closing = char === "{" ? "}" : char === "[" ? "]" : char === "(" && depth > 0 ? ")" : "";
    if (closing !== "") this.at++;
    if (closing === "}") return this.#object(depth);
    if (closing !== "") return this.#list(depth, closing);
    return this.#string() ?? (depth > 0 ? this.#scalar() : NONE);
  }

  callArguments(): Arguments | typeof NONE {
    const items = this.#items(")", 0, () => this.#match(KEYWORD)?.[1] ?? "");
    if (items === NONE) return NONE;
    const keyword = Object.fromEntries(items.filter(([key]) => key !== ""));
    return { positional: items.flatMap(([key, value]) => (key === "" ? [value] : [])), keyword };
  }

  #object(depth: number): unknown {
    const key = () => this.#string() ?? this.#match(KEY)?.[0];
    const items = this.#items("}", depth, () => {
      const found = key();
      return found !== undefined && (this.#match(COLON) || this.#atEnd()) ? found : NONE;
    });
    return items === NONE ? NONE : Object.fromEntries(items);
  }

  #list(depth: number, closing: string): unknown {
    const items = this.#items(closing, depth, () => "");
    return items === NONE ? NONE : items.map(([, value]) => value);
  }

  /** Keys and values after an opening bracket, up to and with the closing one or the end of the text. */
  #items(closing: string, depth: number, readKey: () => string | typeof NONE): [string, unknown][] | typeof NONE {
    const items: [string, unknown][] = [];
    if (depth > MAX_DEPTH) return NONE;
    while (!this.#ends(closing)) {
      const key = readKey();
      this.#skipSpace();
      if (key !== NONE && this.#atEnd()) break;
      const value = key === NONE ? NONE : this.value(depth + 1);
      if (key === NONE || value === NONE || !this.#separates(closing)) return NONE;
      items.push([key, value]);
    }
    return items;
  }

  /** True at the closing bracket (which it takes) and at the end of the text. */
  #ends(closing: string): boolean {
    this.#skipSpace();
    const isClosed = this.#text.charAt(this.at) === closing;
    if (isClosed) this.at++;
    return isClosed || this.#atEnd();
  }

  /** After an item: takes a comma; a line break or what closes the list will do as well. */
  #separates(closing: string): boolean {
    const from = this.at;
    this.#skipSpace();
    const char = this.#text.charAt(this.at);
    if (char === ",") this.at++;
    return char === "," || char === closing || this.#atEnd() || this.#text.slice(from, this.at).includes("\n");
  }

  #scalar(): unknown {
    const number = this.#match(NUMBER);
    if (number) return Number(number[0]);
    const word = this.#match(WORD)?.[0].toLowerCase();
    if (word !== undefined) return word === "true" ? true : word === "false" ? false : null;
    return this.#match(BARE)?.[0].trim() ?? NONE;
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
    if (quote === "`") return closing === quote ? content : content.replace(/^(?:python|py)?\s*\n/i, "");
    return isRaw ? content : decode(content, quote);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found) this.at += found[0].length;
    return found;
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
