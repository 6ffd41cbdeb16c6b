/** Compares what a row says of its tests with what they do here, before the fix and with the developer's patch. */

import { clause } from "../../../utils/base/text/format.ts";
import { firstLines, inLine, listed } from "../../../utils/base/text/text.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { NamedTests } from "./named_tests.ts";
import type { RepositoryTask } from "./rows.ts";

type Names = Pick<RepositoryTask, "failToPass" | "passToPass">;
type Tests = ReadonlyMap<string, TestResult>;

/** The tests of a row, and how they end without and with the developer's patch. */
export interface Runs {
  before: Tests;
  after: Tests;
  /** Why not all tests ran with the patch; empty where they did. */
  why?: string;
}

/** The tests that an answer has to make pass, or to leave passing. */
export interface ExpectedTests {
  /** They fail before the fix, or are not there, and pass with it. */
  failing: TestResult[];
  /** They pass before the fix and with it. */
  passing: TestResult[];
  /** What disagrees with the row, in one line; empty where nothing does. */
  remark: string;
}

/** A test that does not do what the row says. */
interface Disagreement {
  /** As the row names it, in quotes, and as the run does where that differs. */
  name: string;
  /** What was expected, what came, and why. */
  said: string;
}

/**
 * A name stands for the tests that it means in the most exact spelling that fits its list, as far as they pass with the
 * developer's patch. Where a name means no test, tests that no name means and that fit stand in for it.
 * @returns what disagrees where no test of FAIL_TO_PASS fails before the fix and passes with it: the row tells nothing
 */
export function expectedOf(row: Names, runs: Runs): ExpectedTests | string {
  const ends = new Ends(runs);
  const index = new NamedTests(ends.all);
  const fixed = meantBy(row, "failToPass", { index, ends, fixed: new Set() });
  const staying = meantBy(row, "passToPass", { index, ends, fixed: fixed.tests });
  const known = new Set([...fixed.tests, ...staying.tests]);
  const others = ends.all.filter((test) => !known.has(test));
  const instead = LISTS.map((list, i) =>
    [fixed, staying][i]?.absent.length ? others.filter((test) => ends.fits(test, list)) : [],
  );
  const absent = [...fixed.absent, ...staying.absent];
  const remark = inWords([...fixed.problems, ...staying.problems, ...absent.map((name) => missing(name, runs))]);
  const stand = instead.flat().length;
  const said = stand === 0 ? remark : `${remark}; ${clause(stand, "other test", "stand")} in for what is not there`;
  if (![...fixed.tests, ...(instead[0] ?? [])].some((test) => ends.fits(test, "failToPass")))
    return said || "it names no test";
  const required = [...known, ...instead.flat()].filter((test) => ends.passesAfter(test));
  const failing = required.filter((test) => !ends.passedBefore(test)).map((test) => ends.asItFailed(test));
  return { failing, passing: required.filter((test) => ends.passedBefore(test)), remark: said };
}

const LISTS = ["failToPass", "passToPass"] as const;
type List = (typeof LISTS)[number];

/** How tests end without and with the patch. */
class Ends {
  readonly all: TestResult[];
  readonly runs: Runs;

  constructor(runs: Runs) {
    this.runs = runs;
    this.all = [...new Map([...runs.before, ...runs.after]).values()];
  }

  passedBefore({ name }: TestResult): boolean {
    return this.runs.before.get(name)?.status === "passed";
  }

  passesAfter({ name }: TestResult): boolean {
    return this.runs.after.get(name)?.status === "passed";
  }

  isSkipped({ name }: TestResult): boolean {
    return this.runs.after.get(name)?.status === "skipped";
  }

  /** Whether a test ends both times as a list says. */
  fits(test: TestResult, list: List): boolean {
    return this.passesAfter(test) && this.passedBefore(test) === (list === "passToPass");
  }

  /** The first group in which some test fits, if possible one without a test that fails with the patch. */
  groupOf(groups: readonly TestResult[][], list: List): TestResult[] {
    const fitting = groups.filter((group) => group.some((test) => this.fits(test, list)));
    return fitting.find((group) => group.every((test) => this.passesAfter(test))) ?? fitting[0] ?? [];
  }

  asItFailed(test: TestResult): TestResult {
    const message = "it is not there before the fix";
    return this.runs.before.get(test.name) ?? { ...test, status: "failed", message };
  }
}

/** @param fixed tests that FAIL_TO_PASS means: a name of PASS_TO_PASS may mean one of them, too */
function meantBy(
  row: Names,
  list: List,
  { index, ends, fixed }: { index: NamedTests; ends: Ends; fixed: ReadonlySet<TestResult> },
) {
  const tests = new Set<TestResult>();
  const problems: Disagreement[] = [];
  const absent: string[] = [];
  for (const name of new Set(row[list])) {
    const groups = index.meant(name);
    const found = ends.groupOf(groups, list);
    for (const test of found) tests.add(test);
    const first = groups[0]?.[0];
    if (!first) absent.push(name);
    else if (found.length > 0 || groups[0]?.some((test) => fixed.has(test))) continue;
    else if (list === "failToPass" || !ends.isSkipped(first)) problems.push(misfit(name, first, list, ends.runs));
    if (list === "passToPass") for (const test of ends.groupOf(groups, "failToPass")) tests.add(test);
  }
  return { tests, problems, absent };
}

/** A test that ends otherwise than its list says, before the fix or with the patch. */
function misfit(name: string, { name: own }: TestResult, list: List, { before, after }: Runs): Disagreement {
  const first = before.get(own);
  const isAsSaid = (first?.status === "passed") === (list === "passToPass");
  if (isAsSaid) return withPatch(disagreement(name, "passed", after.get(own)));
  return disagreement(name, list === "passToPass" ? "passed" : "failed", first);
}

const missing = (name: string, { why }: Runs): Disagreement => withPatch(disagreement(name, "passed", undefined, why));

/** @param got undefined: there is no such test; @param why more of it */
function disagreement(name: string, expected: string, got: TestResult | undefined, why = ""): Disagreement {
  const more = firstLines(why || (got?.message ?? ""), 1);
  const as = got && got.name !== name ? ` (${inLine(got.name)})` : "";
  return {
    name: `"${inLine(name)}"${as}`,
    said: `expected ${expected}, got ${got?.status ?? "no such test"}${more ? ` (${more})` : ""}`,
  };
}

const withPatch = ({ name, said }: Disagreement): Disagreement => ({
  name,
  said: `with the developer's patch ${said}`,
});

/** How many different findings are shown, and names for each. */
const MOST_SAID = 3;

/** In one line: a finding that several tests share is named once, behind their names. */
function inWords(disagreements: readonly Disagreement[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, said } of disagreements) groups.set(said, [...(groups.get(said) ?? []), name]);
  const lines = [...groups]
    .slice(0, MOST_SAID)
    .map(([said, names]) => `${listed([...new Set(names)], MOST_SAID)} ${said}`);
  const left = [...groups.values()].slice(MOST_SAID).flat().length;
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}
