/** Bugs of every day, planted in small modules that the engine was not made on. */
// @module-tag deep

import { afterAll, expect, test } from "vitest";
import { limitSearches, searchRepository } from "../testing/search.ts";

afterAll(limitSearches({ edits: 400 }));

const SCRIPTS = { "package.json": '{ "type": "commonjs", "scripts": { "test": "node --test" } }\n' };
const script = (code: string, tests: string) => ({
  ...SCRIPTS,
  "code.js": code,
  "code.test.js": `const test = require("node:test");\nconst assert = require("node:assert");\nconst code = require("./code");\n${tests}`,
});
const python = (code: string, tests: string) => ({
  "code_of.py": code,
  "test_code.py": `import asyncio\nimport code_of\n\n\n${tests}`,
});

test.each([
  [
    "a wrapper that gives nothing back",
    "pytest",
    python(
      `import functools


def timed(log):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            try:
                function(*args, **kwargs)
            finally:
                log.append(function.__name__)
        return wrapper
    return decorate
`,
      `def test_timed():
    log = []

    @code_of.timed(log)
    def add(a, b):
        return a + b

    assert add(1, 2) == 3
    assert log == ["add"]
`,
    ),
    "return function(*args, **kwargs)",
  ],
  [
    "what is not waited for, in Python",
    "pytest",
    python(
      `async def load(store, key):
    return await store(key)


async def name_of(store, key):
    row = load(store, key)
    return row["name"].title()
`,
      `async def store(key):
    return {"name": f"user {key}"}


def test_name():
    assert asyncio.run(code_of.name_of(store, 3)) == "User 3"
`,
    ),
    "row = await load(store, key)",
  ],
  [
    "floats that are nearly the same",
    "pytest",
    python(
      `def is_right(a, b, c):
    a, b, c = sorted((a, b, c))
    return a ** 2 + b ** 2 == c ** 2
`,
      `def test_right():
    assert code_of.is_right(0.5, 1.2, 1.3) and code_of.is_right(0.6, 0.8, 1.0)
    assert not code_of.is_right(1, 2, 3)
    assert not code_of.is_right(3, 4, 5.01)
`,
    ),
    "abs((a ** 2 + b ** 2) - (c ** 2)) < 1e-9",
  ],
  [
    "a number of times that is too narrow, in two places of a pattern",
    "pytest",
    python(
      `import re


def parse(text):
    match = re.fullmatch(r"(\\d{2}):(\\d{2})", text)
    return match and [int(part) for part in match.groups()]
`,
      `def test_parse():
    assert code_of.parse("03:12") == [3, 12]
    assert code_of.parse("3:1") == [3, 1]
    assert code_of.parse("003:1") is None
    assert code_of.parse(":1") is None
`,
    ),
    "{1,2}):(",
  ],
  [
    "a function that gives a function which gives nothing back",
    "npm test",
    script(
      "exports.later = (call) => (...given) => { call(...given); };\n",
      'test("gives", () => assert.strictEqual(code.later((a) => a + 1)(2), 3));\n',
    ),
    "return call(...given);",
  ],
  [
    "what is not waited for, in JavaScript",
    "npm test",
    script(
      `const load = async (store, id) => store.get(id);
exports.greet = async (store, id) => {
  const user = load(store, id);
  return \`Hello \${user.name}\`;
};
`,
      'test("greets", async () => assert.strictEqual(await code.greet(new Map([[1, { name: "Ann" }]]), 1), "Hello Ann"));\n',
    ),
    "const user = await load(store, id);",
  ],
])("%s", async (_, command, files, repaired) => {
  const { outcome } = await searchRepository(files, { test: command, modules: false });
  // So few edits are tried that another may pass, too.
  expect(outcome.doubts.filter((doubt) => !doubt.startsWith("not all edits were tried"))).toEqual([]);
  expect(["fixed", "suggestion"]).toContain(outcome.outcome);
  expect([outcome.diff, ...outcome.alternatives.map(({ diff }) => diff)].join("\n")).toContain(repaired);
});
