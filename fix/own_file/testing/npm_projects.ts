/** For tests: JavaScript projects that need a framework of npm. */

import { manifest, type TestProject } from "./project.ts";

export const NPM_PROJECTS: readonly TestProject[] = [
  {
    name: "jest",
    framework: "jest",
    needs: { npm: "jest" },
    files: {
      "package.json": manifest({ devDependencies: { jest: "*" } }),
      "sum.js": `function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}

module.exports = sum;
`,
      "sum.test.js": `const sum = require("./sum");

describe("sum", () => {
  test.each([[[1, 2], 3], [[], 0]])("of %j is %d", (numbers, expected) => {
    expect(sum(numbers)).toBe(expected);
  });
});
`,
    },
    target: "sum.js",
    function: "sum",
    tests: "sum.test.js",
    bug: ["all + one, 0", "all + one"],
    wrong: ["all + one, 0", "all + one, 1"],
    fails: "sum of [] is 0",
    broken: ['require("./sum")', 'require("./total")'],
    says: /Cannot find module '\.\/total'/,
  },
  {
    name: "vitest",
    framework: "vitest",
    needs: { npm: "vitest" },
    files: {
      "package.json": manifest({ type: "module", devDependencies: { vitest: "*" } }),
      "src/chunks.ts": `/** Groups of at most \`size\` items. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const found: T[][] = [];
  for (let at = 0; at < items.length; at += size) found.push(items.slice(at, at + size));
  return found;
}
`,
      "src/chunks.test.ts": `import { expect, test } from "vitest";
import { chunks } from "./chunks";

test("the last group is smaller", () => {
  expect(chunks([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
});
test("nothing gives nothing", () => {
  expect(chunks([], 2)).toEqual([]);
});
`,
    },
    target: "src/chunks.ts",
    function: "chunks",
    tests: "src/chunks.test.ts",
    bug: ["at < items.length", "at < items.length - 1"],
    wrong: ["at + size)", "at + 1)"],
    fails: "the last group is smaller",
    broken: ['from "./chunks";', 'from "./chunk";'],
    says: /chunk\b/,
  },
  {
    name: "mocha",
    framework: "mocha",
    needs: { npm: "mocha" },
    files: {
      "package.json": manifest({ scripts: { test: "mocha" } }),
      "initials.js": `exports.initials = function (name) {
  return name
    .split(/\\s+/)
    .filter(Boolean)
    .map((part) => part[0].toUpperCase())
    .join("");
};
`,
      "test/initials.js": `const assert = require("assert");
const { initials } = require("../initials");

describe("initials", function () {
  it("takes each word", function () {
    assert.strictEqual(initials("ada lovelace"), "AL");
  });
  it("skips blanks", (done) => {
    assert.strictEqual(initials(" ada "), "A");
    done();
  });
});
`,
    },
    target: "initials.js",
    function: "initials",
    tests: "test/initials.js",
    bug: ["\n    .filter(Boolean)", ""],
    wrong: [".toUpperCase()", ""],
    fails: "initials",
    broken: ['describe("initials", function () {', 'describe("initials", function ( {'],
    says: /initials\.js has a syntax error in line 5/,
  },
];
