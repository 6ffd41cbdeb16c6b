/** Reads Python source lexically: strings, comments, brackets and line continuations, without judging its grammar. */

/** One statement's worth of text: physical lines joined by brackets, triple quotes or backslashes. */
export interface LogicalLine {
  /** Offset of the first physical line's first character, white space included. */
  start: number;
  /** Offset just after the line's newline, or the end of the source. */
  end: number;
  /** White space before the first token. */
  indent: string;
  /** True where the last token is a colon outside brackets: an indented block must follow. */
  opensBlock: boolean;
}

export interface Scan {
  /** Blank lines and lines that hold only a comment are not among them. */
  lines: LogicalLine[];
  /** Offsets of physical lines that start inside a string: their white space is content, not layout. */
  insideString: Set<number>;
  /** False where the source ends inside a bracket, a triple-quoted string or after a backslash. */
  complete: boolean;
  /** False where a bracket, a quote or a backslash is somewhere it can never be in Python. */
  sound: boolean;
}

const codes = (characters: string): ReadonlySet<number> => new Set(Buffer.from(characters));
const OPENING = codes("([{");
const CLOSING = codes(")]}");
const BLANKS = codes(" \t\f\n");
const [DOUBLE_QUOTE, SINGLE_QUOTE, HASH, BACKSLASH, NEWLINE, COLON] = [0x22, 0x27, 0x23, 0x5c, 0x0a, 0x3a];

/** True for what neither ends a line nor means anything to it: letters, digits, operators. */
const isPlain = (char: number): boolean =>
  (char >= 0x61 && char <= 0x7a) || (char >= 0x3b && char <= 0x5a) || (char >= 0x2a && char <= 0x39) || char > 0x7d;

/**
 * Where the string literal whose first quote is at `at` ends: the offset after its closing quote. A string with one
 * quote ends at the line's end at the latest, as in Python. `closed` is false where the closing quote is missing.
 */
export function stringEnd(code: string, at: number): { end: number; closed: boolean } {
  const quote = code.charAt(at);
  const triple = code.startsWith(quote.repeat(3), at);
  const closing = triple ? quote.repeat(3) : quote;
  for (let i = at + closing.length; i < code.length; i++) {
    const char = code.charAt(i);
    if (char === "\\") i++;
    else if (char === "\n" && !triple) return { end: i, closed: false };
    else if (char === quote && code.startsWith(closing, i)) return { end: i + closing.length, closed: true };
  }
  return { end: code.length, closed: false };
}

/** Offset of the newline at or after `at`, or the end of the source. */
export function lineEnd(code: string, at: number): number {
  const newline = code.indexOf("\n", at);
  return newline === -1 ? code.length : newline;
}

const afterNewline = (code: string, at: number): number => Math.min(code.length, lineEnd(code, at) + 1);

/** Splits `code` into logical lines. Total and linear in the length of `code`. */
export function scan(code: string): Scan {
  const result: Scan = { lines: [], insideString: new Set(), complete: true, sound: true };
  let at = 0;
  while (at < code.length) {
    const start = at;
    while (" \t\f".includes(code.charAt(at)) && at < code.length) at++;
    const first = code.charAt(at);
    if (first === "\n" || first === "#" || first === "") at = afterNewline(code, at);
    else at = scanLogicalLine(code, start, at, result);
  }
  return result;
}

/** Reads the logical line whose first token is at `at`; appends it to `result` and returns the offset after it. */
function scanLogicalLine(code: string, start: number, at: number, result: Scan): number {
  const indent = code.slice(start, at);
  let depth = 0;
  let opensBlock = false;
  let ended = false;
  while (at < code.length && !ended) {
    const char = code.charCodeAt(at);
    if (isPlain(char)) {
      opensBlock = false;
      at++;
      continue;
    }
    if (char === DOUBLE_QUOTE || char === SINGLE_QUOTE) {
      const { end, closed } = stringEnd(code, at);
      if (!closed) result.sound = false;
      if (!closed && end === code.length) result.complete = false;
      const literal = code.slice(at, end);
      for (let line = literal.indexOf("\n") + 1; line > 0; line = literal.indexOf("\n", line) + 1) {
        result.insideString.add(at + line);
      }
      at = end;
      opensBlock = false;
      continue;
    }
    if (char === HASH) {
      at = lineEnd(code, at);
      continue;
    }
    if (char === BACKSLASH) {
      if (code.charAt(at + 1) !== "\n") result.sound = false;
      if (at + 2 >= code.length) result.complete = false;
      at += 2;
      continue;
    }
    if (OPENING.has(char)) depth++;
    if (CLOSING.has(char)) depth--;
    if (depth < 0) {
      result.sound = false;
      depth = 0;
    }
    if (char === NEWLINE && depth === 0) ended = true;
    else if (!BLANKS.has(char)) opensBlock = char === COLON;
    at++;
  }
  if (depth > 0) result.complete = false;
  result.lines.push({ start, end: at, indent, opensBlock });
  return at;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;

/** The identifiers and keywords of `code` in order, those inside strings and comments left out. */
export function* words(code: string): Generator<string> {
  let at = 0;
  while (at < code.length) {
    const char = code.charAt(at);
    if (char === '"' || char === "'") at = stringEnd(code, at).end;
    else if (char === "#") at = lineEnd(code, at);
    else {
      WORD.lastIndex = at;
      const word = WORD.exec(code)?.[0];
      if (word !== undefined) yield word;
      at += word?.length ?? (/\d/.test(char) ? digitsLength(code, at) : 1);
    }
  }
}

/** A number's letters (`0x1f`, `1e5`, `2j`) are not words. */
function digitsLength(code: string, at: number): number {
  let end = at;
  while (/[\w.]/.test(code.charAt(end))) end++;
  return Math.max(1, end - at);
}

/** True where `code` uses `name` outside strings and comments. */
export function mentions(code: string, name: string): boolean {
  if (!code.includes(name)) return false;
  for (const word of words(code)) if (word === name) return true;
  return false;
}
