// @module-tag ci

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryProject } from "../../project/project.ts";
import { temporaryFolder } from "../../testing/command.ts";
import { installedModules } from "../../testing/modules.ts";
import type { Framework } from "../framework.ts";
import { jest } from "./jest.ts";
import { mocha, nodeTest, script } from "./runners.ts";

/** A program that ends where its command line has an option, as one that commander parses does. */
const PROGRAM = "if (process.argv.slice(2).some((word) => /^-|results/.test(word))) process.exit(1);\n";
const TESTS = `const { equal } = require("node:assert");
it("parses no words of the runner", () => { require("./program.js"); equal(1, 1); });
`;

/** Runs tests in a folder that holds `files`; the report and what was printed. Null where the framework is not installed. */
async function runIn(framework: Framework, files: Record<string, string>, args: string[], isCovered = false) {
  const isOfNode = framework === script || framework === nodeTest;
  const modules = isOfNode ? "" : installedModules(framework.name, "29");
  if (modules === null) return null;
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("test"));
  for (const [name, text] of Object.entries({ "package.json": '{"name": "p"}', ...files }))
    writeFileSync(at(name), text);
  if (modules !== "") symlinkSync(modules, at("node_modules"));
  const project = repositoryProject(folder.path, { layer: "bwrap" });
  const results = at("results");
  const coverage = isCovered ? { coverage: at("coverage") } : {};
  const { argv, env } = await framework.command({ project, args, results, ...coverage });
  const [node = "", ...words] = argv;
  const ran = spawnSync(node, words, { cwd: folder.path, env: { ...process.env, ...env } });
  return { tests: framework.parseResults(readFileSync(results, "utf8"))?.tests, said: `${ran.stdout}${ran.stderr}` };
}

const notInstalled = ({ name }: Framework) => console.warn(`skipped: ${name} is not installed (MEND_TEST_MODULES)`);

test.each<[Framework, string]>([
  [script, PROGRAM],
  [mocha, TESTS],
  [jest, TESTS],
])("a program under test that reads the command line sees no options of $name", async (framework, text) => {
  for (const isCovered of [false, true]) {
    const ran = await runIn(framework, { "program.js": PROGRAM, "a.test.js": text }, ["a.test.js"], isCovered);
    if (ran === null) return notInstalled(framework);
    expect(ran.tests, ran.said).toMatchObject([{ status: "passed" }]);
  }
});

test.each([mocha, jest, nodeTest])(
  "$name without a file runs the tests that it finds by itself, also when lines are counted",
  async (framework) => {
    const text = framework === nodeTest ? `const { it } = require("node:test");\n${TESTS}` : TESTS;
    for (const isCovered of [false, true]) {
      const ran = await runIn(
        framework,
        { "program.js": "", "test/a.test.js": text.replace("./p", "../p") },
        [],
        isCovered,
      );
      if (ran === null) return notInstalled(framework);
      expect(ran.tests, ran.said).toMatchObject([{ status: "passed" }]);
    }
  },
);

test.each([mocha, jest, nodeTest])(
  "$name tells the kind of an error, and the project's own frames",
  async (framework) => {
    const start = framework === nodeTest ? 'const { it } = require("node:test");\n' : "";
    const text = `${start}const { first } = require("./program.js");\nit("takes any list", () => { first([]); });\n`;
    const program = 'exports.first = (list) => { if (list.length === 0) throw new TypeError("empty list"); };\n';
    const ran = await runIn(framework, { "program.js": program, "a.test.js": text }, ["a.test.js"]);
    if (ran === null) return notInstalled(framework);
    const message = ran.tests?.[0]?.message ?? "";
    expect(message, ran.said).toMatch(
      /^TypeError: empty list\n +at .*program\.js:1:\d+\)?\n +at .*a\.test\.js:\d+:\d+\)?$/,
    );
  },
);
