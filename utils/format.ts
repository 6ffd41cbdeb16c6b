/** Figures as people read them in a terminal or on a page; null is what nobody counted. */

const UNKNOWN = "unknown";

/** `62% [54–69]` of a share and its interval, both from 0 to 1, or `–` where nothing was scored. */
export function percent(value: number | null, interval: readonly [number, number] | null): string {
  if (value === null || interval === null) return "–";
  const [low, high] = interval.map((bound) => Math.round(bound * 100));
  return `${Math.round(value * 100)}% [${low}–${high}]`;
}

/** US dollars: `$0`, `$0.0123`, `$4.50`. */
export function dollars(usd: number | null): string {
  if (usd === null) return UNKNOWN;
  return usd === 0 ? "$0" : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `45s`, `6m`, `2h05m` */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)}s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}

/** As `duration`, with a decimal where there are few: `4.2s`. */
export const seconds = (value: number | null): string =>
  value === null ? UNKNOWN : value < 10 ? `${value.toFixed(1)}s` : duration(value);

/** `12,345` */
export const count = (n: number | null): string => (n === null ? UNKNOWN : Math.round(n).toLocaleString("en"));
