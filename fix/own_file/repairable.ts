/** What keeps every edit of a function from making the tests pass: said before a model is asked. */

import { UserError } from "../../utils/base/data/errors.ts";
import { oneOf } from "../../utils/base/text/patterns.ts";
import { firstLines, listed } from "../../utils/base/text/text.ts";
import { isPass } from "../../utils/frameworks/test_run.ts";
import type { Preparation } from "../attempts/prepare.ts";

const NO_FIXTURE = /fixture '\w+' not found/;
const MISSING = new RegExp(
  oneOf(
    /ModuleNotFoundError|No module named|cannot import name/,
    /Cannot find (?:module|package)|does not provide an export named|Failed to (?:load|resolve)|Could not resolve/,
    NO_FIXTURE,
  ),
);
const MOST_NAMES = 4;

/** @throws UserError where no edit of a function can make the tests pass */
export function requireRepairable({ baseline, suite }: Pick<Preparation, "baseline" | "suite">): void {
  const { failing, passing, flaky, notLoaded, run } = baseline;
  const { command } = suite.plan;
  if (notLoaded !== null) return;
  if (run.fatal !== null && MISSING.test(run.fatal))
    throw new UserError(`The tests cannot be loaded (${command}): ${reasonIn(run.fatal)}`);
  if (flaky.length > 0 && failing.length === 0)
    throw new UserError(
      `${listed(flaky, MOST_NAMES)}: fails in one run and passes in the next, so it cannot tell whether a ` +
        `repair is right. Make it deterministic, or name other tests (${command}).`,
    );
  if (failing.length === 0 && passing.length === 0) {
    const seen = [...run.tests.values()].some((test) => !isPass(test))
      ? "all are skipped or expected to fail"
      : "there are none";
    throw new UserError(`No test can tell whether a repair is right (${command}): ${seen}.`);
  }
  const unfit = failing.find(({ message }) => NO_FIXTURE.test(message));
  if (unfit) throw new UserError(`${unfit.name} cannot run (${command}): ${reasonIn(unfit.message)}`);
  const [first, ...others] = failing;
  if (first && [first, ...others].every(({ message }) => MISSING.test(message)))
    throw new UserError(`The tests cannot run (${command}): ${reasonIn(first.message)}`);
}

/** The line of a trace that says what is wrong, as a sentence. */
function reasonIn(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^E\s+/, "").trim());
  const telling =
    lines.find((line) => MISSING.test(line)) ?? lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line));
  return firstLines(telling ?? text, 2)
    .replace(/\s*\n\s*/g, "; ")
    .slice(0, 300)
    .replace(/[.\s]*$/, ".");
}
