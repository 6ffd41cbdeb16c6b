import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

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

test("--measured with a run that measured nothing leaves nothing, either", DEEP, async () => {
  using folder = temporaryFolder();
  const words = ["--iterations", "1", "--dataset", "builtin", "--few-shot-k", "0", "--model", "search"];
  const args = [...words, "--meta-model", "tune", "--run", "new", "--measured", "nothing"];
  const { exitCode, stderr } = await run("eval/meta_loop.ts", args, folder.path);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("runs/nothing holds no measurements")]);
  expect(readdirSync(folder.path)).toEqual([]);
});
