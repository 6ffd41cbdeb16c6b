/** What mend has to know of a test framework. `registry.ts` lists them, in the order they are tried. */

import type { LanguageName } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import type { TestCommand } from "../project/test_command.ts";

/** How one test ended. `error`: it could not be run to its end for a reason outside of it (a fixture, a set-up). */
export const TEST_STATUSES = ["passed", "failed", "error", "skipped"] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /**
   * As the framework names it, e.g. `tests/test_rates.py::test_total[2-4]`. The same in every run of the same tests.
   */
  name: string;
  /** The test's own title, where `name` holds more: the suites around it, a number. */
  title?: string | undefined;
  /** Its comments, and what its assertions are called, where the framework reports them. */
  within?: string[] | undefined;
  status: TestStatus;
  /** What went wrong, in a few lines; empty on a pass. */
  message: string;
  /** Relative to the project's folder; absent where the framework does not tell. */
  file?: string | undefined;
}

/** Of a test of JUnit, whose name is both. */
export const classAndTitle = ({ name, title = name }: TestResult): [string, string] => [
  name.slice(0, Math.max(0, name.length - title.length - 1)),
  title,
];

/** The results that a run reported. */
export interface TestReport {
  tests: TestResult[];
  /** Why the tests, or some of them, could not even be collected (an import that fails, say); null where all were. */
  fatal: string | null;
  /**
   * Why nothing of this counts: the framework itself, or a plugin of it, did not come to its end. A line that says what
   * happened, or the exit code alone where what was printed says it. Absent: it did.
   */
  broken?: string | undefined;
}

/** A file with tests, as text. */
export interface TestFile {
  /** Absolute. */
  path: string;
  text: string;
}

export interface CommandRequest {
  project: Project;
  /** What to run: files of tests, else what the user's own command names. */
  args: string[];
  /** Absolute path of the file that the framework's report is to be written to. */
  results: string;
  /** Absolute path of the file that gets one JSON line a test: `Coverage`. Absent: coverage is not asked for. */
  coverage?: string | undefined;
  /**
   * For many runs in one copy, when only the exit code matters: `first` follows a change of the source, `next` may use
   * what an earlier run built.
   */
  round?: "first" | "next" | undefined;
}

/**
 * The lines that ran in one test, by file as the run names it. Of JavaScript: the first line of each function that ran.
 */
export interface Coverage {
  test: string;
  lines: Record<string, number[]>;
}

/** How a test of one call is written; `call` and `value` are expressions. */
export interface WrittenTest {
  /** @param tests what stands in the file already */
  text(name: string, call: string, value: string, tests: string): string;
  /** What has to stand in the file for it. */
  needs?: RegExp;
}

/** What a project and its code call a framework. */
export interface FrameworkNames {
  /**
   * Modules that come with it: a new file of such a name would be imported in its place, and code that names one knows
   * of tests.
   */
  modules: readonly string[];
  /** Names of files that say which tests run and how. */
  settings?: readonly RegExp[];
  /** What else code can look at to find out that tests are running. */
  signs?: RegExp;
}

/** Files with the settings of a tool of JavaScript, as `jest.config.ts`. */
export const configFiles = (tool: string | RegExp): RegExp =>
  new RegExp(`${typeof tool === "string" ? tool : tool.source}[^/]*\\.(?:config|conf|workspace|setup)\\.[^/]*`);

export interface Framework {
  name: string;
  /** How a person starts it, if not by its name. */
  typed?: string;
  /** Null where mend knows the tests of a language and not yet its files. */
  language: LanguageName | null;
  names?: FrameworkNames;
  /** Absent: mend writes no tests in it. */
  writes?: WrittenTest;
  /** Whether a source file contains its own tests. Absent: tests have files of their own. */
  isWithin?(text: string): boolean;
  /** Whether a file of source holds tests that run where the user names it as the file of tests. */
  isWithinNamed?(text: string): boolean;
  /** Whether the project's settings mention it. Absent: a command that starts it is enough. */
  isSetUp?(project: Project): boolean;
  /** Whether a file holds tests of this framework, as far as its text and the project's settings say. */
  recognises(tests: TestFile, project: Project): boolean | Promise<boolean>;
  /**
   * The command words that start it, as a person types them (`pytest`, `python -m pytest`); what follows are arguments,
   * and so is what its group `flags` matches.
   */
  commands: RegExp | null;
  /** True where a folder in its arguments stands for the tests in it. */
  takesFolders?: true;
  /** What its names of tests hold and those of no other framework do. */
  namesHold?: string | undefined;
  /** @throws UserError where the framework is not installed for this project */
  command(request: CommandRequest): Promise<TestCommand>;
  /** Arguments that run these tests and few others, in place of the command's own, `args`. Absent: all are run. */
  select?: ((tests: readonly TestResult[], args: readonly string[]) => string[]) | undefined;
  /** More arguments to check that it works with the project's settings: it then reports one test at most. */
  firstAlone?: readonly string[];
  /** True if it supports `coverage` of a request. */
  hooks?: true;
  /** Reads the report file. Null if it is not a report: the run ended too early. */
  parseResults(text: string): TestReport | null;
}
