/** For tests: projects in JavaScript and TypeScript. */

import { NPM_PROJECTS } from "./npm_projects.ts";
import { manifest, type TestProject } from "./project.ts";

const CLAMP = `function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
`;

export const JAVASCRIPT_PROJECTS: readonly TestProject[] = [
  {
    name: "CommonJS",
    framework: "assertions",
    files: {
      "clamp.js": `"use strict";\n\n${CLAMP}\nmodule.exports = { clamp };\n`,
      "test.js": `const assert = require("node:assert");
const { clamp } = require("./clamp");

assert.strictEqual(clamp(5, 0, 3), 3);
assert.strictEqual(clamp(-1, 0, 3), 0);
console.assert(clamp(2, 0, 3) === 2, "inside");
`,
    },
    target: "clamp.js",
    function: "clamp",
    tests: "test.js",
    bug: ["Math.min(Math.max(value, low), high)", "Math.max(Math.max(value, low), high)"],
    wrong: ["Math.max(value, low)", "low"],
    fails: "test.js",
    broken: ['require("./clamp")', 'require("./clamps")'],
    says: /Cannot find module '\.\/clamps'/,
  },
  {
    name: "node:test in .mjs",
    framework: "node:test",
    files: {
      "slug.mjs": `export const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

export default slug;
`,
      "slug.test.mjs": `import assert from "node:assert";
import { describe, it, test } from "node:test";
import slug from "./slug.mjs";

describe("slug", () => {
  it("joins words", () => assert.equal(slug("Two Words"), "two-words"));
  it("trims", async () => assert.equal(slug("(Two)"), "two"));
});
test("empty", () => assert.equal(slug(""), ""));
`,
    },
    target: "slug.mjs",
    function: "slug",
    tests: "slug.test.mjs",
    bug: ['.replace(/^-|-$/g, "")', '.replace(/^-/g, "")'],
    wrong: ['"-")', '"_")'],
    fails: "slug > trims",
    broken: ['from "./slug.mjs"', 'from "./slugs.mjs"'],
    says: /Cannot find module/,
  },
  ...NPM_PROJECTS,
  {
    name: "TypeScript",
    framework: "node:test",
    files: {
      "package.json": manifest({ type: "module" }),
      "money.ts": `export interface Money {
  cents: number;
  currency: "EUR" | "USD";
}

/** @throws Error where the currencies differ */
export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new Error("two currencies");
  return { cents: a.cents + b.cents, currency: a.currency };
}
`,
      "money.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { add, type Money } from "./money.ts";

const euros = (cents: number): Money => ({ cents, currency: "EUR" });

test("adds", () => assert.deepEqual(add(euros(1), euros(2)), euros(3)));
test("refuses two currencies", () => {
  assert.throws(() => add(euros(1), { cents: 1, currency: "USD" }), /two currencies/);
});
`,
    },
    target: "money.ts",
    function: "add",
    tests: "money.test.ts",
    bug: ["a.currency !== b.currency", "a.currency === b.currency"],
    wrong: ["a.cents + b.cents", "a.cents"],
    fails: "adds",
  },
  {
    name: "a method in a workspace",
    framework: "node:test",
    files: {
      "package.json": manifest({ workspaces: ["packages/*"] }),
      "packages/core/package.json": manifest({ name: "@made-up/core", type: "module" }),
      "packages/core/index.js": "export const LIMIT = 3;\n",
      "packages/app/package.json": manifest({ name: "@made-up/app", type: "module" }),
      "packages/app/queue.js": `import { LIMIT } from "../core/index.js";

export class Queue {
  #items = [];

  /** Returns false where the queue is full. */
  add(item) {
    if (this.#items.length >= LIMIT) return false;
    this.#items.push(item);
    return true;
  }

  get length() {
    return this.#items.length;
  }
}
`,
      "packages/app/test/queue.test.js": `import assert from "node:assert";
import test from "node:test";
import { LIMIT } from "../../core/index.js";
import { Queue } from "../queue.js";

test("a full queue", () => {
  const queue = new Queue();
  for (let i = 0; i < LIMIT; i++) assert.ok(queue.add(i));
  assert.equal(queue.add(9), false);
  assert.equal(queue.length, LIMIT);
});
`,
    },
    target: "packages/app/queue.js",
    function: "Queue.add",
    tests: "packages/app/test/queue.test.js",
    bug: [">= LIMIT", "> LIMIT"],
    wrong: ["return true;", "return false;"],
    fails: "a full queue",
  },
  {
    name: "promises in CommonJS",
    framework: "assertions",
    files: {
      "inOrder.js": `const inOrder = async (actions) => {
  const results = [];
  for (const action of actions) results.push(await action());
  return results;
};

module.exports = { inOrder };
`,
      "inOrder.test.js": `const assert = require("node:assert");
const { inOrder } = require("./inOrder.js");

(async () => {
  const later = (value) => () => new Promise((resolve) => setTimeout(resolve, 5 / value, value));
  assert.deepStrictEqual(await inOrder([later(1), later(2)]), [1, 2]);
})();
`,
    },
    target: "inOrder.js",
    function: "inOrder",
    tests: "inOrder.test.js",
    bug: ["results.push(await action())", "results.push(action())"],
    wrong: ["results.push(await action())", "results.unshift(await action())"],
    fails: "inOrder.test.js",
  },
];
