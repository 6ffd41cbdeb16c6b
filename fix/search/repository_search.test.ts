import { expect, test } from "vitest";
import type { BoxLayer } from "../../utils/sandbox/types.ts";
import { makeRepository } from "../testing/repositories.ts";
import { fixBySearch } from "../testing/search.ts";
import { FileEdit } from "./findings.ts";
import { doubtOf, notSearched } from "./repository_search.ts";

test("where it cannot search it says what is missing: a test that fails, or a function in a language that it knows", () => {
  const failing = [{ name: "npm test", status: "failed", message: "" } as const];
  const said = (baseline: Parameters<typeof notSearched>[0]["baseline"], layer: BoxLayer = "bwrap") =>
    notSearched({ baseline, suite: { layer } }).message;
  expect(said({ failing: [], notLoaded: null })).toMatch(/needs a failing test with a name/);
  expect(said({ failing, notLoaded: null })).toMatch(
    /repairs functions in Python, JavaScript, .*no file that may change contains one/,
  );
  expect(said({ failing, notLoaded: null }, "container")).toMatch(/programs of this machine.* run in a container/);
  const notLoaded = "Traceback\n  File \"tests/test_a.py\", line 1\nModuleNotFoundError: No module named 'six'\n";
  expect(said({ failing: [], notLoaded })).toMatch(
    /cannot be loaded: .*'six' \(tests\/test_a\.py, line 1\)\. .*pip install.* needs tests that run and fail/,
  );
  expect(said({ failing: [], notLoaded }, "container")).toMatch(
    /named 'six' .*image lacks what is missing.* needs tests/,
  );
  expect(said({ failing: [], notLoaded }, "container")).not.toContain("pip install");
});

test("what passes is doubted for another behaviour, removed code, a repeated call and untried edits", () => {
  const edit = (old: string, text: string, more: { behaviour?: string; repeats?: string } = {}) =>
    FileEdit.parse({
      ...{ file: "a.py", from: 2, to: 2, operator: "any", cost: 1, behaviour: "same" },
      ...{ old, text, ...more },
    });
  const plus = edit("    return a - b\n", "    return a + b\n");
  const removal = edit("    a = abs(a)\n", "");
  const doubt = (edits: FileEdit[], untried = 0) => doubtOf({ edits, functions: [{ untried }] });
  expect(doubt([plus])).toBeNull();
  expect(doubt([plus, edit(plus.old, "    return a\n", { behaviour: "other" })])).toContain("different edits pass");
  expect(doubt([removal, plus])).toBe("it only removes code");
  expect(doubt([plus, removal])).toBe("an edit that only removes code passes, too");
  expect(doubt([edit(plus.old, "    return g(g(a))\n", { repeats: "g" })])).toContain("g");
  expect(doubt([plus], 1)).toContain("not all edits were tried");
});

test("a search whose time is over before it tries anything says so", async () => {
  using repository = makeRepository({
    "half.py": "def half(x):\n    return x * 2\n",
    "test_half.py":
      "import unittest\nfrom half import half\n\n\nclass Half(unittest.TestCase):\n    def test_half(self):\n        self.assertEqual(half(4), 2)\n",
  });
  await expect(fixBySearch(repository.path, "python3 -m unittest", 0.5)).rejects.toThrow(
    "Nothing was tried: the search used up its 0.5 s",
  );
});
