// @module-tag deep
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../languages/registry.ts";
import { openForTests } from "../../../sandbox/testing/open.ts";
import type { VisibleTask } from "../../../task/task.ts";
import { isSlow } from "../../../testing/repeats.ts";
import { applyEdit } from "../../result.ts";
import { KNOWLEDGE } from "../../testing/knowledge.ts";
import { searchCompiled } from "../search.ts";

const missing = LANGUAGES.cpp.unavailable("");
const HEAD = "#include <algorithm>\n#include <cstdlib>\n#include <iostream>\n#include <vector>\nusing namespace std;\n";

const inMain = (checks: readonly string[]): string =>
  `#undef NDEBUG\n#include <assert.h>\nint main() {\n${checks.map((one) => `assert(${one});`).join("\n")}\n}\n`;

describe.skipIf(missing !== null)(`C++${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const sandbox = await openForTests();

  async function search(signature: string, body: string, checks: readonly string[] | string, before = "") {
    const [, entryPoint = ""] = /(\w+)\(/.exec(signature) ?? [];
    const exampleTest = typeof checks === "string" ? checks : inMain(checks);
    const task: VisibleTask = {
      ...{ id: "CPP/0", language: "cpp", entryPoint, instruction: "", exampleTest },
      ...{ declaration: `${HEAD}${before}${signature} {\n`, buggyCode: `${body}\n}`, epilogue: "" },
    };
    const program = task.declaration + task.buggyCode;
    const request = { language: task.language, program, entry: entryPoint, instruction: "", tests: exampleTest };
    const result = await searchCompiled({ ...request, steps: 3000, seed: 0 }, { knowledge: KNOWLEDGE, task }, sandbox);
    return { result, programs: result.best.map(({ splices }) => applyEdit(program, splices)) };
  }

  /** By tests that the search did not see. */
  async function holds(program: string | undefined, entryPoint: string, check: string): Promise<boolean> {
    const test = `#undef NDEBUG\n#include <assert.h>\nint main() {\nassert(${check});\n}\n`;
    const job = { language: "cpp", program: program ?? "", entryPoint, test, timeoutMs: 10_000 } as const;
    return (await sandbox.judge(job)).passed;
  }

  test("a wrong sign is found among edits that do not compile, that never end and that break", async () => {
    const { programs, result } = await search(
      "int rainy(vector<int> days, int limit)",
      "    int count = 0;\n    for (int i = 1; i < days.size(); i++)\n        if (days[i] > limit) count++;\n    return count;",
      [
        "rainy({5, 1, 7}, 4) == 2",
        "rainy({}, 0) == 0",
        "rainy({1, 1}, 1) == 0",
        "rainy({8, 9, 2, 6}, 3) == 3",
        "rainy({1, 8}, 3) == 1",
      ],
    );
    expect(result.status).toBe("found");
    expect(await holds(programs[0], "rainy", "rainy({9, 9, 2, 9}, 3) == 3")).toBe(true);
  });

  test("tests may include the file that they test", async () => {
    const { programs } = await search(
      "int half(int n)",
      "    return n / 3;",
      '#include "half.cpp"\n#include <cassert>\nint main() {\n    assert(half(8) == 4);\n    assert(half(13) == 6);\n}\n',
    );
    expect(await holds(programs[0], "half", "half(20) == 10")).toBe(true);
  });

  test("a statement that is missing", async () => {
    const missingSort = await search("int middle(vector<int> numbers)", "    return numbers[numbers.size() / 2];", [
      "middle({9, 1, 5}) == 5",
      "middle({3, 2, 1, 8, 9}) == 3",
      "middle({7}) == 7",
    ]);
    expect(await holds(missingSort.programs[0], "middle", "middle({4, 8, 6, 2, 0}) == 4")).toBe(true);
  });

  // Put together as in Go, Java and Rust, whose compilers take a quarter of the time.
  test.skipIf(!isSlow)("two mistakes at once", async () => {
    const two = await search(
      "int between(int low, int high)",
      "    int sum = 1;\n    for (int i = low; i < high; i++) sum += i;\n    return sum;",
      ["between(1, 3) == 6", "between(2, 2) == 2", "between(5, 4) == 0", "between(0, 4) == 10"],
    );
    expect(await holds(two.programs[0], "between", "between(3, 6) == 18")).toBe(true);
  });

  test("tests that are statements alone are searched with, and none leave every edit open", async () => {
    const six = "int six() { return 6; }";
    const last = "assert(half(six()) == 3);\nassert(half(21) == 10);";
    const checks = `#include <assert.h>\nassert(half(8) == 4);\n${six}\n${last}`;
    const told = await search("int half(int x)", "    return x / 3;", checks);
    expect(await holds(told.programs[0], "half", "half(20) == 10")).toBe(true);
    const { result } = await search("int square(int n)", "    return n * n * n;", "");
    expect(result.status).toBe("found");
    expect(result.tried).toBeGreaterThan(1);
    expect(result.passing).toBe(result.tried);
  });

  test("of edits that pass and do different things it tells an input that shows it", async () => {
    const body = "    return xs[0] - xs[1] + n;";
    const { result } = await search("int joined(const vector<int>& xs, int n)", body, ["joined({2, 2}, 0) == 4"]);
    const { others = [] } = result;
    expect(others.length).toBeGreaterThan(0);
    for (const { input, gives, best_gives, on_each = [] } of others) {
      expect(input).toMatch(/^\(\{-?\d+(?:, -?\d+)*\}, -?\d+\)$/);
      expect(gives).not.toBe(best_gives);
      expect(on_each.length).toBe(others.length);
    }
  });

  test("nothing that a program says of itself counts: what passes is what the judge passes", async () => {
    const cheat = `#include <unistd.h>
struct Early { Early() { for (int k = 0; k < 500; k++) dprintf(1, "mend %d 9 9 1 0\\n", k); _exit(0); } } early;
`;
    const { result } = await search("int twice(int x)", "    return x * 3;", ["twice(4) == 8"], cheat);
    expect(result.best).toEqual([]);
    expect(result.status).not.toBe("found");
  });

  test("a signature that cannot be read is reported, and no edit is tried", async () => {
    const { result } = await search("int first(int numbers[])", "    return numbers[1];", ["true"]);
    expect(result).toMatchObject({ status: "unreadable", tried: 0 });
    expect(result.explanation).toContain("no function `first` with a signature of plain types");
  });
});
