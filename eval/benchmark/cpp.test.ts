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

const FILE = fileURLToPath(new URL("./fixtures/cpp.jsonl", import.meta.url));
const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data");
const DEV = join(SHARED, "humanevalfix-cpp-dev.jsonl");

const missing = LANGUAGES.cpp.unavailable("");
const correct = (task: Task) => task.declaration + task.canonicalCode;

describe.skipIf(missing !== null)(`C++${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const { tasks, remarks } = missing === null ? await loadDataset(FILE, { log: () => {} }) : { tasks: [], remarks: [] };
  const sandbox = await openForTests();

  async function outcome(task: Task, program: string) {
    const scored = await scoreProgram(task, program, sandbox);
    return "score" in scored ? scored.score : scored;
  }

  test("a row that names another function than its tests call gets the one that they call", () => {
    expect(remarks.map(({ id, kind }) => [id, kind])).toEqual([["CPP/3", "entry_point"]]);
    expect(tasks.map(({ entryPoint }) => entryPoint)).toEqual(["wet_days", "stock", "unmasked", "first_gap"]);
  });

  test("the correct programs pass both tests, the buggy ones none", async () => {
    for (const task of tasks) {
      const shown = { ...task, hiddenTest: task.exampleTest };
      expect(await outcome(task, correct(task)), task.id).toMatchObject({ outcome: "passed", explanation: "" });
      expect(await outcome(shown, correct(task)), task.id).toMatchObject({ outcome: "passed" });
      expect(await outcome(shown, buggyProgram(task)), task.id).toMatchObject({ passed: false });
    }
  });

  test("what failed is told: the check, the call, what came back; what was thrown; a signal; a compiler's error with its line", async () => {
    const [task] = tasks;
    if (!task) throw new Error("no task");
    expect(await outcome(task, buggyProgram(task))).toMatchObject({
      explanation: "line 5: wet_days({0.5, 0.5}, 0.5)==0; the last call wet_days({0.5, 0.5}, 0.5) returned 2",
    });
    const throws = correct(task).replace("return count;", 'throw invalid_argument("no readings");');
    expect(await outcome(task, throws)).toMatchObject({
      explanation: "the last call wet_days({}, 0) threw std::invalid_argument: no readings",
    });
    const breaks = correct(task).replace("return count;", "int* none = nullptr; return *none;");
    expect(await outcome(task, breaks)).toMatchObject({
      outcome: "crashed",
      explanation: "the program was killed by SIGSEGV; the last call wet_days({}, 0) did not return",
    });
    const broken = correct(task).replace("return count;", "return counts;");
    expect(await outcome(task, broken)).toMatchObject({
      outcome: "failed",
      explanation: expect.stringMatching(/^the program does not compile: line 10: .counts. was not declared/),
    });
    const wider = correct(task).replace("int wet_days", "long long wet_days");
    expect(await outcome(task, wider)).toMatchObject({ outcome: "passed" });
    const beyond = wider.replace("return count;", "return count + (1LL << 32);");
    expect(await outcome(task, beyond)).toMatchObject({
      explanation: "the last call wet_days({}, 0) returned 4294967296, which is out of the range of its type",
    });
    expect(await outcome(task, "int wetter_days() { return 1; }")).toMatchObject({
      outcome: "failed",
      explanation: expect.stringContaining("wet_days"),
    });
  });

  test("what a program changes in its arguments is changed for the tests; without a declaration its own signature counts", async () => {
    const program = `#include <vector>
using namespace std;
void turn(vector<int>& items, string& name, map<string, int>& by, optional<int> more, std::any other) {
    items[0] = 9;
    name += "x";
    by.erase("a");
    if (more && any_cast<double>(other) == 2.5) items.push_back(*more);
}
`;
    const test = `vector<int> items = {1, 2};
string name = "y";
map<string, int> by = {{"a", 1}, {"b", 2}};
turn(items, name, by, 7, 2.5);
assert((items == vector<int>{9, 2, 7}));
assert(name == "yx" && by.size() == 1 && by["b"] == 2);`;
    const job = { language: "cpp", program, entryPoint: "turn", test, timeoutMs: 10_000 } as const;
    expect(await sandbox.judge(job)).toMatchObject({ outcome: "passed", calls: 1 });
    const cheat = `${program}\nstatic struct Ends { Ends() { _exit(0); } } ends;\n`.replace(
      "#include",
      "#include <unistd.h>\n#include",
    );
    expect(await sandbox.judge({ ...job, program: cheat })).toMatchObject({ passed: false, outcome: "crashed" });
    const unfit = program.replace("vector<int>& items,", "std::ifstream& items,");
    expect(await sandbox.judge({ ...job, program: unfit })).toMatchObject({ passed: false, loaded: false });
  });

  test("programs are run for what they print: a main, or statements alone", async () => {
    const ran = async (code: string) => await sandbox.run({ language: "cpp", code, timeoutMs: 10_000 });
    expect(await ran('#include <cstdio>\nint main() { printf("%d\\n", 6 * 7); return 3; }')).toMatchObject({
      status: "exited",
      exitCode: 3,
      stdout: "42\n",
    });
    const statements = "int twice(int x) { return 2 * x; }\nvector<int> x = {1, 2};\ncout << twice(x[1]) << endl;";
    expect(await ran(statements)).toMatchObject({ exitCode: 0, stdout: "4\n" });
    expect(await ran("cout << f(1);\nint f(int x) { return x; }")).toMatchObject({ exitCode: 0, stdout: "1" });
    const thrown = await ran('throw std::runtime_error("no");');
    expect(thrown).toMatchObject({ status: "killed", stderr: expect.stringContaining("what():  no") });
    expect(await ran("int x = 1;\nint y = z;")).toMatchObject({ status: "syntax_error", line: 2 });
    expect(await ran("int x = 1;\ncin >> x;\ncout << x;")).toMatchObject({ exitCode: 0 });
  });

  test("the agent is told in the compiler's words what is wrong, and its answer is verified", async () => {
    const task = tasks[2];
    if (!task) throw new Error("no task");
    const answer = (code: string) => `Thought: I see.\nFinal Answer:\n\`\`\`cpp\n${code}\n\`\`\``;
    const method = "string unmasked(string text) {\n    for (char& one : text) one--;\n    return text;\n}";
    const rules = [
      { when: "not declared", reply: answer(method) },
      {
        when: "exit code 0\n5",
        reply: answer(correct(task).replace("return out;\n}\n", "return out;\n}\nint g() { return put; }\n")),
      },
      {
        turn: 1,
        reply: 'Thought: look.\nAction: code_interpreter\nAction Input: {"code": "cout << 2 + 3;"}',
      },
    ];
    const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
    const model = { name: "script", chat };
    const trajectory = await repair(toVisible(task), { model, sandbox, maxIterations: 5, timeoutMs: 600_000 });
    expect(trajectory).toMatchObject({ stop: "answered", verified: true, iterations: 3 });
    const shown = trajectory.messages.map(({ content }) => content).join("\n");
    expect(shown).toMatch(/You repair C\+\+ functions[\s\S]*```cpp/);
    expect(shown).toMatch(/does not compile: line \d+: .put. was not declared/);
    expect(await outcome(task, trajectory.answer ?? "")).toMatchObject({ outcome: "passed" });
  });

  test("eval and score: whole runs", async () => {
    using folder = temporaryFolder();
    const rules = tasks.map((task, i) => ({
      seen: `\`${task.entryPoint}\``,
      reply: `Final Answer:\n\`\`\`cpp\n${i % 2 ? correct(task) : buggyProgram(task)}\n\`\`\``,
    }));
    writeFileSync(join(folder.path, "rules.json"), JSON.stringify(rules));
    const limits = ["--few-shot-k", "1", "--max-iterations", "2", "--protocol", "tests"];
    const args = ["--dataset", FILE, ...limits, "--run", "cpp"];
    const whole = await run("eval/pass1.ts", [...args, "--model", "script:rules.json"], folder.path);
    expect(whole.exitCode, whole.stderr).toBe(0);
    expect(whole.lines.at(-1)).toMatchObject({ errors: 0, complete: true });
    const manifest: unknown = JSON.parse(readFileSync(join(folder.path, "runs/cpp/manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ decides: { sandbox: { cpp: LANGUAGES.cpp.runtime?.version } } });
    const samples = tasks.map((task, i) => ({
      task_id: task.id,
      solution: i % 2 ? correct(task) : buggyProgram(task),
    }));
    writeFileSync(join(folder.path, "samples.jsonl"), samples.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const scored = await run("eval/cli/commands/score.ts", ["samples.jsonl", "--dataset", FILE, "--json"], folder.path);
    expect(scored.exitCode, scored.stderr).toBe(0);
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
