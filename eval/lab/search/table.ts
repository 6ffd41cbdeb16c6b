/** The tables of `ablate`: one line a configuration, and a breakdown of one by bug type. */

import { largest } from "../../../utils/base/data/extremes.ts";
import type { Trial } from "./trials.ts";

export interface Line {
  name: string;
  trials: readonly Trial[];
  /** Where the answers were chosen by other rules than the engine's own: how many of them were right. */
  right?: number;
}

export const isRight = ({ candidates }: Trial) => candidates[0]?.passed === true;
/** Candidates of a trial in which a right one counts as reached, however many were scored. */
const LISTED = 4;
export const isReached = ({ candidates }: Trial) => candidates.slice(0, LISTED).some(({ passed }) => passed === true);
export const count = (trials: readonly Trial[], is: (trial: Trial) => boolean) => trials.filter(is).length;

/** The value below which a share of the values lies (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

/**
 * pass@1, whether a right edit was among the first four, candidates and seconds, a line a configuration; of the trials
 * that gave a result.
 */
export function table(lines: readonly Line[]): string {
  const rows = lines.map(({ name, trials, right }) => {
    const measured = trials.filter(({ error }) => error === undefined);
    const repaired = right ?? count(measured, isRight);
    const tried = measured.map((trial) => trial.tried);
    const seconds = measured.map((trial) => trial.seconds);
    return [
      name,
      `${repaired}/${measured.length}`,
      measured.length === 0 ? "not measured" : `${((100 * repaired) / measured.length).toFixed(1)}%`,
      String(count(measured, isReached)),
      `${quantile(tried, 0.5)} / ${quantile(tried, 0.9)}`,
      `${quantile(seconds, 0.5).toFixed(2)} / ${quantile(seconds, 0.9).toFixed(2)}`,
      seconds.reduce((sum, value) => sum + value, 0).toFixed(0),
    ];
  });
  return columns([
    ["", "repaired", "pass@1", "in first 4", "candidates p50 / p90", "seconds p50 / p90", "sum s"],
    ...rows,
  ]);
}

/** By bug type: repaired, passed the visible tests but not the hidden ones, found nothing. */
export function breakdown(trials: readonly Trial[]): string {
  const types = [...new Set(trials.map(({ task }) => task.bugType))].sort();
  const rows = [...types, "all"].map((type) => {
    const some = trials.filter(({ task }) => type === "all" || task.bugType === type);
    const wrong = count(some, (trial) => trial.candidates.length > 0 && !isRight(trial));
    const none = count(some, ({ candidates, error }) => candidates.length === 0 && !error);
    const errors = count(some, ({ error }) => error !== undefined);
    return [type, `${count(some, isRight)}/${some.length}`, String(wrong), String(none), String(errors)];
  });
  return columns([["bug type", "repaired", "visible pass, hidden fail", "nothing found", "errors"], ...rows]);
}

/** Rows of cells as lines of text, in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => largest(rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
