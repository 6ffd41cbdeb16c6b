/** What is not as it should be with tasks of a dataset, told to a person and kept in the manifest. */

import { plural } from "../../utils/base/text/format.ts";
import { inLine } from "../../utils/base/text/text.ts";

/**
 * - `left_out`: it cannot be scored
 * - `entry_point`: it names a function that its program does not define; the one that its tests call is taken
 * - `test_repaired`: its visible test did not compile; what stood before the first line from which on it does is
 *   dropped
 * - `test_not_shown`: its visible test cannot be used, so none is shown
 * - `already_passes`: its buggy program passes the hidden test, so an answer that repairs nothing counts as a repair
 * - `in_process`: its tests share an interpreter, or a process, with the program
 */
export const REMARK_KINDS = [
  "left_out",
  "entry_point",
  "test_repaired",
  "test_not_shown",
  "already_passes",
  "in_process",
] as const;
type RemarkKind = (typeof REMARK_KINDS)[number];

export interface Remark {
  id: string;
  kind: RemarkKind;
  /** One sentence for a person; it may quote hidden tests. */
  reason: string;
}

/** Of a task that is not scored. */
export const leftOut = (id: string, reason: string): Remark => ({ id, kind: "left_out", reason });

const HEADINGS: Record<RemarkKind, string> = {
  left_out: "left out",
  entry_point: "with a program that defines a function of another name",
  test_repaired: "with a visible test that mend repaired",
  test_not_shown: "shown without a visible test",
  already_passes: "with a buggy program that passes the hidden test already, so a pass proves nothing",
  in_process: "judged in the same process as the tests, where a hostile program could forge a pass",
};

const MOST_REASON_CHARACTERS = 1000;

/**
 * Says every remark to `log`, by kind, tasks of one reason in one line.
 * @param name of the dataset, @param before remarks that were logged already
 */
export function tellRemarks(
  name: string,
  remarks: readonly Remark[],
  log: (line: string) => void,
  before: readonly Remark[] = [],
): void {
  for (const kind of REMARK_KINDS) {
    const found = remarks.filter((remark) => remark.kind === kind);
    if (found.length === 0) continue;
    const noun = before.some((remark) => remark.kind === kind) ? "more task" : "task";
    log(`dataset: ${plural(found.length, noun)} of ${name} ${HEADINGS[kind]}:`);
    for (const reason of new Set(found.map((remark) => remark.reason))) {
      const ids = found.flatMap((remark) => (remark.reason === reason ? remark.id : []));
      log(`  ${ids.map((id) => inLine(id)).join(", ")}: ${inLine(reason, MOST_REASON_CHARACTERS)}`);
    }
  }
}

/** Ids by kind, for a manifest. */
export function idsByKind(remarks: readonly Remark[]): Partial<Record<RemarkKind, string[]>> {
  return Object.fromEntries(
    REMARK_KINDS.flatMap((kind) => {
      const ids = remarks.filter((remark) => remark.kind === kind).map(({ id }) => id);
      return ids.length > 0 ? [[kind, ids]] : [];
    }),
  );
}

/** Why tasks are left out, by id. */
export const reasonsIn = (remarks: readonly Remark[]): Map<string, string> =>
  new Map(remarks.flatMap(({ id, kind, reason }) => (kind === "left_out" ? [[id, reason] as const] : [])));
