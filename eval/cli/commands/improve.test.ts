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
