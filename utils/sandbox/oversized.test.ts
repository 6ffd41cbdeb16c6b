import { describe, expect, test } from "vitest";
import { openForTests } from "./testing/open.ts";
import type { JudgeJob, Verdict } from "./types.ts";

const sandbox = await openForTests();
const judge = (job: Partial<JudgeJob> & Pick<JudgeJob, "program" | "test">): Promise<Verdict> =>
  sandbox.judge({ entryPoint: "f", timeoutMs: 5000, ...job });

describe("a value too large to cross", () => {
  const MANY = "list(range(1_500_000))";
  const DEEP = "[]\n    for _ in range(300): r = [r]";
  test.each([
    ["a list of many items", MANY, "assert f([]) == [1, 2]"],
    ["a list of many items, told apart", MANY, "assert f([]) != [1] and f([]) is None"],
    ["a small list that would be many items", "(lambda x: [0] * 2_000_000)(0)", "assert f([]) == [0] * 999"],
    ["text", "'x' * 9_000_000", "assert f([]) == 'x'"],
    ["a list nested deep", DEEP, "assert f([]) == [[]]"],
    ["bytes, yielded", "iter([b'x' * 9_000_000])", "assert list(f([])) == [b'x']"],
  ])("%s: differs from what could cross", async (_, value, test) => {
    const program = `def f(x):\n    r = ${value}\n    return r`;
    expect(await judge({ program, test })).toMatchObject({ outcome: "failed", calls: expect.any(Number) });
  });

  test.each([
    ["is compared with one as large", MANY, `assert f([]) == ${MANY}`],
    ["is looked into", MANY, "assert len(f([])) == 1_500_000"],
    ["is asked for its class", MANY, "assert isinstance(f([]), list)"],
    ["is iterated over", MANY, "try: sum(f([]))\nexcept Exception: pass"],
    ["is text that is searched", "'x' * 9_000_000", "assert 'y' not in f([])"],
    ["is put into an argument", "x.extend(range(1_500_000))", "xs = []\nf(xs)\nassert len(xs) == 1_500_000"],
  ])("that %s: no verdict", async (_, value, test) => {
    const verdict = await judge({ program: `def f(x):\n    r = ${value}\n    return r`, test });
    expect(verdict).toMatchObject({ outcome: "sandbox_error", passed: false });
    expect(verdict.explanation).toMatch(/more than (1000000 items|8 MB).* than a judge can|larger than a judge can/);
  });

  test("is never an argument", async () => {
    const verdict = await judge({ program: "def f(x):\n    return len(x)", test: `assert f(${MANY}) == 1_500_000` });
    expect(verdict).toMatchObject({ outcome: "sandbox_error" });
    expect(verdict.explanation).toBe("the tests pass a value of more than 1000000 items to `f`");
    const text = await judge({
      program: "def f(x):\n    return len(x)",
      test: "assert f('x' * 9_000_000) == 9_000_000",
    });
    expect(text).toMatchObject({ outcome: "sandbox_error", explanation: "the tests pass more than 8 MB to `f`" });
  });
});
