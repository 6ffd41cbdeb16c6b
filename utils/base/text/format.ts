/** Figures as people read them, in a terminal and on a page. An unknown figure (null) is `–`. */

export const UNKNOWN = "–";

type Figure = number | null | undefined;

/** `12,345` */
export function count(n: Figure): string {
  if (n == null) return UNKNOWN;
  const rounded = Math.round(n);
  // `toLocaleString` first loads the data of a language, which costs more than a start has to print.
  return Number.isSafeInteger(rounded)
    ? String(rounded).replace(/\B(?=(?:\d{3})+$)/g, ",")
    : rounded.toLocaleString("en");
}

/** `1 task`, `12 tasks` */
export const plural = (n: number, noun: string, many = `${noun}s`): string => `${count(n)} ${n === 1 ? noun : many}`;

const SAID_OF_ONE = {
  pass: "passes",
  fail: "fails",
  hold: "holds",
  are: "is",
  were: "was",
  do: "does",
  differ: "differs",
  stand: "stands",
};

/** `max_iterations` → `max iterations` */
export const words = (name: string): string => name.replaceAll("_", " ");

/** `1 passes`, `12 pass`. */
export const doing = (n: number, verb: keyof typeof SAID_OF_ONE): string =>
  `${count(n)} ${n === 1 ? SAID_OF_ONE[verb] : verb}`;

/** `1 test passes`, `12 tests pass`. */
export const clause = (n: number, noun: string, verb: keyof typeof SAID_OF_ONE): string =>
  `${plural(n, noun)} ${n === 1 ? SAID_OF_ONE[verb] : verb}`;

/** `12,345 tokens`; an unknown count is `unknown tokens`, never 0 and never left out. */
export const tokens = (n: Figure): string => (n == null ? "unknown tokens" : plural(n, "token"));

/** `940`, `4.2k`, `1.3M` */
export function short(n: Figure): string {
  if (n == null) return UNKNOWN;
  if (n < 1000) return String(Math.round(n));
  const [value, unit] = n < 999_500 ? [n / 1000, "k"] : [n / 1e6, "M"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** US dollars: `$0`, `$0.0123`, `$4.50`. */
export const dollars = (usd: Figure): string =>
  usd == null ? UNKNOWN : usd === 0 ? "$0" : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;

/** `0.4 s`, `45 s`, `6 min`, `2 h 05` */
export function seconds(s: Figure): string {
  if (s == null) return UNKNOWN;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 90) return `${Math.round(s)} s`;
  const minutes = Math.round(s / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

/** `62%` of a share from 0 to 1. */
export const percent = (share: Figure, digits = 0): string =>
  share == null ? UNKNOWN : `${(share * 100).toFixed(digits)}%`;

/** `62% (95% interval 54–69)`, for the first figure that a reader meets. */
export const percentAndInterval = (share: number | null, interval: readonly [number, number] | null): string =>
  percentWithin(share, interval).replace(/\[(.*)\]/, "(95% interval $1)");

/** `62% [54–69]` of a share and its interval; `–` where nothing was scored. */
export function percentWithin(share: number | null, interval: readonly [number, number] | null): string {
  if (share === null || interval === null) return UNKNOWN;
  const [low, high] = interval.map((bound) => Math.round(bound * 100));
  return `${percent(share)} [${low}–${high}]`;
}
