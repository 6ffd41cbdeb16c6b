/** What mend has to know of a test framework. One file a framework; `registry.ts` lists them, in the order they are tried. */

import type { LanguageName } from "../languages/language.ts";
import type { Project } from "../project/project.ts";

/** How one test ended. `error`: it could not be run to its end for a reason outside of it (a fixture, a set-up). */
export const TEST_STATUSES = ["passed", "failed", "error", "skipped"] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

export interface TestResult {
  /** As the framework names it, e.g. `tests/test_rates.py::test_total[2-4]`. The same in every run of the same tests. */
  name: string;
  status: TestStatus;
  /** What went wrong, in a few lines; empty on a pass. */
  message: string;
}

/** What a run said of itself. */
export interface TestReport {
  tests: TestResult[];
  /** Why the tests, or some of them, could not even be collected (an import that fails, say); null where all were. */
  fatal: string | null;
}

/** A file with tests, as text. */
export interface TestFile {
  /** Absolute. */
  path: string;
  text: string;
}

/** A command that runs tests in the project's folder. */
export interface TestCommand {
  argv: string[];
  env: Record<string, string>;
  /** Files and folders outside of the project that it needs to read. */
  readable: string[];
}

export interface CommandRequest {
  project: Project;
  /** What to run: files of tests, else what the user's own command names. */
  args: string[];
  /** Absolute path of the file that the framework's report is to be written to. */
  results: string;
}

export interface Framework {
  name: string;
  language: LanguageName;
  /** Whether a file holds tests of this framework, as far as its text and the project's settings say. */
  recognises(tests: TestFile, project: Project): boolean | Promise<boolean>;
  /** The command words that start it, as a person types them (`pytest`, `python -m pytest`); what follows are arguments. */
  commands: RegExp | null;
  /** @throws UserError where the framework is not installed for this project */
  command(request: CommandRequest): Promise<TestCommand>;
  /** Reads the report file. Null where it is none: the run ended before it could tell. */
  parseResults(text: string): TestReport | null;
}
