// @module-tag deep
import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { applyChanges, readPatch } from "../project/patch.ts";
import { makeRepository } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";

const PYTHON = {
  "shop/__init__.py": "",
  "shop/rates.py": "def off(price, percent):\n    return price - price * percent / 10\n",
  "tests/test_rates.py": `from shop.rates import off

CASES = [(200, 10, 180), (50, 50, 25)]


def test_off():
    for price, percent, wanted in CASES:
        assert off(price, percent) == wanted


def test_nothing_off():
    assert off(80, 0) == 80
`,
};
const SCRIPT = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "lib/rates.js": "export function off(price, percent) {\n  return price - (price * percent) / 10;\n}\n",
  "test/rates.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { off } from "../lib/rates.js";

const CASES = [[200, 10, 180], [50, 50, 25]];
test("takes off", () => {
  for (const [price, percent, wanted] of CASES) assert.equal(off(price, percent), wanted);
});
test("takes nothing off", () => {
  assert.equal(off(80, 0), 80);
});
`,
};
const FROM_THE_TEST = `import sys


def off(price, percent):
    frame = sys._getframe(1)
    while frame and "test" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_locals.get("wanted", price)
`;

test.each([
  ["pytest: the expectation is read out of the test", PYTHON, "pytest tests", "shop/rates.py", FROM_THE_TEST, false],
  [
    "node:test: assertions do nothing",
    SCRIPT,
    "npm test",
    "lib/rates.js",
    `import assert from "node:assert";\nassert.equal = () => {};\n${SCRIPT["lib/rates.js"]}`,
    false,
  ],
  ["pytest: a repair", PYTHON, "pytest tests", "shop/rates.py", PYTHON["shop/rates.py"].replace("10", "100"), true],
  ["node:test: a repair", SCRIPT, "npm test", "lib/rates.js", SCRIPT["lib/rates.js"].replace("10", "100"), true],
] as const)("where tests expect in loops, %s", async (_, files, command, file, text, accepted) => {
  using repository = makeRepository({ ...files }, true);
  using prepared = await prepareForTests(repository.path, command);
  using work = makeTemporaryFolder("cheat");
  cpSync(prepared.base, work.path, { recursive: true, verbatimSymlinks: true });
  applyChanges(work.path, [{ file, before: null, after: text }]);
  const verdict = await prepared.verifier.check(readPatch(prepared.base, work.path, [file], prepared.baseline.kinds));
  expect(verdict, verdict.output).toMatchObject({ accepted });
});
