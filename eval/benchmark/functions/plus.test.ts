// @module-tag ci

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../dataset.ts";
import { scoreProgram } from "../scorer.ts";

const sandbox = await openForTests();

/** A task and its row of HumanEval+, the inputs as JSON text. */
interface Made {
  name: string;
  declaration?: string;
  right: string;
  buggy?: string;
  inputs: string;
  atol?: number;
  /** Where HumanEval+ is to differ from the task. */
  plus?: { name?: string; body?: string; number?: number };
}

function taskLine(
  { name, declaration = `def ${name}(x):\n`, right, buggy = "    return None\n" }: Made,
  i: number,
): string {
  const test = `def check(${name}):\n    ${name}\n\ncheck(${name})\n`;
  const texts = { instruction: "Do it.", prompt: declaration, bug_type: "missing logic", example_test: test, test };
  return JSON.stringify({
    task_id: `Python/${i}`,
    entry_point: name,
    declaration,
    canonical_solution: right,
    buggy_solution: buggy,
    ...texts,
  });
}

function plusLine(
  { name, declaration = `def ${name}(x):\n`, right, inputs, atol = 0, plus = {} }: Made,
  i: number,
): string {
  const prompt = `${declaration}    """ Do it. """\n`;
  const row = {
    task_id: `HumanEval/${plus.number ?? i}`,
    entry_point: plus.name ?? name,
    prompt,
    canonical_solution: plus.body ?? right,
    atol,
  };
  return `${JSON.stringify(row).slice(0, -1)}, "base_input": [], "plus_input": ${inputs}}`;
}

async function load(made: readonly Made[], lines = made.map(plusLine), args: { zip?: boolean } = {}) {
  using folder = temporaryFolder();
  const dataset = join(folder.path, "tasks.jsonl");
  writeFileSync(dataset, made.map(taskLine).join("\n"));
  const plus = join(folder.path, args.zip ? "plus.jsonl.gz" : "plus.jsonl");
  writeFileSync(plus, args.zip ? gzipSync(lines.join("\n")) : lines.join("\n"));
  const said: string[] = [];
  return { ...(await loadDataset(dataset, { log: (line) => said.push(line), plus })), said };
}

async function outcome(task: Task | undefined, body: string) {
  if (!task) throw new Error("no task");
  const scored = await scoreProgram(task, task.declaration + body, sandbox);
  return "score" in scored ? scored.score.outcome : scored.error;
}

const DOUBLE: Made = { name: "double", right: "    return x * 2\n", inputs: '[[1.0], [2], ["ab"], [[1, 2]]]' };

describe("joined by number", () => {
  test("the new tests score: what the canonical solution returns, types and all, and not what the old ones ask", async () => {
    const { tasks, name, hiddenTestsFrom } = await load([DOUBLE], undefined, { zip: true });
    expect({ name, hiddenTestsFrom }).toEqual({
      name: "tasks.jsonl with plus.jsonl.gz",
      hiddenTestsFrom: "plus.jsonl.gz",
    });
    expect(await outcome(tasks[0], DOUBLE.right)).toBe("passed");
    expect(await outcome(tasks[0], "    return x + x\n")).toBe("passed");
    expect(await outcome(tasks[0], "    return x * 2 if x != [1, 2] else (1, 2, 1, 2)\n")).toBe("failed");
    expect(await outcome(tasks[0], "    return x * 2 if isinstance(x, float) else None\n")).toBe("failed");
    const [task] = tasks;
    expect(task && (await scoreProgram(task, buggyProgram(task), sandbox))).toMatchObject({
      score: { passed: false, explanation: expect.stringContaining("input 1 of 4") },
    });
  });

  test("what cannot be judged is listed with its reason", async () => {
    const made: Made[] = [
      DOUBLE,
      { ...DOUBLE, name: "raises", plus: { body: "    return x / 0\n" } },
      { ...DOUBLE, name: "other", plus: { name: "another" } },
      { ...DOUBLE, name: "absent", plus: { number: 77 } },
      { ...DOUBLE, name: "differs", plus: { body: "    return x * 3\n" } },
      { ...DOUBLE, name: "odd", plus: { body: "    return lambda: x\n" } },
    ];
    const { tasks, leftOut, said } = await load(made);
    expect(tasks.map(({ entryPoint }) => entryPoint)).toEqual(["double"]);
    expect(leftOut.map(({ id, reason }) => [id, reason])).toEqual([
      [
        "Python/1",
        expect.stringMatching(/its canonical solution does not finish: failed: .*ZeroDivisionError|division/),
      ],
      ["Python/2", "HumanEval+ has another under its number"],
      ["Python/3", "HumanEval+ has no task of its number"],
      ["Python/4", expect.stringContaining("its correct program does not pass HumanEval+: failed")],
      ["Python/5", expect.stringContaining("its canonical solution does not finish")],
    ]);
    expect(said.join("\n")).toContain("5 of tasks.jsonl with plus.jsonl left out");
  });

  test(
    "inputs of megabytes are judged within the limits, and the program never sees what is expected",
    DEEP,
    async () => {
      const big = `[[[${Array.from({ length: 200_000 }, (_, i) => `${i}.5`).join(",")}]], [[]]]`;
      const { tasks } = await load([{ name: "total", right: "    return sum(x)\n", inputs: big }]);
      expect(tasks[0]?.hiddenTest.length).toBeGreaterThan(1_000_000);
      expect(await outcome(tasks[0], "    return sum(sorted(x))\n")).toBe("passed");
      const spy =
        "    import gc, sys\n    seen = [o for o in gc.get_objects() if isinstance(o, dict) and 'outputs' in o]\n    return seen[0]['outputs'][0] if seen else open('/proc/self/mem')\n";
      expect(await outcome(tasks[0], spy)).toBe("failed");
    },
  );
});

describe("the comparison", () => {
  const floats: Made = { name: "half", right: "    return [v / 3 for v in x]\n", inputs: "[[[1, 2]], [[3]]]" };
  const near = (by: string) => `    return [v / 3 + ${by} for v in x]\n`;

  test("floats may differ by 1e-6 where atol is 0, by atol where it is given, and by no more", async () => {
    const { tasks } = await load([floats, { ...floats, name: "rough", atol: 0.01 }]);
    expect(await outcome(tasks[0], near("1e-8"))).toBe("passed");
    expect(await outcome(tasks[0], near("1e-4"))).toBe("failed");
    expect(await outcome(tasks[1], near("1e-4"))).toBe("passed");
    expect(await outcome(tasks[1], near("0.1"))).toBe("failed");
    expect(await outcome(tasks[1], "    return []\n")).toBe("failed");
    expect(await outcome(tasks[1], "    return [float('nan') for v in x]\n")).toBe("failed");
  });

  test("integers and text must be equal, NaN is itself", async () => {
    const exact: Made = {
      name: "label",
      right: "    return {1: [x, str(x)], 'n': float('nan')}['n' if x < 0 else 1]\n",
      inputs: "[[5], [-1]]",
    };
    const { tasks } = await load([exact]);
    expect(await outcome(tasks[0], exact.right)).toBe("passed");
    expect(await outcome(tasks[0], "    return float('nan') if x < 0 else [x, str(x + 1)]\n")).toBe("failed");
  });

  test("any root of the polynomial will do", async () => {
    const root: Made = { name: "find_zero", right: "    return 1.0\n", inputs: "[[[-1, 0, 1]]]", atol: 0.0001 };
    const { tasks } = await load([root]);
    expect(await outcome(tasks[0], "    return -1.0\n")).toBe("passed");
    expect(await outcome(tasks[0], "    return 0.5\n")).toBe("failed");
  });
});

test("a broken line is left out by name, and a file without a sound one is the user's mistake", DEEP, async () => {
  const good = plusLine(DOUBLE, 0);
  for (const [line, message] of [
    [good, "HumanEval/0 (line 2): another row has the same id"],
    [good.slice(0, -5), "line 2: it is not valid JSON"],
    [taskLine(DOUBLE, 1), "Python/1: field "],
  ] as const) {
    const { tasks, said } = await load([DOUBLE], [good, line]);
    expect(tasks).toHaveLength(1);
    expect(said.join("\n")).toContain(`1 of plus.jsonl left out:\n  ${message}`);
  }
  await expect(load([DOUBLE], [""])).rejects.toThrow("holds no tasks");
  await expect(load([DOUBLE], [good.slice(0, -5)])).rejects.toThrow("no row that can be read");
});

test("--protocol tests is refused: there is no text to show", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "tasks.jsonl"), taskLine(DOUBLE, 0));
  writeFileSync(join(folder.path, "plus.jsonl"), plusLine(DOUBLE, 0));
  const args = ["--dataset", "tasks.jsonl", "--plus", "plus.jsonl", "--few-shot-k", "0", "--model", "search"];
  const { exitCode, stderr } = await run("eval/pass1.ts", [...args, "--protocol", "tests"], folder.path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("error: --protocol tests shows the scoring tests, and those of plus.jsonl are too large");
});
