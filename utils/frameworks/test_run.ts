/** What a command runs as tests, and how the results of tests are read. */

import { readNamedText } from "../base/files/foreign_file.ts";
import { oneOf } from "../base/text/patterns.ts";
import { type Project, shown } from "../project/project.ts";
import type { Framework, TestResult } from "./framework.ts";
import { frameworkOf } from "./registry.ts";

/** What a test command means. */
export interface TestPlan {
  /** As the user wrote it, or as a person would write it. */
  command: string;
  /** Null: it is judged by its exit code and its output. */
  framework: Framework | null;
  /** Arguments of the framework, or of `sh -c`. */
  args: string[];
  /** Shell commands that have to run before the tests. */
  setup: string;
}

/**
 * The tests of one file.
 * @param file absolute path
 * @throws UserError where it holds no tests of a framework that mend knows
 */
export async function planFile(project: Project, file: string): Promise<TestPlan> {
  const framework = await frameworkOf({ path: file, text: readNamedText(file) }, project);
  return {
    framework,
    command: `${framework.typed ?? framework.name} ${shown(project, file)}`,
    args: [file],
    setup: "",
  };
}

/** Words of a command line, quotes taken off. */
export const words = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

const NETWORK = new RegExp(
  oneOf(
    /ENOTFOUND|EAI_AGAIN|ENETUNREACH/,
    /Temporary failure in name resolution|Network is unreachable|Name or service not known/,
  ),
);

/** Whether what a test or a command said is that it did not reach another machine. */
export const wantsNetwork = (text: string): boolean => NETWORK.test(text);
export const NO_NETWORK = "The box has no network: name tests that need none.";

export const isPass = ({ status }: TestResult): boolean => status === "passed";
export const isFail = ({ status }: TestResult): boolean => status === "failed" || status === "error";
