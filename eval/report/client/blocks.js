/** Blocks of text, code and differences: long ones are shortened and grow on request. */

import { append, h, show } from "./dom.js";
import { count } from "./format.js";
import { pythonTokens } from "./python.js";

/** What a block shows at first, and how much more each request gives. */
const FIRST = { lines: 40, chars: 500 };
const GROWTH = 10;

/**
 * A block of text or code.
 * @param {string} text
 * @param {{ python?: boolean }} [options]
 */
export function textBlock(text, { python = false } = {}) {
  const lines = text.replace(/\n+$/, "").split("\n");
  const block = h("div", { class: python ? "block code" : "block" });
  const draw = (/** @type {typeof FIRST} */ limit) => {
    const cut = lines.slice(0, limit.lines).map((line) => shorten(line, limit.chars));
    const elements = python ? colour(cut.map(({ shown }) => shown)) : cut.map(({ shown }) => h("span", { class: "line" }, shown));
    elements.forEach((element, i) => {
      const rest = cut[i]?.rest ?? 0;
      if (rest > 0) append(element, h("span", { class: "cut" }, ` … ${count(rest)} more characters`));
      append(element, "\n");
    });
    const more = lines.length - cut.length;
    const longer = cut.some(({ rest }) => rest > 0);
    const grow = () => draw({ lines: limit.lines * GROWTH, chars: limit.chars * GROWTH });
    const label = more > 0 ? `Show more: ${count(more)} of ${count(lines.length)} lines are hidden` : "Show more of the long lines";
    show(block, h("pre", {}, elements), (more > 0 || longer) && h("button", { class: "more", type: "button", onclick: grow }, label));
  };
  draw(FIRST);
  return block;
}

/**
 * The first characters of a line, never half of a pair.
 * @param {string} line
 * @param {number} chars
 */
function shorten(line, chars) {
  if (line.length <= chars * 1.2) return { shown: line, rest: 0 };
  const shown = line.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  return { shown, rest: line.length - shown.length };
}

/**
 * Lines of Python as elements. Colours go on over line ends, as a docstring does.
 * @param {string[]} lines
 */
function colour(lines) {
  const elements = [h("span", { class: "line" })];
  for (const { kind, text } of pythonTokens(lines.join("\n"))) {
    text.split("\n").forEach((part, i) => {
      if (i > 0) elements.push(h("span", { class: "line" }));
      const line = elements.at(-1);
      if (part !== "" && line) append(line, kind ? h("span", { class: `py-${kind}` }, part) : part);
    });
  }
  return elements;
}

/** Unchanged lines shown around a change, and the most a difference shows before it asks. */
const CONTEXT = 3;
const LONGEST_DIFF = 400;

/**
 * The difference of two programs, line by line, with the unchanged parts folded.
 * @param {string} before
 * @param {string} after
 * @param {import("../detail.ts").Change[]} changes
 */
export function diffBlock(before, after, changes) {
  const [old, now] = [before, after].map((text) => colour(text.replace(/\s+$/, "").split("\n").map((line) => shorten(line, 2000).shown)));
  /** @type {{ kind: string, line: HTMLElement | undefined, number: number }[]} */
  const rows = [];
  let [o, n] = [0, 0];
  for (const [kind, lines] of changes) {
    for (let i = 0; i < lines; i++) {
      const line = kind === "-" ? old?.[o] : now?.[n];
      rows.push({ kind, line, number: kind === "-" ? o + 1 : n + 1 });
      if (kind !== "+") o += 1;
      if (kind !== "-") n += 1;
    }
  }
  const block = h("div", { class: "block code diff" });
  const draw = (/** @type {number} */ most) => {
    const shown = folded(rows).slice(0, most);
    const elements = shown.map((row) => ("fold" in row ? fold(row.fold) : diffLine(row)));
    const hidden = rows.length - shown.length;
    const more = h("button", { class: "more", type: "button", onclick: () => draw(most * GROWTH) }, `Show more of the difference`);
    show(block, h("pre", {}, h("code", {}, elements)), hidden > 0 && shown.length === most && more);
  };
  const fold = (/** @type {typeof rows} */ hidden) => {
    const open = () => button.replaceWith(...hidden.map(diffLine));
    const button = h("button", { class: "fold", type: "button", onclick: open }, `${count(hidden.length)} unchanged lines`);
    return button;
  };
  draw(LONGEST_DIFF);
  return block;
}

/** @param {{ kind: string, line: HTMLElement | undefined, number: number }} row */
function diffLine({ kind, line, number }) {
  const type = kind === "-" ? "removed" : kind === "+" ? "added" : "kept";
  return h("span", { class: `row ${type}` }, h("span", { class: "number" }, number), h("span", { class: "sign" }, kind), line, "\n");
}

/**
 * Rows with every long unchanged stretch as one `fold`.
 * @template {{ kind: string }} T
 * @param {T[]} rows
 * @returns {(T | { fold: T[] })[]}
 */
function folded(rows) {
  const near = rows.map((_, i) => rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ kind }) => kind !== " "));
  /** @type {(T | { fold: T[] })[]} */
  const result = [];
  rows.forEach((row, i) => {
    const last = result.at(-1);
    if (near[i]) result.push(row);
    else if (last && "fold" in last) last.fold.push(row);
    else result.push({ fold: [row] });
  });
  return result.flatMap((row) => ("fold" in row && row.fold.length < 4 ? row.fold : row));
}
