/** How far a run is, as one line on stderr. */

import { percentWithin, plural, seconds } from "../../../utils/base/text/format.ts";
import { openStatus } from "../../../utils/program/status.ts";
import type { Result } from "../results.ts";
import { type Summary, summarize } from "../summary/summary.ts";

export interface RunProgress {
  /** Shows the state after `results`. */
  update(results: readonly Result[]): void;
  end(): void;
}

/** @param total samples of the run, @param already those that an earlier process finished (not part of the pace) */
export function startProgress(total: number, already: number): RunProgress {
  const started = performance.now();
  const status = openStatus();
  // Made only when it is shown: the interval over many samples takes longer than a moment.
  const line = (results: readonly Result[]) => {
    const done = summarize(results, total);
    const finished = done.samples + done.errors;
    const pace = (performance.now() - started) / Math.max(1, finished - already);
    return progressLine(done, total, ((total - finished) * pace) / 1000);
  };
  return {
    update: (results) => status.update(() => line(results)),
    end: () => status.end(),
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
