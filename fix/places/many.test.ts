// @module-tag deep
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { functionsOf, ownersOf } from "../project/functions.ts";
import { localise } from "./localise.ts";

/** More than a call takes as arguments. */
const MANY = 140_000;
const NOTHING = { issue: "", failure: "", folder: "", failing: [], passing: [] };

test("a file of 140,000 functions is read, and each of its lines has its owner", () => {
  for (const [file, line] of [
    ["a.py", "def f(): return 1"],
    ["a.js", "function f() {}"],
  ] as const) {
    const functions = functionsOf(file, `${line}\n`.repeat(MANY));
    expect(functions).toHaveLength(MANY);
    expect(ownersOf(functions, MANY).every((owner, i) => owner?.start === i + 1)).toBe(true);
  }
});

test("the likeliest of 140,000 functions, and of 140,000 files, is found", () => {
  using folder = makeTemporaryFolder("many");
  const half = MANY / 2;
  writeFileSync(join(folder.path, "a.js"), "x=()=>1\n".repeat(half));
  writeFileSync(join(folder.path, "b.js"), `${"x=()=>1\n".repeat(half)}function wanted() { return 1 }\n`);
  const lines = Array.from({ length: half + 1 }, (_, i) => i + 1);
  const files = ["a.js", "b.js", ...Array.from({ length: MANY }, (_, i) => `gone/${i}.js`)];
  const failing = [{ test: "t", lines: { "a.js": lines, "b.js": lines } }];
  const [best] = localise(folder.path, files, { ...NOTHING, issue: "`wanted` is wrong", failing }, { most: 5 });
  expect(best).toMatchObject({ file: "b.js", name: "wanted", start: half + 1 });
});
