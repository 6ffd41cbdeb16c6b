/** Figures for people. Null is unknown and looks like it. */

export const UNKNOWN = "–";

type Figure = number | null | undefined;

export const count = (n: Figure): string => (n == null ? UNKNOWN : Math.round(n).toLocaleString("en"));

/** `940`, `4.2k`, `1.3M` */
export function short(n: Figure): string {
  if (n == null) return UNKNOWN;
  if (n < 1000) return String(Math.round(n));
  const [value, unit] = n < 999_500 ? [n / 1000, "k"] : [n / 1e6, "M"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

export const dollars = (n: Figure): string =>
  n == null ? UNKNOWN : n === 0 ? "$0" : `$${n.toFixed(n < 0.01 ? 4 : n < 1 ? 3 : 2)}`;

/** `0.4 s`, `45 s`, `6 min`, `2 h 05` */
export function seconds(s: Figure): string {
  if (s == null) return UNKNOWN;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 90) return `${Math.round(s)} s`;
  const minutes = Math.round(s / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

export const percent = (share: Figure, digits = 0): string =>
  share == null ? UNKNOWN : `${(share * 100).toFixed(digits)}%`;

export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;

/** `max_iterations` → `max iterations` */
export const words = (word: string): string => word.replaceAll("_", " ");

/** `2026-01-02 03:04` of an ISO time. */
export const minute = (time: string): string => time.slice(0, 16).replace("T", " ");

/** The class of an outcome: its colour. */
export const tone = (outcome: string): "pass" | "fail" | "error" =>
  outcome === "passed" ? "pass" : outcome === "error" ? "error" : "fail";

export const mark = (outcome: string): string => ({ pass: "✓", fail: "✗", error: "!" })[tone(outcome)];
