/** Other edits that pass the same tests and do something else: what the tests cannot tell apart. */

import { unifiedDiff } from "../../utils/diff.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task.ts";
import { applyEdit, readResult } from "../models/search/result.ts";
import type { Trajectory } from "../trajectory.ts";
import type { OwnTests } from "./judge.ts";

export interface Alternative {
  diff: string;
  /** Arguments on which it differs from the repair, as they are written in a call. */
  input: string;
  /** What it returns or raises there. */
  gives: string;
  /** What the repair returns or raises there. */
  repair_gives: string;
}

/** At most two beside the repair: three choices are shown. */
const MOST = 2;

/**
 * What the search engine found beside the repair. Each is run against the tests: the engine may have seen only a part.
 * @param name of the file in the differences
 */
export async function alternativesIn(
  { steps, answer }: Pick<Trajectory, "steps" | "answer">,
  task: VisibleTask,
  tests: OwnTests,
  show: { name: string; original: string },
): Promise<Alternative[]> {
  const program = buggyProgram(task).trimEnd();
  const results = steps.flatMap(({ observation }) => readResult(observation.output) ?? []);
  const found: Alternative[] = [];
  for (const { best, others = [] } of results) {
    const first = best[0] ? applyEdit(program, best[0].splices) : null;
    if (first === null || answer === null || first.trim() !== answer.trim()) continue;
    for (const { splices, input, gives, best_gives } of others) {
      const { accepted, result } = await tests.verify(applyEdit(program, splices));
      if (!accepted || result === null || found.length === MOST) continue;
      const diff = unifiedDiff(show.name, show.original, tests.textOf(result));
      found.push({ diff, input, gives, repair_gives: best_gives });
    }
  }
  return found;
}
