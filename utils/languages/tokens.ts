/**
 * Reads a language with the brackets, quotes and comments of C lexically: tokens, and whether all of these are closed.
 * Any text gives tokens.
 */

/** A piece of source; its text is `cut(code, span)`. Comments before it do not belong to it. */
export interface Span {
  start: number;
  end: number;
}

export const cut = (code: string, { start, end }: Span): string => code.slice(start, end);

/** A text in the place of a piece. */
export interface Change extends Span {
  text: string;
}

/** `code` after changes that do not overlap. */
export const changed = (code: string, changes: readonly Change[]): string =>
  changes
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text }) => whole.slice(0, start) + text + whole.slice(end), code);

/** `code` with some of its pieces blank; each line stays where it was. */
export const blanked = (code: string, spans: readonly Span[]): string =>
  changed(
    code,
    spans.map((span) => ({ start: span.start, end: span.end, text: cut(code, span).replace(/[^\n]/g, " ") })),
  );

export interface Token<Kind extends string = "word" | "number" | "string" | "mark"> extends Span {
  kind: Kind | "mark";
  text: string;
  /** Of brackets around it; a bracket has the depth of what is around it. */
  depth: number;
  /** True where it is the first of its line. */
  startsLine: boolean;
}

export interface Scan<T extends Token<string> = Token> {
  tokens: T[];
  /** Open brackets at the end. */
  depth: number;
  /** False where a bracket closes that none opened, or another one, or the text is not complete. */
  sound: boolean;
  /** False where the text ends within a comment or a text. */
  complete: boolean;
  /** Offsets of lines that begin inside a text of several lines. */
  insideText: ReadonlySet<number>;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A piece that is read by what stands before it: a regular expression, a part of a template. */
export interface Literal<Kind extends string> {
  kind: Kind;
  end: number;
  closed: boolean;
  /** Whether it closes the innermost bracket, as the `}` of a template does. */
  closes?: boolean;
  /** What it opens, which counts as a bracket. */
  opens?: string | undefined;
}

export interface Lexicon<Kind extends string> {
  /** Sticky: the parts of `lexicon`, one of which every text begins with. */
  pattern: RegExp;
  /** What each group of the pattern is; the others are groups within a part. */
  kinds: readonly (Kind | "mark" | "blank" | null)[];
  /** Whether a text is closed; null for what is none. Absent: of none. @param groups the pattern's named ones */
  closed?(text: string, kind: Kind | "mark", groups: Groups): boolean | null;
  /** Whether lines of a text count as inside of it. Default: of each. */
  hasLines?(groups: Groups): boolean;
  /**
   * Where comments hold others, and `blank` only finds where one begins: the offset behind it, null where it is not
   * closed.
   */
  endOfComment?(code: string, start: number): number | null;
  /** The literal at an offset, where the pattern cannot tell it; null where there is none. */
  literal?(at: number, before: Token<Kind> | undefined, innermost: string | undefined): Literal<Kind> | null;
}

/** @param parts blanks with comments, texts and so on, tried in turn; the last one fits any character */
export function lexicon<Kind extends string>(
  parts: readonly (readonly [kind: Kind | "mark" | "blank", part: RegExp])[],
  more: Omit<Lexicon<Kind>, "pattern" | "kinds"> = {},
): Lexicon<Kind> {
  const groupsIn = ({ source }: RegExp) => ("".match(new RegExp(`${source}|`, "mu"))?.length ?? 1) - 1;
  return {
    pattern: new RegExp(parts.map(([, { source }]) => `(${source})`).join("|"), "myu"),
    kinds: parts.flatMap(([kind, part]) => [kind, ...new Array<null>(groupsIn(part)).fill(null)]),
    ...more,
  };
}

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Cuts `code` into tokens, without comments and blanks. */
export function cutTokens<Kind extends string>(code: string, lexicon: Lexicon<Kind>): Scan<Token<Kind>> {
  const { pattern, kinds } = lexicon;
  const tokens: Token<Kind>[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  let [sound, complete, startsLine, at] = [true, true, true, 0];
  const addLines = (text: string, start: number) => {
    for (let line = text.indexOf("\n"); line !== -1; line = text.indexOf("\n", line + 1))
      insideText.add(start + line + 1);
  };
  while (at < code.length) {
    const literal = lexicon.literal?.(at, tokens.at(-1), open.at(-1));
    if (literal) {
      const { kind, end, closed, closes = false, opens } = literal;
      const text = code.slice(at, end);
      complete &&= closed;
      if (closes) open.pop();
      addLines(text, at);
      tokens.push({ kind, text, start: at, end, depth: open.length, startsLine });
      startsLine = false;
      if (opens !== undefined) open.push(opens);
      at = end;
      continue;
    }
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    const text = found?.[0] ?? code.charAt(at);
    const kind = kinds.find((one, i) => one !== null && found?.[i + 1] !== undefined) ?? "mark";
    const start = at;
    at += text.length;
    if (kind === "blank") {
      if (text.startsWith("/*")) {
        const end = lexicon.endOfComment ? lexicon.endOfComment(code, start) : isClosedComment(text) ? at : null;
        complete &&= end !== null;
        at = end ?? code.length;
      }
      startsLine ||= code.slice(start, at).includes("\n");
      continue;
    }
    const closed = lexicon.closed?.(text, kind, found?.groups ?? {}) ?? null;
    if (closed === false) complete = false;
    if (closed !== null && (lexicon.hasLines?.(found?.groups ?? {}) ?? true)) addLines(text, start);
    if (kind === "mark" && CLOSING[text] !== undefined) {
      const opening = open.pop();
      // Where literals are read by what stands before them, one that is misread may hold any bracket.
      if (opening === undefined || (opening !== CLOSING[text] && !lexicon.literal)) sound = false;
    }
    tokens.push({ kind, text, start, end: at, depth: open.length, startsLine });
    startsLine = false;
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

const isClosedComment = (text: string): boolean => text.length >= 4 && text.endsWith("*/");

/** Whether all brackets and quotes are closed. */
export const isWhole = ({ depth, sound }: Pick<Scan, "depth" | "sound">): boolean => sound && depth === 0;

/** The tokens alone, with a blank between them. */
export const substanceOf = ({ tokens }: Scan<Token<string>>): string => tokens.map(({ text }) => text).join(" ");

/** Of a text that begins with a bracket, where that closes. */
export const closingOf = ({ tokens }: Scan<Token<string>>, text: string): number =>
  tokens.find(({ depth, kind }, at) => at > 0 && depth === 0 && kind === "mark")?.start ?? text.length;

/** The parts between commas that stand in no brackets, `<>` included; none of a blank text. */
export function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const one = text.charAt(at);
    if ("<([{".includes(one)) depth += 1;
    else if (">)]}".includes(one)) depth -= 1;
    else if (one === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  const last = text.slice(start);
  return parts.length > 0 || last.trim() !== "" ? [...parts, last] : [];
}
