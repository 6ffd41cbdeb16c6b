// @module-tag ci

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifyRepair } from "../../../agent/verify.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { correctProgram, type Task, toVisible } from "../../../utils/task/task.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP, isSlow } from "../../../utils/testing/repeats.ts";
import { sharedData } from "../../../utils/testing/shared_data.ts";
import type { Worker } from "../benchmark.ts";
import { loadDataset } from "../find.ts";
import { datasetOf, functionBenchmark } from "../functions.ts";
import { scoreProgram } from "../scorer.ts";
import { empty, endless, FATAL, indented, printing } from "../testing/damage.ts";
import { checkTasks, progressOf, type TaskCheck } from "./check.ts";

const quiet = { log: () => {} };
const builtin = (await loadDataset("builtin", quiet)).tasks;
const shared = sharedData("humanevalfix-dev.jsonl");
const dev = shared ? (await loadDataset(shared, quiet)).tasks : [];
const sandbox = await openForTests();

const check = (tasks: readonly Task[], judges: Sandbox = sandbox) =>
  checkTasks(tasks, { sandbox: judges, visible: toVisible, hiddenTestsHold: false, log: () => {} });
/** The same with less time, for what never ends. */
const impatient: Sandbox = {
  info: sandbox.info,
  run: (job) => sandbox.run(job),
  judge: (job) => sandbox.judge({ ...job, timeoutMs: 500 }),
  judgeVisible: (job) => sandbox.judgeVisible(job),
  close: () => sandbox.close(),
  [Symbol.asyncDispose]: () => sandbox.close(),
};

const kinds = (checked: readonly TaskCheck[]) =>
  checked.map(({ task, remarks }) => [task !== null, remarks[0]?.kind ?? null]);

/** A verdict for the correct and for a wrong program, from what is shown and from what scores: never an error. */
async function expectVerdicts(checked: readonly TaskCheck[]): Promise<void> {
  for (const { task } of checked) {
    if (!task) continue;
    const correct = correctProgram(task) ?? "";
    const verified = await verifyRepair(toVisible(task), correct, { sandbox });
    expect([task.id, verified.accepted]).toEqual([task.id, true]);
    expect(await scoreProgram(task, correct, sandbox)).toMatchObject({ score: { passed: true } });
    const wrong = `def ${task.entryPoint}(*_):\n    raise NotImplementedError\n`;
    expect(await scoreProgram(task, wrong, sandbox)).toMatchObject({ score: { passed: false } });
  }
}

test("where programs are compiled first, the progress says so", () => {
  const [task] = builtin;
  if (!task) throw new Error("no task");
  expect(progressOf(3, builtin)).toBe(`dataset: checking the tests, 3 of ${builtin.length} tasks done`);
  expect(progressOf(0, [{ ...task, language: "cpp" }])).toMatch(/0 of 1 task done; .* compiled first$/);
});

test("a wrong reference solution is a fail with --gold, and left out before a model is asked", async () => {
  const [task] = builtin;
  if (!task) throw new Error("no task");
  const contents = { tasks: [{ ...task, canonicalCode: task.buggyCode }], remarks: [] };
  using benchmark = functionBenchmark(datasetOf("own", contents, quiet.log), undefined);
  const checkedFor = async (by: Worker) => (await benchmark.check(benchmark.tasks, { sandbox, by, ...quiet }))[0]?.task;
  const checked = await checkedFor("gold");
  const score = checked?.score(checked.reference("gold"), sandbox, new AbortController().signal);
  expect(await score).toMatchObject({ score: { passed: false } });
  expect(await checkedFor("any model")).toBeNull();
});

const sets = [
  ["every third of the built-in set", builtin.filter((_, i) => i % 3 === 0), {}],
  ["the built-in set", builtin, DEEP],
  ["the development half of HumanEvalFix", dev, DEEP],
] as const;

function checkSet(tasks: readonly Task[]): void {
  test("is sound as it stands: nothing is changed", async () => {
    const checked = await check(tasks);
    expect(checked).toEqual(tasks.map((task) => ({ task, remarks: [] })));
  });

  // A few of the real ones, as each damage is judged several times.
  const withTest = tasks.filter(
    ({ exampleTest }, i) => exampleTest.trim() !== "" && (tasks !== dev || i % (isSlow ? 5 : 10) === 0),
  );

  // Each damage to an eighth of them, in `npm run test:slow` to a third.
  const apart = isSlow ? 3 : 8;
  test.each(Object.entries(FATAL).map(([name, damage], i) => [name, damage, i] as const))(
    "a visible test with %s is not shown, a hidden one scores nothing",
    async (_, damage, nth) => {
      const some = withTest.filter((_, i) => i % apart === nth % apart);
      const visible = await check(some.map((task) => ({ ...task, exampleTest: damage(task.exampleTest, task) })));
      expect(kinds(visible)).toEqual(some.map(() => [true, "test_not_shown"]));
      expect(visible.map(({ task }) => task?.exampleTest)).toEqual(some.map(() => ""));
      await expectVerdicts(visible.slice(0, 2));
      const hidden = await check(some.map((task) => ({ ...task, hiddenTest: damage(task.hiddenTest, task) })));
      expect(kinds(hidden)).toEqual(some.map(() => [false, "left_out"]));
      for (const { remarks } of [...visible, ...hidden])
        expect(remarks[0]?.reason).toMatch(/^its correct program does not pass the (?:visible|hidden) test: /);
    },
  );

  test("a stray beginning is taken off a visible test, and a hidden test with one scores nothing", async () => {
    const checked = await check(withTest.map((task) => ({ ...task, exampleTest: indented(task.exampleTest, task) })));
    expect(kinds(checked)).toEqual(withTest.map(() => [true, "test_repaired"]));
    expect(checked.map(({ task }) => task?.exampleTest.trim())).toEqual(
      withTest.map(({ exampleTest }) => exampleTest.trim()),
    );
    await expectVerdicts(checked.slice(0, 4));
    const hidden = await check(withTest.map((task) => ({ ...task, hiddenTest: indented(task.hiddenTest, task) })));
    expect(kinds(hidden)).toEqual(withTest.map(() => [false, "left_out"]));
  });

  test("an empty visible test is none; an empty hidden test scores nothing", async () => {
    const visible = withTest.map((task) => ({ ...task, exampleTest: empty(task.exampleTest, task) }));
    expect(await check(visible)).toEqual(visible.map((task) => ({ task, remarks: [] })));
    const hidden = await check(withTest.map((task) => ({ ...task, hiddenTest: empty(task.hiddenTest, task) })));
    expect(hidden.map(({ remarks }) => remarks[0]?.reason)).toEqual(withTest.map(() => "its hidden test is empty"));
  });

  test("a test that prints a lot ends in a verdict, one without an end is not used", DEEP, async () => {
    const few = withTest.slice(0, 1);
    const loud = few.map((task) => ({
      ...task,
      exampleTest: printing(task.exampleTest, task),
      hiddenTest: printing(task.hiddenTest, task),
    }));
    await expectVerdicts(await check(loud));
    if (tasks === dev) return;
    const [first] = withTest;
    if (!first) throw new Error("no task with a test");
    const [visible, hidden] = await check(
      [
        { ...first, exampleTest: endless(first.exampleTest, first) },
        { ...first, hiddenTest: endless(first.hiddenTest, first) },
      ],
      impatient,
    );
    expect([visible?.remarks[0]?.kind, hidden?.remarks[0]?.kind]).toEqual(["test_not_shown", "left_out"]);
  });
}

for (const [name, tasks, cost] of sets) describe.skipIf(tasks.length === 0)(name, cost, () => checkSet(tasks));

test("without a correct program, what can be checked is: a test that cannot be run, or that calls nothing", async () => {
  const [task] = builtin;
  if (!task) throw new Error("no task");
  const bare = { ...task, canonicalCode: "" };
  const plant = (damage: string) => ({
    visible: { ...bare, exampleTest: FATAL[damage]?.(task.exampleTest, task) ?? "" },
    hidden: { ...bare, hiddenTest: FATAL[damage]?.(task.hiddenTest, task) ?? "" },
  });
  const damaged = ["truncated", "syntax of another Python", "no call", "an undefined helper"].map(plant);
  expect(kinds(await check([bare]))).toEqual([[true, null]]);
  expect(kinds(await check(damaged.map(({ visible }) => visible)))).toEqual(
    damaged.map(() => [true, "test_not_shown"]),
  );
  expect(kinds(await check(damaged.map(({ hidden }) => hidden)))).toEqual(damaged.map(() => [false, "left_out"]));
});

test(
  "a task that is solved unrepaired gets a remark, and stays; one whose buggy program never ends gets none",
  DEEP,
  async () => {
    const [task] = builtin;
    if (!task) throw new Error("no task");
    const buggy = (buggyCode: string): Task => ({ ...task, buggyCode });
    const lax = { ...task, hiddenTest: `try:\n    ${task.entryPoint}()\nexcept Exception:\n    pass\n` };
    expect(kinds(await check([buggy(task.canonicalCode), buggy("    while True:\n        pass\n"), lax]))).toEqual([
      [true, "already_passes"],
      [true, null],
      [true, "already_passes"],
    ]);
  },
);

test("under another protocol the declaration that is shown is checked, too", async () => {
  const [task] = builtin;
  if (!task) throw new Error("no task");
  const broken = { ...task, documentedDeclaration: `${task.declaration}    """ never closed\n` };
  const docs = (of: Task) => ({ ...toVisible(of), declaration: of.documentedDeclaration, exampleTest: "" });
  const options = { sandbox, visible: docs, hiddenTestsHold: false, log: () => {} };
  expect(kinds(await checkTasks([task, broken], options))).toEqual([
    [true, null],
    [false, "left_out"],
  ]);
});

describe("pass1", DEEP, () => {
  const rows = readFileSync(new URL("../builtin/builtin.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(0, 6);
  /** Examples come from the front: row 0 cannot be one, row 2 is left out, row 3 is repaired. */
  function writeDamaged(folder: string): void {
    const damaged = rows.map((text, i) => {
      const row: Record<string, string> = JSON.parse(text);
      if (i === 0) row.example_test = "def check(f):\n    assert helper(f)\ncheck(f)\n";
      if (i === 2) row.test = `    pass\n${row.test}`;
      if (i === 3) row.example_test = `    pass\n\n${row.example_test}`;
      return JSON.stringify(row);
    });
    writeFileSync(join(folder, "damaged.jsonl"), damaged.join("\n"));
  }
  const args = ["--dataset", "damaged.jsonl", "--model", "search", "--few-shot-k", "1", "--search-steps", "400"];

  test("completes, says what it found, resumes as itself", async () => {
    using folder = temporaryFolder();
    writeDamaged(folder.path);
    const whole = [...args, "--num", "3", "--run", "r"];
    const first = await run("eval/pass1.ts", whole, folder.path);
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain(
      "dataset: 1 task of damaged.jsonl left out:\n  Builtin/2: its correct program does not pass",
    );
    expect(first.stderr).toContain("1 task of damaged.jsonl shown without a visible test:\n  Builtin/0: ");
    expect(first.stderr).toContain(
      "with a visible test that mend repaired:\n  Builtin/3: its first 2 lines are dropped",
    );
    expect(first.lines.map((line) => Object(line).task_id ?? null)).toEqual([
      "Builtin/0",
      "Builtin/3",
      "Builtin/4",
      null,
    ]);
    expect(first.lines.at(-1)).toMatchObject({ num: 3, errors: 0, complete: true, left_out: 1 });
    const manifest = join(folder.path, "runs/r/manifest.json");
    const before: unknown = JSON.parse(readFileSync(manifest, "utf8"));
    expect(before).toMatchObject({
      decides: {
        dataset: { left_out: ["Builtin/2"], test_not_shown: ["Builtin/0"], test_repaired: ["Builtin/3"] },
        few_shot: { task_ids: ["Builtin/1"] },
      },
      remarks: expect.arrayContaining([{ id: "Builtin/2", kind: "left_out", reason: expect.any(String) }]),
    });
    const again = await run("eval/pass1.ts", whole, folder.path);
    expect(again.exitCode).toBe(0);
    expect(again.lines.slice(0, -1)).toEqual(first.lines.slice(0, -1));
    const trajectory = readFileSync(join(folder.path, "runs/r/trajectories/Builtin_0.0.json"), { encoding: "utf8" });
    expect(trajectory).not.toContain("helper(f)");
  });

  test("by index: the position stays that of the dataset, and nothing but what is asked for is checked", async () => {
    using folder = temporaryFolder();
    writeDamaged(folder.path);
    const some = await run("eval/pass1.ts", [...args, "--indices", "2,3", "--run", "r"], folder.path);
    expect(some.lines[0]).toMatchObject({ index: 3, task_id: "Builtin/3" });
    expect(some.lines.at(-1)).toMatchObject({ num: 1, complete: true, left_out: 1 });
    const none = await run("eval/pass1.ts", [...args, "--indices", "2", "--run", "s"], folder.path);
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("No task can be scored");
    expect(existsSync(join(folder.path, "runs/s"))).toBe(false);
    const demo = await run("examples/demo_minimal.ts", ["--index", "3", ...args.slice(0, 4)], folder.path);
    expect(demo.stderr).toContain("Builtin/3: its first 2 lines are dropped");
    expect(demo.exitCode).toBe(0);
  });

  test("score leaves the generations of such a task out", async () => {
    using folder = temporaryFolder();
    writeDamaged(folder.path);
    const samples = builtin
      .slice(1, 4)
      .map((task) => JSON.stringify({ task_id: task.id, solution: correctProgram(task) }));
    writeFileSync(join(folder.path, "samples.jsonl"), samples.join("\n"));
    const { exitCode, lines, stderr } = await run(
      "mend score",
      ["samples.jsonl", "--dataset", "damaged.jsonl", "--indices", "1,2,3"],
      folder.path,
    );
    expect(exitCode).toBe(0);
    expect(lines.at(-1)).toMatchObject({ num: 2, successes: 2, errors: 0, left_out: 1 });
    expect(stderr).toContain("Builtin/2: its correct program does not pass");
  });
});
