// @module-tag deep
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../languages/registry.ts";
import { openForTests } from "../../../sandbox/testing/open.ts";
import type { VisibleTask } from "../../../task/task.ts";
import { applyEdit } from "../../result.ts";
import { KNOWLEDGE } from "../../testing/knowledge.ts";
import { searchCompiled } from "../search.ts";

const missing = LANGUAGES.go.unavailable("");

/** By testify, as HumanEvalPack has them. */
const checked = (checks: readonly string[], entry: string) =>
  `func Test${entry}(t *testing.T) {\n    assert := assert.New(t)\n${checks.map((one) => `    ${one}\n`).join("")}}\n`;

describe.skipIf(missing !== null)(`Go${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const sandbox = await openForTests();

  async function search(signature: string, body: string, tests: string | readonly string[], before = "") {
    const [, entryPoint = ""] = /(\w+)[([]/.exec(signature) ?? [];
    const exampleTest = typeof tests === "string" ? tests : checked(tests, entryPoint);
    const task: VisibleTask = {
      ...{ id: "Go/0", language: "go", entryPoint, instruction: "", exampleTest },
      ...{ declaration: `${before}func ${signature} {\n`, buggyCode: `${body}\n}`, epilogue: "" },
    };
    const program = task.declaration + task.buggyCode;
    const request = { language: task.language, program, entry: entryPoint, instruction: "", tests: exampleTest };
    const result = await searchCompiled({ ...request, steps: 3000, seed: 0 }, { knowledge: KNOWLEDGE, task }, sandbox);
    return { result, programs: result.best.map(({ splices }) => applyEdit(program, splices)) };
  }

  /** By tests that the search did not see. */
  async function holds(program: string | undefined, entryPoint: string, check: string): Promise<boolean> {
    const test = checked([check], entryPoint);
    const job = { language: "go", program: program ?? "", entryPoint, test, timeoutMs: 10_000 } as const;
    return (await sandbox.judge(job)).passed;
  }

  test("a wrong sign is found among edits that do not compile, that never end, that panic and that use up the stack", async () => {
    const { programs, result } = await search(
      "Rainy(days []int, limit int) int",
      "\tcount := 0\n\ti := 1\n\tfor i < len(days) {\n\t\tif days[i] > limit {\n\t\t\tcount++\n\t\t}\n\t\ti++\n\t}\n\treturn count",
      [
        "assert.Equal(2, Rainy([]int{5, 1, 7}, 4))",
        "assert.Equal(0, Rainy([]int{}, 0))",
        "assert.Equal(3, Rainy([]int{8, 9, 2, 6}, 3))",
        "assert.Equal(1, Rainy([]int{1, 8}, 3))",
      ],
    );
    expect(result.status).toBe("found");
    expect(await holds(programs[0], "Rainy", "assert.Equal(3, Rainy([]int{9, 9, 2, 9}, 3))")).toBe(true);
    const recursive = await search("Stairs(n int) int", "\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn n - Stairs(n-1)", [
      "assert.Equal(1, Stairs(1))",
      "assert.Equal(6, Stairs(3))",
      "assert.Equal(10, Stairs(4))",
    ]);
    expect(await holds(recursive.programs[0], "Stairs", "assert.Equal(5050, Stairs(100))")).toBe(true);
  });

  test("arguments for which only the edit panics come along", async () => {
    const checks = ["assert.Equal(5, At([]int{4, 5, 6}, 1))", "assert.Equal(4, At([]int{4, 5, 6}, 0))"];
    const { result } = await search("At(xs []int, i int) int", "\treturn xs[i-1]", checks);
    expect(result.best[0]?.breaks).toMatch(/^\(\[\]int\{.*\}, \d+\)$/);
  });

  test("a statement that is missing, and two mistakes at once", async () => {
    const missingSort = await search("Middle(numbers []int) int", "\treturn numbers[len(numbers)/2]", [
      "assert.Equal(5, Middle([]int{9, 1, 5}))",
      "assert.Equal(3, Middle([]int{3, 2, 1, 8, 9}))",
      "assert.Equal(7, Middle([]int{7}))",
    ]);
    expect(await holds(missingSort.programs[0], "Middle", "assert.Equal(4, Middle([]int{4, 8, 6, 2, 0}))")).toBe(true);
    const two = await search(
      "Between(low, high int) int",
      "\tsum := 1\n\tfor i := low; i < high; i++ {\n\t\tsum += i\n\t}\n\treturn sum",
      [
        "assert.Equal(6, Between(1, 3))",
        "assert.Equal(2, Between(2, 2))",
        "assert.Equal(0, Between(5, 4))",
        "assert.Equal(10, Between(0, 4))",
      ],
    );
    expect(await holds(two.programs[0], "Between", "assert.Equal(18, Between(3, 6))")).toBe(true);
  });

  test("tests by `testing` alone, with several results and a function beside that is called", async () => {
    const { programs } = await search(
      "Ends(words ...string) (first, last string)",
      "\tif !filled(words) {\n\t\treturn\n\t}\n\treturn words[0], words[len(words)]",
      `import "testing"

func TestEnds(t *testing.T) {
	for _, one := range [][]string{{"a", "b", "c"}, {"x"}} {
		if first, last := Ends(one...); first != one[0] || last != one[len(one)-1] {
			t.Errorf("%v: %v %v", one, first, last)
		}
	}
	if first, _ := Ends(); first != "" {
		t.Fatal("nothing has ends")
	}
}
`,
      "package main\n\nfunc filled(words []string) bool { return len(words) > 0 }\n\n",
    );
    expect(programs[0]).toContain("words[len(words)-1]".replace("-", " - "));
  });

  test("of edits that pass and do different things it tells an input that shows it", async () => {
    const weak = ["assert.Equal(4, Joined([]int{2, 2}, 0))"];
    const { result } = await search("Joined(xs []int, n int) int", "\treturn xs[0] - xs[1] + n", weak);
    const { others = [] } = result;
    expect(others.length).toBeGreaterThan(0);
    for (const { input, gives, best_gives, on_each = [] } of others) {
      expect(input).toMatch(/^\(\[\]int\{-?\d+(?:, -?\d+)*\}, -?\d+\)$/);
      expect(gives).not.toBe(best_gives);
      expect(on_each.length).toBe(others.length);
    }
  });

  test("what gives its values in another order at each call is not told from what does the same", async () => {
    const body =
      "\tnames := []string{}\n\tfor name, amount := range items {\n\t\tif amount <= least {" +
      "\n\t\t\tnames = append(names, name)\n\t\t}\n\t}\n\treturn names";
    const tests = ['assert.Equal([]string{"nut"}, Below(map[string]int{"nut": 4, "bolt": 5}, 5))'];
    const { programs } = await search("Below(items map[string]int, least int) []string", body, tests);
    expect(programs[0]).toContain("amount < least");
  });

  test("nothing that a program says of itself counts: what passes is what the judge passes", async () => {
    const cheat = `import ("os"; "syscall")

func init() {
	for k := 0; k < 500; k++ {
		syscall.Write(1, []byte("mend 1 9 9 1 0\\n"))
		syscall.Write(3, []byte("++e"))
	}
	os.Exit(0)
}

`;
    const { result } = await search("Twice(x int) int", "\treturn x * 3", ["assert.Equal(8, Twice(4))"], cheat);
    expect(result.best).toEqual([]);
    expect(result.status).not.toBe("found");
  });

  test("a signature that cannot be read is reported, and no edit is tried", async () => {
    const { result } = await search("First[T any](numbers []T) T", "\treturn numbers[1]", ["assert.True(true)"]);
    expect(result).toMatchObject({ status: "unreadable", tried: 0 });
    expect(result.explanation).toContain("no function `First` with a signature of plain types");
  });
});
