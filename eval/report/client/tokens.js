/** Splits source code into tokens for colouring, by the syntax of its language. */

/**
 * @typedef {object} Colouring
 * @property {RegExp} token its named groups are the kinds
 * @property {Map<string, string>} words kinds of the names that have one
 */

/**
 * @param {import("../page_data.ts").PageSyntax | undefined} syntax undefined for a language that this page does not know,
 *   as one left open while its server learnt it: such code has no colours
 * @returns {Colouring}
 */
export function colouringOf({ pattern, keywords, builtins } = { pattern: "(?!)", keywords: [], builtins: [] }) {
  const entries = (/** @type {readonly string[]} */ words, /** @type {string} */ kind) =>
    words.map((word) => /** @type {const} */ ([word, kind]));
  return {
    token: new RegExp(pattern, "gmu"),
    words: new Map([...entries(builtins, "builtin"), ...entries(keywords, "keyword")]),
  };
}

/**
 * @param {string} source
 * @param {Colouring} colouring
 * @returns {{ kind: string, text: string }[]} tokens whose texts together are the source; plain text has kind ""
 */
export function codeTokens(source, { token, words }) {
  /** @type {{ kind: string, text: string }[]} */
  const tokens = [];
  let end = 0;
  for (const match of source.matchAll(token)) {
    if (match.index > end) tokens.push({ kind: "", text: source.slice(end, match.index) });
    const text = match[0];
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    tokens.push({ kind: kind === "name" ? (words.get(text) ?? "") : kind, text });
    end = match.index + text.length;
  }
  if (end < source.length) tokens.push({ kind: "", text: source.slice(end) });
  return tokens;
}
