// @module-tag deep
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { buggyProgram, type Task } from "../../utils/task/task.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "./dataset.ts";
import { scoreProgram } from "./scorer.ts";

const FILE = fileURLToPath(new URL("./fixtures/go.jsonl", import.meta.url));
const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data");
const DEV = join(SHARED, "humanevalfix-go-dev.jsonl");

const missing = LANGUAGES.go.unavailable("");
const correct = (task: Task) => task.declaration + task.canonicalCode;

describe.skipIf(missing !== null)(`Go${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const { tasks, remarks } = missing === null ? await loadDataset(FILE, { log: () => {} }) : { tasks: [], remarks: [] };
  const sandbox = await openForTests();

  async function outcome(task: Task, program: string) {
    const scored = await scoreProgram(task, program, sandbox);
    return "score" in scored ? scored.score : scored;
  }

  test("imports and helpers come from the documented declaration, the comment that says what to do does not", () => {
    expect(remarks.map(({ id, kind }) => [id, kind])).toEqual([["Go/3", "entry_point"]]);
    expect(tasks.map(({ entryPoint }) => entryPoint)).toEqual(["WetDays", "Stock", "Unmasked", "FirstGap"]);
    expect(tasks[0]?.declaration).toBe(
      'import (\n    "math"\n)\n\n\nfunc WetDays(readings []float64, limit float64) int {\n',
    );
    expect(tasks[2]?.declaration).toContain("func Masked");
    expect(tasks[2]?.declaration).not.toContain("Undoes");
  });

  test("the correct programs pass both tests, the buggy ones none", async () => {
    for (const task of tasks) {
      const shown = { ...task, hiddenTest: task.exampleTest };
      expect(await outcome(task, correct(task)), task.id).toMatchObject({ outcome: "passed", explanation: "" });
      expect(await outcome(shown, correct(task)), task.id).toMatchObject({ outcome: "passed" });
      expect(await outcome(shown, buggyProgram(task)), task.id).toMatchObject({ outcome: "failed" });
      expect(await outcome(task, buggyProgram(task)), task.id).toMatchObject({ outcome: "failed" });
    }
  });

  test("what failed is told: the check, the call, what came back; a panic with its line; why a process ended; a compiler's error with its line", async () => {
    const [task] = tasks;
    if (!task) throw new Error("no task");
    expect(await outcome(task, buggyProgram(task))).toMatchObject({
      explanation:
        "line 4: assert.Equal(0, WetDays([]float64{0.5, 0.5}, 0.5)); the last call WetDays([]float64{0.5, 0.5}, 0.5) returned 2",
    });
    const panics = correct(task).replace("return count", "return count / len(readings)");
    expect(await outcome(task, panics)).toMatchObject({
      explanation:
        "line 3: assert.Equal(0, WetDays([]float64{}, 0)); the last call WetDays([]float64{}, 0) panicked: runtime error: integer divide by zero (line 13 of the program)",
    });
    const endless = correct(task).replace("return count", "return count + WetDays(readings, limit)");
    expect(await outcome(task, endless)).toMatchObject({
      outcome: "crashed",
      explanation:
        "the program's process ended with exit code 2 (fatal error: stack overflow); the last call WetDays([]float64{}, 0) did not return",
    });
    const broken = correct(task).replace("return count", "return counts");
    expect(await outcome(task, broken)).toMatchObject({
      outcome: "failed",
      explanation: "the program does not compile: line 13: undefined: counts",
    });
    const wider = correct(task).replace(") int {", ") int64 {").replace("count := 0", "count := int64(0)");
    expect(await outcome(task, wider)).toMatchObject({
      explanation: "the last call WetDays([]float64{}, 0) returned a value of type int64, not int",
    });
    expect(await outcome(task, "func Wetter() int { return 1 }")).toMatchObject({
      explanation: "the program does not define a function `WetDays`",
    });
  });

  test("imports are those that a program uses, as in the reference harness; a package clause, a main and tests of its own do no harm", async () => {
    const task = tasks[0];
    if (!task) throw new Error("no task");
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
    const plain = "func Twice(x int) int { return 2 * x }\n";
    const own = {
      ...job,
      program: plain,
      entryPoint: "Twice",
      test: 'func TestTwice(t *testing.T) { if Twice(2) != 4 { t.Error("no") } }',
    };
    expect(await sandbox.judge(own)).toMatchObject({ outcome: "passed", calls: 1 });
    const cheat = `${plain}func init() { os.Exit(0) }\n`;
    expect(await sandbox.judge({ ...own, program: cheat })).toMatchObject({ passed: false, outcome: "crashed" });
    const unfit = plain.replace("x int) int { return 2 * x }", "f func()) chan int { return nil }");
    expect(await sandbox.judge({ ...own, program: unfit })).toMatchObject({ passed: false, loaded: false });
  });

  test("tests that need more than the small `testing` are compiled against Go's own", async () => {
    const program = "func Twice(x int) int { return 2 * x }\n";
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
    const ran = async (code: string) => await sandbox.run({ language: "go", code, timeoutMs: 10_000 });
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
    expect(await ran("func f() int { return 1 }")).toMatchObject({
      status: "syntax_error",
      explanation: expect.stringContaining("function main is undeclared"),
    });
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
    const refused = async (code: string) => (await sandbox.run({ language: "go", code, timeoutMs: 10_000 })).status;
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

  test("eval and score: whole runs, by a script and by the search, one example kept for the prompt", async () => {
    using folder = temporaryFolder();
    const rules = tasks.map((task, i) => ({
      seen: `\`${task.entryPoint}\``,
      reply: `Final Answer:\n\`\`\`go\n${i % 2 ? correct(task) : buggyProgram(task)}\n\`\`\``,
    }));
    writeFileSync(join(folder.path, "rules.json"), JSON.stringify(rules));
    const limits = ["--few-shot-k", "1", "--max-iterations", "2", "--protocol", "tests"];
    const args = ["--dataset", FILE, ...limits, "--run", "go"];
    const whole = await run("eval/pass1.ts", [...args, "--model", "script:rules.json"], folder.path);
    expect(whole.exitCode, whole.stderr).toBe(0);
    expect(whole.lines.at(-1)).toMatchObject({ errors: 0, complete: true });
    const manifest: unknown = JSON.parse(readFileSync(join(folder.path, "runs/go/manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ decides: { sandbox: { go: LANGUAGES.go.runtime?.version } } });
    const samples = tasks.map((task, i) => ({
      task_id: task.id,
      solution: i % 2 ? correct(task) : buggyProgram(task),
    }));
    writeFileSync(join(folder.path, "samples.jsonl"), samples.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const scored = await run("eval/cli/commands/score.ts", ["samples.jsonl", "--dataset", FILE, "--json"], folder.path);
    expect(scored.exitCode, scored.stderr).toBe(0);
    for (const [answers, successes] of [
      ["--gold", tasks.length],
      ["--empty", 0],
    ] as const) {
      const known = await run("eval/pass1.ts", ["--dataset", FILE, answers], folder.path);
      expect(known.lines.at(-1), known.stderr).toMatchObject({ num: tasks.length, successes });
    }
    const searched = await run("eval/pass1.ts", [...args.slice(0, -1), "searched", "--model", "search"], folder.path);
    expect(searched.lines.at(-1), searched.stderr).toMatchObject({ num: tasks.length - 1, errors: 0, complete: true });
  });

  test.skipIf(!existsSync(DEV))("the development half: every canonical program passes, no buggy one", async () => {
    const { tasks: all, leftOut } = await loadDataset(DEV, { log: () => {} });
    expect([all.length, leftOut]).toEqual([82, []]);
    // The reference of Go/95 leaves its loop after two keys, and Go hands the keys of a map out in another order each time.
    const steady = all.filter(({ id }) => id !== "Go/95");
    expect(steady).toHaveLength(81);
    const verdicts = await Promise.all(
      steady.flatMap((task) => [outcome(task, correct(task)), outcome(task, buggyProgram(task))]),
    );
    expect(verdicts.filter((_, i) => i % 2 === 0).filter((one) => !("passed" in one && one.passed))).toEqual([]);
    expect(verdicts.filter((_, i) => i % 2 === 1).filter((one) => !("passed" in one) || one.passed)).toEqual([]);
  });
});
