// @module-tag ci

import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { verifyRepair } from "../../../agent/verify.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { buggyProgram, correctProgram, type Task, toVisible } from "../../../utils/task/task.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import { PROTOCOLS } from "../functions/protocol.ts";
import { leftOut } from "../remarks.ts";
import { scoreProgram } from "../scorer.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/quixbugs", import.meta.url));
const said: string[] = [];
const { tasks, remarks, name } = await loadDataset(FOLDER, { log: (line) => said.push(line) });
const sandbox = await openForTests();

/** The two programs that tests below change a file of: the others would be judged anew by each. */
const COPIED = /(?:^|\/)(?:test_)?(?:comes_home|halvings|node|load_testdata)\.(?:py|json)$/;
const copyPrograms = (path: string, copied = COPIED) =>
  cpSync(FOLDER, path, { recursive: true, filter: (from) => statSync(from).isDirectory() || copied.test(from) });

function named(id: string): Task {
  const task = tasks.find((task) => task.id === `QuixBugs/${id}`);
  if (!task) throw new Error(`no task ${id}`);
  return task;
}
async function outcome(task: Task, program: string | null) {
  const scored = await scoreProgram(task, program, sandbox);
  return "score" in scored ? scored.score.outcome : scored.error;
}

test("what cannot be scored is listed with its reason, and told", () => {
  expect(name).toBe("quixbugs");
  expect(tasks.map(({ id }) => id)).toEqual(
    [
      "comes_home",
      "corner_pairs",
      "cube_root",
      "every_other",
      "halvings",
      "shelf_count",
      "stair_ways",
      "stations_between",
    ].map((id) => `QuixBugs/${id}`),
  );
  expect(remarks.slice(0, 2)).toEqual([
    {
      id: "QuixBugs/chain_length",
      kind: "left_out",
      reason: "there is neither json_testcases/chain_length.json nor python_testcases/test_chain_length.py",
    },
    {
      id: "QuixBugs/last_even",
      kind: "left_out",
      reason:
        "its correct program does not pass json_testcases/last_even.json, line 2: failed: the last call last_even([2, 4, 5]) returned 2; AssertionError: expected 4",
    },
  ]);
  expect(said[0]).toContain("2 tasks of quixbugs left out");
  expect(remarks.slice(2).map(({ id, kind }) => [id, kind])).toEqual([
    ["QuixBugs/comes_home", "in_process"],
    ["QuixBugs/stations_between", "test_not_shown"],
    ["QuixBugs/stations_between", "in_process"],
  ]);
});

test("the correct programs pass, the buggy ones fail", async () => {
  for (const task of tasks) {
    expect(await outcome(task, correctProgram(task)), task.id).toBe("passed");
    expect(await outcome(task, buggyProgram(task)), task.id).toBe("failed");
  }
});

describe("what is shown", () => {
  test("is the description, the program without it, and the first case as an assertion", () => {
    const task = named("shelf_count");
    expect(task.instruction).toMatch(/^Shelf Count\n\nBooks stand[\s\S]*>>> shelf_count\(\[3, 4, 2\], 7\)\n {4}2$/);
    expect(buggyProgram(task)).toMatch(
      /^import math\n[\s\S]*\n\n\ndef total\(books\):\n {4}return math.fsum\(books\)\n$/,
    );
    expect(task.exampleTest).toBe(
      "def check(shelf_count):\n    assert shelf_count([3, 4, 2], 7) == 2\n\ncheck(shelf_count)\n",
    );
    expect(PROTOCOLS.docs.visible(task).declaration).toContain('width):\n    """Shelf Count\n');
    expect(buggyProgram(PROTOCOLS.tests.visible(task))).not.toContain("Books stand");
  });

  test("takes the plainest form that holds for the correct program", () => {
    expect(named("every_other").exampleTest).toContain('assert list(every_other("abcde")) == ["a", "c", "e"]');
    expect(named("halvings").exampleTest).toContain("assert halvings(8) == 15");
    expect(named("corner_pairs").exampleTest).toContain("same(found, expected)");
  });

  test("holds the first case and no other", () => {
    expect(named("corner_pairs").exampleTest.match(/^ {8}"/gm)).toHaveLength(1);
    expect(named("corner_pairs").hiddenTest.match(/^ {8}"/gm)).toHaveLength(2);
    expect(named("shelf_count").hiddenTest.match(/^ {8}"/gm)).toHaveLength(5);
    expect(named("comes_home").exampleTest).toMatch(/^class Node:[\s\S]*\ndef check\(\):[\s\S]*\n\ncheck\(\)\n$/);
    expect(named("comes_home").exampleTest).not.toMatch(/pytest|import|comes_home\(node2\)|Case 2/);
  });
});

describe("a test file", () => {
  test("is run: fixtures, parametrize, objects of its classes, in the interpreter of the program where they need it", async () => {
    expect(named("comes_home").judgeMode).toBe("in_process");
    expect(named("stair_ways").judgeMode).toBeUndefined();
    const never =
      "def stations_between(start, goal):\n    return 2 if goal.value == 'F' and start is not goal else None\n";
    expect(await outcome(named("stations_between"), never)).toBe("failed");
    const found = await verifyRepair(toVisible(named("comes_home")), "def comes_home(start):\n    return True\n", {
      sandbox,
    });
    expect(found).toMatchObject({ accepted: false, observation: { status: "it fails the visible tests" } });
  });

  test("says how near a float must be", async () => {
    expect(named("cube_root").judgeMode).toBeUndefined();
    const off = (by: string) => `def cube_root(number, epsilon):\n    return number ** (1 / 3) + ${by}\n`;
    expect(await outcome(named("cube_root"), off("epsilon * 0.9"))).toBe("passed");
    expect(await outcome(named("cube_root"), off("epsilon * 1.1"))).toBe("failed");
    expect(await outcome(named("cube_root"), "def cube_root(number, epsilon):\n    return None\n")).toBe("failed");
  });

  test("skips what takes long, unless it is asked for", DEEP, async () => {
    const wrongOnSlow = `def stair_ways(steps):\n    ways = [1, 1]\n    while len(ways) <= steps:\n        ways.append(ways[-1] + ways[-2])\n    return ways[steps] + (steps > 20)\n`;
    expect(await outcome(named("stair_ways"), wrongOnSlow)).toBe("passed");
    await expect(loadDataset("builtin", { log: () => {}, slow: true })).rejects.toThrow(/--slow is for quixbugs/);
    const slow = await loadDataset(FOLDER, { log: () => {}, slow: true });
    const task = slow.tasks.find(({ entryPoint }) => entryPoint === "stair_ways");
    if (!task) throw new Error("it is left out");
    expect(await outcome(task, wrongOnSlow)).toBe("failed");
    expect(await outcome(task, correctProgram(task))).toBe("passed");
    expect([task.scoreTimeoutMs, named("stair_ways").scoreTimeoutMs]).toEqual([300_000, undefined]);
    const graph = slow.tasks.find(({ entryPoint }) => entryPoint === "stations_between");
    expect(graph && (await outcome(graph, correctProgram(graph)))).toBe("passed");
  });

  test.each(["from .node import Node", "from python_programs.node import Node"])(
    "finds what it imports by %s",
    async (line) => {
      using folder = temporaryFolder();
      copyPrograms(folder.path);
      const file = join(folder.path, "python_testcases/test_comes_home.py");
      writeFileSync(file, readFileSync(file, "utf8").replace("from node import Node", line));
      const { tasks } = await loadDataset(folder.path, { log: () => {} });
      const task = tasks.find(({ entryPoint }) => entryPoint === "comes_home");
      expect(task?.exampleTest).toContain("class Node:");
      expect(task && (await outcome(task, buggyProgram(task)))).toBe("failed");
    },
  );

  test("whose correct program never ends on a slow case is used without that case", async () => {
    using folder = temporaryFolder();
    copyPrograms(folder.path, /stair_ways/);
    writeFileSync(join(folder.path, "json_testcases/stair_ways.json"), "[[4], 5]\n[[400], 1]\n[[6], 13]\n");
    const { tasks } = await loadDataset(folder.path, { log: () => {} });
    expect(tasks.map(({ id }) => id)).toContain("QuixBugs/stair_ways");
  });

  test.each([
    ["needs what is not offered", "def test1(tmp_path):\n    assert comes_home(None)\n"],
    ["skips everything", "import pytest\n\n@pytest.mark.skip\ndef test1():\n    assert comes_home(None)\n"],
    ["has classes", "class TestHome:\n    def test1(self):\n        assert comes_home(None)\n"],
    ["does not compile", "def test1(:\n"],
    ["is empty", ""],
  ])("that %s leaves the program out, and judges no answer", DEEP, async (_, source) => {
    using folder = temporaryFolder();
    copyPrograms(folder.path);
    writeFileSync(join(folder.path, "python_testcases/test_comes_home.py"), source);
    const { tasks } = await loadDataset(folder.path, { log: () => {} });
    expect(tasks.map(({ id }) => id)).not.toContain("QuixBugs/comes_home");
  });
});

test.each([
  ["python_programs/halvings.py", "def halvings(a):\n    return 'caf\xe9'\n"],
  ["correct_python_programs/halvings.py", "# caf\xe9\n"],
  ["json_testcases/halvings.json", '[[4], "caf\xe9"]\n'],
  ["python_testcases/test_halvings.py", "# caf\xe9\n"],
])("%s that is not UTF-8 leaves its program out, and is named", DEEP, async (file, text) => {
  using folder = temporaryFolder();
  copyPrograms(folder.path);
  writeFileSync(join(folder.path, file), text, "latin1");
  const { remarks } = await loadDataset(folder.path, { log: () => {} });
  expect(remarks).toContainEqual(leftOut("QuixBugs/halvings", `${file} is not UTF-8 text`));
});

test.each([
  [
    "json_testcases/halvings.json",
    "[[4], 7]\n\n[[], []]\n",
    "json_testcases/halvings.json, line 3: failed: the last call",
  ],
  ["python_testcases/test_comes_home.py", "assert False\n", "python_testcases/test_comes_home.py: failed"],
])("a test in %s that the correct program fails is named, no line of ours", async (file, text, place) => {
  using folder = temporaryFolder();
  copyPrograms(folder.path);
  writeFileSync(join(folder.path, file), text);
  const { remarks } = await loadDataset(folder.path, { log: () => {} });
  const { reason } = remarks.find(({ id }) => /halvings|comes_home/.test(id)) ?? {};
  expect(reason).toMatch(new RegExp(`^its correct program does not pass ${place}(?! .*line)`));
});

describe("the comparison", () => {
  test("is by value: a list for a generator, a tuple for a list, floats nearly", DEEP, async () => {
    expect(await outcome(named("every_other"), "def every_other(items):\n    return list(items[::2])\n")).toBe(
      "passed",
    );
    expect(await outcome(named("every_other"), "def every_other(items):\n    return filter(None, items[::2])\n")).toBe(
      "passed",
    );
    const impatient = { ...named("every_other"), scoreTimeoutMs: 500 };
    expect(await outcome(impatient, "def every_other(items):\n    while True:\n        yield 1\n")).toMatch(
      /failed|timeout/,
    );
    expect(
      await outcome(named("halvings"), "def halvings(a):\n    return 0 if a < 1 else a + halvings(a / 2) + 1e-9\n"),
    ).toBe("passed");
    expect(
      await outcome(named("halvings"), "def halvings(a):\n    return 0 if a < 1 else a + halvings(a / 2) + 1e-3\n"),
    ).toBe("failed");
    expect(await outcome(named("halvings"), "def halvings(a):\n    return str(a)\n")).toBe("failed");
  });

  test("knows no way to be equal to everything", async () => {
    const hostile =
      "class E(list):\n    __eq__ = lambda *_: True\n    __len__ = lambda *_: 3\ndef shelf_count(b, w):\n    return E()\n";
    expect(await outcome(named("shelf_count"), hostile)).toBe("failed");
  });
});

test("a line that is no case is the user's mistake, with its place", async () => {
  using folder = temporaryFolder();
  copyPrograms(folder.path);
  writeFileSync(join(folder.path, "json_testcases/halvings.json"), "[1, 2]\n[1, 2, 3]\n");
  const loading = loadDataset(folder.path, { log: () => {} });
  await expect(loading).rejects.toThrow(UserError);
  await expect(loading).rejects.toThrow("halvings.json, line 2: a line must be [arguments, expected]");
});

test("pass1 takes the folder", DEEP, async () => {
  using folder = temporaryFolder();
  const args = ["--dataset", FOLDER, "--model", "search", "--few-shot-k", "1", "--search-steps", "40", "--run", "q"];
  const { exitCode, lines, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect(stderr).toContain("QuixBugs/chain_length: there is neither json_testcases/chain_length.json");
  expect(stderr).toContain("2 tasks of quixbugs judged in the same process as the tests");
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ num: 7, errors: 0, complete: true, dataset: "quixbugs", left_out: 2 });
  const read = (file: string) => readFileSync(join(folder.path, "runs/q", file), "utf8");
  const weaker = ["QuixBugs/comes_home", "QuixBugs/stations_between"];
  expect(JSON.parse(read("manifest.json"))).toMatchObject({ decides: { dataset: { in_process: weaker } } });
  const results = read("results.jsonl")
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  const labelled = results.filter(({ judge }) => judge === "in_process").map(({ task_id }) => task_id);
  expect([...labelled].sort()).toEqual(weaker.filter((id) => results.some(({ task_id }) => task_id === id)));
});
