/** Which tests of a run the names in a row mean: rows come from other programs, which name tests in their own way. */

import { firstLines, listed } from "../../../utils/base/text/text.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import type { RepositoryTask } from "./rows.ts";

/** What a row says of its tests before the fix, as the run names them. */
export interface NamedTests {
  failing: TestResult[];
  passing: TestResult[];
  /** Names of the row that no test answers to: those of tests that are to fail, and of those that are to pass. */
  absent: { failing: string[]; passing: string[] };
  disagreements: Disagreement[];
}

/** A test that does not do what the row says. */
export interface Disagreement {
  /** As the row names it, in quotes, and as the run does where that differs. */
  name: string;
  /** What it expects, what came, and why. */
  said: string;
}

type Names = Pick<RepositoryTask, "failToPass" | "passToPass">;

/**
 * A name is taken as the run writes it, then with its file, then without what the run puts around it, then as the title
 * alone. Where several tests answer to a name they are told apart by how they end: those that fail are the ones that
 * the row calls failing, the others are left for the same name among those that pass.
 * @param tests of a run before the fix
 */
export function namedTests({ failToPass, passToPass }: Names, tests: Iterable<TestResult>): NamedTests {
  const index = new NameIndex(tests);
  const found: NamedTests = { failing: [], passing: [], absent: { failing: [], passing: [] }, disagreements: [] };
  const taken = new Set<string>();
  for (const [name, count] of counted(failToPass)) {
    const levels = index.levels(name);
    const failing = levels.map((level) => level.filter((test) => test.status !== "passed"));
    const meant = failing.find((level) => level.length >= count) ?? failing.find((level) => level.length > 0);
    if (levels.length === 0) found.absent.failing.push(name);
    else if (!meant) found.disagreements.push(disagreement(name, "failed", levels[0]?.[0]));
    for (const test of meant ?? []) if (!taken.has(test.name)) found.failing.push(test);
    for (const test of meant ?? []) taken.add(test.name);
  }
  for (const [name] of counted(passToPass)) {
    const levels = index.levels(name);
    const meant = levels
      .map((level) => level.filter((test) => !taken.has(test.name)))
      .find((level) => level.length > 0);
    if (!meant) found.absent.passing.push(name);
    for (const test of meant ?? []) {
      if (test.status === "passed") found.passing.push(test);
      else found.disagreements.push(disagreement(name, "passed", test));
    }
  }
  return { ...found, passing: [...new Set(found.passing)] };
}

/** @param got absent: no such test was told of; @param why more of it */
export function disagreement(name: string, expected: string, got: TestResult | undefined, why = ""): Disagreement {
  const more = firstLines(why || (got?.message ?? ""), 1);
  const as = got && got.name !== name ? ` (${got.name})` : "";
  return {
    name: `"${name}"${as}`,
    said: `expected ${expected}, got ${got?.status ?? "no such test"}${more ? ` (${more})` : ""}`,
  };
}

/** Reasons that are told, and names for each. */
const MOST_TOLD = 3;

/** In words, in one line: what several tests have in common is said once, behind their names. */
export function inWords(disagreements: readonly Disagreement[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, said } of disagreements) groups.set(said, [...(groups.get(said) ?? []), name]);
  const told = [...groups]
    .slice(0, MOST_TOLD)
    .map(([said, names]) => `${listed([...new Set(names)], MOST_TOLD)} ${said}`);
  const left = [...groups.values()].slice(MOST_TOLD).flat().length;
  return [...told, ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}

const counted = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Spellings of a test's name, the surest first. */
function spellings({ name, title, file }: TestResult): string[] {
  const inFile = file !== undefined && name.startsWith(`${file} > `) ? name.slice(file.length + 3) : name;
  const alone = title === undefined ? [] : [file === undefined ? title : `${file} > ${title}`, title];
  return [name, `${file} ${name}`, `${file} ${inFile}`, inFile, ...alone].flatMap((one, i) =>
    i === 0 ? [one] : [one, loosely(one)],
  );
}

/** However the levels of a nested name are told apart. */
const loosely = (name: string): string => name.replace(/\s+(?:[>›»/→]|::)\s+/g, " ");

class NameIndex {
  /** By how sure the spelling is; of each the tests by spelling. */
  readonly #levels: Map<string, TestResult[]>[] = [];

  constructor(tests: Iterable<TestResult>) {
    for (const test of tests) {
      for (const [i, spelling] of spellings(test).entries()) {
        this.#levels[i] ??= new Map();
        this.#levels[i].set(spelling, [...(this.#levels[i].get(spelling) ?? []), test]);
      }
    }
  }

  /** The tests that answer to a name, the surest spelling first; none is empty. */
  levels(name: string): TestResult[][] {
    return this.#levels.flatMap((level) => {
      const tests = level.get(name) ?? level.get(loosely(name));
      return tests ? [tests] : [];
    });
  }
}
