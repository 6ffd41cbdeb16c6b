/** Which lines are recorded for a test. */

import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../../base/files/temporary.ts";
import { ownPackageFile } from "../../../project/project.ts";
import { DEEP } from "../../../testing/repeats.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const HOOKS = join(import.meta.dirname, "hooks.cjs");

const FUNCTIONS = (type: string) => `
export function add(a${type}, b${type}) {
  return a + b;
}

export function negate(a${type}) {
  return -a;
}
`;

const FILES = [
  { file: "sums.mjs", text: FUNCTIONS(""), lines: { add: [2], negate: [6] } },
  // Its types are taken out before it runs, and its lines are put into one.
  {
    file: "sums.ts",
    text: `export interface Sum {\n  cents: number;\n}\n${FUNCTIONS(": number")}`,
    lines: { add: [5], negate: [9] },
  },
];

const TESTS = (file: string, from: string) =>
  `import { test } from "${from}";\nimport { add, negate } from "./${file}";\n` +
  'test("add", () => void add(1, 2));\ntest("negate", () => void negate(1));\n';

/** A project with one of the files and its tests, and the coverage that is recorded. */
function projectOf({ file, text }: (typeof FILES)[number], from: string) {
  const { path } = makeTemporaryFolder("hooks");
  const at = (name: string) => join(path, name);
  writeFileSync(at("package.json"), '{ "type": "module" }');
  writeFileSync(at(file), text);
  writeFileSync(at("all.test.mjs"), TESTS(file, from));
  const environment = { ...process.env, MEND_COVERAGE: at("covered"), MEND_ROOT: path };
  const covered = () => {
    const told = readFileSync(at("covered"), "utf8").trim().split("\n");
    const each = told.map((line) => JSON.parse(line)).map((one) => [one.test, one.lines[file].filter(isOwn)]);
    return Object.fromEntries(each);
  };
  return { at, environment, covered };
}

/** What vite puts before the first line, to tell what the file exports, counts as that line. */
const isOwn = (line: number) => line > 1;

test.each(FILES)("of $file those of the functions as they are written: node:test", DEEP, ({ lines, ...file }) => {
  const { at, environment, covered } = projectOf({ ...file, lines }, "node:test");
  const loaders = ["--import", pathToFileURL(ownPackageFile("tsx")).href, "--require", HOOKS];
  const env = { ...environment, MEND_NODE_TEST: "1" };
  const { status, stderr } = spawnSync(process.execPath, [...loaders, at("all.test.mjs")], { env });
  expect([status, String(stderr)]).toEqual([0, ""]);
  expect(covered()).toEqual(lines);
});

test.each(FILES)("of $file those of the functions as they are written: vitest", DEEP, ({ lines, ...file }) => {
  const { at, environment, covered } = projectOf({ ...file, lines }, "vitest");
  symlinkSync(join(ROOT, "node_modules"), at("node_modules"));
  const setup = JSON.stringify({ test: { globals: true, setupFiles: [HOOKS] } });
  writeFileSync(at("vitest.config.mjs"), `export default ${setup};\n`);
  const words = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run"];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: at("."), env: environment });
  expect([status, String(stderr)]).toEqual([0, ""]);
  expect(covered()).toEqual(lines);
});
