/** Blocks of text and code: long ones are shortened and grow on request. */

import { append, h, show } from "./dom.js";
import { count } from "./format.js";
import { codeTokens } from "./tokens.js";

/** @typedef {import("./tokens.js").Colouring} Colouring */

/** What a block shows at first, and how much more each request gives. */
const FIRST = { lines: 40, chars: 500 };
export const GROWTH = 10;

/**
 * A block of text or code.
 * @param {string} text
 * @param {Colouring} [colouring] of the code's language; none for text
 */
export function textBlock(text, colouring) {
  const lines = text.replace(/\n+$/, "").split("\n");
  const block = h("div", { class: colouring ? "block code" : "block" });
  const draw = (/** @type {typeof FIRST} */ limit) => {
    const cut = lines.slice(0, limit.lines).map((line) => shorten(line, limit.chars));
    const elements = colouring
      ? colour(
          cut.map(({ shown }) => shown),
          colouring,
        )
      : cut.map(({ shown }) => h("span", { class: "line" }, shown));
    elements.forEach((element, i) => {
      const rest = cut[i]?.rest ?? 0;
      if (rest > 0) append(element, h("span", { class: "cut" }, ` … ${count(rest)} more characters`));
      append(element, "\n");
    });
    const more = lines.length - cut.length;
    const longer = cut.some(({ rest }) => rest > 0);
    const grow = () => draw({ lines: limit.lines * GROWTH, chars: limit.chars * GROWTH });
    const label =
      more > 0 ? `Show more: ${count(more)} of ${count(lines.length)} lines are hidden` : "Show more of the long lines";
    show(
      block,
      h("pre", {}, elements),
      (more > 0 || longer) && h("button", { class: "more", type: "button", onclick: grow }, label),
    );
  };
  draw(FIRST);
  return block;
}

/**
 * The first characters of a line, never half of a pair.
 * @param {string} line
 * @param {number} chars
 */
export function shorten(line, chars) {
  if (line.length <= chars * 1.2) return { shown: line, rest: 0 };
  const shown = line.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  return { shown, rest: line.length - shown.length };
}

/**
 * Lines of code as elements. Colours go on over line ends, as a docstring does.
 * @param {string[]} lines
 * @param {Colouring} colouring
 */
export function colour(lines, colouring) {
  const elements = [h("span", { class: "line" })];
  for (const { kind, text } of codeTokens(lines.join("\n"), colouring)) {
    text.split("\n").forEach((part, i) => {
      if (i > 0) elements.push(h("span", { class: "line" }));
      const line = elements.at(-1);
      if (part !== "" && line) append(line, kind ? h("span", { class: `token-${kind}` }, part) : part);
    });
  }
  return elements;
}
