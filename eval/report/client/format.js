/** Figures for people. Null is unknown and looks like it. */

export const UNKNOWN = "–";

/** @param {number | null | undefined} n */
export const count = (n) => (n === null || n === undefined ? UNKNOWN : Math.round(n).toLocaleString("en"));

/** `940`, `4.2k`, `1.3M` @param {number | null | undefined} n */
export function short(n) {
  if (n === null || n === undefined) return UNKNOWN;
  if (n < 1000) return String(Math.round(n));
  const [value, unit] = n < 999_500 ? [n / 1000, "k"] : [n / 1e6, "M"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** @param {number | null | undefined} n */
export const dollars = (n) =>
  n === null || n === undefined ? UNKNOWN : n === 0 ? "$0" : `$${n.toFixed(n < 0.01 ? 4 : n < 1 ? 3 : 2)}`;

/** `0.4 s`, `45 s`, `6 min`, `2 h 05` @param {number | null | undefined} s */
export function seconds(s) {
  if (s === null || s === undefined) return UNKNOWN;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 90) return `${Math.round(s)} s`;
  const minutes = Math.round(s / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

/** @param {number | null | undefined} share */
export const percent = (share, digits = 0) =>
  share === null || share === undefined ? UNKNOWN : `${(share * 100).toFixed(digits)}%`;

/** @param {number} n @param {string} noun */
export const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** `max_iterations` → `max iterations` @param {string} word */
export const words = (word) => word.replaceAll("_", " ");

/** The class of an outcome: its colour. @param {string} outcome */
export const tone = (outcome) => (outcome === "passed" ? "pass" : outcome === "error" ? "error" : "fail");

/** @param {string} outcome */
export const mark = (outcome) => ({ pass: "✓", fail: "✗", error: "!" })[tone(outcome)];
