/** The progress line on stderr: rewritten in place on a terminal, printed now and then elsewhere. */

import { type Result, summarize } from "./results.ts";

/** Seconds between two lines where stderr is no terminal. */
const PLAIN_INTERVAL_S = 10;

export interface Progress {
  /** Shows the state after `results`. */
  update(results: readonly Result[]): void;
  /** Prints a line of its own without breaking the progress line. */
  note(line: string): void;
  end(): void;
}

/** @param total samples of the run, @param already those that an earlier process finished (not part of the pace) */
export function startProgress(total: number, already: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  const started = performance.now();
  let shownAt = started;
  let shown = "";
  let line = "";
  const erase = () => (stream.isTTY && shown ? stream.write("\r\x1b[K") : undefined);
  const show = () => {
    if (line === shown) return;
    stream.write(stream.isTTY ? `\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`);
    shown = line;
    shownAt = performance.now();
  };
  return {
    update(results) {
      const done = summarize(results, total);
      const finished = done.num + done.errors;
      const pace = (performance.now() - started) / Math.max(1, finished - already);
      line = progressLine(done, total, ((total - finished) * pace) / 1000);
      if (stream.isTTY || performance.now() - shownAt > PLAIN_INTERVAL_S * 1000) show();
    },
    note(text) {
      erase();
      stream.write(`${text}\n`);
      shown = "";
      if (stream.isTTY && line) show();
    },
    end() {
      show();
      if (stream.isTTY && shown) stream.write("\n");
    },
  };
}

/** `37/164 · pass@1 62% [54–69] · 2 errors · ETA 6m` */
export function progressLine(done: ReturnType<typeof summarize>, total: number, etaSeconds: number): string {
  const finished = done.num + done.errors;
  const parts = [`${finished}/${total}`, `pass@1 ${percent(done.value, done.interval)}`];
  if (done.errors > 0) parts.push(`${done.errors} ${done.errors === 1 ? "error" : "errors"}`);
  if (finished > 0 && finished < total) parts.push(`ETA ${duration(etaSeconds)}`);
  return parts.join(" · ");
}

/** `62% [54–69]`, or `–` where nothing was scored. */
export function percent(value: number | null, interval: readonly [number, number] | null): string {
  if (value === null || interval === null) return "–";
  const [low, high] = interval.map((bound) => Math.round(bound * 100));
  return `${Math.round(value * 100)}% [${low}–${high}]`;
}

/** `45s`, `6m`, `2h05m` */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)}s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}
