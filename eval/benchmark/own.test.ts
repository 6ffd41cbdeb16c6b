import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { MODEL_KINDS } from "../../agent/models/table.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { openOwnBenchmark } from "./own.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/own_benchmark.ts", import.meta.url));

test("the example is repaired by the search", async () => {
  using folder = temporaryFolder();
  const command = ["--benchmark", EXAMPLE, "--model", "search"];
  const { exitCode, stdout } = await run("mend eval", command, folder.path);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ num: 1, successes: 1, errors: 0, dataset: "statistics" },
  });
  expect(exitCode).toBe(0);
});

const opened = async (folder: { path: string }, text: string) => {
  const file = join(folder.path, "own.mjs");
  writeFileSync(file, text);
  return await openOwnBenchmark(file);
};
const moduleOf = (tasks: string) =>
  `export const benchmark = { name: "sums", shown: "the question", tasks: ${tasks} };`;
test.each([
  ["absent.ts", "absent.ts: there is no such file"],
  ["/dev/zero", "/dev/zero is a device; a file is needed"],
])("a module that is no file is an error at once: %s", async (path, sentence) => {
  await expect(openOwnBenchmark(path)).rejects.toThrow(sentence);
});

const nothing = undefined as never;
const { signal } = new AbortController();

test("a scorer that throws or gives no verdict is an error and not a fail", async () => {
  using folder = temporaryFolder();
  using benchmark = await opened(
    folder,
    moduleOf(`async () => [
      { id: "throws", given: "1 + 1?", score: () => { throw new Error("no ruler"); } },
      { id: "none", given: "1 + 1?", score: () => "much" },
      { id: "no", given: "1 + 1?", score: async () => false },
    ]`),
  );
  const scored = await Promise.all(benchmark.tasks.map((task) => task.score("2", nothing, signal)));
  expect(scored).toMatchObject([
    { error: "its scorer failed: no ruler" },
    { error: "its scorer gave much, and true or false is needed" },
    { score: { passed: false } },
  ]);
});

test("a question is left out from what the search works on", async () => {
  using folder = temporaryFolder();
  using benchmark = await opened(folder, moduleOf('[{ id: "sum", given: "1 + 1?", score: () => true }]'));
  const by = MODEL_KINDS.find(({ name }) => name === "search") ?? null;
  const checked = await benchmark.check(benchmark.tasks, { sandbox: nothing, by, log: () => {} });
  expect(checked).toMatchObject([
    { task: null, remarks: [{ id: "sum", reason: expect.stringContaining("answers no questions") }] },
  ]);
});

test("a task whose own solution fails is left out by name", async () => {
  using folder = temporaryFolder();
  using benchmark = await opened(
    folder,
    moduleOf(`[
      { id: "right", given: "1 + 1?", score: (answer) => answer === "2", solution: "2" },
      { id: "wrong", given: "1 + 1?", score: (answer) => answer === "2", solution: "3" },
    ]`),
  );
  const checked = await benchmark.check(benchmark.tasks, { sandbox: nothing, by: "any model", log: () => {} });
  expect(checked).toMatchObject([
    { task: { id: "right" }, remarks: [] },
    { task: null, remarks: [{ id: "wrong", kind: "left_out", reason: "its own solution fails" }] },
  ]);
});

test.each([
  ["const = 1;", /own\.mjs cannot be loaded: /],
  ["export const other = 1;", /own\.mjs does not export `benchmark`/],
  [moduleOf("3"), /own\.mjs, benchmark: field "tasks" is wrong/],
  [moduleOf("[]"), /own\.mjs, tasks of benchmark: it is empty/],
  [moduleOf('[{ id: "a", given: {}, score() {} }]'), /field "0\.given" is wrong: make a function with createTask/],
  [moduleOf('[{ id: "a", given: "?", score: 1 }]'), /field "0\.score" is wrong: it is not a function/],
  [
    moduleOf('[{ id: "a", given: "?", score() {} }, { id: "a", given: "?", score() {} }]'),
    /field "1\.id" is wrong: another task has the same id/,
  ],
])("%s is refused in a sentence", async (text, sentence) => {
  using folder = temporaryFolder();
  await expect(opened(folder, text)).rejects.toThrow(sentence);
});
