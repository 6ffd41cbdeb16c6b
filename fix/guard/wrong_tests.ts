/** Tests made to fail by their own text: where they still pass, what passes says nothing. */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../utils/base/data/record.ts";
import { readForeignText, tryForeignText } from "../../utils/base/files/foreign_file.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass, shellCommand } from "../../utils/frameworks/test_run.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";
import { modulePaths, testFilesOf } from "../project/baseline.ts";
import { isPython } from "../project/functions.ts";
import { type FileChange, patched } from "../project/patch.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";
import { edited, UNKNOWN, Wrong, type WrongTests } from "./edits.ts";

const Line = Wrong.extend({ file: z.string() });

const SCRIPT = fileURLToPath(new URL("./wrong_python.py", import.meta.url));
const SECONDS = 60;
/** More files of tests are not changed: those of the first targets tell enough. */
const MOST_FILES = 40;
const MOST_BYTES = 2_000_000;

/** What falsification found: tests that pass whatever is expected, and tests of which it could not tell. */
export interface Falsified {
  passing: string[];
  /** Why nothing could be told; null where it could. */
  untold: string | null;
}

export class WrongSuite {
  readonly #suite: Suite;
  readonly #base: string;
  readonly #known = new Map<string, WrongTests | null>();

  /** @param base the tree whose tests are taken */
  constructor(suite: Suite, base: string) {
    this.#suite = suite;
    this.#base = base;
  }

  /**
   * Runs `targets` of `tree`, which pass there, with other expectations. Nothing but their text differs from a run as
   * any other, so that no program can tell it by its surroundings.
   */
  async falsify(tree: string, targets: readonly TestResult[], signal?: AbortSignal): Promise<Falsified> {
    const files = this.#filesOf(targets).slice(0, MOST_FILES);
    await this.#read(files, signal);
    const readable = files.filter((file) => this.#known.get(file));
    if (readable.length === 0) return { passing: [], untold: this.#whyUnread() };
    const groups = groupsOf(targets);
    const wrong = await this.#run(tree, readable, "wrong", targets, signal);
    const left = [...groups].filter(([, tests]) => survives(tests, wrong));
    const sure = left.filter(([group]) => isPresent(group, wrong) && this.#isSure(group));
    if (sure.length > 0) return { passing: sure.map(([group]) => group), untold: null };
    if (left.length === 0) return { passing: wrong.exitCode === 0 ? [...groups.keys()] : [], untold: null };
    const rest = left.flatMap(([, tests]) => tests);
    const reached = await this.#reached(tree, readable, rest, wrong, signal);
    if (reached.length > 0) return { passing: reached, untold: null };
    const ended = await this.#run(tree, readable, "ending", rest, signal);
    const passing = left.filter(([group, tests]) => isPresent(group, ended) && survives(tests, ended));
    const told = passing.filter(([group]) => this.#isKnown(group));
    const isUntold = passing.length > told.length;
    return {
      passing: told.map(([group]) => group),
      untold: isUntold ? "some tests cannot be told in their files" : null,
    };
  }

  /** Tests that come to an expectation which was changed, and passed. */
  async #reached(
    tree: string,
    files: readonly string[],
    tests: readonly TestResult[],
    wrong: SuiteRun,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const among =
      ({ tests: told }: SuiteRun, is: (test: TestResult) => boolean) =>
      (one: TestResult) => {
        const test = told.get(one.name);
        return test !== undefined && is(test);
      };
    const passed = tests.filter(among(wrong, isPass));
    if (passed.length === 0) return [];
    const run = await this.#run(tree, files, "reaching", passed, signal);
    return passed.filter(among(run, isFail)).map(({ name }) => name);
  }

  #whyUnread(): string {
    const { framework } = this.#suite.plan;
    const isCompiled = framework?.language && LANGUAGES[framework.language].runtime?.compiled;
    return isCompiled
      ? "this is seen of tests in Python and JavaScript alone"
      : "the files of the tests cannot be told or read";
  }

  #filesOf(tests: readonly TestResult[]): string[] {
    const dotted = tests.flatMap(({ name }) => modulePaths(name));
    const all = [...testFilesOf(this.#suite, tests), ...dotted.map((file) => join(this.#folder(), file))];
    return [...new Set(all)].filter((file) => tryForeignText(this.#base, file, MOST_BYTES).text !== null);
  }

  /** Of the tests, from the root. */
  #folder = (): string => this.#suite.folderIn(".");

  async #read(files: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const fresh = files.filter((file) => !this.#known.has(file));
    const python = fresh.filter(isPython);
    for (const file of fresh) this.#known.set(file, await scriptTests(this.#base, file));
    if (python.length === 0) return;
    const { project } = this.#suite;
    const ran = await this.#suite.runCommand({
      tree: this.#base,
      command: async () => {
        const { env, readable } = await shellCommand(project, []);
        const names = python.map((file) => join(project.root, file));
        return { argv: ["python3", "-I", "-B", SCRIPT, ...names], env, readable: [...readable, dirname(SCRIPT)] };
      },
      seconds: SECONDS,
      ...(signal ? { signal } : {}),
    });
    for (const [i, text] of ran.stdout.split("\n").entries()) {
      const line = readJson(text, Line);
      const file = python[i];
      if (line && file !== undefined) this.#known.set(file, line);
    }
  }

  async #run(
    tree: string,
    files: readonly string[],
    kind: "wrong" | "reaching" | "ending",
    tests: readonly TestResult[],
    signal: AbortSignal | undefined,
  ): Promise<SuiteRun> {
    const changes = files.map((file): FileChange => {
      const before = readForeignText(this.#base, file);
      return { file, before, after: edited(before, this.#known.get(file)?.[kind] ?? []) };
    });
    using changed = patched(tree, changes);
    const only = [...groupsOf(tests)].flatMap(([name, [first]]) => (first ? [{ ...first, name }] : []));
    return await this.#suite.run(changed.path, { only, signal });
  }

  #labelled(group: string): boolean[] {
    return [...this.#known.values()].flatMap((known) =>
      Object.entries(known?.tests ?? {}).flatMap(([label, isSure]) => (isNamed(group, label) ? [isSure] : [])),
    );
  }

  #isKnown = (group: string): boolean => this.#labelled(group).length > 0;
  #isSure(group: string): boolean {
    const labelled = this.#labelled(group);
    return labelled.length > 0 && labelled.every(Boolean);
  }
}

/** A test in Python by the end of its name, one in JavaScript by the end of its titles. */
function isNamed(group: string, label: string): boolean {
  const name = group.includes("::") ? group.slice(group.indexOf("::") + 2) : group;
  const ending = label
    .replaceAll("::", name.includes("::") ? "::" : ".")
    .split(UNKNOWN)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^]*");
  return new RegExp(`(?:^|[. ])${ending}$`).test(name);
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

const groupOf = (name: string): string =>
  name.includes("::") && name.includes("[") ? name.slice(0, name.indexOf("[")) : name;

const ofGroup = (group: string, { tests }: SuiteRun): TestResult[] =>
  [...tests.values()].filter(({ name }) => groupOf(name) === group);

const isPresent = (group: string, run: SuiteRun): boolean => ofGroup(group, run).some(isPass);

/** Whether fewer of them fail than there are. What ends the run, or keeps it from starting, is a failure of all. */
function survives(tests: readonly TestResult[], run: SuiteRun): boolean {
  if (run.ending !== "complete") return false;
  const [first] = tests;
  const found = first ? ofGroup(groupOf(first.name), run) : [];
  return found.length > 0 ? found.filter(isFail).length < Math.min(tests.length, found.length) : run.fatal === null;
}

/** Null for a file in another language, too: nothing is known of its tests. */
async function scriptTests(base: string, file: string): Promise<WrongTests | null> {
  if (languageOf(file) !== LANGUAGES.javascript) return null;
  const { wrongJavaScript } = await import("./wrong_javascript.ts");
  try {
    return wrongJavaScript(readForeignText(base, file));
  } catch {
    return null;
  }
}
