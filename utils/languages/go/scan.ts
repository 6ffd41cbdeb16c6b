/** Reads Go lexically: tokens, and whether brackets and quotes are closed. Any text gives tokens. */

export interface Token {
  kind: "word" | "number" | "string" | "mark";
  text: string;
  start: number;
  end: number;
  /** Of brackets around it; a bracket has the depth of what is around it. */
  depth: number;
  /** True where a statement ends behind it, as the line does: a semicolon that nobody writes. */
  endsLine: boolean;
}

export interface Scan {
  tokens: Token[];
  /** Open brackets at the end. */
  depth: number;
  /** False where a bracket closes that none opened, or another one, and where a quote or a comment is not closed. */
  sound: boolean;
  /** False where the text ends within a comment or a text. */
  complete: boolean;
  /** Offsets of lines that begin inside a text. */
  insideText: ReadonlySet<number>;
}

const PART = new RegExp(
  [
    /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))/u,
    /(?<string>`[^`]*(?:`|(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/u,
    /(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)/u,
    /(?<word>[\p{L}_][\p{L}\p{Nd}_]*)/u,
    /(?<mark>\.\.\.|:=|<-|\+\+|--|&&|\|\||[\s\S])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
/** Words behind which no statement ends: all others are names, or keywords that may be the last of a line. */
const OPENING = new Set(
  `case chan const default defer else for func go goto if import interface map package range select struct switch type
  var`.split(/\s+/),
);
const ENDING = new Set([")", "]", "}", "++", "--"]);

/** Cuts `code` into tokens, without comments and blanks. */
export function scan(code: string): Scan {
  const tokens: Token[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  let [sound, complete] = [true, true];
  for (const { 0: text, index: start, groups = {} } of code.matchAll(PART)) {
    const end = start + text.length;
    const last = tokens.at(-1);
    if (groups.blank !== undefined) {
      if (text.startsWith("/*") && (text.length < 4 || !text.endsWith("*/"))) complete = false;
      if (last && text.includes("\n") && mayEnd(last)) last.endsLine = true;
      continue;
    }
    if (groups.string !== undefined) {
      if (!isClosed(text)) complete = false;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) insideText.add(start + at + 1);
    }
    const kind = (["string", "number", "word"] as const).find((name) => groups[name] !== undefined) ?? "mark";
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, text, start, end, depth: open.length, endsLine: false });
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  const last = tokens.at(-1);
  if (last && mayEnd(last)) last.endsLine = true;
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

const mayEnd = ({ kind, text }: Token): boolean =>
  kind === "word" ? !OPENING.has(text) : kind !== "mark" || ENDING.has(text);

const isClosed = (text: string): boolean => text.length >= 2 && text.endsWith(text.charAt(0));
