/** For tests: projects with a passing and a failing test, for pytest and each installed JavaScript framework. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Framework, TestReport } from "../frameworks/framework.ts";
import { type Project, repositoryProject } from "../project/project.ts";
import { RepositoryBox } from "../project/repository_box.ts";
import type { CommandBox } from "../sandbox/command/command_box.ts";

const FILE = "test/sum.test.js";
const MODULE_FILE = "test/sum.test.mjs";
const GLOBALS = (not: (a: string, b: string) => string) =>
  `const { sum } = require("../sum.js");\ntest("adds", () => { ${not("sum(1, 2)", "3")} });\ntest("doubles", () => { ${not("sum(2, 2)", "5")} });\n`;
const expected = (a: string, b: string) => `expect(${a}).toBe(${b});`;
const asserted = (a: string, b: string) => `require("node:assert").equal(${a}, ${b});`;

/** What is tested, by language. */
const SOURCES: Record<string, [file: string, text: string]> = {
  javascript: ["sum.js", "exports.sum = (a, b) => a + b;\n"],
  python: ["sum.py", "def sum(a, b):\n    return a + b\n"],
};

/** The file of tests by framework, and its text. */
const TESTS: Record<string, [file: string, text: string]> = {
  jest: [FILE, GLOBALS(expected)],
  mocha: [FILE, GLOBALS(asserted).replaceAll("test(", "it(")],
  vitest: [
    MODULE_FILE,
    `import { expect, test } from "vitest";\nimport sum from "../sum.js";\n${own("() => {", expected)}`,
  ],
  tape: [
    FILE,
    `const test = require("tape");\nconst sum = require("../sum.js");\n${own("(t) => { t.plan(1);", equal)}`,
  ],
  tap: [
    FILE,
    `const { test } = require("tap");\nconst sum = require("../sum.js");\n${own("(t) => { t.plan(1);", equal)}`,
  ],
  "node:test": [FILE, `const { test } = require("node:test");\n${GLOBALS(asserted)}`],
  pytest: [
    "tests/test_sum.py",
    "from sum import sum\n\n\ndef test_adds():\n    assert sum(1, 2) == 3\n\n\ndef test_doubles():\n    assert sum(2, 2) == 5\n",
  ],
};

function equal(a: string, b: string) {
  return `t.equal(${a}, ${b});`;
}

function own(head: string, check: (a: string, b: string) => string): string {
  return `test("adds", ${head} ${check("sum.sum(1, 2)", "3")} });\ntest("doubles", ${head} ${check("sum.sum(2, 2)", "5")} });\n`;
}

/** Writes it into a folder. */
export function writeTwoTests(folder: string, framework: Framework): void {
  const [file, text] = TESTS[framework.name] ?? [];
  if (!file || text === undefined) throw new Error(`no tests are written for ${framework.name}`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const [source, code] = sourceOf(framework);
  writeFileSync(join(folder, source), code);
}

function sourceOf({ name, language }: Framework) {
  const source = SOURCES[language ?? ""];
  if (!source) throw new Error(`no code is written for ${name}`);
  return source;
}

/** How each test ended, by title; in words why none did. */
export type Outcome = Record<string, string> | string;
export const BOTH_RAN: Outcome = { adds: "passed", doubles: "failed" };

/**
 * Runs it as `mend repair`, `mend fix` and a benchmark do, and then the test that fails by itself. @param python what runs
 * tests of Python
 */
export async function runTwoTests(
  folder: string,
  framework: Framework,
  box: CommandBox,
  python?: string,
): Promise<Outcome> {
  const [file = ""] = TESTS[framework.name] ?? [];
  const project: Project = {
    ...repositoryProject(folder, box, python),
    target: join(folder, sourceOf(framework)[0]),
  };
  const packages = join(folder, "node_modules");
  const modules = new Map(existsSync(packages) ? [["node_modules", packages]] : []);
  using copies = new RepositoryBox(box, project, modules);
  const reportOf = async (args: string[]) => {
    const command = (out: string) => framework.command({ project, args, results: join(out, "report") });
    const ran = await copies.run({ tree: folder, command, seconds: SECONDS });
    const text = ran.report("report");
    return { ran, report: text === null ? null : framework.parseResults(text) };
  };
  const { ran, report } = await reportOf([file]);
  const failing = report?.tests.find(({ status }) => status === "failed");
  if (failing && framework.select) {
    const named = { ...failing, file: failing.file && relative(ran.root, resolve(ran.root, failing.file)) };
    const alone = await reportOf(framework.select([named], [file]));
    const status = alone.report?.tests.find(({ name }) => name === failing.name)?.status;
    if (status !== failing.status) return `by itself ${failing.name} is ${status ?? "absent"}`;
  }
  return outcome(report, ran);
}

const SECONDS = 120;

function outcome(
  report: TestReport | null,
  { explanation, stdout, stderr }: Record<"explanation" | "stdout" | "stderr", string>,
): Outcome {
  if (report && report.fatal === null && report.tests.length > 0)
    return Object.fromEntries(
      report.tests.map(({ name, title, status }) => [(title ?? name).replace(/^.*::test_/, ""), status]),
    );
  return [report?.fatal, explanation, stdout, stderr].filter(Boolean).join("\n").slice(0, 2000);
}
