/** What the tests say of a repository as it is. Those that fail run twice, so that chance is no target. */

import { existsSync } from "node:fs";
import { basename, isAbsolute, join, normalize, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { UserError } from "../../utils/base/data/errors.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { oneOf } from "../../utils/base/text/patterns.ts";
import { firstLines } from "../../utils/base/text/text.ts";
import type { Coverage, TestResult } from "../../utils/frameworks/framework.ts";
import { moduleAdvice } from "../../utils/frameworks/javascript/module_advice.ts";
import { breakdownIn, internalError, settingsAdvice } from "../../utils/frameworks/python/settings_advice.ts";
import { isFail, isPass, NO_NETWORK, wantsNetwork } from "../../utils/frameworks/test_run.ts";
import { shownCommand } from "../../utils/project/test_command.ts";
import type { BoxLayer } from "../../utils/sandbox/types.ts";
import { framesIn } from "./frames.ts";
import type { Kinds } from "./kinds.ts";
import { kindsOf } from "./patch.ts";
import { filesThatRunTests } from "./runs_tests.ts";
import type { Suite, SuiteRun } from "./suite.ts";

export interface Baseline {
  /** Failed each time, and have to pass: the targets. */
  failing: TestResult[];
  /** Failed each time, and need not pass: they do not run what is to be repaired, or are not targets of the issue. */
  aside: TestResult[];
  /** Passed each time. What did not run again may be flaky: a verifier runs it again where it fails with a patch. */
  passing: TestResult[];
  /** Names of those that did not end alike. */
  flaky: string[];
  /**
   * Why no test can be loaded: then none is known by name, and they all have to load and pass. Null where tests run.
   */
  notLoaded: string | null;
  /** The first of the two runs. */
  run: SuiteRun;
  /** Lines that each test ran, where the second run was watched; null where it was not. */
  covered: Coverage[] | null;
  /** What the repository's files are: tests are those that ran, too. */
  kinds: Kinds;
}

const MISSING = new RegExp(
  oneOf(
    /No module named '?[\w.]+'?|Cannot find (?:module|package) '[^']+'/,
    /command not found|\b(?!ERROR\b)[\w./-]+: not found\b/,
  ),
);

/** What Maven, cargo and Go say where a module is missing. */
const OFFLINE = new RegExp(
  oneOf(
    /in offline mode|using offline mode|module lookup disabled|cannot find module providing package/,
    /failed to (?:get|download) `[^`]+`|: dial tcp: lookup /,
  ),
);

/** Tests that are watched. */
export const MOST_FAILING = 20;
export const MOST_PASSING = 100;

/** What sh and bash say. */
const NO_FOLDER = /^\S*sh: (?:line )?\d+: cd: (?:can't cd to (\S+)|(\S+): No such file or directory)$/m;

interface BaselineOptions {
  /** In words; with one, tests that cannot be loaded are what is to be repaired. Empty: none. */
  issue: string;
  /** The one file that is source whatever it looks like, from the root. */
  file?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** @throws UserError with the command's own words where it does not run tests at all */
export async function takeBaseline(
  suite: Suite,
  tree: string,
  { issue, file: named, signal }: BaselineOptions,
): Promise<Baseline> {
  const run = await suite.run(tree, { signal });
  const hangs = named !== undefined && run.ending === "timeout";
  const notLoaded = hangs
    ? `${NO_END}: ${whyNoEnd(run.output, suite.settings.seconds)}`
    : loadFailure(run, [tree, suite.folderIn(tree)]);
  const more = named === undefined ? WITH_ISSUE : "";
  if (!hangs && (notLoaded === null || issue === "")) requireTests(suite, run, notLoaded === null ? "" : more);
  const isAsked = issue !== "" || [...run.tests.values()].some((test) => !isPass(test)) || run.fatal !== null;
  // If there is nothing to repair, it does not matter which tests are flaky.
  const second = isAsked && !hangs ? await runAgain(suite, tree, run, signal) : { run, covered: null, isWhole: true };
  if (notLoaded === null) requireTests(suite, second.run);
  const alike = (test: TestResult, holds: (test: TestResult) => boolean) => {
    const other = second.run.tests.get(test.name) ?? (second.isWhole ? undefined : test);
    return holds(test) && other !== undefined && holds(other);
  };
  const all = [...run.tests.values()];
  const unloaded = all.filter(isUnloaded);
  const failedTwice = all.filter((test) => alike(test, isFail) && !unloaded.includes(test));
  const failing = await failingForSure(suite, tree, failedTwice, { second: second.run, signal });
  const notRun = run.fatal ?? (unloaded.length > 0 ? unloaded.map(({ message }) => message).join("\n") : null);
  if (notLoaded === null && failing.length === 0 && notRun !== null && issue === "") {
    // No edit of what they test can make them pass.
    const why = whyNoTests({ ...run, fatal: notRun }, suite.layer) + more;
    const command = shownCommand(suite.plan.command);
    throw new UserError(`The tests cannot be loaded (${command}), and no other test fails: ${why}`);
  }
  const passing = all.filter((test) => alike(test, isPass));
  const names = new Set([...(second.isWhole ? run.tests.keys() : []), ...second.run.tests.keys()]);
  const byChance = new Set(failedTwice.filter((test) => !failing.includes(test)).map(({ name }) => name));
  const flaky = [...names].filter(
    (name) => byChance.has(name) || run.tests.get(name)?.status !== second.run.tests.get(name)?.status,
  );
  const kinds = kindsOf(tree, testFilesOf(suite, all), named === undefined ? [] : [named]);
  return {
    failing,
    aside: [],
    passing,
    flaky: flaky.sort(),
    notLoaded,
    run,
    covered: second.covered,
    kinds: isAsked && named === undefined ? kinds.with(await filesThatRunTests(suite, tree, kinds, signal)) : kinds,
  };
}

/** Further runs of tests that may fail by chance; of a suite that takes longer (in seconds), one. */
const MORE_RUNS = 4;
const LONG_SECONDS = 20;

/** A test that says something else each time it fails may measure time or draw numbers: it is run some more times. */
async function failingForSure(
  suite: Suite,
  tree: string,
  failing: readonly TestResult[],
  { second, signal }: { second: SuiteRun; signal: AbortSignal | undefined },
): Promise<TestResult[]> {
  const changed = failing.filter(({ name, message }) => second.tests.get(name)?.message !== message);
  if (!suite.canSelect || changed.length === 0 || changed.length > MOST_FAILING) return [...failing];
  const times = second.cpuSeconds > LONG_SECONDS ? 1 : MORE_RUNS;
  const sure = await suite.alikeAgain(tree, changed, { end: "not passed", times, signal });
  return failing.filter((test) => !changed.includes(test) || sure.includes(test));
}

/**
 * The second run: of the tests that failed, where these fail alone, too. If tests fail and all are few enough, all run
 * and coverage is recorded, which saves another run. A test that ends otherwise only with coverage counts as flaky.
 */
async function runAgain(suite: Suite, tree: string, run: SuiteRun, signal: AbortSignal | undefined): Promise<Again> {
  const { ending, fatal, tests } = run;
  const failing = [...tests.values()].filter(isFail);
  const isFew = 0 < failing.length && failing.length <= MOST_FAILING && tests.size - failing.length <= MOST_PASSING;
  if (isFew && ending === "complete" && suite.plan.framework?.hooks) {
    const watched = await suite.run(tree, { coverage: true, signal });
    if (watched.ending === "complete") return { run: watched, covered: watched.covered, isWhole: true };
  }
  if (suite.canSelect && ending === "complete" && fatal === null) {
    if (failing.length === 0) return { run, covered: null, isWhole: true };
    const alone = await suite.run(tree, { only: failing, signal });
    // Some frameworks report the others as skipped.
    const tests = new Map([...alone.tests].filter(([name]) => failing.some((one) => one.name === name)));
    if (alone.ending === "complete" && tests.size === failing.length && [...tests.values()].every(isFail))
      return { run: { ...alone, tests }, covered: null, isWhole: false };
  }
  return { run: await suite.run(tree, { signal }), covered: null, isWhole: true };
}

interface Again {
  run: SuiteRun;
  covered: Coverage[] | null;
  /** Whether all tests ran again. */
  isWhole: boolean;
}

/** The files of tests, from the root: as the framework reports, or from the start of pytest's names. */
export function testFilesOf(suite: Suite, tests: Iterable<TestResult>): string[] {
  const folder = relative(suite.root, suite.folderIn(suite.root));
  const named = [...tests].flatMap(
    ({ name, file }) => file ?? (name.includes("::") ? name.slice(0, name.indexOf("::")) : []),
  );
  return [...new Set(named)].map((file) => normalize(join(folder, file))).filter((file) => !file.startsWith(".."));
}

/** The text of the file with most of these tests, by the framework's report or their names; null if none is known. */
export function fileOfMost(suite: Suite, tree: string, tests: readonly TestResult[]): string | null {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const named = [
      ...testFilesOf(suite, [test]),
      ...modulePaths(test.name).map((file) => join(suite.folderIn("."), file)),
    ];
    const file = named.find((one) => tryForeignText(tree, one).text !== null);
    if (file !== undefined) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first ? tryForeignText(tree, first[0]).text : null;
}

/** `tests.test_rates.Rates.test_total` names the module `tests/test_rates.py`, where it does not name a method. */
export function modulePaths(name: string): string[] {
  if (!/^[\w.]+$/.test(name)) return [];
  const parts = name.split(".");
  return parts.map((_, i) => `${parts.slice(0, i + 1).join("/")}.py`);
}

/** Why tests could not be loaded in a run, a sentence each. */
export const unloadedIn = ({ fatal, tests }: Pick<SuiteRun, "fatal" | "tests">): string[] =>
  [...(fatal === null ? [] : [fatal]), ...[...tests.values()].filter(isUnloaded).map(({ message }) => message)].map(
    lastWords,
  );

/** A file of tests that could not be loaded, which node:test and unittest call a test that failed. */
const isUnloaded = (test: TestResult): boolean =>
  isFail(test) &&
  (/\b_FailedTest\b/.test(test.name) ||
    /Failed to import test module/.test(test.message) ||
    (test.file !== undefined && (test.name === test.file || test.name.endsWith(`/${test.file}`))));

const WITH_ISSUE = " Describe the bug with --issue FILE to repair it anyway.";
/** Of one file: an edit may end what never ends. */
const NO_END = "the tests did not end";

function whyNoEnd(output: string, seconds: number): string {
  const why = firstLines(output, 1).replace(/^mend: the program was ended: |\.$/g, "");
  return `${why} (limit ${seconds} s). Perhaps a loop never ends; if they are only slow, raise --test-timeout.`;
}

/** Why no test is known by name, in a sentence. */
export const notLoadedLine = (why: string): string =>
  why.startsWith(NO_END) ? why : `the tests cannot be loaded: ${lastWords(why)}`;

/**
 * What kept all tests from being loaded, where that happened in a file: a command without one is wrong itself. No patch
 * changes a conftest.py.
 * @param folders from which files may be named
 */
function loadFailure(run: SuiteRun, folders: readonly string[]): string | null {
  const { ending, fatal, tests, output, exitCode } = run;
  if (ending === "timeout" || tests.size > 0 || exitCode === 0) return null;
  const text = [fatal ?? "", output].join("\n").trim();
  const isThere = (file: string) => folders.some((folder) => existsSync(join(folder, file)));
  const isMendable = (file: string) => isThere(file) && !(isBroken(run) && basename(file) === "conftest.py");
  return framesIn(isBroken(run) ? breakdownIn(text) : text).some(({ file }) => isMendable(file)) ? text : null;
}

/** @param more what may be done about it, as one more sentence */
function requireTests(suite: Suite, { ending, fatal, tests, output, exitCode }: SuiteRun, more = ""): void {
  const { framework } = suite.plan;
  const command = shownCommand(suite.plan.command);
  // A command that is judged by its exit code has to be there; 126 and 127 are the shell's own.
  const isShell = framework === null && (exitCode === 126 || exitCode === 127 || NO_FOLDER.test(output));
  const ran = ending === "complete" && tests.size > 0 && !isShell;
  const loads = fatal === null || [...tests.values()].some(isPass) || [...tests.values()].some(isFail);
  if (ran && loads) return;
  if (ending === "timeout") {
    throw new UserError(`${command} did not end: ${whyNoEnd(output, suite.settings.seconds)}`);
  }
  const what = isBroken({ ending, fatal }) ? "does not work here" : "runs no tests here";
  const absent = exitCode === 127 && framework === null ? noProgram(command, output, suite.layer) : null;
  throw new UserError(`${command} ${what}: ${absent ?? whyNoTests({ ending, fatal, output }, suite.layer)}${more}`);
}

/** What to do about tests that do not run under this layer; empty where that is not known. */
export function adviceFor(text: string, layer: BoxLayer): string {
  const settings = settingsAdvice(text) ?? moduleAdvice(text);
  if (settings !== null) return ` ${settings}`;
  if (OFFLINE.test(text)) return " If the project's modules are not fetched yet, add --prepare.";
  if (wantsNetwork(text)) return ` ${NO_NETWORK}`;
  const folder = NO_FOLDER.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (folder !== undefined)
    return ` Tests run in a copy without untracked files: create the folder first, mkdir -p ${folder} && cd ${folder}.`;
  const [missing] = MISSING.exec(text) ?? [];
  if (missing === undefined) return "";
  const advice =
    layer === "container" ? "The image lacks what is missing." : `Install what is missing: ${installsOf(missing)}.`;
  return ` ${advice}${/not found$/.test(missing) ? "" : " If its name is misspelt, correct the import."}`;
}

/** Says that a word of the command is not a program here; null where the output says something else. */
function noProgram(command: string, output: string, layer: BoxLayer): string | null {
  const [, name = ""] = /([\w./-]+): (?:command )?not found\b/.exec(output) ?? [];
  if (!command.split(/\s+/).includes(name)) return null;
  const advice = layer === "container" ? "use an image that has it" : `install it: ${installsOf("")}`;
  return `the command "${name}" was not found. Correct its name, or ${advice}.`;
}

/** How to install something, by the language that names it; a shell names none. */
const installsOf = (missing: string): string =>
  [
    ...(/^No module/.test(missing) ? [] : ["`npm install` in the repository"]),
    ...(/^Cannot find/.test(missing) ? [] : ["`pip install` for the Python that runs the tests"]),
  ].join(", or ");

type RunEnding = Pick<SuiteRun, "ending" | "fatal" | "output">;

/** Whether the framework itself, or a plugin of it, did not come to its end and said why. */
const isBroken = <T extends Pick<SuiteRun, "ending" | "fatal">>(run: T): run is T & { fatal: string } =>
  run.ending === "no report" && run.fatal !== null;

/** Why a run under this layer reported no tests, and what to do about it, in a sentence or two. */
export function whyNoTests(run: RunEnding, layer: BoxLayer): string {
  const text = [run.fatal ?? "", run.output].join("\n");
  if (!isBroken(run)) return `${lastWords(text)}${adviceFor(text, layer)}`;
  const why = /exit code \d+$/.test(run.fatal) ? `${run.fatal}: ${lastWords(run.output)}` : lastWords(run.fatal);
  return `${why}${adviceFor(text, layer)}`;
}

/** What pytest says of a bare assertion that fails, before lines on its parts. */
const ASSERTED = /^assert\b.* (?:[!=]=|[<>]=?|in|is) /;

/** How many mistakes a compiler found, which says none of them. */
const COUNTED = /^\d+ errors?\b|could not compile .* due to|aborting due to/;

/** What CMake says stands below the line that tells where. */
function withReason(lines: readonly string[], line: string): string {
  if (!/^CMake Error\b.*:$/.test(line)) return line;
  const below = lines.slice(lines.lastIndexOf(line) + 1);
  return [line, ...below.slice(0, below.findIndex((one) => one.endsWith(".")) + 1 || MOST_BELOW)].join(" ");
}

const MOST_BELOW = 4;

/** What a reader would look at first. */
export function lastWords(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => stripVTControlCharacters(line).replace(/^E\s+/, "").trim())
    .filter((line) => line !== "" && !/^[=_-]{3,}.*[=_-]{3,}$/.test(line));
  const telling =
    internalError(text) ??
    lines.find((line) => MISSING.test(line) || wantsNetwork(line)) ??
    lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b.*:/.test(line)) ??
    lines.findLast((line) => ASSERTED.test(line)) ??
    lines.findLast((line) => /error/i.test(line) && !COUNTED.test(line)) ??
    lines.at(-1);
  const words = (telling === undefined ? "it said nothing" : withReason(lines, telling))
    .slice(0, 300)
    .replace(/[.\s]*$/, "");
  const hasPlace = [MISSING, ASSERTED, /^(?:Syntax|Indentation|Tab)Error\b/].some((kind) => kind.test(telling ?? ""));
  return `${words}${hasPlace ? placeIn(text, words) : ""}.`;
}

/** ` (tests/test_a.py, line 3)`: the innermost place in the project; empty where the words or the text name none. */
function placeIn(text: string, words: string): string {
  const frame = framesIn(text).find(({ file }) => !isAbsolute(file) && !file.includes("site-packages/"));
  return frame === undefined || words.includes(frame.file) ? "" : ` (${frame.file}, line ${frame.line})`;
}
