/** The benchmarks as a list for people. */

import type { BenchmarkRow } from "./row.ts";
import { BENCHMARKS } from "./table.ts";

/** A benchmark as it is listed. `here`: its data on this machine that need not be named; null if there is none. */
export type BenchmarkEntry = { name: string; here: string | null } & Omit<BenchmarkRow["about"], "here">;

export const listBenchmarks = (rows: readonly BenchmarkRow[] = BENCHMARKS): Promise<BenchmarkEntry[]> =>
  Promise.all(
    rows.map(async ({ name, about: { here, ...about } }) => ({ name, ...about, here: (await here?.()) ?? null })),
  );

/** A block of lines each. */
export const renderList = (listed: readonly BenchmarkEntry[]): string =>
  listed
    .map(({ name, task, size, shown, scores, licence, source, dataset, here }) =>
      [
        `${name}: ${task}`,
        `  size      ${size}`,
        `  shown     ${shown}`,
        `  scored by ${scores}`,
        `  licence   ${licence}`,
        `  source    ${source}`,
        `  --dataset ${dataset}`,
        `  here      ${here ?? "no: give its path with --dataset"}`,
      ].join("\n"),
    )
    .join("\n\n");
