/** The progress line on stderr: rewritten in place on a terminal, printed now and then elsewhere. */

import { percentWithin, plural, seconds } from "../../utils/format.ts";
import type { Result } from "./results.ts";
import { type Summary, summarize } from "./summary/summary.ts";

/** Seconds between two lines where stderr is no terminal. */
const PLAIN_INTERVAL_S = 10;
/** The same on a terminal. */
const TERMINAL_INTERVAL_MS = 100;

export interface Progress {
  /** Shows the state after `results`. */
  update(results: readonly Result[]): void;
  /** Shows who works on it, after the state. */
  workersAre(text: string): void;
  /** Prints a line of its own without breaking the progress line. */
  note(line: string): void;
  end(): void;
}

/** @param total samples of the run, @param already those that an earlier process finished (not part of the pace) */
export function startProgress(total: number, already: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  const started = performance.now();
  let shownAt = started;
  let shown = "";
  let [state, line] = ["", ""];
  let workers = "";
  let newest: readonly Result[] = [];
  /** Made only to be shown: intervals over many samples are worth more than a moment. */
  const lineOf = (results: readonly Result[]) => {
    const done = summarize(results, total);
    const finished = done.samples + done.errors;
    const pace = (performance.now() - started) / Math.max(1, finished - already);
    return progressLine(done, total, ((total - finished) * pace) / 1000);
  };
  const erase = () => (stream.isTTY && shown ? stream.write("\r\x1b[K") : undefined);
  const show = () => {
    if (newest.length > 0) state = lineOf(newest);
    newest = [];
    line = [state, workers].filter(Boolean).join(" · ");
    if (line === shown) return;
    stream.write(stream.isTTY ? `\r\x1b[K${line.slice(0, (stream.columns || 80) - 1)}` : `${line}\n`);
    shown = line;
    shownAt = performance.now();
  };
  const showNowAndThen = () => {
    const interval = stream.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_S * 1000;
    if (performance.now() - shownAt > interval) show();
  };
  return {
    update(results) {
      newest = results;
      showNowAndThen();
    },
    workersAre(text) {
      workers = text;
      showNowAndThen();
    },
    note(text) {
      erase();
      stream.write(`${text}\n`);
      shown = "";
      if (stream.isTTY && line) show();
    },
    end() {
      workers = "";
      show();
      if (stream.isTTY && shown) stream.write("\n");
    },
  };
}

/** `37/164 · pass@1 62% [54–69] · 2 errors · ETA 6 min` */
export function progressLine(done: Summary, total: number, etaSeconds: number): string {
  const finished = done.samples + done.errors;
  const parts = [`${finished}/${total}`, `pass@1 ${percentWithin(done.value, done.interval)}`];
  if (done.errors > 0) parts.push(plural(done.errors, "error"));
  if (finished > 0 && finished < total) parts.push(`ETA ${seconds(etaSeconds)}`);
  return parts.join(" · ");
}
