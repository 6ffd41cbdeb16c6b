import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProject } from "../project/project.ts";
import { temporaryFolder } from "../testing/command.ts";
import type { Framework } from "./framework.ts";
import { titlePattern } from "./javascript/command.ts";
import { FRAMEWORKS, frameworkOf, frameworkStartedBy } from "./registry.ts";

test.each([
  ["pytest -q tests/test_x.py", "pytest", "-q tests/test_x.py"],
  ["python3.12 -m pytest", "pytest", ""],
  [".venv/bin/python -m pytest -k 'a b'", "pytest", "-k 'a b'"],
  ["node --test test/", "node:test", "test/"],
  ["node --import tsx --test a.test.ts", "node:test", "--import tsx a.test.ts"],
  ["node -r ./setup.cjs --no-warnings --import=tsx --test", "node:test", "-r ./setup.cjs --no-warnings --import=tsx"],
  ["npx vitest run a.test.ts", "vitest", "a.test.ts"],
  ["npx jest", "jest", ""],
  ["./node_modules/.bin/mocha --exit", "mocha", "--exit"],
  ["npx tap --no-cov test/*.js", "tap", "--no-cov test/*.js"],
  ["tape test/*.js", "tape", "test/*.js"],
  ["python -m doctest a.py", "doctest", "a.py"],
])("%s starts %s", (command, name, args) => {
  const started = frameworkStartedBy(command);
  expect([started?.framework.name, started?.args]).toEqual([name, args]);
});

test.each([
  "make test",
  "pytest-watch",
  "npm test",
  "tox -e py",
  "jesting",
  "node run.js --test",
  "node --import tsx run.ts --test",
])("%s is a command of its own", (command) => {
  expect(frameworkStartedBy(command)).toBeNull();
});

test("a framework is one row", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "a.check");
  writeFileSync(path, "check");
  const madeUp: Framework = {
    name: "made up",
    language: "python",
    recognises: ({ path }) => path.endsWith(".check"),
    commands: /^check(?=\s|$)/,
    command: async ({ args }) => ({ argv: ["check", ...args], env: {}, readable: [] }),
    parseResults: () => null,
  };
  const rows = [...FRAMEWORKS, madeUp];
  const project = findProject([path]);
  expect((await frameworkOf({ path, text: "check" }, project, rows)).name).toBe("made up");
  expect(frameworkStartedBy("check it", rows)).toEqual({ framework: madeUp, args: "it" });
  await expect(frameworkOf({ path, text: "check" }, project)).rejects.toThrow("name their runner with --test-command");
});

test.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))(
  "%s: a truncated report, and other text, are not reports",
  (_, { parseResults }) => {
    for (const text of ["", "{", '{"name": "a", "status": "passed", "message": ""}\n', "[]", "null"]) {
      expect(parseResults(text)).toBeNull();
    }
  },
);

test("tests are chosen by their titles, also where vitest 1 puts a space before them", () => {
  const pattern = new RegExp(titlePattern([{ name: "sums (2) of a", status: "failed", message: "" }]));
  const chosen = ["sums (2) of a", " sums (2) of a", "sums (2) of all", "my sums (2) of a"].filter((one) =>
    pattern.test(one),
  );
  expect(chosen).toEqual(["sums (2) of a", " sums (2) of a"]);
});
