/** The trajectories that may be put beside the one that is open. */

import { keyOf } from "../browser/source.ts";
import type { Detail } from "./detail.ts";
import type { PageData, SampleRow } from "./page_data.ts";
import { pathOf } from "./sample/sample_columns.tsx";

export interface Other {
  /** Where it stands within the page. */
  path: string;
  name: string;
  row: SampleRow;
  detail(): Promise<Detail>;
}

/** Within a run: other attempts at the task come first. */
export function othersOf(
  { rows }: Pick<PageData, "rows">,
  row: SampleRow,
  detail: (sample: SampleRow) => Promise<Detail>,
): Other[] {
  const others = rows.filter((one) => keyOf(one) !== keyOf(row));
  const sorted = [...others.filter(({ task }) => task === row.task), ...others.filter(({ task }) => task !== row.task)];
  return sorted.map((one) => ({
    path: pathOf(one),
    name: sampleName(rows, one),
    row: one,
    detail: () => detail(one),
  }));
}

/** Names the attempt only if there are several. */
export const sampleName = (rows: readonly SampleRow[], { task, attempt }: SampleRow): string =>
  rows.some((one) => one.attempt > 0) ? `${task}, attempt ${attempt}` : task;
