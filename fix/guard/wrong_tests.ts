/** Runs tests whose text expects something else: where they still pass, their passing says nothing. */

import { randomBytes, randomInt } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { within } from "../../utils/base/host/project_root.ts";
import { listed } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass, words } from "../../utils/frameworks/test_run.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { fromRoot } from "../../utils/project/project.ts";
import { type Baseline, modulePaths, testFilesOf } from "../project/baseline.ts";
import { edited, type TextEdit } from "../project/edits.ts";
import { isPython } from "../project/functions.ts";
import type { Kinds } from "../project/kinds.ts";
import { type FileChange, filesIn, patched } from "../project/patch.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";
import type { WrongTests } from "./expectations.ts";
import { MOST_SHOWN } from "./verdict.ts";
import { wrongText } from "./wrong_text.ts";

/** Files of tests that are changed: those of the first targets tell enough. */
const MOST_FILES = 40;
const MOST_BYTES = 2_000_000;
/** Of all their texts: reading them takes seconds. */
const MOST_CHARS = 1_000_000;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Whether the text of a copy is longer or shorter than before. */
type Length = "longer" | "shorter";
const LENGTHS: readonly Length[] = ["longer", "shorter"];

export interface FalsifiedTests {
  /** Tests that come to a wrong expectation, or to a line that fails, and pass each time. */
  forged: string[];
  /** Why the others are not known to fail where they should; null where they are. */
  doubt: string | null;
  /** What was changed in each file of tests. */
  texts: ReadonlyMap<string, WrongTests>;
}

/** What is known of a repository whose tests are made wrong. */
export interface TestedTree {
  suite: Suite;
  /** The tree as it was. */
  base: string;
  baseline: Baseline;
}

/**
 * Runs `targets`, which pass in `tree`, with wrong expectations, drawn anew for each copy. Nothing but the text and
 * the times of test files differs from any other run.
 */
export async function falsify(
  { suite, base, baseline: { kinds } }: TestedTree,
  tree: string,
  targets: readonly TestResult[],
  signal?: AbortSignal,
): Promise<FalsifiedTests> {
  const token = `mend${randomBytes(8).toString("hex")}`;
  const texts = await wrongTexts(tree, filesOf(suite, kinds, tree, targets), kinds, token);
  const known = (forged: string[]): FalsifiedTests => ({ forged, doubt: null, texts });
  const unknown = (doubt: string): FalsifiedTests => ({ forged: [], doubt, texts });
  if (texts.size === 0) return unknown("it finds no assertions in their files");
  const groups = [...groupsOf(targets)];
  const only = groups.flatMap(([name, [first]]) => (first ? [{ ...first, name }] : []));
  const run = async (place: string, edits: (one: WrongTests) => TextEdit[] | undefined, length?: Length) => {
    const changes = [...texts].map(([file, wrong]) => changeOf(tree, file, edits(wrong) ?? [], length));
    using changed = copyWith(place, changes, length);
    return await suite.run(changed.path, { only, signal });
  };
  const runs: SuiteRun[] = [];
  const draws = Math.max(...[...texts.values()].map(({ wrong }) => wrong.length));
  for (let i = 0; i < draws; i++) runs.push(await run(tree, ({ wrong }) => wrong[i], LENGTHS[i]));
  const named = (found: typeof groups) => found.map(([group]) => group);
  const passing = groups.filter(([group, tests]) => runs.some((one) => survives(group, tests, one)));
  const isGreen = runs.some(({ exitCode, ending }) => ending === "complete" && exitCode === 0);
  if (passing.length === 0) return known(isGreen ? named(groups) : []);
  const always = passing.filter(([group]) => runs.every((one) => passes(group, one)));
  const reached = await run(tree, ({ reaching }) => reaching);
  const forged = always.filter(([group]) => failsWith(token, group, reached));
  if (forged.length > 0) return known(named(forged));
  if (always.length > 0) {
    const before = await run(base, ({ starts }) => starts);
    const after = await run(tree, ({ starts }) => starts);
    const swallowed = always.filter(([group]) => failsWith(token, group, before) && passes(group, after));
    if (swallowed.length > 0) return known(named(swallowed));
  }
  return unknown(`they also pass when they expect a wrong value: ${listed(named(passing), MOST_SHOWN)}`);
}

/** A copy whose test files have another length and other times: what is expected stays right. */
export function neutralCopy({ suite, baseline: { kinds } }: TestedTree, tree: string, targets: readonly TestResult[]) {
  const length = LENGTHS[randomInt(2)];
  return copyWith(
    tree,
    filesOf(suite, kinds, tree, targets).map((file) => changeOf(tree, file, [], length)),
  );
}

/** A changed file of the copy is newer if it got longer, and older if it got shorter. */
function copyWith(tree: string, changes: readonly FileChange[], length?: Length) {
  const copy = patched(tree, changes);
  const sign = length === "longer" ? 1 : length === "shorter" ? -1 : randomInt(2) * 2 - 1;
  // Build tools compare times: with an older file they would keep the earlier build.
  for (const { file } of changes.filter((one) => languageOf(one.file)?.runtime?.compiled === undefined)) {
    const time = Date.now() / 1000 + sign * randomInt(HOUR_SECONDS, DAY_SECONDS);
    utimesSync(join(copy.path, file), time, time);
  }
  return copy;
}

/** Files that hold the targets: as the runner names them, else as the command does, else all that hold tests. */
function filesOf(suite: Suite, kinds: Kinds, tree: string, tests: readonly TestResult[]): string[] {
  const { project, plan } = suite;
  const folder = suite.folderIn(".");
  const dotted = tests.flatMap(({ name }) => modulePaths(name)).map((file) => join(folder, file));
  const isThere = (file: string) =>
    languageOf(file) !== undefined && tryForeignText(tree, file, MOST_BYTES).text !== null;
  const named = [...testFilesOf(suite, tests), ...dotted].filter(isThere);
  const inCommand = plan.args
    .flatMap(words)
    .map((word) => fromRoot(project, word))
    .filter(isThere);
  const all = () => {
    const isTest = (file: string) => kinds.isTest(file) || kinds.holdsSourceAndTests(file);
    const isBelow = (file: string) => folder === "." || within(folder, file);
    return filesIn(tree).filter((file) => isBelow(file) && isTest(file) && isThere(file));
  };
  // A script that a command starts may run tests of other files.
  const isWhole = plan.framework !== null && inCommand.length > 0;
  const found = named.length > 0 ? named : isWhole ? inCommand : [...inCommand, ...all()];
  return [...new Set(found)].slice(0, MOST_FILES);
}

async function wrongTexts(tree: string, files: readonly string[], kinds: Kinds, token: string) {
  const found = new Map<string, WrongTests>();
  let left = MOST_CHARS;
  for (const file of files) {
    const { text } = tryForeignText(tree, file, MOST_BYTES);
    left -= text?.length ?? 0;
    const isOwn = kinds.holdsSourceAndTests(file);
    const wrong = text === null || left < 0 ? null : await wrongText(file, text, { token, isOwn });
    if (wrong) found.set(file, wrong);
  }
  return found;
}

/** The text of a file after edits. */
function changeOf(tree: string, file: string, edits: readonly TextEdit[], length?: Length): FileChange {
  const before = tryForeignText(tree, file, MOST_BYTES).text ?? "";
  const after = edited(before, edits);
  const mark = isPython(file) ? "#" : "//";
  const longer = `\n${mark} ${"-".repeat(randomInt(1, 60))}\n`;
  return { file, before, after: length === "longer" ? after + longer : length === "shorter" ? after.trimEnd() : after };
}

/** Tests by name, those with parameters by the name of the function. */
function groupsOf(tests: Iterable<TestResult>): Map<string, TestResult[]> {
  const groups = new Map<string, TestResult[]>();
  for (const test of tests) {
    const group = groupOf(test.name);
    groups.set(group, [...(groups.get(group) ?? []), test]);
  }
  return groups;
}

/** Without what another text of the test changes: parameters, the statement that a line holds. */
function groupOf(name: string): string {
  const line = /^line \d+(?=: )/.exec(name);
  if (line) return line[0];
  return name.includes("::") && name.includes("[") ? name.slice(0, name.indexOf("[")) : name;
}

const ofGroup = (group: string, { tests }: SuiteRun): TestResult[] =>
  [...tests.values()].filter(({ name }) => groupOf(name) === group);

/** Whether all tests of a group passed. */
function passes(group: string, run: SuiteRun): boolean {
  const found = ofGroup(group, run);
  return run.ending === "complete" && found.length > 0 && found.every(isPass);
}

/** Whether fewer of them fail than there are. What ends the run, or keeps it from starting, is a failure of all. */
function survives(group: string, tests: readonly TestResult[], run: SuiteRun): boolean {
  if (run.ending !== "complete") return false;
  const found = ofGroup(group, run);
  // Its name may hold what was changed.
  if (found.length === 0) return run.fatal === null && ![...run.tests.values()].some(isFail);
  return found.filter(isFail).length < Math.min(tests.length, found.length);
}

/** Whether all tests of a group failed with the token. */
function failsWith(token: string, group: string, run: SuiteRun): boolean {
  const found = ofGroup(group, run);
  const isAlone = run.tests.size === 1;
  const said = ({ message }: TestResult) => message.includes(token) || (isAlone && run.output.includes(token));
  return found.length > 0 && found.every((test) => isFail(test) && said(test));
}
