/** What a command does when its output is not read, when the disk is full and when it may not write. */
// @module-tag deep

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FakeReply, type FakeRequest, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { programWords, run, temporaryFolder } from "../../utils/testing/command.ts";
import { mountSmallDisk } from "../../utils/testing/small_disk.ts";
import { builtinTasks, right, taskOf } from "../testing/fake_repairer.ts";

const PASS1 = "eval/pass1.ts";
const STACK = /^\s+at /m;
const TASKS = 4;
const ARGS = [
  ...["--model", "openai:scripted", "--dataset", "builtin", "--few-shot-from", "builtin", "--num", String(TASKS)],
  ...["--concurrency", "1", "--sandbox", "plain", "--run", "r"],
];

const startModel = (reply: (request: FakeRequest, turn: number) => FakeReply = (request) => right(taskOf(request))) =>
  startFakeOpenAI({ reply });

const results = (folder: string): unknown[] =>
  readFileSync(join(folder, "runs/r/results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Runs a pipeline of bash in which `mend` is the command. @returns what it wrote to stderr, and the command's exit code */
async function pipeline(text: string, file: string, args: string[], cwd: string, env: Record<string, string>) {
  const shell = spawn(
    "bash",
    [
      "-c",
      `mend() { "$@"; echo $? > code; }; ${text.replace("mend", 'mend "$@"')}`,
      "-",
      ...programWords(file),
      ...args,
    ],
    {
      cwd,
      env: { ...process.env, HF_HUB_OFFLINE: "1", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let stderr = "";
  shell.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr += part;
  });
  await once(shell, "close");
  return { stderr, exitCode: Number(readFileSync(join(cwd, "code"), "utf8")) };
}

test.each([
  ["stdout", "mend | head -1", true],
  ["stderr", "mend 2>&1 >/dev/null | head -c 1", false],
  ["both", "mend 2>&1 | head -1", false],
])("a run whose %s is no longer read goes on to its end and keeps its results", async (_what, text, told) => {
  using folder = temporaryFolder();
  await using server = await startModel();
  const env = { OPENAI_BASE_URL: server.url };
  const { stderr, exitCode } = await pipeline(text, PASS1, ARGS, folder.path, env);
  expect(results(folder.path)).toHaveLength(TASKS);
  expect(exitCode).toBe(0);
  expect(stderr).not.toMatch(STACK);
  expect(stderr.split("stdout was closed")).toHaveLength(told ? 2 : 1);
});

test("a command that only prints ends quietly with its reader", async () => {
  using folder = temporaryFolder();
  const { stderr, exitCode } = await pipeline("mend | head -c 1", "mend compare", ["--help"], folder.path, {});
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("a run whose stdout cannot be written keeps its results and exits with 1", async () => {
  using folder = temporaryFolder();
  await using server = await startModel();
  const env = { OPENAI_BASE_URL: server.url };
  const { stderr, exitCode } = await pipeline("mend > /dev/full", PASS1, ARGS, folder.path, env);
  expect(results(folder.path)).toHaveLength(TASKS);
  expect(exitCode).toBe(1);
  expect(stderr).not.toMatch(STACK);
  expect(stderr.split("error: stdout cannot be written: the disk is full.")).toHaveLength(2);
});

test("a disk that fills up stops the run with one sentence; with space it goes on from there", async () => {
  using disk = mountSmallDisk(1024);
  if (!disk) return;
  await using server = await startModel((request, turn) => {
    if (turn === 3) disk.fill();
    return right(taskOf(request));
  });
  const env = { OPENAI_BASE_URL: server.url };
  const stopped = await run(PASS1, ARGS, disk.path, env);
  expect(stopped.exitCode).toBe(2);
  expect(stopped.stderr).not.toMatch(STACK);
  expect(stopped.stderr).toMatch(
    /error: \S+ cannot be written: the disk is full\. The results so far are kept; --run r goes on from there\.\n$/,
  );
  expect(results(disk.path)).toHaveLength(3);
  const full = await run(PASS1, ARGS, disk.path, env);
  expect(full.exitCode).toBe(2);
  expect(full.stderr).not.toMatch(STACK);
  disk.empty();
  const asked = server.requests.length;
  const resumed = await run(PASS1, ARGS, disk.path, env);
  expect(resumed.exitCode).toBe(0);
  expect(resumed.lines.at(-1)).toMatchObject({ num: TASKS, successes: TASKS, complete: true });
  expect(server.requests.length - asked).toBe(TASKS - 3);
});

test("a runs folder that may not be written is reported in one sentence", async () => {
  using disk = mountSmallDisk(1024);
  if (!disk) return;
  await using server = await startModel();
  const env = { OPENAI_BASE_URL: server.url };
  disk.makeReadOnly(true);
  for (const [file, args] of [
    [PASS1, ARGS],
    [
      "eval/meta_loop.ts",
      ["--iterations", "1", "--model", "openai:a", "--price", "0,0", "--dataset", "builtin", "--unsafe"],
    ],
  ] as const) {
    const { exitCode, stderr } = await run(file, [...args], disk.path, env);
    expect(stderr).toMatch(/error: \S+ cannot be written: its file system is read-only\.\n$/);
    expect(stderr).not.toMatch(STACK);
    expect(exitCode).toBe(2);
  }
  expect(server.requests).toEqual([]);
});

test("a self-edit loop whose disk is full says so in one sentence", async () => {
  using disk = mountSmallDisk(128);
  if (!disk) return;
  disk.fill(40_000);
  const args = ["--iterations", "1", "--model", "search", "--dataset", "builtin", "--unsafe", "--run", "m"];
  const { exitCode, stderr } = await run("eval/meta_loop.ts", args, disk.path);
  expect(stderr).toMatch(/error: .+ cannot be written.*\n$/);
  expect(stderr).not.toMatch(STACK);
  expect(exitCode).toBe(2);
});

test("verdicts that cannot be written are reported in one sentence", async () => {
  using folder = temporaryFolder();
  const samples = join(folder.path, "samples.jsonl");
  const [task] = builtinTasks;
  writeFileSync(samples, `${JSON.stringify({ task_id: task?.id, completion: task?.canonicalCode })}\n`);
  const args = [samples, "--dataset", "builtin", "--out", "/dev/full", "--sandbox", "plain"];
  const { exitCode, stderr } = await run("mend score", args, folder.path);
  expect(stderr).toMatch(/error: \/dev\/full cannot be written: the disk is full\.\n$/);
  expect(stderr).not.toMatch(STACK);
  expect(exitCode).toBe(2);
});
