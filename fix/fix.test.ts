// @module-tag ci

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { messageOf } from "../utils/base/data/errors.ts";
import { hasPytest } from "../utils/testing/needs.ts";
import { DEEP } from "../utils/testing/repeats.ts";
import type { FixRequest } from "./fix.ts";
import { renderOutcome } from "./outcome/render.ts";
import { makeRepository, PYTHON_FILES, SCRIPT_FILES } from "./testing/repositories.ts";
import { fixRequest, scriptedFix } from "./testing/scripted.ts";
import { limitSearches } from "./testing/search.ts";

const testPytest = test.skipIf(!(await hasPytest()));
afterAll(limitSearches({ edits: 1000 }));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: groups of a rule
/** The scripted model reads the places in its prompt, and goes there. */
const REPAIR = [
  {
    turn: 1,
    when: "/^1\\. (?<file>\\S+):(?<start>\\d+)-\\d+ (?:discounted)/m",
    reply: 'Action: view\nAction Input: {"file": "${file}", "line": ${start}}',
  },
  {
    turn: 2,
    when: "/(?<file>\\S+), lines[\\s\\S]*?(?<line>\\d+) {2}(?<code> *return rounded.*) 10\\)(?<end>;?)/m",
    reply:
      'Action: replace_lines\nAction Input: {"file": "${file}", "from": ${line}, "to": ${line}, "text": "${code} 100)${end}"}',
  },
  {
    turn: 3,
    when: "/^\\+.*100\\)/m",
    reply: 'Action: run_tests\nAction Input: {"tests": ["takes percents off", "test_discounted"]}',
  },
  { turn: 4, when: "/^Observation: (?:1 test passes|2 tests pass)/", reply: "Final Answer: percents are hundredths" },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: groups of a rule

const { "tests/test_stock.py": _, ...WITHOUT_STOCK } = PYTHON_FILES;
const UNITTEST_FILES = {
  ...WITHOUT_STOCK,
  "tests/__init__.py": "",
  "tests/test_rates.py": `import unittest
from shop.rates import discounted, total


class Rates(unittest.TestCase):
    def test_discounted(self):
        self.assertEqual(discounted(100, 20), 80)

    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
`,
};

const NODE_TEST_FILES = {
  ...SCRIPT_FILES,
  "test/rates.js": `const { describe, it } = require("node:test");\n${SCRIPT_FILES["test/rates.js"]?.replaceAll("(done) =>", "(t, done) =>")}`,
};

/** Takes the types out as TypeScript's compilers do, which take a second to load. */
const PLAIN_JSX = `const { readFileSync } = require("node:fs");
require.extensions[".jsx"] = (module, file) => module._compile(readFileSync(file, "utf8"), file);
`;

const request = fixRequest;
const fix = (wanted: FixRequest, rules: object[], spec?: string) => scriptedFix(wanted, rules, spec);

describe("a bug that a test sees", () => {
  type Repaired = [name: string, files: Record<string, string>, modules: boolean, command: string, file: string];
  const isRepaired = async (...[, files, modules, command, file]: Repaired) => {
    using repository = makeRepository(files, modules);
    const { outcome, steps } = fix(request(repository.path, { test: command, write: true }), REPAIR);
    const fixed = await outcome;
    expect(steps.map(({ observation }) => observation.status).slice(-1)).toEqual(["it passes the tests"]);
    expect(fixed).toMatchObject({ outcome: "fixed", reproduced: [], dropped: [] });
    expect(fixed.suspects[0]?.reasons[0]).toMatch(/^runs in (\d) of \1 failing and \d of [1-9] passing tests$/);
    expect(fixed.diff).toMatch(/^-.*\/ 10\);?\n\+.*\/ 100\);?$/m);
    expect(fixed.after.every(({ status }) => status === "passed")).toBe(true);
    expect(renderOutcome(fixed)).toMatch(/failed → passed/);
    expect(fixed.written).toMatchObject({ branch: null, backups: [] });
    expect(repository.git("diff", "--stat")).toContain(file);
    // Once is enough: a suite that passes is the same in each framework.
    if (files !== UNITTEST_FILES) return;
    const again = await fix(request(repository.path, { test: command }), []).outcome;
    expect(again.outcome).toBe("nothing_to_repair");
  };
  testPytest.each<Repaired>([["Python with pytest", PYTHON_FILES, false, "pytest tests", "shop/rates.py"]])(
    "%s: found, repaired, checked, written",
    isRepaired,
  );
  test.each<Repaired>([
    ["Python with unittest", UNITTEST_FILES, false, "python3 -m unittest", "shop/rates.py"],
    ["JavaScript with mocha, by npm test", SCRIPT_FILES, true, "npm test", "lib/rates.js"],
    ["JavaScript with node:test, by a pattern", NODE_TEST_FILES, false, "node --test 'test/*.js'", "lib/rates.js"],
  ])("%s: found, repaired, checked, written", DEEP, isRepaired);

  test("a branch gets the patch, and nothing else changes", DEEP, async () => {
    using repository = makeRepository(UNITTEST_FILES);
    const wanted = request(repository.path, { test: "python3 -m unittest", branch: "repair" });
    const outcome = await fix(wanted, REPAIR).outcome;
    expect(outcome.written?.branch).toBe("repair");
    expect(repository.git("show", "--format=%s", "repair")).toMatch(/^Percents are hundredths[\s\S]*\/ 100\)/);
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(repository.git("branch", "--show-current").trim()).toBe("main");
    await expect(fix(wanted, REPAIR).outcome).rejects.toThrow("exists already");
  });

  test("a branch cannot hold a submodule's file: a message says so, with the patch", DEEP, async () => {
    const inShop = (name: string) => (name.startsWith("shop/") ? name.slice("shop/".length) : null);
    const files = Object.entries(UNITTEST_FILES);
    using shop = makeRepository(Object.fromEntries(files.map(([name, text]) => [inShop(name) ?? "unused.py", text])));
    using repository = makeRepository(Object.fromEntries(files.filter(([name]) => inShop(name) === null)));
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", shop.path, "shop");
    const wanted = request(repository.path, { test: "python3 -m unittest", branch: "repair" });
    const said = await fix(wanted, REPAIR).outcome.then(String, messageOf);
    const [, patch = ""] =
      /^shop\/rates\.py is a file of the submodule shop.*--write.* kept in (\/\S+): /.exec(said) ?? [];
    expect(readFileSync(patch, "utf8"), said).toMatch(/^diff [\s\S]*^\+.*\/ 100\)$/m);
    rmSync(dirname(patch), { recursive: true });
    expect(repository.git("branch", "--list", "repair")).toBe("");
  });

  // What most agree on: `choose.test.ts`.
  testPytest("of several samples: what passes the suite; the other that passes is shown", DEEP, async () => {
    using repository = makeRepository(PYTHON_FILES);
    const edit = (now: string) =>
      `Action: replace_text\nAction Input: ${JSON.stringify({ file: "shop/rates.py", old: "/ 10)", new: now })}`;
    const rules = [{ turn: 1, replies: ["/ 50)", "/ 100)", "* 0.01)"].map(edit) }, { reply: "Final Answer: done" }];
    const wanted = request(repository.path, { samples: 3, seed: 0, maxIterations: 2 });
    const found = await fix(wanted, rules).outcome;
    expect(found.attempts.map(({ validated }) => validated)).toEqual([false, true, true]);
    expect(found).toMatchObject({
      outcome: "suggestion",
      why: expect.stringMatching(/^2 of 3 attempts pass/),
    });
    expect(found.diff).toMatch(/^\+.*\/ 100\)$/m);
    expect(found.alternatives).toMatchObject([{ diff: expect.stringContaining("* 0.01)") }]);
    expect(renderOutcome(found)).toContain("* 0.01)");
  });
});

describe("tests that cannot be loaded", () => {
  const files = {
    ...PYTHON_FILES,
    "tests/test_stock.py": "from shop.stock import Shelf, Till\n\n\ndef test_till():\n    assert Till().sum() == 0\n",
  };
  const put = (text: string) =>
    `Action: replace_text\nAction Input: ${JSON.stringify({ file: "shop/stock.py", old: "class Shelf", new: `${text}\n\n\nclass Shelf` })}`;

  testPytest.each([
    [
      "which then pass",
      "class Till:\n    def sum(self):\n        return 0",
      "fixed",
      /no test came to its end before; now 1 run and pass/,
    ],
    ["which then fail", "class Till:\n    def sum(self):\n        return 1", "not_fixed", /test_till/],
    ["which still do not load", "class Bill:\n    pass", "not_fixed", /cannot import name 'Till'/],
  ])("are repaired from an issue: %s", DEEP, async (_, text, end, told) => {
    using repository = makeRepository(files);
    const rules = [
      { turn: 1, when: "/cannot be loaded:[^]*cannot import name 'Till'/", reply: put(text) },
      { reply: "Final Answer: a till" },
    ];
    const wanted = request(repository.path, {
      test: "pytest tests/test_stock.py",
      issue: "There is no Till.",
      maxIterations: 2,
    });
    const { outcome, steps, said } = fix(wanted, rules);
    const found = await outcome;
    expect(said).toContainEqual(expect.stringMatching(/cannot be loaded: ImportError: cannot import name 'Till'/));
    expect(found).toMatchObject({ outcome: end, doubts: [] });
    expect(`${renderOutcome(found)}${steps.at(-1)?.observation.output}`).toMatch(told);
  });

  testPytest("are an error where no issue is given, or where no file is at fault", DEEP, async () => {
    using repository = makeRepository(files);
    const wanted = request(repository.path, { test: "pytest tests/test_stock.py" });
    await expect(fix(wanted, []).outcome).rejects.toThrow(/cannot import name 'Till'.*--issue FILE/);
    const absent = request(repository.path, { test: "pytest tests/absent.py", issue: "There is no Till." });
    await expect(fix(absent, []).outcome).rejects.toThrow(
      /does not work here: .*exit code 4: ERROR: file or directory not found/,
    );
  });
});

describe("what cannot be repaired is reported", () => {
  testPytest.each(["pytest", "python3 -m unittest"])("the test that never ends is named: %s", DEEP, async (command) => {
    const tests = "from unittest import TestCase\n\n\nclass Loops(TestCase):\n    def test_a(self): pass\n\n";
    using repository = makeRepository({ "test_a.py": `${tests}    def test_b(self):\n        while True: pass\n` });
    const wanted = request(repository.path, { test: command, testSeconds: 1 });
    await expect(fix(wanted, []).outcome).rejects.toThrow(
      /did not end: it used up its processor time in test_a\W.*Loops\W+test_b \(limit 1 s\)\. Perhaps a loop never ends/,
    );
  });

  test("node:test: the file in which a test never ends is named, not one beside it that is done", DEEP, async () => {
    const head = 'const { test } = require("node:test");\n';
    const sound = `${head}test("sound", () => {});\n`;
    const loops = `${head}test("loops", () => {\n  for (;;);\n});\n`;
    using repository = makeRepository({ "a.test.cjs": sound, "b.test.cjs": loops, "c.test.cjs": sound });
    const wanted = request(repository.path, { test: "node --test", testSeconds: 3 });
    await expect(fix(wanted, []).outcome).rejects.toThrow(
      "did not end: it used up its processor time in b.test.cjs (limit 3 s). Perhaps a loop never ends",
    );
  });

  testPytest("nothing fails and no issue: no model is asked", async () => {
    using repository = makeRepository({ "a.py": "", "test_a.py": "def test():\n    pass\n" });
    const { outcome, steps } = fix(request(repository.path, { test: "pytest" }), []);
    expect((await outcome).outcome).toBe("nothing_to_repair");
    expect(steps).toEqual([]);
  });

  const isSaid = async (...[, files, command, expected]: [string, Record<string, string>, string, RegExp]) => {
    using repository = makeRepository(files);
    await expect(fix(request(repository.path, { test: command }), []).outcome).rejects.toThrow(expected);
  };
  testPytest.each<Parameters<typeof isSaid>>([
    [
      "a missing package",
      { "test_a.py": "import absent_package\n\ndef test():\n    pass\n" },
      "pytest",
      /No module named 'absent_package'.*pip install/s,
    ],
    [
      "the network",
      { "test_a.py": "import socket\nsocket.create_connection(('example.org', 80))\n" },
      "pytest",
      /no network/,
    ],
    [
      "pytest that breaks down when its tests have run",
      {
        "conftest.py": "def pytest_sessionfinish():\n    raise ValueError('no')\n",
        "test_a.py": "def test_a():\n    assert 1 == 2\n",
      },
      "pytest",
      /^pytest does not work here: INTERNALERROR> ValueError: no \(pytest_sessionfinish of conftest\.py:2\)\. .*--noconftest/,
    ],
  ])("%s", isSaid);
  test.each<Parameters<typeof isSaid>>([
    ["no such command", { "a.py": "" }, "absent-runner --all", /absent-runner.*not found/],
    ["no script", { "package.json": "{}" }, "npm test", /no script "test"/],
  ])("%s", isSaid);

  testPytest("search ends at once where no edit passes, and says what it tried", DEEP, async () => {
    const text = PYTHON_FILES["tests/test_stock.py"]?.replace("shelf.count() == 1", "shelf.count() == 'many'") ?? "";
    using repository = makeRepository({ ...PYTHON_FILES, "tests/test_stock.py": text });
    const wanted = request(repository.path, { test: "pytest tests/test_stock.py", maxIterations: 20 });
    const { outcome, steps } = fix(wanted, [], "search");
    const found = await outcome;
    expect(found.outcome).toBe("not_fixed");
    expect(steps).toHaveLength(2);
    expect(found.attempts).toMatchObject([{ stop: "gave_up", turns: 2 }]);
    expect(renderOutcome(found)).toMatch(
      /No edit passes the tests\. Tried: shop\/stock\.py Shelf\.\w+: [1-9]\d* edits tried in/,
    );
  });

  test("search says at the end that it edits no JSX", DEEP, async () => {
    using repository = makeRepository(
      {
        "package.json": SCRIPT_FILES["package.json"]?.replace("mocha", "mocha --require=./plain.cjs") ?? "",
        "plain.cjs": PLAIN_JSX,
        "src/half.jsx": "exports.half = function half(x) {\n  return x / 3;\n};\n",
        "test/half.js":
          'const assert = require("node:assert");\nconst { half } = require("../src/half.jsx");\ndescribe("half", () => {\n  it("halves", () => assert.equal(half(4), 2));\n});\n',
      },
      true,
    );
    const found = await fix(request(repository.path, { test: "npm test" }), [], "search").outcome;
    expect(found.before.failing).toMatchObject([{ name: "half halves" }]);
    expect(renderOutcome(found)).toMatch(/nothing was tried: .*no JSX.*src\/half\.jsx/);
  });

  testPytest("a patch that fails comes back as an Observation, and is not written", DEEP, async () => {
    using repository = makeRepository(PYTHON_FILES);
    const wrong = [
      {
        turn: 1,
        reply: 'Action: replace_text\nAction Input: {"file": "shop/rates.py", "old": "/ 10)", "new": "/ 50)"}',
      },
      { seen: "not accepted", when: "/not accepted: 2 of 2 tests fail[\\s\\S]*60/", reply: "Final Answer: I give up." },
      { reply: "Final Answer: done" },
    ];
    const found = await fix(request(repository.path, { write: true, maxIterations: 3 }), wrong).outcome;
    expect(found).toMatchObject({ outcome: "not_fixed", written: null });
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(existsSync(repository.at("shop/rates.py.orig"))).toBe(false);
  });

  test("a change of the user's meanwhile is kept", DEEP, async () => {
    using repository = makeRepository(UNITTEST_FILES);
    const wanted = request(repository.path, { test: "python3 -m unittest", write: true });
    const { outcome, said } = fix(wanted, REPAIR);
    await expect.poll(() => said.length, { timeout: 600_000 }).toBeGreaterThan(1);
    writeFileSync(repository.at("shop/rates.py"), "# mine\n");
    await expect(outcome).rejects.toThrow("changed while it was being repaired");
    expect(readFileSync(repository.at("shop/rates.py"), "utf8")).toBe("# mine\n");
  });
});
