/** One bad row of a dataset is left out by its name, and the others are read: for every format, and every damage. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { findBenchmark, loadDataset } from "./find.ts";
import { functionBenchmark } from "./functions.ts";
import { readRepositoryRows } from "./repositories/rows.ts";

type Row = Record<string, unknown>;
type Read = { ids: string[]; leftOut: { id: string; reason: string }[] };

interface Format {
  name: string;
  row(number: number): Row;
  /** Fields that a row cannot do without. */
  needed: string[];
  read(file: string): Promise<Read>;
}

const log = () => {};
const readFunctions = async (file: string): Promise<Read> => {
  const { tasks, remarks } = await loadDataset(file, { log });
  return { ids: tasks.map(({ id }) => id), leftOut: remarks.map(({ id, reason }) => ({ id, reason })) };
};
const readOthers = async (file: string): Promise<Read> => {
  const { benchmark, path } = await findBenchmark(file, { log });
  if (!("open" in benchmark)) throw new Error("it holds functions");
  const openBox = () => Promise.reject(new Error("no box is needed"));
  using opened = await benchmark.open(path, { prepare: false, log, openBox });
  return { ids: opened.tasks.map(({ id }) => id), leftOut: opened.remarks.map(({ id, reason }) => ({ id, reason })) };
};
const readFixes = async (file: string): Promise<Read> => {
  const { tasks, remarks } = await readRepositoryRows(file);
  return { ids: tasks.map(({ id }) => id), leftOut: remarks.map(({ id, reason }) => ({ id, reason })) };
};

const PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n";
const TESTS = JSON.stringify([{ input: "1\n", output: "2\n", testtype: "stdin" }]);
const CHOICES = ["Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3"];

const FORMATS: Format[] = [
  {
    name: "humanevalpack",
    row: (number) => ({
      ...{ task_id: `Python/${number}`, entry_point: "f", instruction: "Fix it.", declaration: "def f(x):\n" },
      ...{ buggy_solution: "    return x\n", canonical_solution: "    return x + 1\n", bug_type: "value misuse" },
      ...{ example_test: "assert f(1) == 2\n", test: "assert f(2) == 3\n", prompt: "def f(x):\n" },
    }),
    needed: ["task_id", "entry_point", "declaration", "buggy_solution", "canonical_solution", "test", "prompt"],
    read: readFunctions,
  },
  {
    name: "evalplus",
    row: (number) => ({
      ...{ task_id: `Mbpp/${number}`, entry_point: "f", prompt: '"""\nAdd one.\nassert f(1) == 2\n"""\n' },
      ...{ canonical_solution: "def f(x):\n    return x + 1\n", base_input: [[1]], plus_input: [[2]], atol: 0 },
    }),
    needed: ["task_id", "entry_point", "prompt", "canonical_solution", "base_input", "plus_input", "atol"],
    read: readFunctions,
  },
  {
    name: "livecodebench",
    row: (number) => ({
      ...{ question_id: String(number), question_title: "One", question_content: "Add one." },
      ...{ contest_date: "2024-01-01", public_test_cases: TESTS, private_test_cases: TESTS },
    }),
    needed: ["question_title", "question_content", "contest_date", "public_test_cases", "private_test_cases"],
    read: readFunctions,
  },
  {
    name: "AIME",
    row: (number) => ({ id: String(number), problem: "One and one?", answer: "2" }),
    needed: ["problem", "answer"],
    read: readOthers,
  },
  {
    name: "GPQA",
    row: (number) => ({
      ...{ "Record ID": String(number), Question: "One and one?" },
      ...Object.fromEntries(CHOICES.map((choice, i) => [choice, String(i)])),
    }),
    needed: ["Question", ...CHOICES],
    read: readOthers,
  },
  {
    name: "SWE-bench",
    row: (number) => ({
      ...{ instance_id: `o__r-${number}`, repo: "o/r", base_commit: "abc", problem_statement: "It breaks." },
      ...{ patch: PATCH, test_patch: PATCH.replaceAll("a.py", "tests/test_a.py") },
      ...{ FAIL_TO_PASS: '["tests/test_a.py::test_x"]', PASS_TO_PASS: [] },
    }),
    needed: ["instance_id", "repo", "base_commit", "patch", "test_patch", "FAIL_TO_PASS"],
    read: readFixes,
  },
  {
    name: "Multi-SWE-bench",
    row: (number) => ({
      ...{ org: "o", repo: "r", number, base: { sha: "abc" }, resolved_issues: [{ title: "It breaks" }] },
      ...{ fix_patch: PATCH, test_patch: PATCH.replaceAll("a.py", "tests/test_a.py") },
      ...{ f2p_tests: { "tests/test_a.py::test_x": {} }, p2p_tests: {} },
    }),
    needed: ["org", "repo", "base", "resolved_issues", "fix_patch", "test_patch", "f2p_tests"],
    read: readFixes,
  },
];

/** Damages to each needed field of the second row of three. */
const FIELD_DAMAGES: Record<string, unknown> = { missing: undefined, null: null, "an object": { a: 1 }, true: true };
/** Texts in any field of the second row. */
const STRANGE_TEXTS = { empty: "", "of 300 KB": "a".repeat(300_000), "for a terminal": "\x1b[2J\n" };
/** Damages to the line of the second row. */
const LINE_DAMAGES: Record<string, (line: string) => string | Buffer> = {
  torn: (line) => line.slice(0, line.length / 2),
  "a list": (line) => `[${line}]`,
  null: () => "null",
  "a number": () => "7",
  "an empty object": () => "{}",
  "bytes that are no UTF-8": (line) => Buffer.from(line.replace('":', '\xe9":'), "latin1"),
};
/** What is odd and no damage. */
const HARMLESS: Record<string, (line: string) => string> = {
  "more fields": (line) => line.replace("{", '{"more": {"a": [1]}, "NaN": NaN, '),
  "blank lines": (line) => `\n \n${line}\n`,
  "carriage returns": (line) => `${line}\r`,
  "a huge text": (line) => line.replace("{", `{"more": "${"\\\\x".repeat(1_000_000)}", `),
  "half a surrogate pair and a NUL": (line) => line.replace("{", '{"more": "\\ud800 \\u0000", '),
};

async function readWith(format: Format, second: string | Buffer): Promise<Read> {
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.jsonl");
  const [first, third] = [1, 3].map((number) => JSON.stringify(format.row(number)));
  writeFileSync(file, Buffer.concat([`${first}\n`, second, `\n${third}\n`].map((part) => Buffer.from(part))));
  return await format.read(file);
}

describe.each(FORMATS)("$name", (format) => {
  const line = JSON.stringify(format.row(2));

  test("three sound rows are three tasks", async () => {
    expect(await readWith(format, line)).toMatchObject({ ids: { length: 3 }, leftOut: [] });
  });

  test.each(Object.entries(FIELD_DAMAGES))("a field that is %s: the row is left out by name", async (_what, value) => {
    for (const field of format.needed) {
      const { ids, leftOut } = await readWith(format, JSON.stringify({ ...format.row(2), [field]: value }));
      expect(ids, field).toHaveLength(2);
      expect(leftOut, field).toHaveLength(1);
      expect(leftOut[0]?.id, field).toMatch(/2(\/0)?$/);
      expect(leftOut[0]?.reason, field).toMatch(/^fields? "|^its? /);
      expect(leftOut[0]?.reason, field).not.toContain("Invalid input");
    }
  });

  test.each(Object.entries(STRANGE_TEXTS))(
    "a text %s in a field ends no dataset, and its message is one line",
    async (_, text) => {
      const row = { ...format.row(2), mend: { language: "py", framework: "pytest", test_files: ["tests/test_a.py"] } };
      const rows = [
        ...Object.keys(format.row(2)).map((field) => ({ ...format.row(2), [field]: text })),
        ...Object.keys(row.mend).map((field) => ({ ...row, mend: { ...row.mend, [field]: text } })),
      ];
      for (const row of rows) {
        const { ids, leftOut } = await readWith(format, JSON.stringify(row));
        expect(ids.length).toBeGreaterThanOrEqual(2);
        for (const { reason } of leftOut)
          expect(reason).toMatch(/^(?!.*(?:Too small|expected (?:string|array)|Invalid input))\P{Cc}{1,400}$/u);
      }
    },
  );

  test.each(Object.entries(LINE_DAMAGES))("a line that is %s is left out by its number", async (_what, damage) => {
    const { ids, leftOut } = await readWith(format, damage(line));
    expect(ids).toHaveLength(2);
    expect(leftOut).toMatchObject([{ id: "line 2" }]);
    expect(leftOut[0]?.reason).not.toContain("Invalid input");
  });

  test("an id that comes twice: the second row is left out", async () => {
    const { ids, leftOut } = await readWith(format, JSON.stringify(format.row(1)));
    expect(ids).toHaveLength(2);
    expect(leftOut).toMatchObject([{ reason: "another row has the same id (line 1)" }]);
  });

  test.each(Object.entries(HARMLESS))("%s: the row is read", async (_what, change) => {
    expect(await readWith(format, change(line))).toMatchObject({ ids: { length: 3 }, leftOut: [] });
  });

  test("the same rows as a JSON list are the same tasks", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "rows.json");
    const rows = [1, 2, 3].map(format.row);
    writeFileSync(file, JSON.stringify([...rows, "no row"], null, 1));
    const { ids, leftOut } = await format.read(file);
    expect(ids).toEqual((await readWith(format, line)).ids);
    expect(leftOut).toMatchObject([{ id: "item 4" }]);
  });

  test("a first row that is damaged hides neither the format nor the others", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "rows.jsonl");
    const rows = [1, 2, 3].map((number) => JSON.stringify(format.row(number)));
    for (const first of [
      "null",
      "{",
      "{}",
      JSON.stringify({ ...format.row(0), [format.needed.at(-1) ?? ""]: undefined }),
    ]) {
      writeFileSync(file, [first, ...rows].join("\n"));
      const { ids, leftOut } = await format.read(file);
      expect({ ids: ids.length, leftOut: leftOut.length }, first).toEqual({ ids: 3, leftOut: 1 });
    }
  });

  test("a file in which no row can be read is an error that says why", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "rows.jsonl");
    const [field = ""] = format.needed.slice(-1);
    writeFileSync(file, [1, 2].map((n) => JSON.stringify({ ...format.row(n), [field]: null })).join("\n"));
    await expect(format.read(file)).rejects.toThrow(/no row that can be used: all of its 2 rows are left out/);
    writeFileSync(file, "[1, 2]\nno JSON\n");
    await expect(format.read(file)).rejects.toThrow(/no row that can be (?:read|used)/);
  });
});

test("MBPP+ writes an empty list of inputs as an object", async () => {
  const [, evalplus] = FORMATS;
  if (!evalplus) throw new Error("no format");
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.jsonl");
  writeFileSync(file, [1, 2].map((n) => JSON.stringify({ ...evalplus.row(n), plus_input: {} })).join("\n"));
  const sandbox = await openForTests();
  const { signal } = new AbortController();
  using benchmark = functionBenchmark(await loadDataset(file, { log }), undefined);
  const scores = benchmark.tasks.map((task) =>
    Promise.all(
      [task.reference("gold"), "def f(x):\n    return x\n"].map((answer) => task.score(answer, sandbox, signal)),
    ),
  );
  for (const [gold, wrong] of await Promise.all(scores)) {
    expect(gold).toMatchObject({ score: { passed: true, parts: { base: true } } });
    expect(wrong).toMatchObject({ score: { passed: false, parts: { base: false } } });
  }
});

test("eval says how many rows are left out and why; the check with --gold fails, and nothing runs without a row", async () => {
  const [format] = FORMATS;
  if (!format) throw new Error("no format");
  using folder = temporaryFolder();
  const rows = [format.row(1), { ...format.row(2), test: null }, format.row(3)];
  writeFileSync(join(folder.path, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const args = ["--gold", "--dataset", "rows.jsonl", "--json"];
  const { exitCode, stdout, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect(stderr).toContain(
    '1 task of rows.jsonl left out:\n  Python/2: field "test" is wrong: it is null, and a text is needed',
  );
  expect({ exitCode, summary: JSON.parse(stdout) }).toMatchObject({
    exitCode: 1,
    summary: { num: 2, value: 1, left_out: 1 },
  });
  const empty = await run("eval/pass1.ts", ["--empty", ...args.slice(1)], folder.path);
  expect(empty.exitCode).toBe(0);
  writeFileSync(join(folder.path, "rows.jsonl"), JSON.stringify(rows[1]));
  const none = await run("eval/pass1.ts", args, folder.path);
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("its only row is left out. Python/2: field"),
  });
});
