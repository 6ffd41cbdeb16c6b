/**
 * Each framework of JavaScript in its last four major releases: installed from the registry, and a project with two tests run
 * under all layers. A new major release is a number more in the table.
 */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../sandbox/command_box.ts";
import { LAYERS } from "../sandbox/types.ts";
import { temporaryFolder } from "../testing/command.ts";
import { BOTH_RAN, runTwoTests, writeTwoTests } from "../testing/two_tests.ts";
import { frameworkNamed } from "./registry.ts";

const MAJORS: Record<string, readonly number[]> = {
  vitest: [1, 2, 3, 4, 5],
  jest: [27, 28, 29, 30],
  mocha: [9, 10, 11, 12],
  tape: [2, 3, 4, 5],
  tap: [16, 18, 19, 20, 21],
};

const CASES = Object.entries(MAJORS).flatMap(([name, majors]) => majors.map((major) => [name, major] as const));

function frameworkOf(name: string) {
  const framework = frameworkNamed(name);
  if (!framework) throw new Error(`${name} is no row of the table`);
  return framework;
}

test.each(CASES)("%s %i", async (name, major) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "package.json"), JSON.stringify({ private: true }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  execFileSync("npm", ["install", ...options, `${name}@${major}`], { cwd: folder.path, stdio: "pipe" });
  writeTwoTests(folder.path, frameworkOf(name));
  for (const layer of LAYERS) {
    const box = await openCommandBox({ layer });
    const outcome = await runTwoTests(folder.path, frameworkOf(name), box);
    expect(outcome, layer).toEqual(BOTH_RAN);
  }
});

test.each(LAYERS)("node:test of this Node.js under %s", async (layer) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "package.json"), "{}");
  writeTwoTests(folder.path, frameworkOf("node:test"));
  const outcome = await runTwoTests(folder.path, frameworkOf("node:test"), await openCommandBox({ layer }));
  expect(outcome).toEqual(BOTH_RAN);
});
