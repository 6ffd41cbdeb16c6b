/** Charts as inline SVG. Positions are percentages, so a chart is as wide as its place and nothing is distorted. */

import { svg } from "./dom.js";
import { percent } from "./format.js";

/**
 * A share with its interval on a scale from 0 to 1.
 * @param {{ value: number | null, interval: [number, number] | null }} estimate
 * @param {{ height?: number, scale?: boolean }} [options]
 */
export function intervalChart({ value, interval }, { height = 18, scale = false } = {}) {
  const middle = height / 2;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((x) =>
    svg("line", { class: "grid", x1: percent(x), x2: percent(x), y1: 0, y2: height }),
  );
  const labels = [0, 0.25, 0.5, 0.75, 1].map((x) =>
    svg(
      "text",
      { class: "tick", x: percent(x), y: height + 16, "text-anchor": x === 0 ? "start" : x === 1 ? "end" : "middle" },
      percent(x),
    ),
  );
  const label =
    value === null
      ? "no score"
      : `${percent(value)}, 95% interval ${percent(interval?.[0])} to ${percent(interval?.[1])}`;
  return svg(
    "svg",
    { class: "chart interval", role: "img", "aria-label": label, height: height + (scale ? 22 : 0), width: "100%" },
    ticks,
    svg("line", { class: "axis", x1: 0, x2: "100%", y1: middle, y2: middle }),
    interval &&
      svg("rect", {
        class: "range",
        x: percent(interval[0], 2),
        width: percent(interval[1] - interval[0], 2),
        y: middle - 4,
        height: 8,
        rx: 4,
      }),
    value !== null && svg("circle", { class: "point", cx: percent(value, 2), cy: middle, r: scale ? 7 : 5 }),
    scale && labels,
  );
}

/**
 * One bar of passes and fails, as long as its share of `most`.
 * @param {{ passed: number, samples: number }} share
 * @param {number} most
 */
export function splitBar({ passed, samples }, most, height = 12) {
  const failed = samples - passed;
  const width = (/** @type {number} */ n) => percent(n / Math.max(1, most), 3);
  return svg(
    "svg",
    { class: "chart", role: "img", "aria-label": `${passed} of ${samples} passed`, height, width: "100%" },
    svg("rect", { class: "pass", x: 0, width: width(passed), height, rx: 2 }),
    svg("rect", { class: "fail", x: width(passed), width: width(failed), height, rx: 2 }),
  );
}

/** @typedef {{ label: string, title: string, passed: number, failed: number }} Column */

const PLOT = 120;
const LABELS = 20;

/**
 * Columns of passes below fails, with a line of shares over them where given.
 * @param {Column[]} columns
 * @param {{ label: string, line?: number[], edges?: boolean }} options `line` from 0 to 1, one a column; `edges` where a
 *   label names the left edge of its column
 */
export function columnChart(columns, { label, line, edges = false }) {
  const most = Math.max(1, ...columns.map(({ passed, failed }) => passed + failed));
  const step = 1 / columns.length;
  const height = (/** @type {number} */ n) => (n / most) * (PLOT - 8);
  const x = (/** @type {number} */ i) => percent((i + 0.5) * step, 3);
  const every = Math.ceil(columns.length / 8);
  const bars = columns.map(({ passed, failed, title }, i) => {
    const at = { x: percent((i + 0.12) * step, 3), width: percent(0.76 * step, 3), rx: 2 };
    const top = PLOT - height(passed);
    return svg(
      "g",
      {},
      svg("title", {}, title),
      svg("rect", { class: "hit", x: percent(i * step, 3), width: percent(step, 3), y: 0, height: PLOT }),
      passed > 0 && svg("rect", { class: "pass", ...at, y: top, height: height(passed) }),
      failed > 0 &&
        svg("rect", { class: "fail", ...at, y: top - height(failed) - (passed > 0 ? 1 : 0), height: height(failed) }),
    );
  });
  const y = (/** @type {number} */ share) => PLOT - share * (PLOT - 8);
  const segments = (line ?? [])
    .slice(1)
    .map((share, i) => svg("line", { class: "trend", x1: x(i), y1: y(line?.[i] ?? 0), x2: x(i + 1), y2: y(share) }));
  const points = (line ?? []).map((share, i) =>
    svg("circle", { class: "trend-point", cx: x(i), cy: y(share), r: 2.5 }, svg("title", {}, percent(share))),
  );
  const labels = columns.map(
    (column, i) =>
      i % every === 0 &&
      svg(
        "text",
        {
          class: "tick",
          x: edges ? percent(i * step, 3) : x(i),
          y: PLOT + 15,
          "text-anchor": edges && i === 0 ? "start" : "middle",
        },
        column.label,
      ),
  );
  return svg(
    "svg",
    { class: "chart columns", role: "img", "aria-label": label, height: PLOT + LABELS, width: "100%" },
    svg("line", { class: "axis", x1: 0, x2: "100%", y1: PLOT, y2: PLOT }),
    bars,
    segments,
    points,
    labels,
  );
}

/**
 * Values sorted into at most `bins` columns of equal width, from 0.
 * @param {{ value: number, passed: boolean }[]} items
 * @param {(value: number) => string} format
 * @returns {Column[]}
 */
export function histogram(items, format, bins = 16) {
  const most = Math.max(...items.map(({ value }) => value), 0);
  const width = roundUp(most / bins) || 1;
  const columns = Array.from({ length: Math.max(1, Math.ceil((most + 1e-12) / width)) }, (_, i) => ({
    label: format(i * width),
    title: "",
    passed: 0,
    failed: 0,
  }));
  for (const { value, passed } of items) {
    const column = columns[Math.min(columns.length - 1, Math.floor(value / width))];
    if (column) column[passed ? "passed" : "failed"] += 1;
  }
  columns.forEach((column, i) => {
    column.title = `${format(i * width)} to ${format((i + 1) * width)}: ${column.passed} passed, ${column.failed} failed`;
  });
  return columns;
}

/** The next of 1, 2, 2.5, 5, 10 … @param {number} x */
function roundUp(x) {
  if (!(x > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(x));
  return ([1, 2, 2.5, 5, 10].find((step) => step * unit >= x) ?? 10) * unit;
}
