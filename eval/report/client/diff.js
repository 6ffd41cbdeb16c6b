/** The difference of two programs, folded where nothing changed. */

import { colour, GROWTH, shorten } from "./blocks.js";
import { h, show } from "./dom.js";
import { count } from "./format.js";

/** Unchanged lines shown around a change, and the most a difference shows before it asks. */
const CONTEXT = 3;
const LONGEST_DIFF = 400;

/**
 * The difference of two programs, line by line, with the unchanged parts folded.
 * @param {string} before
 * @param {string} after
 * @param {import("../detail.ts").Change[]} changes
 * @param {import("./tokens.js").Colouring} colouring of their language
 */
export function diffBlock(before, after, changes, colouring) {
  const [old, now] = [before, after].map((text) =>
    colour(
      text
        .replace(/\s+$/, "")
        .split("\n")
        .map((line) => shorten(line, 2000).shown),
      colouring,
    ),
  );
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
  emphasiseChanges(rows);
  const block = h("div", { class: "block code diff" });
  const draw = (/** @type {number} */ most) => {
    const shown = folded(rows).slice(0, most);
    const elements = shown.map((row) => ("fold" in row ? fold(row.fold) : diffLine(row)));
    const hidden = rows.length - shown.length;
    const more = h(
      "button",
      { class: "more", type: "button", onclick: () => draw(most * GROWTH) },
      `Show more of the difference`,
    );
    show(block, h("pre", {}, h("code", {}, elements)), hidden > 0 && shown.length === most && more);
  };
  const fold = (/** @type {typeof rows} */ hidden) => {
    const open = () => button.replaceWith(...hidden.map(diffLine));
    const button = h(
      "button",
      { class: "fold", type: "button", onclick: open },
      `${count(hidden.length)} unchanged lines`,
    );
    return button;
  };
  draw(LONGEST_DIFF);
  return block;
}

/**
 * Marks what changed inside lines, where as many were added as removed.
 * @param {{ kind: string, line: HTMLElement | undefined }[]} rows
 */
function emphasiseChanges(rows) {
  /** @type {(typeof rows)[]} stretches of one kind */
  const stretches = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (last?.[0]?.kind === row.kind) last.push(row);
    else stretches.push([row]);
  }
  stretches.forEach((removed, i) => {
    const added = stretches[i + 1] ?? [];
    if (removed[0]?.kind !== "-" || added[0]?.kind !== "+" || added.length !== removed.length) return;
    removed.forEach(({ line }, j) => {
      const other = added[j]?.line;
      if (line && other) emphasise(line, other);
    });
  });
}

/**
 * Marks all but the common beginning and end of two lines; lines with little in common have no marks.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
function emphasise(before, after) {
  const [x, y] = [before.textContent ?? "", after.textContent ?? ""];
  const most = Math.min(x.length, y.length);
  let head = 0;
  while (head < most && x[head] === y[head]) head += 1;
  let tail = 0;
  while (tail < most - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail += 1;
  if (head + tail < most / 3) return;
  markRange(before, head, x.length - tail);
  markRange(after, head, y.length - tail);
}

/** @param {HTMLElement} line @param {number} from @param {number} to */
function markRange(line, from, to) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  let at = 0;
  for (const text of texts) {
    const { length } = text;
    const [start, end] = [Math.max(0, from - at), Math.min(length, to - at)];
    at += length;
    if (start >= end) continue;
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    range.surroundContents(h("mark"));
  }
}

/** @param {{ kind: string, line: HTMLElement | undefined, number: number }} row */
function diffLine({ kind, line, number }) {
  const type = kind === "-" ? "removed" : kind === "+" ? "added" : "kept";
  return h(
    "span",
    { class: `row ${type}` },
    h("span", { class: "number" }, number),
    h("span", { class: "sign" }, kind),
    line,
    "\n",
  );
}

/**
 * Rows with every long unchanged stretch as one `fold`.
 * @template {{ kind: string }} T
 * @param {T[]} rows
 * @returns {(T | { fold: T[] })[]}
 */
function folded(rows) {
  const near = rows.map((_, i) =>
    rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ kind }) => kind !== " "),
  );
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
