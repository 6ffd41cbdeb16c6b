/** Reads C++ lexically: tokens, and whether brackets and quotes are closed. Any text gives tokens. */

export interface Token {
  /** A directive is a whole line of the preprocessor, with the lines that it goes on in. */
  kind: "word" | "number" | "string" | "mark" | "directive";
  start: number;
  end: number;
  /** Of brackets around it; a bracket has the depth of what is around it. */
  depth: number;
}

export interface Scan {
  tokens: Token[];
  /** Open brackets at the end. */
  depth: number;
  /** False where a bracket closes that none opened, or another one, or the text is not complete. */
  sound: boolean;
  /** False where the text ends within a comment or a text. */
  complete: boolean;
  /** Offsets of lines that begin inside a raw text. */
  insideText: ReadonlySet<number>;
}

const PART = new RegExp(
  [
    /(?<blank>\s+|\\\n|\/\/(?:\\\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))/u,
    /(?<directive>(?<=^[^\S\n]*)#(?:\\\n|\/\*[\s\S]*?\*\/|(?!\/\/)[^\n])*)/mu,
    /(?<raw>(?:u8|[uUL])?R"(?<mark1>[^()\\\s]{0,16})\((?:(?!\)\k<mark1>")[\s\S])*(?:\)\k<mark1>"|(?![\s\S])))/u,
    /(?<string>(?:u8|[uUL])?(?:"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?))/u,
    /(?<number>\.?\d(?:'[\da-fA-F]|[eEpP][+-]|[\w.])*)/u,
    /(?<word>[\p{ID_Start}_$][\p{ID_Continue}$]*)/u,
    /(?<mark>->|::|&&|[\s\S])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gmu",
);
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const KINDS = ["directive", "string", "number", "word"] as const;

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
    if (groups.raw !== undefined) {
      if (!text.endsWith(`)${groups.mark1}"`)) complete = false;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) insideText.add(start + at + 1);
    }
    if (groups.string !== undefined && !isClosed(text)) complete = false;
    const kind = groups.raw === undefined ? (KINDS.find((name) => groups[name] !== undefined) ?? "mark") : "string";
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, start, end, depth: open.length });
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

function isClosed(text: string): boolean {
  const quote = text.endsWith("'") ? "'" : '"';
  const first = text.search(/["']/);
  return (
    text.length > first + 1 && text.endsWith(quote) && text.charAt(first) === quote && !/[^\\](?:\\\\)*\\.$/.test(text)
  );
}
