import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { UserError } from "../../utils/errors.ts";
import { openForTests } from "../../utils/sandbox/testing.ts";
import { buggyProgram, type Task } from "../../utils/task.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "../dataset.ts";
import { PROTOCOLS } from "../protocol.ts";
import { scoreProgram } from "../scorer.ts";

const FOLDER = fileURLToPath(new URL("./fixtures/quixbugs", import.meta.url));
const said: string[] = [];
const { tasks, leftOut, name } = await loadDataset(FOLDER, { log: (line) => said.push(line) });
const sandbox = await openForTests();

function named(id: string): Task {
  const task = tasks.find((task) => task.id === `QuixBugs/${id}`);
  if (!task) throw new Error(`no task ${id}`);
  return task;
}
const correct = (task: Task) => task.declaration + task.canonicalCode + task.epilogue;
async function outcome(task: Task, program: string) {
  const scored = await scoreProgram(task, program, sandbox);
  return "score" in scored ? scored.score.outcome : scored.error;
}

test("what cannot be scored is listed with its reason, and told", () => {
  expect(name).toBe("quixbugs");
  expect(tasks.map(({ id }) => id)).toEqual(
    ["corner_pairs", "every_other", "halvings", "shelf_count"].map((id) => `QuixBugs/${id}`),
  );
  expect(leftOut).toEqual([
    { id: "QuixBugs/chain_length", reason: "there is no json_testcases/chain_length.json" },
    { id: "QuixBugs/last_even", reason: expect.stringContaining("its correct program does not pass: failed: line") },
  ]);
  expect(said[0]).toContain("2 of quixbugs left out");
});

test("the correct programs pass, the buggy ones fail", async () => {
  for (const task of tasks) {
    expect(await outcome(task, correct(task)), task.id).toBe("passed");
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

  test("holds no hidden case", () => {
    for (const task of tasks) {
      for (const hidden of task.hiddenTest.match(/^ {8}"(.*)",$/gm) ?? [])
        expect(task.exampleTest).not.toContain(hidden);
    }
    expect(named("shelf_count").hiddenTest.match(/^ {8}"/gm)).toHaveLength(4);
  });
});

describe("the comparison", () => {
  test("is by value: a list for a generator, a tuple for a list, floats nearly", async () => {
    expect(await outcome(named("every_other"), "def every_other(items):\n    return list(items[::2])\n")).toBe(
      "passed",
    );
    expect(await outcome(named("every_other"), "def every_other(items):\n    return filter(None, items[::2])\n")).toBe(
      "passed",
    );
    expect(await outcome(named("every_other"), "def every_other(items):\n    while True:\n        yield 1\n")).toMatch(
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
  cpSync(FOLDER, folder.path, { recursive: true });
  writeFileSync(join(folder.path, "json_testcases/halvings.json"), "[1, 2]\n[1, 2, 3]\n");
  const loading = loadDataset(folder.path, { log: () => {} });
  await expect(loading).rejects.toThrow(UserError);
  await expect(loading).rejects.toThrow("halvings.json, line 2: a line must be [arguments, expected]");
});

test("pass1 takes the folder", async () => {
  using folder = temporaryFolder();
  const args = ["--dataset", FOLDER, "--model", "search", "--few-shot-k", "1", "--run", "q"];
  const { exitCode, lines, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect(stderr).toContain("QuixBugs/chain_length: there is no json_testcases/chain_length.json");
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ num: 3, errors: 0, complete: true, dataset: "quixbugs" });
});
