/** Splits Python into tokens for colouring. It colours; it does not judge: any text gives tokens. */

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case".split(
    " ",
  ),
);
const BUILTINS = new Set(
  "abs all any bool bytes chr dict divmod enumerate filter float frozenset hash hex int isinstance iter len list map max min next object ord pow print range repr reversed round set slice sorted str sum super tuple type zip self".split(
    " ",
  ),
);

const TOKEN = new RegExp(
  [
    /(?<comment>#[^\n]*)/,
    /(?<string>[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|(?![\s\S]))|'''[\s\S]*?(?:'''|(?![\s\S]))|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?))/,
    /(?<number>\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?j?))/,
    /(?<decorator>(?<=^[ \t]*)@[\w.]+)/,
    /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gmu",
);

/**
 * @param {string} source
 * @returns {{ kind: string, text: string }[]} tokens whose texts together are the source; plain text has kind ""
 */
export function pythonTokens(source) {
  /** @type {{ kind: string, text: string }[]} */
  const tokens = [];
  let end = 0;
  let before = "";
  for (const match of source.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: "", text: source.slice(end, match.index) });
    const text = match[0];
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    tokens.push({ kind: kind === "name" ? kindOfName(text, before) : kind, text });
    end = match.index + text.length;
    before = text;
  }
  if (end < source.length) tokens.push({ kind: "", text: source.slice(end) });
  return tokens;
}

/**
 * @param {string} name
 * @param {string} before the token before it
 */
function kindOfName(name, before) {
  if (KEYWORDS.has(name)) return "keyword";
  if (before === "def" || before === "class") return "defined";
  return BUILTINS.has(name) ? "builtin" : "";
}
