// @module-tag deep
import { expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { correct, describeCompiled } from "./testing/compiled_language.ts";

const TWICE = "func Twice(x int) int { return 2 * x }\n";

describeCompiled(
  {
    language: "go",
    renamed: "Go/3",
    entryPoints: ["WetDays", "Stock", "Unmasked", "FirstGap"],
    undeclared: {
      program: TWICE,
      entryPoint: "Twice",
      test: 'func TestTwice(t *testing.T) { if Twice(2) != 4 { t.Error("no") } }',
      cheat: `${TWICE}func init() { os.Exit(0) }\n`,
      unfit: TWICE.replace("x int) int { return 2 * x }", "f func()) chan int { return nil }"),
    },
    protocol: "tests",
    // The reference of Go/95 leaves its loop after two keys, and Go hands the keys of a map out in another order each time.
    unsteady: ["Go/95"],
  },
  ({ sandbox, taskAt, outcome, ran }) => {
    test("imports and helpers come from the documented declaration, the comment that says what to do does not", () => {
      expect(taskAt(0).declaration).toBe(
        'import (\n    "math"\n)\n\n\nfunc WetDays(readings []float64, limit float64) int {\n',
      );
      expect(taskAt(2).declaration).toContain("func Masked");
      expect(taskAt(2).declaration).not.toContain("Undoes");
    });

    test("imports are those that a program uses, as in the reference harness; a package clause, a main and tests of its own do no harm", async () => {
      const task = taskAt(0);
      const program = correct(task).replace('"math"', '"os"\n    "sort"');
      expect(
        await outcome(task, `package main\n\n${program}\nfunc main() { fmt.Println(1); os.Exit(0) }\n`),
      ).toMatchObject({
        outcome: "passed",
      });
      expect(
        await outcome(task, `package weather\n${program}\nfunc TestMain(m *testing.M) { os.Exit(0) }\n`),
      ).toMatchObject({
        outcome: "passed",
      });
    });

    test("what a program changes in its arguments is changed for the tests; types of the declaration, errors, several results and variadic parameters cross", async () => {
      const program = `type Point struct { X int; name string; next *Point }
func Turn(items []int, by map[string]int, at *Point, more ...float64) (int, Point, error) {
	items[0] = 9
	delete(by, "a")
	at.X++
	return len(more), Point{1, "n", at}, fmt.Errorf("no %v", more)
}
`;
      const test = `func TestTurn(t *testing.T) {
	items, by, at := []int{1, 2}, map[string]int{"a": 1, "b": 2}, &Point{X: 4}
	n, p, err := Turn(items, by, at, 1, 2.5)
	assert.Equal(t, 2, n)
	assert.Equal(t, Point{1, "n", &Point{X: 5}}, p)
	assert.EqualError(t, err, "no [1 2.5]")
	if items[0] != 9 || len(by) != 1 || at.X != 5 {
		t.Fatalf("%v %v %v", items, by, at)
	}
	t.Run("none", func(t *testing.T) {
		n, _, _ := Turn([]int{1}, nil, at)
		assert.Zero(t, n)
	})
}`;
      const job = { language: "go", entryPoint: "Turn", test, timeoutMs: 10_000 } as const;
      const helpers = program.slice(0, program.indexOf("\titems"));
      expect(await sandbox.judge({ ...job, program, helpers })).toMatchObject({ outcome: "passed", calls: 2 });
      const wrong = program.replace("at.X++", "");
      expect(await sandbox.judge({ ...job, program: wrong, helpers })).toMatchObject({ outcome: "failed" });
    });

    test("a map that is changed and keeps its size is changed for the tests", async () => {
      const program = 'func Rename(by map[string]int) {\n\tby["b"] = by["a"]\n\tdelete(by, "a")\n}\n';
      const test = `func TestRename(t *testing.T) {
	by := map[string]int{"a": 1}
	Rename(by)
	assert.Equal(t, map[string]int{"b": 1}, by)
}`;
      const job = { language: "go", program, entryPoint: "Rename", test, helpers: program, timeoutMs: 10_000 } as const;
      expect(await sandbox.judge(job)).toMatchObject({ outcome: "passed", calls: 1 });
    });

    test("tests that need more than the small `testing` are compiled against Go's own", async () => {
      const program = TWICE;
      const test = `func BenchmarkTwice(b *testing.B) { for i := 0; i < b.N; i++ { Twice(i) } }
func TestTwice(t *testing.T) { if Twice(2) != 4 { t.Error("no") } }`;
      const job = { language: "go", program, entryPoint: "Twice", test, helpers: program, timeoutMs: 10_000 } as const;
      expect(await sandbox.judge(job)).toMatchObject({ outcome: "passed", calls: 1 });
      const wrong = program.replace("2 * x", "x");
      expect(await sandbox.judge({ ...job, program: wrong })).toMatchObject({
        outcome: "failed",
        explanation: "TestTwice fails; the last call Twice(2) returned 2",
      });
    });

    test("programs are run for what they print: a main, statements alone, or tests", async () => {
      expect(
        await ran('package main\nimport ("fmt"; "os")\nfunc main() { fmt.Println(6 * 7); os.Exit(3) }'),
      ).toMatchObject({ status: "exited", exitCode: 3, stdout: "42\n" });
      expect(await ran("x := []int{1, 2}\nfmt.Println(x)")).toMatchObject({ exitCode: 0, stdout: "[1 2]\n" });
      const thrown = await ran("x := []int{1}\nfmt.Println(x[len(x)])");
      expect(thrown).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/index out of range[\s\S]*program\.go:2/),
      });
      expect(await ran("x := 1\nvar y int = z + x")).toMatchObject({ status: "syntax_error", line: 2 });
      // In the compiler's own words, "error" in their middle included.
      expect(await ran("x := is at")).toMatchObject({
        status: "syntax_error",
        explanation: expect.stringContaining("syntax error: unexpected"),
      });
      // To be compiled is all that can be asked of it.
      expect(await ran("func f() int { return 1 }")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
      const tested = LANGUAGES.go.withHarness(
        "func f() int { return 1 }",
        'func TestF(t *testing.T) { if f() != 2 { t.Error("one") } }',
      );
      expect(await ran(tested)).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(/--- FAIL: TestF[\s\S]*one/),
      });
    });

    test("compiling is hostile, too: no file of the machine, no C, no flags for the linker", async () => {
      const refused = async (code: string) => (await ran(code)).status;
      for (const code of [
        'package main\nimport _ "embed"\n//go:embed /etc/passwd\nvar text string\nfunc main() { println(text) }',
        'package main\n// #include "/etc/passwd"\nimport "C"\nfunc main() { C.puts(nil) }',
        'package main\nimport "../../../etc/passwd"\nfunc main() { passwd.X() }',
        'package main\n//go:cgo_ldflag "-Wl,-rpath=/"\nfunc main() { }',
        `package main\nvar x = ${"[".repeat(5000)}1${"]".repeat(5000)}\nfunc main() { }`,
        "package main\nvar x [1 << 40]int\nfunc main() { println(x[0]) }",
      ])
        expect(await refused(code), code.slice(0, 90)).toBe("syntax_error");
    });
  },
);
