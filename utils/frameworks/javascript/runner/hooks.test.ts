/** Which lines a test is said to run. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../../base/files/temporary.ts";
import { ownPackageFile } from "../../../project/project.ts";

const HOOKS = join(import.meta.dirname, "hooks.cjs");

const FUNCTIONS = (type: string) => `
export function add(a${type}, b${type}) {
  return a + b;
}

export function negate(a${type}) {
  return -a;
}
`;

test.each([
  { file: "sums.mjs", text: FUNCTIONS(""), lines: { add: [2], negate: [6] } },
  // Its types are taken out before it runs, and its lines are put into one.
  {
    file: "sums.ts",
    text: `export interface Sum {\n  cents: number;\n}\n${FUNCTIONS(": number")}`,
    lines: { add: [5], negate: [9] },
  },
])("of $file those of the functions as they are written", ({ file, text, lines }) => {
  const { path } = makeTemporaryFolder("hooks");
  const at = (name: string) => join(path, name);
  writeFileSync(at("package.json"), '{ "type": "module" }');
  writeFileSync(at(file), text);
  const each = (name: string, call: string) => `test("${name}", () => void ${call});\n`;
  writeFileSync(
    at("all.test.mjs"),
    `import test from "node:test";\nimport { add, negate } from "./${file}";\n` +
      each("add", "add(1, 2)") +
      each("negate", "negate(1)"),
  );
  const environment = { ...process.env, MEND_COVERAGE: at("covered"), MEND_ROOT: path, MEND_NODE_TEST: "1" };
  const loaders = ["--import", pathToFileURL(ownPackageFile("tsx")).href, "--require", HOOKS];
  const { status, stderr } = spawnSync(process.execPath, [...loaders, at("all.test.mjs")], { env: environment });
  expect([status, String(stderr)]).toEqual([0, ""]);
  const covered = readFileSync(at("covered"), "utf8").trim().split("\n");
  const found = covered.map((line) => JSON.parse(line)).map((one) => [one.test, one.lines[file]]);
  expect(Object.fromEntries(found)).toEqual(lines);
});
