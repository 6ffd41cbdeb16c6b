/** Reads Java lexically: tokens, and whether brackets and quotes are closed. Any text gives tokens. */

export interface Token {
  kind: "word" | "number" | "string" | "mark";
  start: number;
  end: number;
  /** Of brackets around it; a bracket has the depth of what is around it. */
  depth: number;
}

export interface Scan {
  tokens: Token[];
  /** Open brackets at the end. */
  depth: number;
  /** False where a bracket closes that none opened, or another one. */
  sound: boolean;
  /** False where the text ends within a comment or a text. */
  complete: boolean;
  /** Offsets of lines that begin inside a text block. */
  insideText: ReadonlySet<number>;
}

const PART = new RegExp(
  [
    /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))/u,
    /(?<string>"""(?:\\[\s\S]|(?!""")[\s\S])*(?:"""|(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/u,
    /(?<number>\d[\w.]*)/u,
    /(?<word>[\p{ID_Start}$_@][\p{ID_Continue}$]*)/u,
    /(?<mark>->|::|[\s\S])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Cuts `code` into tokens, without comments and blanks. */
export function scan(code: string): Scan {
  const tokens: Token[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  let [sound, complete] = [true, true];
  for (const { 0: text, index: start, groups = {} } of code.matchAll(PART)) {
    const end = start + text.length;
    if (groups.blank !== undefined) {
      if (text.startsWith("/*") && (text.length < 4 || !text.endsWith("*/"))) complete = false;
      continue;
    }
    if (groups.string !== undefined) {
      if (!isClosed(text)) complete = false;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) insideText.add(start + at + 1);
    }
    const kind = (["string", "number", "word"] as const).find((name) => groups[name] !== undefined) ?? "mark";
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, start, end, depth: open.length });
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

function isClosed(text: string): boolean {
  const quote = text.startsWith('"""') ? '"""' : text.charAt(0);
  return text.length >= 2 * quote.length && text.endsWith(quote);
}
