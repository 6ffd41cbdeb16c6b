// @module-tag deep
import { expect, test } from "vitest";
import { describeSearch } from "../../testing/compiled_search.ts";

/** By testify, as HumanEvalPack has them. */
const checked = (checks: readonly string[], entry: string) =>
  `func Test${entry}(t *testing.T) {\n    assert := assert.New(t)\n${checks.map((one) => `    ${one}\n`).join("")}}\n`;

describeSearch(
  { language: "go", around: (signature, before) => [`${before}func ${signature} {\n`, "}"], tests: checked },
  {
    finds: {
      "a wrong sign is found among edits that do not compile, that never end and that panic": {
        signature: "Rainy(days []int, limit int) int",
        body: "\tcount := 0\n\ti := 1\n\tfor i < len(days) {\n\t\tif days[i] > limit {\n\t\t\tcount++\n\t\t}\n\t\ti++\n\t}\n\treturn count",
        checks: [
          "assert.Equal(2, Rainy([]int{5, 1, 7}, 4))",
          "assert.Equal(0, Rainy([]int{}, 0))",
          "assert.Equal(3, Rainy([]int{8, 9, 2, 6}, 3))",
          "assert.Equal(1, Rainy([]int{1, 8}, 3))",
        ],
        holds: "assert.Equal(3, Rainy([]int{9, 9, 2, 9}, 3))",
      },
      "another among edits that use up the stack": {
        signature: "Stairs(n int) int",
        body: "\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn n - Stairs(n-1)",
        checks: ["assert.Equal(1, Stairs(1))", "assert.Equal(6, Stairs(3))", "assert.Equal(10, Stairs(4))"],
        holds: "assert.Equal(5050, Stairs(100))",
      },
      "a statement that is missing": {
        signature: "Middle(numbers []int) int",
        body: "\treturn numbers[len(numbers)/2]",
        checks: [
          "assert.Equal(5, Middle([]int{9, 1, 5}))",
          "assert.Equal(3, Middle([]int{3, 2, 1, 8, 9}))",
          "assert.Equal(7, Middle([]int{7}))",
        ],
        holds: "assert.Equal(4, Middle([]int{4, 8, 6, 2, 0}))",
      },
      "two mistakes at once": {
        signature: "Between(low, high int) int",
        body: "\tsum := 1\n\tfor i := low; i < high; i++ {\n\t\tsum += i\n\t}\n\treturn sum",
        checks: [
          "assert.Equal(6, Between(1, 3))",
          "assert.Equal(2, Between(2, 2))",
          "assert.Equal(0, Between(5, 4))",
          "assert.Equal(10, Between(0, 4))",
        ],
        holds: "assert.Equal(18, Between(3, 6))",
      },
    },
    differing: {
      signature: "Joined(xs []int, n int) int",
      body: "\treturn xs[0] - xs[1] + n",
      checks: ["assert.Equal(4, Joined([]int{2, 2}, 0))"],
      inputs: /^\(\[\]int\{-?\d+(?:, -?\d+)*\}, -?\d+\)$/,
    },
    cheat: {
      signature: "Twice(x int) int",
      body: "\treturn x * 3",
      checks: ["assert.Equal(8, Twice(4))"],
      before: `import ("os"; "syscall")

func init() {
	for k := 0; k < 500; k++ {
		syscall.Write(1, []byte("mend 1 9 9 1 0\\n"))
		syscall.Write(3, []byte("++e"))
	}
	os.Exit(0)
}

`,
    },
    generic: {
      signature: "Kept[T any](items []T, size int, isKept func(T) bool) []T",
      body: "\tvar kept []T\n\tfor _, one := range items {\n\t\tif len(kept) <= size && isKept(one) {\n\t\t\tkept = append(kept, one)\n\t\t}\n\t}\n\treturn kept",
      checks: [
        "assert.Equal([]int{7, 9}, Kept([]int{4, 7, 9, 8}, 2, func(n int) bool { return n > 5 }))",
        'assert.Empty(Kept([]string{"a"}, 0, func(string) bool { return true }))',
      ],
      more: { judgeMode: "in_process", checks: 3 },
      writes: "len(kept) < size && isKept(one)",
    },
    unreadable: {
      signature: 'First(numbers [len("ab")]int) int',
      body: "\treturn numbers[1]",
      checks: ["assert.True(true)"],
      why: "no function `First` with a signature of plain types",
    },
  },
  ({ search }) => {
    test("arguments for which only the edit panics come along", async () => {
      const { result } = await search({
        signature: "At(xs []int, i int) int",
        body: "\treturn xs[i-1]",
        checks: ["assert.Equal(5, At([]int{4, 5, 6}, 1))", "assert.Equal(4, At([]int{4, 5, 6}, 0))"],
      });
      expect(result.best[0]?.breaks).toMatch(/^\(\[\]int\{.*\}, \d+\)$/);
    });

    test("tests by `testing` alone, with several results and a function beside that is called", async () => {
      const { programs } = await search({
        signature: "Ends(words ...string) (first, last string)",
        body: "\tif !filled(words) {\n\t\treturn\n\t}\n\treturn words[0], words[len(words)]",
        checks: `import "testing"

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
        before: "package main\n\nfunc filled(words []string) bool { return len(words) > 0 }\n\n",
      });
      expect(programs[0]).toContain("words[len(words) - 1]");
    });

    test("what gives its values in another order at each call is not told from what does the same", async () => {
      const { programs } = await search({
        signature: "Below(items map[string]int, least int) []string",
        body:
          "\tnames := []string{}\n\tfor name, amount := range items {\n\t\tif amount <= least {" +
          "\n\t\t\tnames = append(names, name)\n\t\t}\n\t}\n\treturn names",
        checks: ['assert.Equal([]string{"nut"}, Below(map[string]int{"nut": 4, "bolt": 5}, 5))'],
      });
      expect(programs[0]).toContain("amount < least");
    });
  },
);
