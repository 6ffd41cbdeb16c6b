import { describe, expect, test } from "vitest";
import { openForTests } from "./testing/open.ts";
import type { JudgeJob } from "./types.ts";

const sandbox = await openForTests();
const inProcess = (job: Partial<JudgeJob> & Pick<JudgeJob, "program" | "test">) =>
  sandbox.judge({ entryPoint: "f", timeoutMs: 5000, mode: "in_process", ...job });

describe("tests in the program's process", () => {
  const program = "def f(xs, key=None):\n    xs.sort(key=key)\n    print('sorted')\n    return xs";

  test.each([
    ["identity, mutation and callables", "xs = [3, 1]\nassert f(xs, lambda v: -v) is xs\nassert xs == [3, 1]"],
    ["imports under the program's name", "import buggy\nfrom buggy import f as g\nassert g([2, 1]) == buggy.f([1, 2])"],
    [
      "printed text",
      "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as out: f([])\nassert out.getvalue() == 'sorted\\n'",
    ],
    ["test functions", "def test_a():\n    assert f([2, 1]) == [1, 2]"],
    [
      "unittest",
      "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f([2, 1]), [1, 2])",
    ],
    ["coroutines", "async def test_a():\n    assert f([2, 1]) == [1, 2]"],
  ])("%s", async (_, test) => {
    const verdict = await inProcess({ program, test, moduleNames: ["buggy"] });
    expect(verdict).toMatchObject({ outcome: "passed", explanation: "", mode: "in_process", loaded: true });
    expect(verdict.calls).toBeGreaterThan(0);
  });

  test.each([
    [
      "a failing assertion",
      "def test_a():\n    assert f([2, 1]) == [2, 1]",
      "failed",
      "line 2: assert f([2, 1]) == [2, 1]; the last call f([2, 1]) returned [1, 2]",
    ],
    ["nothing called", "def test_a(): pass", "failed", "the tests never called `f`"],
    [
      "an exception",
      "f(3)",
      "failed",
      "line 1: f(3); the last call f(3) raised AttributeError: 'int' object has no attribute 'sort'",
    ],
    [
      "a fixture",
      "def test_a(tmp_path): pass",
      "sandbox_error",
      "test_a needs the argument tmp_path: fixtures are not supported",
    ],
    ["an exit", "import sys\nsys.exit(0)", "crashed", "the program exited (0)"],
    ["an abrupt exit", "import os\nos._exit(0)", "crashed", "the program's process ended with exit code 0"],
  ])("%s does not pass", async (_, test, outcome, explanation) => {
    expect(await inProcess({ program, test })).toMatchObject({ outcome, explanation });
  });

  test("a class passes when its tests ran, and only then", async () => {
    const stack = "class f:\n    def top(self): return 1";
    expect(await inProcess({ program: stack, test: "def test_a():\n    assert f().top() == 1" })).toMatchObject({
      outcome: "passed",
    });
    expect(await inProcess({ program: stack, test: "x = 1" })).toMatchObject({ outcome: "failed" });
  });
});
