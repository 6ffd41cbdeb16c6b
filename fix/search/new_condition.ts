/** Finds conditions that an edit adds: they may hold for the inputs of the tests and for no others. */

import type { FileChange } from "../project/patch.ts";

const VALUE = String.raw`-?\d+(?:\.\d+)?|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const COMPARISON = String.raw`(?:[<>]=?|[=!]==?|\bin\b|\bis\b)`;
/** `item > 1`, `"" == name`: a condition with a value in it. */
const CONDITION = new RegExp(
  String.raw`[\w.\])]+ *${COMPARISON} *(?:${VALUE})|(?:${VALUE}) *${COMPARISON} *[\w.(]+`,
  "g",
);

const conditionsIn = (text: string): string[] => [...text.matchAll(CONDITION)].map(([one]) => one);

/**
 * Why a passing edit may be right for the tests only: it has more conditions on values than the code before. Null if it
 * has not. It compares texts, so it does not see comparisons of two variables.
 */
export function newCondition(changes: readonly FileChange[]): string | null {
  for (const { before, after } of changes) {
    const known = conditionsIn(before ?? "");
    const made = conditionsIn(after ?? "");
    if (made.length <= known.length) continue;
    const added = made.find((one) => !known.includes(one));
    if (added !== undefined)
      return `it adds the condition \`${added}\`, and your tests try few values: add a test on each side of it`;
  }
  return null;
}
