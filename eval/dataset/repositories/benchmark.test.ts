import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MODEL_KINDS } from "../../../agent/models/table.ts";
import { openCommandBox } from "../../../utils/sandbox/command_box.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { writeRepositoryTasks } from "../../testing/repository_tasks.ts";
import { openBenchmark } from "./benchmark.ts";

test("what the search engine cannot search is left out with the reason: tests that need a build", async () => {
  using folder = temporaryFolder();
  writeRepositoryTasks(folder.path);
  const rows = join(folder.path, "tasks.jsonl");
  const text = readFileSync(rows, "utf8");
  writeFileSync(rows, text.replace('"framework":"node:test"', '"framework":"node:test","build":"npm run compile"'));
  const by = MODEL_KINDS.find(({ name }) => name === "search");
  if (!by) throw new Error("no row of the table");
  using benchmark = await openBenchmark({
    rows,
    repositories: join(folder.path, "clones"),
    protocol: "tests",
    by,
    prepare: false,
    box: await openCommandBox(),
  });
  expect(benchmark.dataset.tasks.map(({ id }) => id)).toEqual(["o__r-python-0"]);
  expect(benchmark.dataset.leftOut).toMatchObject([
    { id: "o__r-javascript-0", reason: expect.stringContaining("built") },
  ]);
});

test("the search engine with the issue alone is refused once, with what to give instead", async () => {
  using folder = temporaryFolder();
  const args = [...writeRepositoryTasks(folder.path), "--model", "search", "--run", "r"];
  const { exitCode, stdout, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: The search engine goes by failing tests[^\n]*--protocol tests[^\n]*\n$/);
});
