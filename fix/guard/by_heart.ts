/** Finds answers in a patch that tests expect: such code may know them by heart. */

import { languageOf } from "../../utils/languages/registry.ts";
import { edited, type TextEdit } from "../project/edits.ts";
import type { FileChange } from "../project/patch.ts";

const LITERAL = /(["'`])(?:\\.|(?!\1)[^\\\n])+\1|(?<![\w.])\d+(?:\.\d+)?(?!\w)/g;
/** Stand everywhere. */
const COMMON = /^(?:[012]|0\.0|1\.0|.)$/;

const literalsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(LITERAL)].map(([one]) => one.replace(/^["'`]|["'`]$/g, "").replace(/\.0+$/, "")));

/** The text of a file without the tests that stand in it. */
function withoutTests(file: string, text: string): string {
  const tests =
    languageOf(file)
      ?.files.testsWithin?.(text, true)
      .filter(({ isTest }) => isTest) ?? [];
  return edited(
    text,
    tests.map(({ start, end }): TextEdit => [start, end, ""]),
  );
}

/**
 * An expected value that the patch brings together with another value of the tests; null where it brings none.
 * @param expected the texts of expected values
 * @param tests texts of the files that hold the tests
 */
export function knownByHeart(
  changes: readonly FileChange[],
  expected: readonly string[],
  tests: readonly string[],
): string | null {
  const isRare = (literal: string) => !COMMON.test(literal);
  const answers = new Set([...literalsIn(expected.join("\n"))].filter(isRare));
  const given = new Set(tests.flatMap((text) => [...literalsIn(text)]).filter(isRare));
  for (const { file, before, after } of changes) {
    const old = literalsIn(withoutTests(file, before ?? ""));
    const lines = new Set((before ?? "").split("\n"));
    const added = (after ?? "").split("\n").filter((line) => !lines.has(line));
    const fresh = [...literalsIn(added.join("\n"))].filter((literal) => !old.has(literal) && given.has(literal));
    const answer = fresh.find((literal) => answers.has(literal));
    if (answer !== undefined && fresh.length > 1)
      return (
        `${file} now contains ${fresh.slice(0, 4).join(", ")}, values from its tests: ` +
        "it may answer the tests by heart"
      );
  }
  return null;
}
