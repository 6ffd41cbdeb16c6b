/** What a set says of new tasks when each may only use what other tasks witness. */

import { smallest } from "../../../utils/base/data/extremes.ts";
import type { Trial, TriedEdit } from "../search/trials.ts";

/** An operator's template, as far as a candidate tells: the operator, and what its variant costs beyond it. */
const templateOf = ({ operator, features }: TriedEdit) => `${operator} ${(features.extra ?? 0).toFixed(1)}`;

/**
 * How many trials end right where a candidate counts only if its template is right in another trial, too. The trials
 * have to hold candidates from beyond the margin, or a task whose own template is taken away has nothing else.
 * @param margin as in the priors: the best score within it of the cheapest candidate is the answer
 */
export function leaveTemplateOut(trials: readonly Trial[], margin: number): number {
  const witnesses = new Map<string, Set<string>>();
  for (const { task, candidates } of trials) {
    for (const candidate of candidates.filter(({ passed }) => passed === true)) {
      const template = templateOf(candidate);
      witnesses.set(template, (witnesses.get(template) ?? new Set()).add(task.id));
    }
  }
  return trials.filter(({ task, candidates }) => {
    const allowed = candidates.filter((one) => {
      const others = [...(witnesses.get(templateOf(one)) ?? [])].filter((id) => id !== task.id);
      return others.length > 0;
    });
    const limit = smallest(allowed.map(({ cost }) => cost)) + margin;
    const [best] = allowed.filter(({ cost }) => cost <= limit).toSorted((a, b) => a.score - b.score);
    return best?.passed === true;
  }).length;
}
