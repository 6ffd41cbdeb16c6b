import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

test("functions on which an agent could forge a pass are left out, and it is said", DEEP, async () => {
  using folder = temporaryFolder();
  const dataset = fileURLToPath(new URL("../../benchmark/fixtures/quixbugs", import.meta.url));
  const options = ["--dataset", dataset, "--model", "search", "--few-shot-k", "0", "--iterations", "0", "--plan"];
  const { exitCode, stdout, stderr } = await run("eval/cli/main.ts", ["improve", ...options], folder.path);
  expect([exitCode, JSON.parse(stdout).tasks]).toEqual([0, { dev: 2, validation: 2, sealed: 2 }]);
  expect(stderr).toContain("2 tasks are left out: an agent's code shares a process with their tests");
});

test("--plan leaves nothing, and its figures are what a person would write", DEEP, async () => {
  using folder = temporaryFolder();
  const options = [
    "--iterations",
    "1",
    "--model",
    "search",
    "--meta-model",
    "tune",
    "--dataset",
    "builtin",
    "--few-shot-k",
    "0",
  ];
  const { exitCode, stdout } = await run("eval/cli/main.ts", ["improve", ...options, "--plan"], folder.path);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ leastWins: 5, gain: 0.635 })]);
  expect(readdirSync(folder.path)).toEqual([]);
});
