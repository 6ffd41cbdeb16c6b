import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { run } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { openRepositoryBenchmark } from "../../benchmark/repositories/benchmark.ts";
import { REPAIRS, writeRepositoryTasks } from "../../testing/repository_tasks.ts";
import { type RunState, readState } from "../log.ts";
import { signRows } from "../testing/sign_tasks.ts";
import { findBox, temporaryFolder } from "../testing/test_run.ts";
import { type ChildTask, scoreLeft } from "./benchmark.ts";
import { repositoryBenchmark } from "./repositories.ts";

const never = new AbortController().signal;

function folder() {
  const made = temporaryFolder();
  onTestFinished(() => made[Symbol.dispose]());
  return made.path;
}

describe("a repository as a work folder", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
    return () => sandbox.close();
  });

  /** The task in Python with the folder that its agent gets. */
  async function opened() {
    const [, rows = "", , repositories = ""] = writeRepositoryTasks(folder());
    const box = await openCommandBox({});
    const benchmark = repositoryBenchmark(
      await openRepositoryBenchmark({ rows, repositories, prepare: false, box, log: () => {} }),
    );
    onTestFinished(() => benchmark[Symbol.dispose]());
    const task = benchmark.tasks.find(({ id }) => id === "repositories/o__r-python-0");
    if (task?.assignment.type !== "work" || !task.assignment.tests) throw new Error("a folder with tests was expected");
    const work = folder();
    const asked = await task.assignment.prepare(work, never);
    const { tests } = task.assignment;
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), text);
    };
    return { task, tests, work, asked, write, scored: () => scoreOf(task, work) };
  }
  const scoreOf = async (task: ChildTask, workspace: string) =>
    scoreLeft(task, { answer: "", workspace }, sandbox, never);
  const right = "def half(x):\n    return x / 2\n\n\ndef twice(x):\n    return x + x\n";

  test(
    "tells the issue and the likely place, and nothing of the fix; its tests run on the folder as it is",
    DEEP,
    async () => {
      const { asked, tests, work, write, scored } = await opened();
      expect(asked).toContain("half gives a third");
      expect(asked).toMatch(/^1\. rates\.py:1-2 half — /m);
      expect(asked).not.toContain("x / 2");
      write("rates.py", right.replace("x + x", "x"));
      expect((await tests.run(work, {}, never)).status).toBe("1 of 1 test fails");
      expect(await tests.verify(work, never)).toMatchObject({ accepted: false });
      write("rates.py", right);
      expect((await tests.run(work, { tests: ["test_twice"] }, never)).status).toBe("1 test passes");
      expect(await tests.verify(work, never)).toMatchObject({ accepted: true });
      expect(await scored()).toEqual({ score: 1, outcome: "passed" });
    },
  );

  test("what is no source is no part of the answer, and no link leads to a file of the host", DEEP, async () => {
    const { task, tests, work, write, scored } = await opened();
    write("tests/test_rates.py", "def test_twice():\n    pass\n");
    write("conftest.py", "def pytest_runtest_call(item):\n    item.obj = lambda: None\n");
    expect(await scored()).toEqual({ score: 0, outcome: "failed" });
    write("rates.py", right);
    expect(await scored(), "the fix counts, the rest does not").toEqual({ score: 1, outcome: "passed" });
    symlinkSync("/etc/passwd", join(work, "notes.py"));
    const { output } = await tests.run(work, {}, never);
    expect(output).not.toContain("root:");
    expect(await scoreOf(task, work)).toEqual({ score: 1, outcome: "passed" });
  });
});

const hasBox = (await findBox()) !== null;

describe.skipIf(!hasBox)("the loop", DEEP, () => {
  const options = (path: string) => {
    const [, rows = "", , repositories = ""] = writeRepositoryTasks(path);
    return ["--repositories", repositories, "--repository-tasks", rows, "--few-shot-k", "0", "--iterations", "0"];
  };
  const scores = (state: RunState) =>
    [...state.measured.values()].map(({ task, score, status }) => [task, score, status]);

  test("measures an agent on repositories that it repairs in the box; a task that cannot be run is left out by name", async () => {
    const path = folder();
    const args = options(path);
    const rows = args[3] ?? "";
    const [python = "{}"] = readFileSync(rows, "utf8").split("\n");
    const FAIL_TO_PASS = JSON.stringify(["tests/test_rates.py::test_twice"]);
    const broken = [
      { ...JSON.parse(python), instance_id: "o__r-broken", FAIL_TO_PASS, PASS_TO_PASS: "[]" },
      { ...JSON.parse(python), instance_id: "o__r-nowhere", base_commit: "1".repeat(40) },
    ];
    writeFileSync(rows, [python, ...broken.map((row) => JSON.stringify(row))].join("\n"));
    writeFileSync(join(path, "script.json"), JSON.stringify(REPAIRS));
    const all = [...args, "--benchmark", "repositories", "--model", "script:script.json", "--run", "r"];
    const done = await run("eval/meta_loop.ts", all, path);
    expect(done, done.stderr).toMatchObject({ exitCode: 0 });
    expect(done.stderr).toContain("o__r-broken is left out: the task cannot be run here: tests do not do");
    expect(done.stderr).toContain("o__r-nowhere is left out: the task cannot be run here: its base");
    expect(scores(readState(join(path, "runs/r")))).toEqual([["repositories/o__r-python-0", 1, "ok"]]);
    expect(done.stderr).toContain("1 task is scored apart, in no gate: an agent's code shares a process");
    const judged = await run("eval/meta_loop.ts", [...all, "--iterations", "1"], path);
    expect([judged.exitCode, judged.stderr]).toEqual([
      2,
      expect.stringContaining("an agent could forge a pass on each of these tasks"),
    ]);
  });

  test.each<[why: string, options: string[], says: string]>([
    ["an engine for functions", ["--model", "search"], "The search engine repairs functions alone"],
    [
      "another word",
      ["--model", "script:s.json", "--benchmark", "all"],
      "--benchmark takes a list of functions, repositories",
    ],
  ])("refuses %s", async (_, more, says) => {
    const path = folder();
    writeFileSync(join(path, "functions.jsonl"), signRows(6));
    writeFileSync(join(path, "s.json"), JSON.stringify([{ reply: "x" }]));
    const { exitCode, stderr } = await run(
      "eval/meta_loop.ts",
      [...options(path), "--dataset", "functions.jsonl", ...more],
      path,
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
