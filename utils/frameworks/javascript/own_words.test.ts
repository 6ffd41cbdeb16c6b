import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryProject } from "../../project/project.ts";
import { temporaryFolder } from "../../testing/command.ts";
import { installedModules } from "../../testing/modules.ts";
import type { Framework } from "../framework.ts";
import { jest } from "./jest.ts";
import { mocha, script } from "./runners.ts";

/** A program that ends where its command line has an option, as one that commander parses does. */
const PROGRAM = "if (process.argv.slice(2).some((word) => /^-|results/.test(word))) process.exit(1);\n";
const TESTS = `const { equal } = require("node:assert");
it("parses no words of the runner", () => { require("./program.js"); equal(1, 1); });
`;

test.each<[Framework, string]>([
  [script, PROGRAM],
  [mocha, TESTS],
  [jest, TESTS],
])("a program under test that reads the command line sees no options of $name", async (framework, text) => {
  const modules = framework === script ? "" : installedModules(framework.name, "29");
  if (modules === null) return console.warn(`skipped: ${framework.name} is not installed (MEND_TEST_MODULES)`);
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("package.json"), '{"name": "p"}');
  writeFileSync(at("program.js"), PROGRAM);
  writeFileSync(at("a.test.js"), text);
  if (modules !== "") symlinkSync(modules, at("node_modules"));
  const project = repositoryProject(folder.path, { layer: "bwrap" });
  const { argv, env } = await framework.command({ project, args: ["a.test.js"], results: at("results") });
  const [node = "", ...words] = argv;
  const { stdout, stderr } = spawnSync(node, words, { cwd: folder.path, env: { ...process.env, ...env } });
  const report = framework.parseResults(readFileSync(at("results"), "utf8"));
  expect(report?.tests, `${stdout}${stderr}`).toMatchObject([{ status: "passed" }]);
});
