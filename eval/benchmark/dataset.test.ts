import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { KNOWN_TITLES } from "../../utils/task/languages.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "./find.ts";

const options = { log: () => {} };
const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const rows = readFileSync(fixture("two_tasks.jsonl"), "utf8").trimEnd().split("\n");
const row: Record<string, unknown> = JSON.parse(rows[0] ?? "");

async function mistake(spec: string): Promise<string> {
  const error = await loadDataset(spec, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error(`not refused as the user's mistake: ${error}`);
  return error.message;
}

describe("a file", () => {
  test("as .jsonl, .jsonl.gz and .parquet gives the same tasks and the same hash", async () => {
    using folder = temporaryFolder();
    const packed = join(folder.path, "two_tasks.jsonl.gz");
    writeFileSync(packed, gzipSync(readFileSync(fixture("two_tasks.jsonl"))));
    const plain = await loadDataset(fixture("two_tasks.jsonl"), options);
    expect(plain).toMatchObject({
      name: "two_tasks.jsonl",
      tasks: [{ id: "Fixture/0" }, { id: "Fixture/1" }],
    });
    expect(plain.sha256).toMatch(/^[0-9a-f]{64}$/);
    for (const other of [packed, fixture("two_tasks.parquet")]) {
      const { tasks, sha256 } = await loadDataset(other, options);
      expect(tasks).toEqual(plain.tasks);
      expect(sha256).toBe(plain.sha256);
    }
  });

  test("gives each field its place in the task", async () => {
    const { tasks } = await loadDataset(fixture("two_tasks.jsonl"), options);
    expect(tasks[0]).toEqual({
      id: row.task_id,
      language: "python",
      entryPoint: row.entry_point,
      instruction: row.instruction,
      declaration: row.declaration,
      buggyCode: row.buggy_solution,
      epilogue: "",
      exampleTest: row.example_test,
      hiddenTest: row.test,
      documentedDeclaration: row.prompt,
      canonicalCode: row.canonical_solution,
      bugType: row.bug_type,
    });
  });

  test("is found from the working directory", async () => {
    const { tasks } = await loadDataset(relative(process.cwd(), fixture("two_tasks.jsonl")), options);
    expect(tasks).toHaveLength(2);
  });

  test("another content has another hash", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "one.jsonl");
    writeFileSync(file, `${rows[0]}\n`);
    const [one, two] = [await loadDataset(file, options), await loadDataset(fixture("two_tasks.jsonl"), options)];
    expect(one.sha256).not.toBe(two.sha256);
  });
});

describe("a file of one row with a mistake is refused by field:", () => {
  const changed = (change: Record<string, unknown>) => JSON.stringify({ ...row, ...change });
  const expected = (reason: string) => `has no row that can be used: its only row is left out. ${reason}`;
  test.each([
    ["field missing", changed({ example_test: undefined }), 'Fixture/0: field "example_test" is missing'],
    [
      "fields missing",
      changed({ test: undefined, prompt: undefined, bug_type: undefined }),
      'Fixture/0: fields "test", "prompt" are missing',
    ],
    ["wrong type", changed({ test: 3 }), 'Fixture/0: field "test" is wrong: it is a number, and a text is needed'],
    [
      "no function's name",
      changed({ entry_point: "f(x); import os" }),
      'Fixture/0: field "entry_point" is wrong: it must be the name of a function',
    ],
    [
      "TypeScript",
      changed({ task_id: "TypeScript/0" }),
      `TypeScript/0: it is a task in TypeScript; only ${KNOWN_TITLES} can be run`,
    ],
  ])("%s", async (_, line, message) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "tasks.jsonl");
    writeFileSync(file, `${line}\n`);
    expect(await mistake(file)).toBe(`${file} ${expected(message)}`);
  });

  test("empty", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "tasks.jsonl");
    writeFileSync(file, "\n");
    expect(await mistake(file)).toBe(`${file} holds no tasks.`);
  });

  test("parquet without a column", async () => {
    expect(await mistake(fixture("no_hidden_test.parquet"))).toMatch(/Fixture\/0: field.* "test".* missing/);
  });
});

describe("what is no dataset is refused:", () => {
  test.each([
    [
      "humaneval",
      '"humaneval" is not a dataset: use a .jsonl, .json, .csv or .parquet file, or one of these with .gz, builtin, or a hub id such as bigcode/humanevalpack.',
    ],
    ["", '"" is not a dataset'],
    ["../escape/x", '"../escape/x" is not a dataset'],
    ["a/b/c", '"a/b/c" is not a dataset'],
    [
      "eval/benchmark/builtin",
      "eval/benchmark/builtin is a folder, and neither a folder of exercises (TRACK/exercises/practice) nor QuixBugs (python_programs)",
    ],
    ["package.json", "package.json is not a benchmark that mend knows."],
    [
      "README.md",
      "README.md is a file of another kind; give a .jsonl, .json, .csv or .parquet file, or one of these with .gz.",
    ],
    ["none.jsonl", "none.jsonl: there is no such file."],
    [
      "bigcode/humanevalpack:typescript",
      `bigcode/humanevalpack:typescript: only ${KNOWN_TITLES} tasks can be run, not TypeScript; write bigcode/humanevalpack or bigcode/humanevalpack:js.`,
    ],
    [
      "bigcode/humanevalpack:cobol",
      `bigcode/humanevalpack:cobol: only ${KNOWN_TITLES} tasks can be run; write bigcode/humanevalpack or bigcode/humanevalpack:js.`,
    ],
  ])("%s", async (spec, message) => {
    expect(await mistake(spec)).toContain(message);
  });
});

test("rows that fit two benchmarks need --format, which takes a name of the table", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "both.jsonl");
  writeFileSync(file, `${JSON.stringify({ ...row, base_input: [], plus_input: [], canonical_solution: "" })}\n`);
  expect(await mistake(file)).toContain("could be humanevalpack or evalplus: say which with --format NAME.");
  expect(await loadDataset(file, { ...options, format: "humanevalpack" })).toMatchObject({ name: "both.jsonl" });
  await expect(loadDataset(file, { ...options, format: "sung" })).rejects.toThrow("--format takes humanevalpack, ");
});
