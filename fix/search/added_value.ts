/** Finds conditions and numbers that an edit adds: they may fit the inputs of the tests and no others. */

import type { FileChange } from "../project/patch.ts";

const VALUE = String.raw`-?\d+(?:\.\d+)?|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const COMPARISON = String.raw`(?:[<>]=?|[=!]==?|\bin\b|\bis\b)`;
/** `item > 1`, `"" == name`: a condition with a value in it. */
const CONDITION = new RegExp(
  String.raw`[\w.\])]+ *${COMPARISON} *(?:${VALUE})|(?:${VALUE}) *${COMPARISON} *[\w.(]+`,
  "g",
);

/** `+ 5`, `* 0.5`; one more or less is counting. */
const TERM = /(?<=[\w)\]] *)[-+*/%] *(?:0?\.\d+|(?!1(?![\w.]))[1-9]\d*(?:\.\d+)?)(?![\w.])/g;

const found = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([one]) => one);

/** What is in the second text and not in the first, where that has more of it; undefined for nothing. */
function added(pattern: RegExp, before: string | null, after: string | null): string | undefined {
  const [known, made] = [found(pattern, before ?? ""), found(pattern, after ?? "")];
  return made.length > known.length ? made.find((one) => !known.includes(one)) : undefined;
}

/**
 * Why a passing edit may be right for the tests only: it has more conditions on values, or more numbers to calculate
 * with, than the code before. Null if it has not. It compares texts, so it does not see comparisons of two variables.
 */
export function addedValue(changes: readonly FileChange[]): string | null {
  for (const { before, after } of changes) {
    const condition = added(CONDITION, before, after);
    if (condition !== undefined)
      return `it adds the condition \`${condition}\`, and your tests try few values: add a test on each side of it`;
    const term = added(TERM, before, after);
    if (term !== undefined) return `it adds \`${term}\`, and your tests try few values: add a test with others`;
  }
  return null;
}
