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

export interface Lexicon<Kind extends string> {
  /** Sticky; with groups for blanks and comments (`blank`) and for kinds; what fits none of them is a mark. */
  part: RegExp;
  /** By the groups, the first that is there. */
  kinds: Readonly<Record<string, Kind>>;
  /** Whether a text is closed; null for what is none. @param group the text's part in the group of that name */
  closed(text: string, group: (name: string) => string | undefined): boolean | null;
  /** Whether lines of a text count as inside of it. Default: of each. */
  hasLines?(group: (name: string) => string | undefined): boolean;
  /**
   * Where comments hold others, and `blank` only finds where one begins: the offset behind it, null where it is not
   * closed.
   */
  endOfComment?(code: string, start: number): number | null;
}

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Cuts `code` into tokens, without comments and blanks. */
export function cutTokens<Kind extends string>(code: string, lexicon: Lexicon<Kind>): Scan<Token<Kind>> {
  const tokens: Token<Kind>[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  const kinds = Object.entries(lexicon.kinds);
  let [sound, complete, at] = [true, true, 0];
  while (at < code.length) {
    lexicon.part.lastIndex = at;
    const { 0: text, groups = {} } = lexicon.part.exec(code) ?? { 0: code.charAt(at) };
    const start = at;
    at += text.length;
    const group = (name: string) => groups[name];
    if (groups.blank !== undefined) {
      if (!text.startsWith("/*")) continue;
      const end = lexicon.endOfComment ? lexicon.endOfComment(code, start) : isClosedComment(text) ? at : null;
      complete &&= end !== null;
      at = end ?? code.length;
      continue;
    }
    const closed = lexicon.closed(text, group);
    if (closed === false) complete = false;
    if (closed !== null && (lexicon.hasLines?.(group) ?? true))
      for (let line = text.indexOf("\n"); line !== -1; line = text.indexOf("\n", line + 1))
        insideText.add(start + line + 1);
    const kind = kinds.find(([name]) => groups[name] !== undefined)?.[1] ?? "mark";
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, text, start, end: at, depth: open.length });
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
