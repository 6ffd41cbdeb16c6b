import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { taskMessage } from "../../../agent/prompts.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import { functionBenchmark } from "../functions.ts";

const { signal } = new AbortController();

const sandbox = await openForTests();

const ROW = {
  task_id: "Mbpp/900001",
  entry_point: "ends",
  prompt: '"""\nWrite a function to give the first and the last item.\nassert ends((1, 2, 3)) == (1, 3)\n"""\n',
  canonical_solution: "\ndef ends(items):\n    return (items[0], items[-1])\n",
  base_input: [[[1, 2, 3]]],
  plus_input: [[[4]], [[[5], 6]]],
  atol: 0,
  assertion: "\nassert ends((1, 2, 3)) == (1, 3)\n",
};

async function benchmarkOf(row: object) {
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.jsonl");
  writeFileSync(file, `${JSON.stringify({ ...ROW, ...row })}\n`);
  const benchmark = functionBenchmark(await loadDataset(file, { log: () => {} }), undefined);
  const [task] = benchmark.tasks;
  if (!task) throw new Error("there is no task");
  const scored = async (answer: string | null) => {
    const found = await task.score(answer, sandbox, signal);
    return "score" in found ? [found.score.passed, found.score.parts] : found.error;
  };
  return { benchmark, task, scored };
}

test("what is shown is the text and its assertion: no code, no solution, no inputs", async () => {
  const { benchmark, task } = await benchmarkOf({});
  if (task.assignment.type !== "solve") throw new Error("a function was expected");
  const { visible } = task.assignment;
  expect(visible).toMatchObject({
    instruction: "Write a function to give the first and the last item.",
    declaration: "",
    buggyCode: "",
    exampleTest: "import math\nassert ends((1, 2, 3)) == (1, 3)\n",
  });
  const { text } = taskMessage(visible);
  expect(text).toMatch(/^Write this function\.[\s\S]*Nothing\.[\s\S]*assert ends/);
  expect(text).not.toContain("items[-1]");
  const checked = await benchmark.check(benchmark.tasks, { sandbox, by: "any model", log: () => {} });
  expect(checked).toMatchObject([{ task: { id: "Mbpp/900001" }, remarks: [] }]);
});

test("the reference passes both parts, nothing passes none, and a program that knows the base inputs passes these", async () => {
  const { task, scored } = await benchmarkOf({});
  expect(await scored(task.reference("gold"))).toEqual([true, { base: true }]);
  expect(await scored(task.reference("empty"))).toEqual([false, { base: false }]);
  expect(await scored("def ends(items):\n    return (1, 3)\n")).toEqual([false, { base: true }]);
});

test("a list stays one, deeper or not, and a number one where others are lists", async () => {
  const { scored } = await benchmarkOf({
    ...{
      canonical_solution: "def ends(items):\n    return repr(items)\n",
      assertion: "assert ends([1, [2, 3], (4, 5)])",
    },
    ...{ base_input: [[[1, [2, 3], [4, 5]]]], plus_input: [[[[[6]], 7, []]]] },
  });
  expect(await scored("def ends(items):\n    return repr(items)\n")).toEqual([true, { base: true }]);
});

test("inputs are of the kinds that the assertions show, as deep as they go", async () => {
  const { scored } = await benchmarkOf({});
  const kinds = "def ends(items):\n    assert type(items) is tuple and type(items[0]) in (int, tuple)\n";
  expect(await scored(`${kinds}    return (items[0], items[-1])\n`)).toEqual([true, { base: true }]);
  expect(await scored("def ends(items):\n    return [items[0], items[-1]]\n")).toEqual([false, { base: false }]);
});

describe("equal is what the row says", () => {
  const say = (assertion: string) => ({ prompt: `"""\nWrite it.\n${assertion}\n"""\n`, assertion });

  test.each<[why: string, row: object, right: string, wrong: string]>([
    [
      "as sets, where its assertion compares sets",
      { ...say("assert set(ends((1, 2, 3))) == set((1, 3))"), plus_input: [] },
      "[3, 1]",
      "[3, 2]",
    ],
    [
      "whether there is a result, where its assertion asks that alone",
      {
        ...say("assert ends((1, 2, 3))"),
        canonical_solution: "import re\ndef ends(items):\n    return re.match('a', 'a')\n",
      },
      "object()",
      "None",
    ],
    [
      "True and False, where it tells by them",
      { ...say("assert ends((1, 2, 3))"), canonical_solution: "def ends(items):\n    return False\n" },
      "False",
      "True",
    ],
    ["floats to 1e-6", { canonical_solution: "def ends(items):\n    return 0.5\n" }, "0.5 + 5e-7", "0.5 + 5e-6"],
    [
      "within its atol, and of the same kind",
      { canonical_solution: "def ends(items):\n    return [0.5, 1]\n", atol: 0.01 },
      "[0.505, 1]",
      "(0.505, 1)",
    ],
  ])("%s", async (_, row, right, wrong) => {
    const { scored } = await benchmarkOf(row);
    expect(await scored(`def ends(items):\n    return ${right}\n`)).toEqual([true, { base: true }]);
    expect(await scored(`def ends(items):\n    return ${wrong}\n`)).toEqual([false, { base: false }]);
  });
});

test("HumanEval+ rows begin with code, and numbers that JSON has not are read", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.jsonl");
  const row = {
    ...{ task_id: "HumanEval/900001", entry_point: "big", prompt: 'def big(x):\n    """Whether x is above 1."""\n' },
    ...{ canonical_solution: "    return x > 1\n", base_input: [[2]], plus_input: [["INF"], [0.5]], atol: 0 },
  };
  writeFileSync(file, `${JSON.stringify(row).replace('"INF"', "Infinity")}\n`);
  const [task] = functionBenchmark(await loadDataset(file, { log: () => {} }), undefined).tasks;
  if (task?.assignment.type !== "solve") throw new Error("a function was expected");
  expect(task.assignment.visible).toMatchObject({ declaration: row.prompt, buggyCode: "" });
  const scored = await task.score(task.reference("gold"), sandbox, signal);
  expect(scored).toMatchObject({ score: { passed: true, parts: { base: true } } });
});

const data = process.env.MEND_SHARED_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const shared = join(data, "mbppplus-dev.jsonl.gz");
test.skipIf(!existsSync(shared))("of MBPP+ the first references pass, and nothing else does", DEEP, async () => {
  const benchmark = functionBenchmark(await loadDataset(shared, { log: () => {} }), undefined);
  expect(benchmark.tasks).toHaveLength(189);
  for (const task of benchmark.tasks.slice(0, 5)) {
    const gold = await task.score(task.reference("gold"), sandbox, signal);
    const empty = await task.score(task.reference("empty"), sandbox, signal);
    expect([task.id, gold, empty]).toMatchObject([
      task.id,
      { score: { passed: true, parts: { base: true } } },
      { score: { passed: false } },
    ]);
  }
});
