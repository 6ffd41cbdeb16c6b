/** Reads Rust lexically: tokens, and whether brackets and quotes are closed. Any text gives tokens. */

export interface Token {
  kind: "word" | "number" | "string" | "lifetime" | "mark";
  text: string;
  start: number;
  end: number;
  /** Of brackets around it; a bracket has the depth of what is around it. */
  depth: number;
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
    /(?<blank>\s+|\/\/[^\n]*)/u,
    /(?<comment>\/\*)/u,
    /(?<raw>(?:br|cr|r)(?<marks>#*)"(?:(?!"\k<marks>)[\s\S])*(?:"\k<marks>|(?![\s\S])))/u,
    /(?<string>[bc]?"(?:\\[\s\S]|[^"\\])*"?|b?'(?:\\(?:u\{[^}\n]*\}|x[\da-fA-F]{2}|.)|[^\\'\n])')/u,
    /(?<lifetime>'[\p{ID_Start}_][\p{ID_Continue}]*)/u,
    /(?<number>\d(?:[eE][+-](?=\d)|\.(?=\d)|[\p{ID_Continue}])*)/u,
    /(?<word>(?:r#)?[\p{ID_Start}_][\p{ID_Continue}]*)/u,
    /(?<mark>->|=>|::|&&|\|\||\.\.[.=]?|[\s\S])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const KINDS = ["string", "lifetime", "number", "word"] as const;

/** Cuts `code` into tokens, without comments and blanks. */
export function scan(code: string): Scan {
  const tokens: Token[] = [];
  const open: string[] = [];
  const insideText = new Set<number>();
  let [sound, complete, at] = [true, true, 0];
  while (at < code.length) {
    PART.lastIndex = at;
    const { 0: text, groups = {} } = PART.exec(code) ?? { 0: code.charAt(at) };
    const start = at;
    at += text.length;
    if (groups.blank !== undefined) continue;
    if (groups.comment !== undefined) {
      const end = endOfComment(code, start);
      complete &&= end !== null;
      at = end ?? code.length;
      continue;
    }
    const isText = groups.raw !== undefined || groups.string !== undefined;
    if (isText) {
      complete &&= groups.raw === undefined ? isClosed(text) : text.endsWith(`"${groups.marks}`) && text.length > 2;
      for (let line = text.indexOf("\n"); line !== -1; line = text.indexOf("\n", line + 1))
        insideText.add(start + line + 1);
    }
    const kind = isText ? "string" : (KINDS.find((name) => groups[name] !== undefined) ?? "mark");
    if (kind === "mark" && CLOSING[text] !== undefined && open.pop() !== CLOSING[text]) sound = false;
    tokens.push({ kind, text, start, end: at, depth: open.length });
    if (kind === "mark" && "([{".includes(text)) open.push(text);
  }
  return { tokens, depth: open.length, sound: sound && complete, complete, insideText };
}

/** Comments hold others. Null where it is not closed. */
function endOfComment(code: string, start: number): number | null {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let found = edge.exec(code); found; found = edge.exec(code)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return null;
}

const isClosed = (text: string): boolean => {
  const inner = text.replace(/^[bc]/, "");
  return inner.length >= 2 && inner.endsWith(inner.charAt(0)) && !/[^\\](?:\\\\)*\\.$/s.test(inner);
};
