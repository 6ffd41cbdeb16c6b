/** The folder in which an exercise is solved: the agent's instructions, and which of its files count. */

import { extname } from "node:path";
import { filesIn } from "../../../fix/project/patch.ts";
import { tryForeignText } from "../../../utils/base/files/foreign_file.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { type Exercise, isManifest, withCrates } from "./exercise.ts";

const MOST_BYTES = 1_000_000;

/** The files given as they are now, and new ones of their kind; never a test, nor what starts tests. */
export function filledIn(exercise: Exercise, folder: string): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const file of filesIn(folder)) {
    if (!counts(exercise, file)) continue;
    const { text } = tryForeignText(folder, file, MOST_BYTES);
    const manifest = isManifest(file) ? exercise.tests[file] : undefined;
    if (text !== null) filled[file] = manifest === undefined ? text : withCrates(manifest, text);
  }
  return filled;
}

/** A new file that a runner of tests would load by its name. */
const LOADED = /(?:^|\/)(?:conftest|sitecustomize|usercustomize|pytest|_pytest|pluggy|unittest)\.py$|_test\.go$/;
const OF_TESTS = /(?:^|\/)(?:tests?\/|src\/test\/|test_[^/]*$|[^/]*_test\.\w+$|[^/]*\.(?:spec|test)\.\w+$)/;

function counts({ given, tests, solution }: Exercise, file: string): boolean {
  if (isManifest(file)) return file in tests;
  if (file in tests || !isPlainPath(file) || file.startsWith(".")) return false;
  if (file in given) return solution.includes(file);
  return solution.some((one) => extname(one) === extname(file)) && !LOADED.test(file) && !OF_TESTS.test(file);
}

/** @param showsTests whether the tests lie in the folder */
export function instructionOf({ instructions, given, solution, tests }: Exercise, showsTests: boolean): string {
  const named = solution.join(", ");
  const others = Object.keys(given).filter((file) => !solution.includes(file));
  const blocks = [...solution, ...others].map((file) => `${file}\n\`\`\`\n${given[file] ?? ""}\n\`\`\``);
  return [
    instructions,
    "---",
    `Change ${named} so that the tests pass. Keep the names of files, functions and classes that are ` +
      "there: the tests use them. Use nothing but the standard library and what is here.",
    showsTests
      ? `The tests are ${Object.keys(tests).join(", ")}; they are right.`
      : "The tests are hidden: they run on your final answer, and you see what fails.",
    ...blocks,
  ].join("\n\n");
}
