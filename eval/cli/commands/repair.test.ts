import { chmodSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { hasPytest } from "../../../utils/testing/needs.ts";
import { PYTEST_INI } from "../../../utils/testing/pytest_plugins.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

const SOURCE = `"""Stock keeping."""
LOW = 5


def restock(items, minimum=LOW):
    # names below the minimum
    return [name for name, amount in items if amount <= minimum]


class Shelf:
    def __init__(self, size):
        self.size, self.items = size, []

    def put(self, item):
        if len(self.items) > self.size:
            raise ValueError("full")
        self.items.append(item)


if __name__ == "__main__":
    print(restock([("nut", 1)]))
`;
const TESTS = `from stock import restock

def test_below():
    assert restock([("nut", 2), ("bolt", 5)]) == ["nut"]
`;
const SHELF_TESTS = `import unittest
from stock import Shelf

class ShelfTest(unittest.TestCase):
    def test_full(self):
        shelf = Shelf(1)
        shelf.put("a")
        with self.assertRaises(ValueError):
            shelf.put("b")
`;
const answer = (code: string) => `Thought: an off-by-one.\nFinal Answer:\n\`\`\`python\n${code}\n\`\`\``;
const FIXED = "def restock(items, minimum=LOW):\n    return [name for name, amount in items if amount < minimum]";

/** Writes the files and repairs with canned replies; rules match against the agent's prompts. */
async function repairFile(rules: object[], args: string[], source = SOURCE, tests = TESTS) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("stock.py"), source);
  chmodSync(at("stock.py"), 0o754);
  writeFileSync(at("tests.py"), tests);
  writeFileSync(at("rules.json"), JSON.stringify(rules));
  writeFileSync(at("pytest.ini"), PYTEST_INI["pytest.ini"]);
  const command = ["stock.py", "--tests", "tests.py", "--model", "script:rules.json", "--max-iterations", "2", ...args];
  const result = await run("mend repair", command, folder.path);
  const after = { text: readFileSync(at("stock.py"), "utf8"), mode: statSync(at("stock.py")).mode & 0o777 };
  folder[Symbol.dispose]();
  return { ...result, after };
}

test("shows a unified diff and changes nothing; the first Observation is the failing test", async () => {
  const rules = [{ when: "test_below", reply: answer(FIXED) }];
  const { exitCode, stdout, after } = await repairFile(rules, ["--function", "restock"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("--- a/stock.py\n+++ b/stock.py\n@@ -3,8 +3,7 @@");
  expect(stdout).toContain("+    return [name for name, amount in items if amount < minimum]");
  expect(after.text).toBe(SOURCE);
});

test("--verbose shows all that was said in each turn, in place of a line", DEEP, async () => {
  const { stderr } = await repairFile([{ reply: answer(FIXED) }], ["--function", "restock", "--verbose"]);
  expect(stderr).toMatch(/^Thought: an off-by-one\.\nFinal Answer:$/m);
});

test("--write changes the function alone, and keeps line ends and mode", DEEP, async () => {
  const windows = SOURCE.replaceAll("\n", "\r\n");
  const { exitCode, after } = await repairFile(
    [{ reply: answer(FIXED) }],
    ["--function", "restock", "--write"],
    windows,
  );
  expect(exitCode).toBe(0);
  const [before, ...rest] = SOURCE.split("def restock");
  const expected = `${before}${FIXED}\n\n\nclass${rest.join("").split("\n\n\nclass")[1]}`;
  expect(after.text).toBe(expected.replaceAll("\n", "\r\n"));
  expect(after.mode).toBe(0o754);
});

test("a link is repaired by the tests beside it, else beside what it leads to, and stays a link", DEEP, async () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const name of ["kept", "linked"]) mkdirSync(at(name));
  for (const [name, text] of Object.entries(PYTEST_INI)) writeFileSync(at(name), text);
  writeFileSync(at("kept/stock.py"), SOURCE);
  symlinkSync("../kept/stock.py", at("linked/stock.py"));
  const repair = (...more: string[]) =>
    run("mend repair", ["linked/stock.py", "--function", "restock", "--model", "search", ...more], folder.path);
  const neverRight = TESTS.replace('== ["nut"]', '== ["bolt"] and len(restock([])) == 1');
  writeFileSync(at("kept/test_stock.py"), TESTS);
  expect((await repair()).stdout).toMatch(/^\+.*amount < minimum\]$/m);
  writeFileSync(at("kept/test_stock.py"), neverRight);
  writeFileSync(at("linked/test_stock.py"), TESTS);
  const { exitCode, stderr } = await repair("--write");
  expect(exitCode, stderr).toBe(0);
  expect(readlinkSync(at("linked/stock.py"))).toBe("../kept/stock.py");
  expect(readFileSync(at("kept/stock.py"), "utf8")).toContain("amount < minimum]");
});

test("a file whose tests pass stays as it is; --json says so, too", DEEP, async () => {
  const right = SOURCE.replace("<= minimum", "< minimum");
  const { exitCode, stdout, stderr, after } = await repairFile(
    [],
    ["--function", "restock", "--write", "--json"],
    right,
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain("the tests already pass");
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "nothing_to_repair", model: null, written: null, diff: "" });
  expect(after.text).toBe(right);
  const asked = await repairFile(
    [{ reply: answer(FIXED) }],
    ["--function", "restock", "--even-if-passing", "--json"],
    right,
  );
  expect(JSON.parse(asked.stdout)).toMatchObject({ model: "script:rules.json", turns: 1 });
});

test("a class is repaired by its unittest cases", DEEP, async () => {
  const fixed = SOURCE.slice(SOURCE.indexOf("class"), SOURCE.indexOf("\n\n\nif")).replace(
    "> self.size",
    ">= self.size",
  );
  const rules = [{ when: "ValueError not raised", reply: answer(fixed) }];
  const { exitCode, stdout } = await repairFile(rules, ["--function", "Shelf"], SOURCE, SHELF_TESTS);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("+        if len(self.items) >= self.size:");
});

test("what does not pass the tests is never written", DEEP, async () => {
  const wrong = FIXED.replace("<", ">");
  const { exitCode, stdout, stderr, after } = await repairFile(
    [{ reply: answer(wrong) }],
    ["--function", "restock", "--write"],
  );
  expect(exitCode).toBe(1);
  expect(stderr).toContain("not fixed: script:rules.json found no patch that passes");
  expect(stderr).toMatch(/0 of 1 test passes, as before\nfails: .*test_below/);
  expect(stderr.split("not fixed")[1]?.trim().split("\n").length).toBeLessThanOrEqual(11);
  expect(stdout).toBe("");
  expect(after.text).toBe(SOURCE);
});

test("a function the file does not have is one sentence", DEEP, async () => {
  const { exitCode, stderr } = await repairFile([{ reply: "" }], ["--function", "absent"]);
  expect(exitCode).toBe(2);
  expect(stderr.trim()).toBe(
    'error: stock.py has no top-level function, class or method "absent". It has restock, Shelf, Shelf.__init__, Shelf.put.',
  );
});

test("tests that are not there are one sentence", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "stock.py"), SOURCE);
  const args = ["stock.py", "--tests", "nope.py", "--model", "search"];
  expect(await run("mend repair", args, folder.path)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: nope\.py: there is no such file\.\n$/),
  });
});

test("--fallback search repairs what the model did not, and says who did", DEEP, async () => {
  const wrong = answer(FIXED.replace("<", ">"));
  const { exitCode, stdout, stderr } = await repairFile(
    [{ reply: wrong }],
    ["--function", "restock", "--fallback", "search", "--max-iterations", "4"],
    SOURCE,
    `${TESTS}
def test_minimum():
    assert restock([("nut", 2), ("bolt", 1), ("nail", 3)], 2) == ["bolt"]

def test_nearly():
    assert restock([("nut", 4), ("bolt", 5)]) == ["nut"]
`,
  );
  expect(stderr).toContain("script:rules.json found no repair (tries); now the search engine tries");
  expect(stderr).toContain("fixed by search");
  expect(stdout).toMatch(/^\+ .*amount <=? .*minimum/m);
  expect(exitCode).toBe(0);
});

test("a model may let the engine try a region where --tools allows it", DEEP, async () => {
  const ask = 'Action: search_edits\nAction Input: {"region": [5, 7], "kind": "comparison"}';
  const rules = [
    { when: "candidates pass the visible tests", reply: answer(FIXED) },
    { seen: "Tries many small edits", reply: ask },
  ];
  const { exitCode } = await repairFile(rules, ["--function", "restock", "--tools", "code_interpreter,search_edits"]);
  expect(exitCode).toBe(0);
  const refused = await repairFile(rules, ["--function", "restock", "--tools", "search_edits"]);
  expect(refused.stderr).toContain("--tools takes code_interpreter");
});

test("where the tests cannot tell edits apart it shows them, with an input on which they differ", DEEP, async () => {
  const { exitCode, stderr, stdout } = await repairFile(
    [],
    ["--function", "twice", "--model", "search"],
    "def twice(x):\n    return x - 1\n",
    "from stock import twice\nassert twice(2) == 4\n",
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain("-    return x - 1");
  expect(stderr).toMatch(
    /^suggestion by search: \d different edits pass the same tests: choose one, or add a test that tells them apart$/m,
  );
  expect(stderr).toMatch(/^stock\.py is unchanged; --choose \w takes another patch$/m);
  expect(stderr).toMatch(/^patch 2 also passes, stock\.py:\n {2}twice\(-?\d+\) gives -?\d+, with patch 1 -?\d+$/m);
});

test("where nothing passes it says so once, with the best candidate", DEEP, async () => {
  const { exitCode, stderr, stdout } = await repairFile(
    [],
    ["--function", "f", "--model", "search", "--max-iterations", "12", "--search-steps", "9000", "--json"],
    "def f(a, b):\n    if a > b:\n        return a * 2\n    return b + 7\n",
    "from stock import f\nassert f(3, 1) == 6\nassert f(1, 1) == 2\nassert f(0, 5) == 99\nassert f(2, 1) == 4\n",
  );
  expect(exitCode).toBe(1);
  expect((stderr.match(/· answer/g) ?? []).length).toBeLessThanOrEqual(2);
  expect(stderr, "a line a turn, without --verbose").not.toMatch(/^(?:Thought|Observation|Final Answer):/m);
  expect(stderr).toContain("best try: 3 of 4 tests pass, but not line 4: assert f(0, 5) == 99");
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "not_fixed", best: { passing: 3, of: 4 } });
});

const HALF = "/** Half, rounded up. */\nexport function half(x) {\n  return Math.floor(x / 2);\n}\n";
const HALF_TESTS =
  'import assert from "node:assert/strict";\nimport { describe, it } from "node:test";\nimport { half } from "./half.mjs";\n' +
  'describe("half", () => {\n  it("halves", () => assert.equal(half(4), 2));\n  it("rounds up", () => assert.equal(half(5), 3));\n});\n';

test("the search engine repairs a JavaScript module by the tests of node:test", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "half.mjs"), HALF);
  writeFileSync(join(folder.path, "half.test.mjs"), HALF_TESTS);
  const { exitCode, stdout } = await run("mend repair", ["half.mjs", "--model", "search"], folder.path);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("-  return Math.floor(x / 2);\n+  return Math.ceil(x / 2);");
});

test("a read-only file with --write is one sentence before anything runs", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "stock.py"), SOURCE, { mode: 0o444 });
  writeFileSync(join(folder.path, "tests.py"), TESTS);
  const { exitCode, stderr } = await run(
    "mend repair",
    ["stock.py", "--function", "restock", "--tests", "tests.py", "--write", "--model", "search"],
    folder.path,
  );
  expect(exitCode).toBe(2);
  expect(stderr.trim()).toBe("error: stock.py is read-only: make it writable, or leave --write out to see the change.");
});

test(
  "what a repair runs starts in two ways: jobs by one fork server, each run of the tests in a box",
  DEEP,
  async ({ skip }) => {
    const bwrap = findProgram("bwrap") ?? skip("bubblewrap is not installed");
    using folder = temporaryFolder();
    using programs = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("half.py"), "def half(x):\n    return x * 2\n");
    writeFileSync(at("test_half.py"), "from half import half\n\nassert half(4) == 2\nassert half(6) == 3\n");
    const log = join(programs.path, "log");
    const noted = `for word in "$@"; do case $word in /box/*.py) echo "$word" >> ${log};; esac; done`;
    writeFileSync(join(programs.path, "bwrap"), `#!/bin/sh\n${noted}\nexec ${bwrap} "$@"\n`, { mode: 0o755 });
    const command = ["half.py", "--model", "search", "--sandbox", "bwrap"];
    const path = `${programs.path}:${process.env.PATH}`;
    const { exitCode, stdout } = await run("mend repair", command, folder.path, { PATH: path });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("+    return x / 2");
    const started = readFileSync(log, "utf8").trim().split("\n");
    expect(new Set(started)).toEqual(new Set(["/box/launch.py", "/box/fork_server.py"]));
    expect(started.filter((script) => script === "/box/fork_server.py")).toHaveLength(1);
    // The others: a trial, and the tests before and after, twice with wrong values, and in another order.
    expect(started.length).toBeLessThanOrEqual(11);
  },
);

test("tests that never end: that is said, and the program counts as not repaired", async () => {
  using folder = temporaryFolder();
  const source =
    "def down(n):\n    out = []\n    while n > 0:\n        out.append(n)\n    return out\n\n\n" +
    "def total(xs):\n    s = i = 0\n    while i < len(xs):\n        s += xs[i]\n    return s\n";
  writeFileSync(join(folder.path, "loops.py"), source);
  const tests = "from loops import down, total\n\ndef test_down():\n    assert down(3) == [3, 2, 1]\n\n";
  writeFileSync(join(folder.path, "test_loops.py"), `${tests}def test_total():\n    assert total([1, 2]) == 3\n`);
  const args = ["loops.py", "--model", "search", "--test-timeout", "2", "--time", "8", "--tests", "test_loops.py"];
  const { exitCode, stderr } = await run("mend repair", args, folder.path);
  expect(exitCode, stderr).toBeGreaterThan(0);
  expect(stderr).toMatch(
    /^the tests did not end: it used up its processor time(?: in test_loops\.py::test_down)? \(limit 2 s\)\. Perhaps a loop never/m,
  );
  expect(stderr).not.toMatch(/checking adds|cannot be loaded|nothing to repair/);
});

test.skipIf(!(await hasPytest()))("a test of unittest that pytest runs fails at its own line", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "half.py"), "def half(x):\n    return x * 2\n");
  const tests = "import unittest\nfrom half import half\n\n\nclass T(unittest.TestCase):\n    def test_half(self):\n";
  writeFileSync(join(folder.path, "test_half.py"), `${tests}        self.assertEqual(half(4), 2)\n`);
  const args = ["half.py", "--test-command", "pytest", "--model", "search", "--function", "half"];
  const { stderr } = await run("mend repair", args, folder.path);
  expect(stderr).toMatch(/^fails: test_half\.py::T::test_half: test_half\.py:7: AssertionError: 8 != 2$/m);
});
