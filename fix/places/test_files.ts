/** Which test files belong to a source file, by their names. */

import { basename } from "node:path";
import { FOLDERS_OWN } from "./issue.ts";
import { stemOf } from "./words.ts";

const MOST_FILES = 2;

const withoutEnding = (file: string): string => file.replace(/\.\w+$/, "");

/** The words of a path, as stems, without those that every test has. */
const wordsIn = (path: string): string[] =>
  path
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => stemOf(word.toLowerCase()))
    .filter((word) => word !== "" && word !== "test" && word !== "spec");

/**
 * Test files that are called like a source file: `tests/test_domain_std.py` for `domains/std.py`, `cart.test.ts` for
 * `cart.ts`. All words of their names are in its path, and all words of its name in theirs.
 */
export function testFilesOf(file: string, tests: readonly string[]): string[] {
  const path = withoutEnding(file).replace(FOLDERS_OWN, "");
  const [inPath, inName] = [wordsIn(path), wordsIn(basename(path))];
  const isLike = (test: string) => {
    const words = wordsIn(withoutEnding(basename(test)));
    return words.every((word) => inPath.includes(word)) && inName.every((word) => words.includes(word));
  };
  return inName.length === 0 ? [] : tests.filter(isLike).slice(0, MOST_FILES);
}
