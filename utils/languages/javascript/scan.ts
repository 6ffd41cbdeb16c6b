/** Reads JavaScript lexically: words, literals and brackets, without judging its grammar. */

export interface Token {
  kind: "word" | "text" | "mark";
  start: number;
  end: number;
  /** Open brackets around it; an opening and its closing bracket have the same. */
  depth: number;
  /** True where it is the first of its line. */
  startsLine: boolean;
}

export interface Scan {
  tokens: Token[];
  /** Brackets that are still open at the end. */
  depth: number;
  /** False where a bracket or a quote is somewhere it can never be. */
  sound: boolean;
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*/uy;
const MARK = /=>|[-+*/%&|^<>=!?.]+|[\s\S]/y;
const BEFORE_OPERAND = /^(?:return|typeof|case|in|of|new|delete|void|throw|do|else|yield|await|instanceof)$/;

/** Linear in the length of `code`; total. */
export function scan(code: string): Scan {
  const found: Scan = { tokens: [], depth: 0, sound: true };
  /** Depths at which a `}` goes on with a template. */
  const templates: number[] = [];
  const regExps = new RegExpEnds(code);
  let startsLine = true;
  const add = (kind: Token["kind"], start: number, end: number, depth = found.depth) => {
    found.tokens.push({ kind, start, end, depth, startsLine });
    startsLine = false;
    return end;
  };
  for (let at = 0; at < code.length; ) {
    const char = code.charAt(at);
    if (char === "\n") {
      startsLine = true;
      at += 1;
    } else if (/\s/.test(char)) at += 1;
    else if (code.startsWith("//", at)) at = endOfLine(code, at);
    else if (code.startsWith("/*", at)) at = endAfter(code, "*/", at + 2, found);
    else if (char === '"' || char === "'") at = add("text", at, endOfString(code, at, found));
    else if (char === "`" || (char === "}" && templates.at(-1) === found.depth)) {
      if (char === "}") {
        templates.pop();
        found.depth -= 1;
      }
      const { end, opens } = endOfTemplate(code, at + 1, found);
      add("text", at, end);
      if (opens) templates.push(++found.depth);
      at = end;
    } else if (char === "/" && startsOperand(code, found.tokens.at(-1)))
      at = add("text", at, regExps.endOf(at) ?? unsound(found, at + 1));
    else if (isWordStart(code, at)) at = add("word", at, at + match(WORD, code, at).length);
    else if ("([{".includes(char)) {
      at = add("mark", at, at + 1);
      found.depth += 1;
    } else if (")]}".includes(char)) {
      if (found.depth === 0) found.sound = false;
      else found.depth -= 1;
      at = add("mark", at, at + 1);
    } else at = add("mark", at, at + match(MARK, code, at).length);
  }
  return found;
}

function match(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? code.charAt(at);
}

function isWordStart(code: string, at: number): boolean {
  WORD.lastIndex = at;
  return WORD.test(code);
}

export const endOfLine = (code: string, at: number): number => (code.indexOf("\n", at) + 1 || code.length + 1) - 1;

function endAfter(code: string, mark: string, from: number, scan: Scan): number {
  const at = code.indexOf(mark, from);
  if (at === -1) scan.sound = false;
  return at === -1 ? code.length : at + mark.length;
}

function endOfString(code: string, start: number, scan: Scan): number {
  for (let at = start + 1; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === code.charAt(start)) return at + 1;
    if (char === "\\") at += 1;
    if (char === "\n") break;
  }
  scan.sound = false;
  return endOfLine(code, start);
}

function endOfTemplate(code: string, from: number, scan: Scan): { end: number; opens: boolean } {
  for (let at = from; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === "`") return { end: at + 1, opens: false };
    if (char === "\\") at += 1;
    else if (code.startsWith("${", at)) return { end: at + 2, opens: true };
  }
  scan.sound = false;
  return { end: code.length, opens: false };
}

/** Whether a slash after `before` starts a regular expression and is not a division. */
function startsOperand(code: string, before: Token | undefined): boolean {
  if (!before) return true;
  const text = code.slice(before.start, before.end);
  if (before.kind === "word") return BEFORE_OPERAND.test(text);
  return before.kind === "mark" && ![")", "]", "}", "++", "--"].includes(text);
}

function unsound(scan: Scan, end: number): number {
  scan.sound = false;
  return end;
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
  code.includes(name) &&
  scan(code).tokens.some(({ kind, start, end }) => kind === "word" && code.slice(start, end) === name);

/** Offsets of the lines that begin inside a template: their white space is content, not layout. */
export const linesInText = (code: string): ReadonlySet<number> =>
  new Set(
    scan(code).tokens.flatMap(({ kind, start, end }) =>
      kind === "text" ? [...code.slice(start, end).matchAll(/\n/g)].map(({ index }) => start + index + 1) : [],
    ),
  );
