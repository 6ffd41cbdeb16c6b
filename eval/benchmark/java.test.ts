// @module-tag deep
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import { repair } from "../../agent/repair.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { buggyProgram, type Task, toVisible } from "../../utils/task/task.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "./dataset.ts";
import { scoreProgram } from "./scorer.ts";

const FILE = fileURLToPath(new URL("./fixtures/java.jsonl", import.meta.url));
const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data");
const DEV = join(SHARED, "humanevalfix-java-dev.jsonl");

const missing = LANGUAGES.java.unavailable("");
const correct = (task: Task) => task.declaration + task.canonicalCode;

describe.skipIf(missing !== null)(`Java${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const { tasks, remarks } = missing === null ? await loadDataset(FILE, { log: () => {} }) : { tasks: [], remarks: [] };
  const sandbox = await openForTests();

  async function outcome(task: Task, program: string) {
    const scored = await scoreProgram(task, program, sandbox);
    return "score" in scored ? scored.score : scored;
  }

  test("a row that names another method than its tests call gets the one that they call", () => {
    expect(remarks.map(({ id, kind }) => [id, kind])).toEqual([["Java/3", "entry_point"]]);
    expect(tasks.map(({ entryPoint }) => entryPoint)).toEqual(["wetDays", "stock", "unmasked", "firstGap"]);
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

  test("what failed is told: the check, the call, what came back; an exception with its line; a compiler's error with its own", async () => {
    const [task] = tasks;
    if (!task) throw new Error("no task");
    expect(await outcome(task, buggyProgram(task))).toMatchObject({
      explanation:
        "line 5: s.wetDays(Arrays.asList(0.5, 0.5), 0.5) == 0; the last call wetDays([0.5, 0.5], 0.5) returned 2",
    });
    const throws = correct(task).replace("return count;", "return readings.size() / 0;");
    expect(await outcome(task, throws)).toMatchObject({
      explanation: expect.stringContaining("threw ArithmeticException: / by zero (line 10 of the program)"),
    });
    const broken = correct(task).replace("return count;", "return counts;");
    expect(await outcome(task, broken)).toMatchObject({
      outcome: "failed",
      explanation: expect.stringMatching(/^the program does not compile: line 10: cannot find symbol .*counts/),
    });
    const wider = correct(task).replace("public int wetDays", "public long wetDays");
    expect(await outcome(task, wider)).toMatchObject({ outcome: "passed" });
    expect(await outcome(task, "class Solution { }")).toMatchObject({
      explanation: "the program does not define a method `wetDays` in a class `Solution`",
    });
  });

  test("what a program changes in its arguments is changed for the tests; without a declaration the program's own signature counts", async () => {
    const program =
      'import java.util.*;\nclass Solution {\n    public void turn(int[] items, List<String> names, Map<String, Integer> by) {\n        items[0] = 9;\n        names.add("x");\n        by.remove("a");\n    }\n}\n';
    const test = `public class Main {
    public static void main(String[] args) {
        int[] items = {1, 2};
        List<String> names = new ArrayList<>();
        Map<String, Integer> by = new HashMap<>(Map.of("a", 1, "b", 2));
        new Solution().turn(items, names, by);
        if (items[0] != 9 || !names.equals(List.of("x")) || !by.equals(Map.of("b", 2))) throw new AssertionError();
    }
}`;
    const job = { language: "java", program, entryPoint: "turn", test, timeoutMs: 10_000 } as const;
    expect(await sandbox.judge(job)).toMatchObject({ outcome: "passed", calls: 1 });
    const cheat = program.replace("class Solution {", "class Solution {\n    static { System.exit(0); }\n");
    expect(await sandbox.judge({ ...job, program: cheat })).toMatchObject({ passed: false, outcome: "crashed" });
    const unfit = program.replace("int[] items", "java.net.Socket items");
    expect(await sandbox.judge({ ...job, program: unfit })).toMatchObject({ outcome: "failed", loaded: false });
  });

  test("programs are run for what they print: a class with a main, or statements alone", async () => {
    const ran = async (code: string) => await sandbox.run({ language: "java", code, timeoutMs: 10_000 });
    expect(
      await ran(
        "public class A { public static void main(String[] a) { System.out.println(6 * 7); System.exit(3); } }",
      ),
    ).toMatchObject({
      status: "exited",
      exitCode: 3,
      stdout: "42\n",
    });
    expect(await ran("List<Integer> x = List.of(1, 2);\nSystem.out.println(x);")).toMatchObject({
      exitCode: 0,
      stdout: "[1, 2]\n",
    });
    const thrown = await ran("int[] x = {1};\nSystem.out.println(x[1]);");
    expect(thrown).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/ArrayIndexOutOfBounds[\s\S]*Program\.java:2\)\n$/),
    });
    expect(await ran("int x = 1;\nint y = z;")).toMatchObject({ status: "syntax_error", line: 2 });
    expect(await ran("class A { }")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("no class has a method"),
    });
    const read = await ran("System.out.println(System.in.read());");
    expect(read).toMatchObject({ exitCode: 0, stdout: "-1\n" });
  });

  test("the agent is told in Java's words what is wrong, and its answer is verified", async () => {
    const task = tasks[2];
    if (!task) throw new Error("no task");
    const answer = (code: string) => `Thought: I see.\nFinal Answer:\n\`\`\`java\n${code}\n\`\`\``;
    const method =
      'public String unmasked(String text) {\n    return text.chars().mapToObj(c -> String.valueOf((char) (c - 1))).reduce("", String::concat);\n}';
    const rules = [
      { when: "cannot find symbol", reply: answer(method) },
      { when: "exit code 0\n5", reply: answer(correct(task).replace("out.toString", "put.toString")) },
      {
        turn: 1,
        reply: 'Thought: look.\nAction: code_interpreter\nAction Input: {"code": "System.out.println(2 + 3);"}',
      },
    ];
    const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
    const model = { name: "script", chat };
    const trajectory = await repair(toVisible(task), { model, sandbox, maxIterations: 5, timeoutMs: 600_000 });
    expect(trajectory).toMatchObject({ stop: "answered", verified: true, iterations: 3 });
    const shown = trajectory.messages.map(({ content }) => content).join("\n");
    expect(shown).toMatch(/You repair Java functions[\s\S]*```java/);
    expect(shown).toMatch(/does not compile: line \d+: cannot find symbol/);
    expect(await outcome(task, trajectory.answer ?? "")).toMatchObject({ outcome: "passed" });
  });

  test("eval and score: whole runs, also of the search engine", async () => {
    using folder = temporaryFolder();
    const rules = tasks.map((task, i) => ({
      seen: `\`${task.entryPoint}\``,
      reply: `Final Answer:\n\`\`\`java\n${i % 2 ? correct(task) : buggyProgram(task)}\n\`\`\``,
    }));
    writeFileSync(join(folder.path, "rules.json"), JSON.stringify(rules));
    const args = [
      "--dataset",
      FILE,
      "--few-shot-k",
      "1",
      "--max-iterations",
      "2",
      "--protocol",
      "tests",
      "--run",
      "java",
    ];
    const whole = await run("eval/pass1.ts", [...args, "--model", "script:rules.json"], folder.path);
    expect(whole.exitCode, whole.stderr).toBe(0);
    expect(whole.lines.at(-1)).toMatchObject({ errors: 0, complete: true });
    const manifest: unknown = JSON.parse(readFileSync(join(folder.path, "runs/java/manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ decides: { sandbox: { java: LANGUAGES.java.runtime?.version } } });
    const samples = tasks.map((task, i) => ({
      task_id: task.id,
      solution: i % 2 ? correct(task) : buggyProgram(task),
    }));
    writeFileSync(join(folder.path, "samples.jsonl"), samples.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const scored = await run("eval/cli/commands/score.ts", ["samples.jsonl", "--dataset", FILE, "--json"], folder.path);
    expect(scored.exitCode, scored.stderr).toBe(0);
    const searched = await run("eval/pass1.ts", [...args.slice(0, -1), "searched", "--model", "search"], folder.path);
    expect(searched.lines.at(-1), searched.stderr).toMatchObject({ num: tasks.length - 1, errors: 0, complete: true });
  });

  test.skipIf(!existsSync(DEV))("the development half: every canonical program passes, no buggy one", async () => {
    const { tasks: all, leftOut } = await loadDataset(DEV, { log: () => {} });
    expect([all.length, leftOut]).toEqual([82, []]);
    const verdicts = await Promise.all(
      all.flatMap((task) => [outcome(task, correct(task)), outcome(task, buggyProgram(task))]),
    );
    expect(verdicts.filter((_, i) => i % 2 === 0).filter((one) => !("passed" in one && one.passed))).toEqual([]);
    expect(verdicts.filter((_, i) => i % 2 === 1).filter((one) => !("passed" in one) || one.passed)).toEqual([]);
  });
});
