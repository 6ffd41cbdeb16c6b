// @module-tag deep

/** What passes beside edits that do something else is a suggestion in both commands. */

import { afterAll, describe, expect, test } from "vitest";
import { repairOwnFile } from "./fix.ts";
import { makeProject } from "./own_file/testing/project.ts";
import { LIMITS, limitSearches, searchParts, searchRepository } from "./testing/search.ts";

afterAll(limitSearches({ edits: 400 }));

/** Keeps what a function gave by its first argument alone. */
const MEMOISER = {
  "package.json": '{ "name": "memo", "private": true, "scripts": { "test": "node --test" } }\n',
  "memoize.js": `"use strict";

function memoize(fn) {
  const seen = new Map();
  return function (...args) {
    const key = JSON.stringify(args[0]);
    if (seen.has(key)) return seen.get(key);
    const value = fn.apply(this, args);
    seen.set(key, value);
    return value;
  };
}

module.exports = { memoize };
`,
  "memoize.test.js": `const assert = require("node:assert");
const test = require("node:test");
const { memoize } = require("./memoize.js");

test("calls once for equal arguments", () => {
  let calls = 0;
  const add = memoize((a, b) => { calls++; return a + b; });
  assert.equal(add(1, 2), 3);
  assert.equal(add(1, 2), 3);
  assert.equal(calls, 1);
});

test("other arguments are another call", () => {
  const add = memoize((a, b) => a + b);
  assert.equal(add(1, 2), 3);
  assert.equal(add(1, 3), 4);
});
`,
};

/** Does not give back what the function gave; the greatest of two numbers is that of a pair, too. */
const TRACER = {
  "traced.py": `def traced(function, log):
    """Calls the function, writes into the log with what, and gives back what it gave."""

    def call(*args):
        try:
            function(*args)
        finally:
            log.append(args)

    return call
`,
  "test_traced.py": `from traced import traced


def test_gives_what_the_function_gave():
    assert traced(max, [])(3, 5) == 5


def test_writes_into_the_log():
    log = []
    traced(max, log)(3, 5)
    assert log == [(3, 5)]
`,
};

async function repaired(files: Record<string, string>, file: string) {
  using folder = makeProject({ files });
  return await repairOwnFile({ file: folder.at(file), ...LIMITS }, searchParts());
}

describe("a memoiser by the first argument, for which many edits pass", () => {
  test("repair: the tests refuse what is likeliest by the file alone, so it goes on where they run", async () => {
    const outcome = await repaired(MEMOISER, "memoize.js");
    expect(outcome).toMatchObject({ outcome: "suggestion" });
    expect(outcome.alternatives.length).toBeGreaterThan(0);
  });

  test("fix", async () => {
    const { outcome } = await searchRepository(MEMOISER, { modules: false });
    expect(outcome).toMatchObject({ outcome: "suggestion" });
    expect(outcome.doubts.join()).toMatch(/\d+ different edits pass the same tests/);
  });
});

describe("a second call with packed arguments behind a `try`", () => {
  const ONLY = {
    ...TRACER,
    // What the function gave has to be given back at the end.
    "traced.py": TRACER["traced.py"].replace("            function(*args)\n", "            _ = [function(*args)]\n"),
  };

  test("repair: the call that is there is given back, and no second one stands beside it", async () => {
    const outcome = await repaired(TRACER, "traced.py");
    expect(outcome).toMatchObject({ outcome: "fixed", alternatives: [] });
    expect(outcome.diff).toMatch(/^- +function\(\*args\)\n\+ +return function\(\*args\)$/m);
  });

  test("repair: what the call gave is given back, and no second call stands beside it", async () => {
    const outcome = await repaired(ONLY, "traced.py");
    expect(outcome).toMatchObject({ outcome: "suggestion", diff: expect.stringMatching(/^\+ +return _\[/m) });
    expect([outcome.diff, ...outcome.alternatives.map(({ diff }) => diff)].join("")).not.toMatch(/^\+.*function\(/m);
  });
});
