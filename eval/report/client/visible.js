/** Text that hides nothing: control, bidirectional and other invisible characters become marks one can see. */

/** Everything that moves a cursor, reorders text or takes no ink; line break, tab and plain space are as they are. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?! )\p{Zs}/gu;

/** @type {Record<string, string>} */
const NAMES = { "\x00": "\\0", "\x07": "\\a", "\b": "\\b", "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "ESC" };

/** @param {string} char */
const nameOf = (char) => {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return NAMES[char] ?? (code.length === 4 && code.startsWith("00") ? `\\x${code.slice(2)}` : `U+${code}`);
};

/**
 * As plain text, for attributes.
 * @param {string} text
 */
export const visibleText = (text) =>
  text.replace(UNSEEN, (char) => (char === "\n" || char === "\t" ? char : `[${nameOf(char)}]`));

/**
 * Appends text to a node; what cannot be seen becomes a small labelled mark.
 * @param {Node} node
 * @param {string} text
 */
export function appendVisible(node, text) {
  let from = 0;
  for (const { 0: char, index } of text.matchAll(UNSEEN)) {
    if (char === "\n" || char === "\t") continue;
    node.appendChild(document.createTextNode(text.slice(from, index)));
    const mark = document.createElement("span");
    mark.className = "unseen";
    mark.textContent = nameOf(char);
    node.appendChild(mark);
    from = index + char.length;
  }
  node.appendChild(document.createTextNode(text.slice(from)));
}
