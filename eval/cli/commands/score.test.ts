// @module-tag ci

import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { FINISHING } from "../../../utils/program/cli.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter, repeats } from "../../../utils/testing/repeats.ts";
import { sharedData } from "../../../utils/testing/shared_data.ts";
import { loadDataset } from "../../benchmark/find.ts";

const SCORE = "mend score";
const { tasks } = await loadDataset("builtin", { log: () => {} });
const [first, second] = tasks;
if (!first || !second) throw new Error("the built-in set has too few tasks");
const right = (task: typeof first) => ({ task_id: task.id, solution: task.declaration + task.canonicalCode });
const wrong = (task: typeof first) => ({ task_id: task.id, solution: task.declaration + task.buggyCode });
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const verdicts = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Scores samples of the built-in tasks. */
const score = (samples: string, ...args: string[]) =>
  run(SCORE, ["s.jsonl", "--dataset", "builtin", ...args], temporaryFolder({ "s.jsonl": samples }).path);

test("pass@k over tasks, and every verdict in the order of the samples", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "samples.jsonl");
  const body = { task_id: second.id, completion: second.canonicalCode };
  writeFileSync(file, lines([right(first), wrong(first), body, wrong(second), wrong(second), wrong(first)]));
  const { exitCode, lines: out } = await run(SCORE, [file, "--dataset", "builtin", "--k", "1,2"], folder.path);
  expect(exitCode).toBe(1);
  // One of three passes in each task: pass@1 = 1/3, pass@2 = 1 - C(2,2)/C(3,2) = 2/3.
  expect(out).toEqual([
    {
      metric: "pass@k",
      num: 2,
      samples: 6,
      successes: 2,
      "pass@1": expect.closeTo(1 / 3, 12),
      interval: [expect.closeTo(0.045, 2), expect.closeTo(0.84, 2)],
      "pass@2": expect.closeTo(2 / 3, 12),
      errors: 0,
      in_process: 0,
      complete: false,
      left_out: 0,
      already_passes: 0,
      without_samples: tasks.length - 2,
      format: "one sample a row",
      ...{ unreadable: 0, other_tasks: 0, not_loaded: 0, empty: 0, extracted: 0, joined: 0, unchecked: 0 },
      notes: [expect.stringContaining("28 of 30 tasks of builtin have no sample")],
    },
  ]);
  expect(verdicts(`${file}.results.jsonl`)).toMatchObject([
    { task_id: first.id, attempt: 0, passed: true, outcome: "passed" },
    { task_id: first.id, attempt: 1, passed: false, outcome: "failed", explanation: expect.stringContaining("assert") },
    { task_id: second.id, attempt: 0, passed: true },
    { task_id: second.id, attempt: 1, passed: false },
    { task_id: second.id, attempt: 2, passed: false },
    { task_id: first.id, attempt: 2, passed: false },
  ]);
});

test("packed samples, and a place of one's own for the verdicts", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "s.jsonl.gz"), gzipSync(lines([right(first)])));
  const args = ["s.jsonl.gz", "--dataset", "builtin", "--out", "v.jsonl"];
  const { exitCode, lines: out } = await run(SCORE, args, folder.path);
  expect(exitCode).toBe(1);
  expect(out).toMatchObject([{ num: 1, samples: 1, successes: 1, "pass@1": 1, interval: [expect.any(Number), 1] }]);
  expect(verdicts(join(folder.path, "v.jsonl"))).toHaveLength(1);
});

test("tasks without a sample are named, and the score is incomplete", async () => {
  const { exitCode, stdout, stderr } = await score(lines(tasks.slice(1).map(right)), "--json");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`note: 1 of ${tasks.length} tasks of builtin have no sample in s.jsonl`);
  expect(stderr).toContain(`do not count (--num and --indices choose tasks): ${first.id}\n`);
  expect(stderr).toMatch(
    /^INCOMPLETE \(1 of 30 tasks have no sample\): pass@1 100% \(95% interval \d+–100\) · 29 of 29 samples passed/m,
  );
  expect(JSON.parse(stdout)).toMatchObject({ num: tasks.length - 1, without_samples: 1, complete: false });
});

test("the headline counts tasks that are left out, and samples of unknown tasks, which make it incomplete", async () => {
  using folder = temporaryFolder();
  const rows = readFileSync("eval/benchmark/builtin/builtin.jsonl", "utf8").split("\n").slice(0, 3);
  const [broken = "", whole = "", sound = ""] = rows;
  const unsound = JSON.stringify({ ...JSON.parse(broken), canonical_solution: "    return None\n" });
  const { canonical_solution, ...unbroken } = JSON.parse(whole);
  const passing = JSON.stringify({ ...unbroken, canonical_solution, buggy_solution: canonical_solution });
  writeFileSync(join(folder.path, "own.jsonl"), [unsound, passing, sound].map((row) => `${row}\n`).join(""));
  const samples = [...tasks.slice(0, 3).map(right), { ...right(first), task_id: "Bultin/0" }];
  writeFileSync(join(folder.path, "s.jsonl"), lines(samples));
  const { exitCode, stderr, lines: out } = await run(SCORE, ["s.jsonl", "--dataset", "own.jsonl"], folder.path);
  expect(stderr).toMatch(
    /^INCOMPLETE \(1 of 4 samples named no task of the dataset\): .* · 2 tasks of own\.jsonl \(1 left out, 1 passes unrepaired\) →/m,
  );
  expect(out).toMatchObject([{ num: 2, left_out: 1, already_passes: 1, other_tasks: 1, complete: false }]);
  expect(exitCode).toBe(1);
});

test("--indices and --num score the samples of these tasks alone", async () => {
  const samples = lines([right(first), wrong(second)]);
  const [chosen, two, none] = await Promise.all([
    score(samples, "--indices", "1"),
    score(samples, "--num", "2"),
    score(samples, "--indices", "7"),
  ]);
  expect([chosen.exitCode, chosen.lines]).toMatchObject([0, [{ num: 1, successes: 0, without_samples: 0 }]]);
  expect([two.exitCode, two.lines]).toMatchObject([0, [{ num: 2, successes: 1, without_samples: 0 }]]);
  expect([none.exitCode, none.stderr]).toEqual([2, "error: s.jsonl has no sample of the tasks that you chose.\n"]);
});

test("samples whose id is a number alone are counted", async () => {
  const { stderr, lines: out } = await score(lines([{ ...right(first), task_id: "0" }]));
  expect(out).toMatchObject([
    { samples: 1, notes: [expect.any(String), expect.stringContaining("such as 0 for Builtin/0")] },
  ]);
  expect(stderr).toContain("1 sample matched by number alone, such as 0 for Builtin/0");
});

test("the built-in tasks never stand in for a dataset that cannot be reached", async () => {
  using folder = temporaryFolder({ "s.jsonl": lines([{ ...right(first), task_id: "0" }]) });
  const { exitCode, stdout, stderr } = await run(SCORE, ["s.jsonl"], folder.path, { HF_HOME: folder.path });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: bigcode\/humanevalpack /);
});

test.each(quarter(["s.jsonl", "link.jsonl", "tasks.jsonl"]))(
  "verdicts are never written over what is read: --out %s",
  ALSO_DEEP,
  async (out) => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("s.jsonl"), lines([right(first)]));
    symlinkSync("s.jsonl", at("link.jsonl"));
    copyFileSync("eval/benchmark/builtin/builtin.jsonl", at("tasks.jsonl"));
    const before = readFileSync(at(out), "utf8");
    const args = ["s.jsonl", "--dataset", "tasks.jsonl", "--out", out];
    const { exitCode, stderr } = await run(SCORE, args, folder.path);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`${out} is read by this command`),
    });
    expect(readFileSync(at(out), "utf8")).toBe(before);
  },
);

test("a second Ctrl-C ends at once, with what is known and without a stack", DEEP, async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, "s.jsonl.results.jsonl");
  const endless = { task_id: second.id, solution: `${second.declaration}    while True:\n        pass\n` };
  writeFileSync(join(folder.path, "s.jsonl"), lines([right(first), endless]));
  const args = ["s.jsonl", "--dataset", "builtin", "--concurrency", "1", "--timeout", "600", "--json"];
  const { process: child, done } = start(SCORE, args, folder.path);
  const finishing = new Promise<void>((resolve) =>
    child.stderr?.on("data", (text: string) => text.includes(FINISHING) && resolve()),
  );
  writeFileSync(out, "older\n");
  const part = `${out}.part`;
  while (!existsSync(part) || !readFileSync(part, "utf8").endsWith("\n")) await sleep(20);
  expect(readFileSync(out, "utf8")).toBe("older\n");
  child.kill("SIGINT");
  await finishing;
  child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await done;
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ samples: 1, successes: 1, errors: 0, complete: false });
  expect(stderr).toContain("INCOMPLETE (1 of 2 samples were not run, 28 of 30 tasks have no sample)");
  expect(stderr).not.toContain("    at ");
  expect(verdicts(out)).toMatchObject([{ task_id: first.id, passed: true }]);
  expect(existsSync(part)).toBe(false);
});

test.each(
  quarter([
    [
      "an unknown task",
      lines([{ task_id: "Nope/1", solution: "" }]),
      [],
      "No sample of s.jsonl is for a task of builtin: the file has Nope/1; the dataset has Builtin/0",
    ],
    ["a missing field", lines([{ task_id: first.id }]), [], "No sample of s.jsonl can be read. line 1: it has no"],
    ["a torn line", '{"task_id": "Bu', [], "s.jsonl holds no samples in a format that mend knows: line 1"],
    ["no samples", "", [], "s.jsonl has no samples"],
    [
      "a k beyond the samples",
      lines([right(first)]),
      ["--k", "10"],
      `pass@10 needs 10 samples of every task; ${first.id} has 1`,
    ],
    ["a format that is none", '{"resolved_ids": []}', [], "s.jsonl is a report of SWE-bench, which holds no answers"],
    ["an extraction that is none", lines([right(first)]), ["--extract", "all"], "--extract"],
  ]),
)("%s is named, exit 2", ALSO_DEEP, async (_, text, extra, message) => {
  const { exitCode, stdout, stderr } = await score(text, ...extra);
  expect(stderr).toContain(message);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});

test(
  "bad samples are named and counted, the others are scored, and the exit code says that it is incomplete",
  DEEP,
  async () => {
    const rows = [right(first), { ...right(first), attempt: 0 }, { task_id: first.id }, right(second)];
    const samples = `${lines([...rows, { task_id: "Go/0", solution: "" }])}{"task_id": "Bu`;
    const { exitCode, stdout, stderr } = await score(samples, "--json");
    expect(stderr).toContain(`s.jsonl, line 2: attempt 0 of ${first.id} stands there twice; left out`);
    expect(stderr).toContain("s.jsonl, line 6: it is not valid JSON");
    expect(stderr).toContain("1 sample of s.jsonl for tasks that builtin does not have: Go/0");
    expect(stderr).toContain("INCOMPLETE (3 of 6 samples could not be read, 1 of 6 samples named no task");
    const summary = { samples: 2, successes: 2, complete: false, unreadable: 3, other_tasks: 1 };
    expect({ exitCode, summary: JSON.parse(stdout) }).toMatchObject({ exitCode: 1, summary });
  },
);

describe("a zero is never silent:", () => {
  const fenced = (text: string) => `Here it is:\n\n\`\`\`python\n${text}\`\`\`\nIt adds up.\n`;
  const programs = [first, second].map((task) => task.declaration + task.canonicalCode);
  const answers = (solutions: readonly string[]) =>
    lines([first, second].map(({ id }, i) => ({ task_id: id, solution: solutions[i] })));

  test.each<[what: string, samples: string, args: string[], counts: object, note: RegExp]>([
    [
      "programs in fences",
      answers(programs.map(fenced)),
      [],
      { successes: 0, not_loaded: 2 },
      /^2 of 2 programs do not load; they look like Markdown: `--extract code` takes what is inside the fences\.$/,
    ],
    [
      "the same with --extract code",
      answers(programs.map(fenced)),
      ["--extract", "code"],
      { successes: 2, not_loaded: 0, extracted: 2 },
      /^2 of 2 answers: only the code inside the fences is scored\.$/,
    ],
    [
      "bodies given as programs",
      answers([first.canonicalCode, second.canonicalCode]),
      [],
      { successes: 2, joined: 2, not_loaded: 0 },
      /^2 of 2 programs are bodies of the function: joined with its declaration/,
    ],
    [
      "the same with --extract none",
      answers([first.canonicalCode, second.canonicalCode]),
      ["--extract", "none"],
      { successes: 0, joined: 0, not_loaded: 2 },
      /^2 of 2 programs do not load; the first is .*IndentationError/,
    ],
    [
      "a torn program",
      answers([programs[0] ?? "", "def f(:"]),
      [],
      { successes: 1, not_loaded: 1 },
      /^1 of 2 programs does not load; the first is .*SyntaxError/,
    ],
    ["no program", answers(["", ""]), [], { successes: 0, empty: 2, not_loaded: 0 }, /^2 of 2 answers are empty\.$/],
  ])("%s", async (_what, samples, args, counts, note) => {
    const found = await score(samples, "--json", ...args);
    const summary = JSON.parse(found.stdout);
    const notes = [expect.stringContaining("have no sample"), expect.stringMatching(note)];
    expect(summary).toMatchObject({ ...counts, samples: 2, notes });
    expect(found.stderr).toContain(`note: ${summary.notes[1]}`);
    expect(found.exitCode).toBe(1);
  });
});

describe("on real generations", DEEP, () => {
  const samples = sharedData("octocoder-dev.samples.jsonl");
  const dataset = sharedData("humanevalfix-dev.jsonl");

  // One of the twenty attempts, in `npm run test:slow` five; endless loops get less time than the reference's 10 s. The README tells how to score all.
  test.skipIf(!samples || !dataset)("no verdict differs from the reference harness", async () => {
    using folder = temporaryFolder();
    const rows = verdicts(samples ?? "").filter(({ attempt }) => Number(attempt) % (20 / repeats(5, 1)) === 0);
    writeFileSync(join(folder.path, "s.jsonl"), lines(rows));
    const args = ["s.jsonl", "--dataset", dataset ?? "", "--timeout", "2"];
    const { exitCode } = await run(SCORE, args, folder.path);
    expect(exitCode).toBe(0);
    const scored = verdicts(join(folder.path, "s.jsonl.results.jsonl"));
    expect(scored).toHaveLength(82 * repeats(5, 1));
    const key = ({ task_id, attempt }: Record<string, unknown>) => `${task_id}#${attempt}`;
    const expected = new Map(rows.map((row) => [key(row), row.expected_pass]));
    expect(scored.filter((verdict) => verdict.passed !== expected.get(key(verdict)))).toEqual([]);
  });
});
