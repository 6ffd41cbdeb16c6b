// @module-tag ci

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../../../agent/models/script.ts";
import { prepareExamples } from "../../../agent/prompts.ts";
import { repair } from "../../../agent/repair.ts";
import { openSandbox, probeLayers } from "../../../utils/sandbox/sandbox.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { LAYERS } from "../../../utils/sandbox/types.ts";
import { buggyProgram, type Task, toVisible } from "../../../utils/task/task.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import { scoreProgram } from "../scorer.ts";
import { asTested, checkTasks } from "./check.ts";

const FILE = fileURLToPath(new URL("../fixtures/javascript.jsonl", import.meta.url));
const { tasks, remarks } = await loadDataset(FILE, { log: () => {} });
const sandbox = await openForTests();
const correct = (task: Task) => task.declaration + task.canonicalCode;

async function outcome(task: Task, program: string) {
  const scored = await scoreProgram(task, program, sandbox);
  return "score" in scored ? scored.score : scored;
}

test("the language is the task's, and what cannot run here is listed", () => {
  expect(new Set(tasks.map(({ language }) => language))).toEqual(new Set(["javascript"]));
  const reason = "it needs the module a-package-that-is-not-here, which programs here do not have";
  expect(remarks).toContainEqual({ id: "JavaScript/9", kind: "left_out", reason });
});

test("a row that names another function than its program defines gets the one that its tests call, with a remark", () => {
  expect(tasks.find(({ id }) => id === "JavaScript/8")?.entryPoint).toBe("middleOf");
  expect(remarks.filter(({ kind }) => kind !== "left_out")).toEqual([
    {
      id: "JavaScript/8",
      kind: "entry_point",
      reason: "it names median, its program defines middleOf, which its tests call",
    },
  ]);
});

test("where the tests call several functions of the program, or none, the name stays and the row is left out", async () => {
  const [row] = tasks.filter(({ id }) => id === "JavaScript/8");
  if (!row) throw new Error("no task");
  const renamed = { ...row, entryPoint: "median" };
  const several = { ...renamed, hiddenTest: `console.assert(byValue(2, 1) === 1)\n${row.hiddenTest}` };
  const none = { ...renamed, hiddenTest: "console.assert(1 + 1 === 2)\n" };
  const own = { ...renamed, hiddenTest: row.hiddenTest.replaceAll("middleOf(", "median(") };
  const found = asTested([renamed, several, none, own]);
  expect(found.tasks.map(({ entryPoint }) => entryPoint)).toEqual(["middleOf", "median", "median", "median"]);
  const checked = await checkTasks(found.tasks, { sandbox, visible: null, hiddenTestsHold: false, log: () => {} });
  expect(checked.map(({ task }) => task !== null)).toEqual([true, false, false, false]);
});

test.each(LAYERS)("under %s a program may require js-md5 and nothing else of ours", DEEP, async (layer) => {
  if (!(await probeLayers()).find((probe) => probe.layer === layer)?.works) return;
  await using own = await openSandbox({ layer });
  const task = tasks.find(({ id }) => id === "JavaScript/7");
  if (!task) throw new Error("it is left out");
  expect(await scoreProgram(task, correct(task), own)).toMatchObject({ score: { passed: true } });
  expect(await scoreProgram(task, buggyProgram(task), own)).toMatchObject({ score: { passed: false } });
  const code =
    "console.log(require('js-md5')('Hello world')); try { require('zod') } catch (e) { console.log(e.code) }";
  const { stdout } = await own.run({ language: "javascript", code, timeoutMs: 10_000 });
  expect(stdout).toBe("3e25960a79dbc69b674cd4ec67a72c62\nMODULE_NOT_FOUND\n");
});

test(
  "a stray beginning is taken off a visible test, a test that calls another function is not shown",
  DEEP,
  async () => {
    const [task] = tasks;
    if (!task) throw new Error("no task");
    const stray = { ...task, exampleTest: `  })\n}\n\n${task.exampleTest}` };
    const other = { ...task, exampleTest: task.exampleTest.replaceAll("shiftLetters", "shiftLettersBack") };
    const checked = await checkTasks([stray, other], {
      sandbox,
      visible: toVisible,
      hiddenTestsHold: false,
      log: () => {},
    });
    expect(checked.flatMap(({ remarks }) => remarks.map(({ kind }) => kind))).toEqual([
      "test_repaired",
      "test_not_shown",
    ]);
    expect(checked[0]?.task?.exampleTest).toBe(task.exampleTest);
  },
);

const JUDGED = "%s: the correct program passes both tests, the buggy one none";
const ids = tasks.map((task) => [task.id, task] as const);
test.each(ids.slice(0, 3))(JUDGED, isJudgedRight);
test.each(ids.slice(3))(JUDGED, DEEP, isJudgedRight);

async function isJudgedRight(_: string, task: Task): Promise<void> {
  expect(await outcome(task, correct(task))).toMatchObject({ outcome: "passed", explanation: "" });
  expect(await outcome(task, buggyProgram(task))).toMatchObject({ outcome: "failed" });
  expect(await outcome({ ...task, hiddenTest: task.exampleTest }, correct(task))).toMatchObject({
    outcome: "passed",
  });
  expect(await outcome({ ...task, hiddenTest: task.exampleTest }, buggyProgram(task))).toMatchObject({
    outcome: "failed",
  });
}

test("the explanation of a failure: the line, the call, what came back", async () => {
  const [task] = tasks;
  if (!task) throw new Error("no task");
  expect(await outcome(task, buggyProgram(task))).toMatchObject({
    explanation:
      "line 2: console.assert(shiftLetters('ZZ top') === 'CC top'); the last call shiftLetters('ZZ top') returned ']] top'",
  });
});

describe("the agent", () => {
  const answer = (code: string) => `Thought: I see.\nFinal Answer:\n\`\`\`javascript\n${code}\n\`\`\``;

  test("is shown JavaScript and no word of Python, and its answer is verified by the visible tests", DEEP, async () => {
    const [example, task] = [tasks[0], tasks[1]];
    if (!example || !task) throw new Error("no task");
    const rules = [
      {
        when: "not accepted: it fails the visible tests",
        reply: answer(
          "const dayTotals = (entries) => {\n  const totals = {};\n  for (const [day, amount] of entries) addTo(totals, day, amount);\n  return totals;\n}",
        ),
      },
      { when: "exit code 0\n5", reply: answer(buggyProgram(task)) },
      {
        when: "Assertion failed (line",
        reply: 'Thought: look.\nAction: code_interpreter\nAction Input: {"code": "console.log(2 + 3)"}',
      },
    ];
    const trajectory = await repair(toVisible(task), {
      model: { name: "script", chat: new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules")) },
      sandbox,
      examples: await prepareExamples([{ ...toVisible(example), canonicalCode: example.canonicalCode }], sandbox),
      maxIterations: 5,
      timeoutMs: 60_000,
    });
    expect(trajectory).toMatchObject({ stop: "answered", verified: true, iterations: 3 });
    expect(trajectory.answer).toContain("const addTo = (totals, day, amount)");
    const shown = trajectory.messages.map(({ content }) => content).join("\n");
    expect(shown).toMatch(/You repair JavaScript functions[\s\S]*```javascript/);
    expect(shown).not.toMatch(/python/i);
    expect(await outcome(task, trajectory.answer ?? "")).toMatchObject({ outcome: "passed" });
  });

  test("sees the line of a syntax error, and what a fence must be", async () => {
    const [task] = tasks;
    if (!task) throw new Error("no task");
    const rules = [
      { when: "syntax error, nothing was run\nline 2", reply: "Final Answer:" },
      { when: "in a ```javascript fence", reply: answer(correct(task)) },
      { turn: 1, reply: 'Action: code_interpreter\nAction Input: {"code": "let a = 1;\\nlet b = ;"}' },
    ];
    const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
    const result = await repair(toVisible(task), {
      model: { name: "s", chat },
      sandbox,
      maxIterations: 5,
      timeoutMs: 60_000,
    });
    expect(result).toMatchObject({ stop: "answered", verified: true });
  });
});

test("pass1: a whole run with a scripted model, and search is refused before anything runs", DEEP, async () => {
  using folder = temporaryFolder();
  const rules = tasks.map((task, i) => ({
    seen: `\`${task.entryPoint}\``,
    reply: `Final Answer:\n\`\`\`js\n${i % 2 ? correct(task) : buggyProgram(task)}\n\`\`\``,
  }));
  writeFileSync(join(folder.path, "rules.json"), JSON.stringify(rules));
  const args = ["--dataset", FILE, "--few-shot-k", "0", "--max-iterations", "2", "--run", "js"];
  const { exitCode, lines, stderr } = await run(
    "eval/pass1.ts",
    [...args, "--model", "script:rules.json"],
    folder.path,
  );
  expect(stderr).toContain("JavaScript/9: it needs the module a-package-that-is-not-here");
  expect(stderr).toContain(
    "1 task of javascript.jsonl with a program that defines a function of another name:\n  JavaScript/8: it names",
  );
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ num: 9, successes: 4, errors: 0, complete: true, left_out: 1 });
  const manifest: unknown = JSON.parse(readFileSync(join(folder.path, "runs/js/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({
    decides: { sandbox: { node: process.versions.node }, dataset: { entry_point: ["JavaScript/8"] } },
  });
  const [, , row = ""] = readFileSync(FILE, "utf8").split("\n");
  writeFileSync(join(folder.path, "one.jsonl"), `${row}\n`);
  const searched = ["--dataset", "one.jsonl", "--few-shot-k", "0", "--run", "searched", "--model", "search"];
  const found = await run("eval/pass1.ts", searched, folder.path);
  expect(found.exitCode).toBe(0);
  expect(found.lines.at(-1)).toMatchObject({ num: 1, successes: 1, errors: 0 });
});
