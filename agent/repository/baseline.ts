/** What the tests say of a repository as it is: two runs, so that a test which changes its mind is known for it. */

import { UserError } from "../../utils/errors.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import { firstLines } from "../../utils/text/text.ts";
import type { Suite, SuiteRun } from "./suite.ts";

export interface Baseline {
  /** Failed both times. */
  failing: TestResult[];
  /** Passed both times. */
  passing: TestResult[];
  /** Names of those that did not end alike. */
  flaky: string[];
  /** The first of the two runs. */
  run: SuiteRun;
}

const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Temporary failure in name resolution|Network is unreachable|Name or service not known/;
const MISSING = /No module named '?[\w.]+'?|Cannot find (?:module|package) '[^']+'|command not found|: not found\b/;

/** @throws UserError with the command's own words where it does not run tests at all */
export async function takeBaseline(suite: Suite, tree: string, signal?: AbortSignal): Promise<Baseline> {
  const run = await suite.run(tree, { signal });
  requireTests(suite, run);
  const second = await suite.run(tree, { signal });
  requireTests(suite, second);
  const alike = (test: TestResult, holds: (test: TestResult) => boolean) => {
    const other = second.tests.get(test.name);
    return holds(test) && other !== undefined && holds(other);
  };
  const all = [...run.tests.values()];
  const failing = all.filter((test) => alike(test, isFail));
  const passing = all.filter((test) => alike(test, isPass));
  const names = new Set([...run.tests.keys(), ...second.tests.keys()]);
  const flaky = [...names].filter((name) => run.tests.get(name)?.status !== second.tests.get(name)?.status);
  return { failing, passing, flaky: flaky.sort(), run };
}

function requireTests(suite: Suite, { ending, fatal, tests, output, exitCode }: SuiteRun): void {
  const { command, framework } = suite.plan;
  // A command that is judged by its exit code has to be there; 126 and 127 are the shell's own.
  const isShell = framework === null && (exitCode === 126 || exitCode === 127);
  const ran = ending === "complete" && tests.size > 0 && !isShell;
  const loads = fatal === null || [...tests.values()].some(isPass) || [...tests.values()].some(isFail);
  if (ran && loads) return;
  if (ending === "timeout") {
    throw new UserError(
      `${command} did not come to its end: ${firstLines(output, 1)}. Raise --test-timeout, or name fewer tests.`,
    );
  }
  const text = [fatal ?? "", output].join("\n");
  const words = lastWords(text);
  throw new UserError(`${command} runs no tests here: ${words}${advice(text)}`);
}

function advice(text: string): string {
  if (NETWORK.test(text)) return " The box has no network: name tests that need none.";
  const [missing] = MISSING.exec(text) ?? [];
  if (missing === undefined) return "";
  return ` (${missing}) Install what is missing where the tests find it: npm install in the repository, or pip install for the Python that --python names.`;
}

/** What a reader would look at first. */
function lastWords(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^E\s+/, "").trim())
    .filter(Boolean);
  const telling =
    lines.find((line) => MISSING.test(line) || NETWORK.test(line)) ??
    lines.findLast((line) => /error/i.test(line)) ??
    lines.at(-1);
  return (telling ?? "it said nothing").slice(0, 300).replace(/[.\s]*$/, ".");
}
