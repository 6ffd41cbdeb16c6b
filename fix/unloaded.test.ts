import { afterAll, expect, test } from "vitest";
import { ALSO_DEEP, DEEP, quarter } from "../utils/testing/repeats.ts";
import { renderOutcome } from "./outcome/render.ts";
import { makeRepository } from "./testing/repositories.ts";
import { prepareForTests } from "./testing/scripted.ts";
import { limitSearches, searchRepository } from "./testing/search.ts";

afterAll(limitSearches({ edits: 400 }));

const SCRIPT = (file: string, imported: string) => ({
  "package.json": "{}",
  "half.cjs": "exports.half = function half(x) {\n  return x * 2;\n};\n",
  [file]: `const { test } = require("node:test");\nconst assert = require("node:assert");\nconst { half } = require("./half.cjs");\n${imported}test("half", () => assert.equal(half(4), 2));\n`,
  "other.test.cjs": 'require("node:test").test("other", () => {});\n',
});
const UNITTEST = {
  "half.py": "def half(x):\n    return x * 2\n",
  "test_half.py":
    "import unittest\nimport not_there\nfrom half import half\n\n\nclass Half(unittest.TestCase):\n    def test_half(self):\n        self.assertEqual(half(4), 2)\n",
  "test_other.py": "import unittest\n\n\nclass Other(unittest.TestCase):\n    def test_other(self):\n        pass\n",
};
test.each(
  quarter([
    ["node:test", SCRIPT("half.test.cjs", 'require("not_there");\n'), "node --test"],
    ["unittest", UNITTEST, "python3 -m unittest"],
  ]),
)(
  "%s: a file of tests that cannot be loaded is not a failing test, and is reported at once",
  ALSO_DEEP,
  async (_, files, command) => {
    using repository = makeRepository(files);
    await expect(prepareForTests(repository.path, command)).rejects.toThrow(
      /The tests cannot be loaded .*, and no other test fails: .*not_there.*Install what is missing/,
    );
  },
);

test("where another test fails, that one is what is searched for", DEEP, async () => {
  const files = { ...SCRIPT("half.test.cjs", ""), "broken.test.cjs": 'require("not_there");\n' };
  using repository = makeRepository(files);
  using prepared = await prepareForTests(repository.path, "node --test");
  expect(prepared.baseline.failing.map(({ name }) => name)).toEqual(["half"]);
});

test.each(
  quarter([
    [
      "pytest",
      "pytest",
      {
        "half.py": "def half(x):\n    return x * 2\n",
        "test_half.py":
          "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n    assert half(10) == 5\n",
        "test_cart.py": "from half import half\n\nassert half(2) == 7\n",
      },
      /assert (?:1|4)\S* == 7 \(test_cart\.py, line 3\)/,
    ],
    [
      "node:test",
      "node --test",
      { ...SCRIPT("half.test.cjs", ""), "broken.test.cjs": 'require("not_there");\n' },
      /not_there/,
    ],
  ] as const),
)("%s: a repair is only a part where other tests cannot be loaded", DEEP, async (_, command, files, why) => {
  const said: string[] = [];
  const { outcome: found } = await searchRepository(files, { test: command, say: (line) => said.push(line) });
  expect(found).toMatchObject({
    outcome: "partly_fixed",
    doubts: expect.arrayContaining([expect.stringMatching(why)]),
  });
  expect(found.diff).not.toBe("");
  expect(said.join("\n")).toMatch(why);
  expect(renderOutcome(found)).toMatch(
    /partly fixed by .*: some tests cannot be loaded, with the patch and without it/,
  );
});
