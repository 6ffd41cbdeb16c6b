/** For tests: what the tests of real datasets suffer from, planted into a sound Python test. */

import type { Task } from "../../../utils/task/task.ts";

type Damage = (test: string, task: Task) => string;

const called = ({ entryPoint }: Task) => new RegExp(`\\b${entryPoint}\\b`, "g");

/** Damage after which a test cannot be used, whatever program it is given. */
export const FATAL: Record<string, Damage> = {
  truncated: (test) =>
    test
      .trimEnd()
      .slice(0, Math.floor(test.trimEnd().length * 0.6))
      .replace(/\s+\S*$/, " == ("),
  "wrong name": (test, task) => test.replace(called(task), `${task.entryPoint}_of_another_task`),
  "syntax of another Python": (test) =>
    `print "these are tests"\n${test}`.replace(/^def check.*$/m, "$&\n    exec 'x = 1' in {}"),
  "reading files": (test) => test.replace(/^def check.*$/m, "$&\n    cases = open('cases/of/this/task.json').read()"),
  "an undefined helper": (test) => test.replace(/^def check.*$/m, "$&\n    assert close_enough(1.0, 1.0)"),
  "no call": (test) => test.replace(/^check\(.*$/gm, "").replace(/^METADATA.*$/gm, ""),
  "cut to its comments": () => "# The tests of this task were lost.\n",
};

/** The stray end of something else, before a test that is sound. */
export const indented: Damage = (test) => `    assert True, "an end of another test"\n\n${test}`;
export const endless: Damage = (test) => `${test}\nwhile True:\n    pass\n`;
export const printing: Damage = (test) => `for _ in range(200):\n    print("x" * 200_000)\n${test}`;
export const empty: Damage = () => " \n\n";
