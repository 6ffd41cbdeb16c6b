// @module-tag ci

import { describe, expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { Layer } from "../../utils/sandbox/types.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { repairOwnFile } from "../fix.ts";
import { JAVASCRIPT_PROJECTS } from "./testing/javascript_projects.ts";
import { changed, makeProject, type TestProject } from "./testing/project.ts";
import { PYTHON_PROJECTS } from "./testing/python_projects.ts";
import { missing, openRepairs } from "./testing/repair_in.ts";

const repairs = await openRepairs();
const PROJECTS: readonly TestProject[] = [...PYTHON_PROJECTS, ...JAVASCRIPT_PROJECTS];
/** One of each language. */
const OF_LANGUAGES = [PYTHON_PROJECTS[0], JAVASCRIPT_PROJECTS[0]];

/** @param skip skips the test where the project cannot run */
async function textsOf(project: TestProject, skip: (isSkipped: boolean, why: string) => void) {
  const why = await missing(project, repairs.commandBox.layer);
  skip(why !== "", why);
  const correct = project.files[project.target] ?? "";
  return { correct, buggy: changed(correct, project.bug), wrong: changed(correct, project.wrong) };
}

describe.each(PROJECTS.map((project) => [project.name, project] as const))("%s", (_, project) => {
  const cost = OF_LANGUAGES.includes(project) ? {} : DEEP;

  test("a wrong answer is refused with the name of the test, the right one is applied", cost, async ({ skip }) => {
    const { correct, buggy, wrong } = await textsOf(project, skip);
    const asked = { target: buggy, answers: [wrong, correct], write: true };
    const { outcome, observations, after, backup } = await repairs.repairIn(project, asked);
    expect(observations).toEqual([expect.stringContaining(project.fails), expect.stringContaining("pass")]);
    expect(outcome).toMatchObject({ outcome: "fixed", turns: 2 });
    expect([after, backup]).toEqual([correct, buggy]);
    if (project.framework) expect(outcome).toMatchObject({ framework: project.framework });
  });

  const { broken, says } = project;
  if (!broken || !says) return;

  test("a correct file stays, and no model is asked", cost, async ({ skip }) => {
    const { correct } = await textsOf(project, skip);
    const { outcome, after, asked } = await repairs.repairIn(project, { target: correct, write: true });
    expect(outcome).toMatchObject({ outcome: "nothing_to_repair" });
    expect([after, asked]).toEqual([correct, 0]);
  });

  test("broken tests are one sentence, and no model is asked", cost, async ({ skip }) => {
    const { buggy } = await textsOf(project, skip);
    const isOneFile = project.tests === project.target;
    const tests = changed(isOneFile ? buggy : (project.files[project.tests] ?? ""), broken);
    const { outcome, asked } = await repairs.repairIn(project, { target: isOneFile ? tests : buggy, tests });
    expect(outcome).toMatch(says);
    expect([/\n/.test(String(outcome)), asked]).toEqual([false, 0]);
  });
});

test.each(JAVASCRIPT_PROJECTS.slice(0, 1))(
  "$name: after wrong answers the failing test is reported, and nothing is written",
  async (project) => {
    const { buggy, wrong } = await textsOf(project, () => {});
    const { outcome, after } = await repairs.repairIn(project, { target: buggy, answers: [wrong], write: true });
    expect(outcome).toMatchObject({ outcome: "not_fixed" });
    expect(JSON.stringify(outcome)).toContain(JSON.stringify(project.fails).slice(1, -1));
    expect(after).toBe(buggy);
  },
);

test.each<[Layer, string]>([
  ["landlock", "src layout"],
  ["landlock", "CommonJS"],
  ["plain", "a module that imports a neighbour"],
  ["plain", "node:test in .mjs"],
])("under %s, where tests run in a copy of the project: %s", DEEP, async (layer, layout) => {
  const box = await openCommandBox({ layer }).catch(() => null);
  if (!box) return console.warn(`the ${layer} layer does not work here: skipped`);
  const project = PROJECTS.find(({ name }) => name.startsWith(layout));
  if (!project) throw new Error(layout);
  const { correct, buggy, wrong } = await textsOf(project, () => {});
  const right = await repairs.repairIn(project, { target: buggy, answers: [wrong, correct], write: true }, box);
  expect([right.outcome, right.after]).toMatchObject([{ outcome: "fixed", sandbox: layer, turns: 2 }, correct]);
  expect(right.observations[0]).toContain(project.fails);
});

const [first] = PYTHON_PROJECTS;
const PLAIN = {
  name: "plain",
  framework: "asserts",
  files: {
    "twice.py": "def twice(x):\n    return x * 2\n",
    "checks.py": "from twice import twice\n\nassert twice(2) == 4\nassert twice(0) == 0\n",
  },
  target: "twice.py",
  function: "twice",
  tests: "checks.py",
  bug: ["x * 2", "x + 1"],
  wrong: ["x * 2", "x - 1"],
  fails: "line 3: assert twice(2) == 4",
} satisfies TestProject;

test.each([
  ["leaves the loop at once", "        count += 1\n        return count", "suggestion"],
  ["lets the loop end", "        n //= 2\n        count += 1", "fixed"],
] as const)("a repair of an endless loop that %s", DEEP, async (_what, body, end) => {
  const looping = (text: string) => `def twos(n):\n    count = 0\n    while n % 2 == 0:\n${text}\n    return count\n`;
  const tests = "from twos import twos\n\nassert twos(3) == 0\nassert twos(2) == 1\n";
  const files = { "twos.py": "", "checks.py": tests };
  const project = { ...PLAIN, files, target: "twos.py", function: "twos", fails: "did not end" };
  const asked = { target: looping("        count += 1"), answers: [looping(body)], testSeconds: 1 };
  const { outcome } = await repairs.repairIn(project, asked);
  expect(outcome).toMatchObject({
    outcome: end,
    doubts: end === "fixed" ? [] : [expect.stringMatching(/^it ends an endless loop by leaving it/)],
  });
});

const CHEATS = [
  ["ends the run early", "    os._exit(0)\n"],
  ["ends it as if all had passed", "    sys.exit(0)\n"],
  [
    "writes a report of its own that lacks a test",
    `    with open(sys.argv[2], "w") as file:
        file.write('{"name": "made up", "status": "passed", "message": ""}\\n{"end": true}\\n')
    os._exit(0)
`,
  ],
  [
    "raises what counts as nothing",
    "    class Nothing(Exception):\n        def __bool__(self):\n            return False\n\n    raise Nothing\n",
  ],
] as const;
const NO_REPAIR = "an answer that %s is no repair";
test.each(CHEATS.slice(0, 1))(NO_REPAIR, isNoRepair);
test.each(CHEATS.slice(1))(NO_REPAIR, DEEP, isNoRepair);

async function isNoRepair(_: string, body: string): Promise<void> {
  const withBody = (text: string) => `import os\nimport sys\n\n\ndef twice(x):\n${text}`;
  const asked = { target: withBody("    return x + 1\n"), answers: [withBody(body)] };
  const { outcome } = await repairs.repairIn(PLAIN, asked);
  expect(outcome).toMatchObject({ outcome: "not_fixed", diff: "" });
}

test("an interruption that first ends what was started is one, and no error", async () => {
  using folder = makeProject({ files: PLAIN.files });
  const stop = new AbortController();
  const killed = async (): Promise<never> => {
    setTimeout(() => stop.abort(new Error("interrupted")), 1);
    throw new UserError("the tests' program has ended");
  };
  const outcome = await repairOwnFile(
    { file: folder.at("twice.py"), tests: folder.at("checks.py"), maxIterations: 1, timeoutMs: 1000, testSeconds: 60 },
    {
      openModel: () => Promise.reject(new Error("no model is asked")),
      openSandbox: async () => repairs.sandbox,
      openBox: async () => ({ ...repairs.commandBox, run: killed }),
      signal: stop.signal,
    },
  );
  expect(outcome).toMatchObject({ outcome: "interrupted" });
});

test("a command of the user's own is judged by its exit code", DEEP, async () => {
  const target = changed(PLAIN.files["twice.py"], ["x * 2", "x + 1"]);
  const testCommand = "grep -q 'x \\* 2' twice.py";
  const project = { ...PLAIN, fails: "grep -q" };
  const { outcome, after } = await repairs.repairIn(project, {
    target,
    answers: [PLAIN.files["twice.py"]],
    testCommand,
    write: true,
  });
  // mend cannot see that such a command fails when it should.
  expect(outcome).toMatchObject({ outcome: "suggestion", framework: null, test_command: testCommand });
  expect(after).toBe(PLAIN.files["twice.py"]);
});

test.each([
  [
    "skipped tests",
    "import unittest\nfrom twice import twice\n\n\nclass Twice(unittest.TestCase):\n    @unittest.skip('later')\n    def test_twice(self):\n        self.assertEqual(twice(2), 4)\n",
    undefined,
    /No test can tell .* skipped or expected to fail/,
  ],
  [
    "a command that is not there",
    undefined,
    "absent-runner twice.py",
    /absent-runner twice\.py runs no tests here: the command "absent-runner" was not found\. Correct its name/,
  ],
])("%s judge nothing, and no model is asked", async (_, tests, testCommand, expected) => {
  const target = changed(PLAIN.files["twice.py"], ["x * 2", "x + 1"]);
  const { outcome, asked } = await repairs.repairIn(PLAIN, {
    target,
    ...(tests !== undefined && { tests }),
    testCommand,
  });
  expect(outcome).toMatch(expected);
  expect(asked).toBe(0);
});

test("the user's own pytest command is reported test by test", DEEP, async ({ skip }) => {
  const why = first ? await missing(first, repairs.commandBox.layer) : "";
  skip(!first || why !== "", why);
  if (!first) return;
  const correct = first.files[first.target] ?? "";
  const { outcome } = await repairs.repairIn(first, {
    target: changed(correct, first.bug),
    answers: [correct],
    testCommand: "pytest -k 'discount' test_pricing.py",
  });
  expect(outcome).toMatchObject({ outcome: "fixed", framework: "pytest" });
  expect(outcome).toMatchObject({ before: { passing: ["test_pricing.py::test_discount[50-0-50.0]"] } });
});
