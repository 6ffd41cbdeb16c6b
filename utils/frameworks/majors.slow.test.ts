/**
 * Each framework of JavaScript in its last four major releases, and pytest in three: installed from the registry, and a project
 * with two tests run under all layers. A new major release is a number more in the table.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../sandbox/command/command_box.ts";
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

/** A Python that has this major release: the one of the system, or an environment made for it; null where neither is to be had. */
function pythonWithPytest(major: number, folder: string): string | null {
  const system = "/usr/bin/python3";
  const asked = spawnSync(system, ["-c", "import pytest; print(pytest.__version__)"], { encoding: "utf8" });
  if (asked.stdout?.startsWith(`${major}.`)) return system;
  const python = join(folder, "environment/bin/python");
  if (spawnSync("python3", ["-m", "venv", join(folder, "environment")]).status !== 0) return null;
  const wanted = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `pytest==${major}.*`];
  return spawnSync(python, wanted).status === 0 ? python : null;
}

test.for([7, 8, 9])("pytest %i", async (major, context) => {
  using folder = temporaryFolder();
  using environment = temporaryFolder();
  const python = pythonWithPytest(major, environment.path);
  if (python === null) return context.skip(`no Python with pytest ${major} is here, and none can be installed`);
  writeTwoTests(folder.path, frameworkOf("pytest"));
  for (const layer of LAYERS) {
    const box = await openCommandBox({ layer });
    const outcome = await runTwoTests(folder.path, frameworkOf("pytest"), box, python);
    expect(outcome, layer).toEqual(BOTH_RAN);
  }
});
