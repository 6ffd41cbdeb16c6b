/**
 * Reads a language with the brackets, quotes and comments of C lexically: tokens, and whether all of these are closed.
 * Any text gives tokens.
 */

export interface Token<Kind extends string = "word" | "number" | "string" | "mark"> {
  kind: Kind | "mark";
  text: string;
  start: number;
  end: number;
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
  /** With groups for blanks and comments (`blank`) and for kinds; what fits none of them is a mark. */
  part: RegExp;
  /** By the groups, the first that is there. */
  kinds: Readonly<Record<string, Kind>>;
  /** Whether a text is closed; null for what is none. @param group the text's part in the group of that name */
  closed(text: string, group: (name: string) => string | undefined): boolean | null;
  /** Whether lines of a text count as inside of it. Default: of each. */
  hasLines?(group: (name: string) => string | undefined): boolean;
}

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Cuts `code` into tokens, without comments and blanks. */
export function cutTokens<Kind extends string>(code: string, lexicon: Lexicon<Kind>): Scan<Token<Kind>> {
  const tokens: Token<Kind>[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  const kinds = Object.entries(lexicon.kinds);
  let [sound, complete] = [true, true];
  for (const { 0: text, index: start, groups = {} } of code.matchAll(lexicon.part)) {
    const group = (name: string) => groups[name];
    if (groups.blank !== undefined) {
      if (text.startsWith("/*") && (text.length < 4 || !text.endsWith("*/"))) complete = false;
      continue;
    }
    const closed = lexicon.closed(text, group);
    if (closed === false) complete = false;
    if (closed !== null && (lexicon.hasLines?.(group) ?? true))
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) insideText.add(start + at + 1);
    const kind = kinds.find(([name]) => groups[name] !== undefined)?.[1] ?? "mark";
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, text, start, end: start + text.length, depth: open.length });
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

/** Whether all brackets and quotes are closed. */
export const isWhole = ({ depth, sound }: Scan<Token<string>>): boolean => sound && depth === 0;

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
