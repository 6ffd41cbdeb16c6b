/**
 * Reads JSON as models write it: any quotes, raw newlines, trailing commas, Python literals, bare keys, a missing end.
 * Text that is strict JSON is read as `JSON.parse` reads it.
 */
export interface LenientResult {
  value: unknown;
  /** Offset after the value. */
  end: number;
  /** True where the text ended inside a string. */
  cutInString: boolean;
}

const MAX_DEPTH = 50;
const CLOSING: Record<string, string> = { "{": "}", "[": "]", "(": ")" };
/** After an item; a line break will do. */
const COMMA = /\s*(?:,|(?=[}\])])|$)|[^\S\n]*\n/y;
const KEYWORD = /([A-Za-z_]\w*)\s*=(?!=)/y;
const QUOTE = /([rRbBuUfF]{0,2})("""|'''|["'`])/y;
/** Before a string that continues the last one, as in Python, and is not the next key. */
const CONTINUED = /\s+(?=["'])(?!(["'])[^"'\n]{0,60}\1\s*:)/y;
/** A key, a number, a literal or a path without quotes. */
const WORD = /[\p{L}\p{N}_$./\\@+*-]+/uy;
const LITERALS = new Map<string, unknown>(Object.entries({ true: true, false: false, null: null, none: null }));

/**
 * Reads the object, list or string at `start` (white space may precede it); null if there is none. `(` starts the
 * arguments of a call: an object of its keywords, in which the first argument without one is `""`.
 */
export function parseLenient(text: string, start = 0): LenientResult | null {
  let at = start;
  let cutInString = false;

  /** What `pattern`, which is sticky, finds here. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };

  const value = (depth: number): unknown => {
    take(/\s*/y);
    const bracket = text.charAt(at);
    if (!(bracket in CLOSING) || (bracket === "(" && depth > 0)) return string() ?? (depth > 0 ? word() : undefined);
    at++;
    const items: [string, unknown][] = [];
    while (depth < MAX_DEPTH) {
      take(/\s*/y);
      const isClosed = text.charAt(at) === CLOSING[bracket];
      if (isClosed) at++;
      if (isClosed || at >= text.length)
        return bracket === "[" ? items.map(([, item]) => item) : Object.fromEntries(items);
      const key = bracket === "{" ? (string() ?? take(WORD)?.[0]) : bracket === "(" ? take(KEYWORD)?.[1] : undefined;
      if (bracket === "{" && (key === undefined || !take(/\s*(?:[:=]|$)/y))) return undefined;
      take(/\s*/y);
      if (at >= text.length) continue;
      const item = value(depth + 1);
      if (item === undefined || !take(COMMA)) return undefined;
      items.push([key ?? String(items.length || ""), item]);
    }
    return undefined;
  };

  const word = (): unknown => {
    const found = take(WORD)?.[0];
    const name = found?.toLowerCase() ?? "";
    return LITERALS.has(name) ? LITERALS.get(name) : Number.isNaN(Number(found)) ? found : Number(found);
  };

  /** A string and the strings that continue it; undefined where none starts here. */
  const string = (): string | undefined => {
    let joined: string | undefined;
    do {
      const [, prefix = "", quote] = take(QUOTE) ?? [];
      if (quote === undefined) return joined;
      const from = at;
      const stops = new RegExp(quote === "`" ? quote : `\\\\[^]|${quote}`, "g");
      stops.lastIndex = from;
      let stop = stops.exec(text);
      while (stop && stop[0] !== quote) stop = stops.exec(text);
      cutInString ||= !stop;
      const content = text.slice(from, stop?.index);
      at = stop ? stops.lastIndex : text.length;
      joined = (joined ?? "") + (/r/i.test(prefix) || quote === "`" ? content : decode(content, quote.charAt(0)));
    } while (take(CONTINUED));
    return joined;
  };

  const read = value(0);
  return read === undefined ? null : { value: read, end: at, cutInString };
}

/** The value at the start of `text`; undefined if there is none, it is cut, or it is a string with text behind. */
export function wholeJson(text: string): unknown {
  const read = parseLenient(text);
  const isPart = typeof read?.value === "string" && text.slice(read.end).trim() !== "";
  return read?.cutInString || isPart ? undefined : read?.value;
}

/** In a program: what may hold a backslash that is meant. */
const LITERAL = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?:#|\/\/).*/g;

/**
 * What a string literal means. One that holds real line breaks was not escaped by its author, so its backslashes belong
 * to the content (`print("a\nb")` inside a program), unless a line break is escaped where a program can have none.
 */
function decode(content: string, quote: string): string {
  const verbatim = content.replaceAll(`\\${quote}`, quote);
  const isVerbatim = content.includes("\n") && !verbatim.replace(LITERAL, "").includes("\\n");
  return isVerbatim ? verbatim : unescapeText(content);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Replaces JSON's escapes; an escape that JSON does not have (`\d`) stays as it is. */
export const unescapeText = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([ntrbf/\\"']))/g, (_, code: string, char: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[char] ?? char),
  );
