import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../utils/testing/command.ts";

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

/** Writes the files and repairs with canned replies; rules see what the agent was told. */
async function repairFile(rules: object[], args: string[], source = SOURCE, tests = TESTS) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("stock.py"), source);
  chmodSync(at("stock.py"), 0o754);
  writeFileSync(at("tests.py"), tests);
  writeFileSync(at("rules.json"), JSON.stringify(rules));
  const command = ["stock.py", "--tests", "tests.py", "--model", "script:rules.json", "--max-iterations", "2", ...args];
  const result = await run("examples/repair_file.ts", command, folder.path);
  const after = { text: readFileSync(at("stock.py"), "utf8"), mode: statSync(at("stock.py")).mode & 0o777 };
  folder[Symbol.dispose]();
  return { ...result, after };
}

test("shows a unified diff and changes nothing; the first Observation is the failing test", async () => {
  const rules = [{ when: "assert restock", reply: answer(FIXED) }];
  const { exitCode, stdout, after } = await repairFile(rules, ["--function", "restock"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("--- a/stock.py\n+++ b/stock.py\n@@ -3,8 +3,7 @@");
  expect(stdout).toContain("+    return [name for name, amount in items if amount < minimum]");
  expect(after.text).toBe(SOURCE);
});

test("--write changes the function alone, and keeps line ends and mode", async () => {
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

test("a class is repaired by its unittest cases", async () => {
  const fixed = SOURCE.slice(SOURCE.indexOf("class"), SOURCE.indexOf("\n\n\nif")).replace(
    "> self.size",
    ">= self.size",
  );
  const rules = [{ when: "ValueError not raised", reply: answer(fixed) }];
  const { exitCode, stdout } = await repairFile(rules, ["--function", "Shelf"], SOURCE, SHELF_TESTS);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("+        if len(self.items) >= self.size:");
});

test("what does not pass the tests is never written", async () => {
  const wrong = FIXED.replace("<", ">");
  const { exitCode, stdout, stderr, after } = await repairFile(
    [{ reply: answer(wrong) }],
    ["--function", "restock", "--write"],
  );
  expect(exitCode).toBe(1);
  expect(stderr).toContain("not repaired");
  expect(stdout).toBe("");
  expect(after.text).toBe(SOURCE);
});

test("a function the file does not have is one sentence", async () => {
  const { exitCode, stderr } = await repairFile([{ reply: "" }], ["--function", "absent"]);
  expect(exitCode).toBe(2);
  expect(stderr.trim()).toBe('error: stock.py has no top-level function or class "absent".');
});

test("--fallback search repairs what the model did not, and says who did", async () => {
  const wrong = answer(FIXED.replace("<", ">"));
  const { exitCode, stdout, stderr } = await repairFile(
    [{ reply: wrong }],
    ["--function", "restock", "--fallback", "search", "--max-iterations", "4"],
    SOURCE,
    `${TESTS}\ndef test_minimum():\n    assert restock([("nut", 2), ("bolt", 1), ("nail", 3)], 2) == ["bolt"]\n`,
  );
  expect(stderr).toContain("script:rules.json found no repair (max_iterations)");
  expect(stderr).toContain("repaired by search");
  expect(stdout).toMatch(/^\+ .*amount <=? .*minimum/m);
  expect(exitCode).toBe(0);
});

test("a model may let the engine try a region where --tools allows it", async () => {
  const ask = 'Action: search_edits\nAction Input: {"region": [5, 7], "kind": "comparison"}';
  const rules = [
    { when: "candidates pass the visible tests", reply: answer(FIXED) },
    { seen: "search_edits: tries many small edits", reply: ask },
  ];
  const { exitCode } = await repairFile(rules, ["--function", "restock", "--tools", "code_interpreter,search_edits"]);
  expect(exitCode).toBe(0);
  const refused = await repairFile(rules, ["--function", "restock", "--tools", "search_edits"]);
  expect(refused.stderr).toContain("--tools takes code_interpreter");
});
