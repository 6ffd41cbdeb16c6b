/** What is known of a failure before a model is asked: the words of the issue, what failing tests say and run. */

import { join, relative } from "node:path";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { type Baseline, MOST_FAILING, MOST_PASSING } from "../project/baseline.ts";
import type { Suite } from "../project/suite.ts";
import type { Evidence } from "./localise.ts";
import { markedCoverage, markedLanguage } from "./marked.ts";

const MOST_CHARS = 12_000;
/** Of a file of tests. */
const MOST_BYTES = 4_000_000;

/**
 * Runs failing tests, and passing ones beside them, with coverage, unless the baseline has it of all.
 * @param files those that may be at fault
 */
export async function gatherEvidence(
  suite: Suite,
  tree: string,
  baseline: Baseline,
  { issue, files, signal }: { issue: string; files: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Evidence> {
  const { failing, passing, covered: known } = baseline;
  const watched = failing.slice(0, MOST_FAILING);
  const folder = suite.folderIn(tree);
  const failure = failureText(suite, tree, baseline);
  const language = markedLanguage(suite);
  if (watched.length === 0 || (language === null && !suite.plan.framework?.hooks))
    return { issue, failure, folder: relative(tree, folder), failing: [], passing: [] };
  const only = [...watched, ...nearest(watched, passing)];
  const covered =
    known ??
    (language === null
      ? (await suite.run(tree, { only, coverage: true, signal })).covered
      : await markedCoverage({ suite, tree, language, baseline, files, tests: only, failing: watched, signal }));
  const failed = new Set(watched.map(({ name }) => name));
  const passed = new Set(passing.map(({ name }) => name));
  return {
    issue,
    failure,
    folder: relative(tree, folder),
    failing: covered.filter(({ test }) => failed.has(test)),
    passing: covered.filter(({ test }) => passed.has(test)),
  };
}

/** Names, messages and source of failing tests, or why no test can be loaded. */
export function failureText(
  suite: Suite,
  tree: string,
  { failing, notLoaded }: Pick<Baseline, "failing" | "notLoaded">,
): string {
  const folder = suite.folderIn(tree);
  const tests = failing.slice(0, MOST_FAILING).map((test) => {
    return `${test.name}\n${test.message}\n${sourceOf(tree, folder, test)}`;
  });
  return [notLoaded ?? "", ...tests].join("\n").slice(0, MOST_CHARS);
}

/** The file of a test, from where the tests run. */
export const fileOf = ({ name, file }: TestResult): string => file ?? name.split("::")[0] ?? "";

/** Passing tests of the same files first, spread evenly where there are many. */
function nearest(failing: readonly TestResult[], passing: readonly TestResult[]): TestResult[] {
  const files = new Set(failing.map(fileOf));
  const near = passing.filter((test) => files.has(fileOf(test)));
  const far = passing.filter((test) => !files.has(fileOf(test)));
  return [...spread(near, MOST_PASSING), ...spread(far, Math.max(0, MOST_PASSING - near.length))];
}

function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

/** The text of a test, as far as its name leads to it. @param tree what may be shown, @param folder where it runs */
export function sourceOf(tree: string, folder: string, test: TestResult): string {
  const file = fileOf(test);
  const path = join(folder, file);
  // Tests name their files themselves, and a link may lead anywhere.
  const { text } = tryForeignText(tree, path, MOST_BYTES);
  if (file === "" || text === null) return "";
  const place = languageOf(file)?.files.testLines(text, test.name);
  return place
    ? text
        .split("\n")
        .slice(place.start - 1, place.end)
        .join("\n")
    : "";
}
