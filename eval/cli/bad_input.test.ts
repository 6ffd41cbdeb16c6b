// @module-tag ci

import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../utils/testing/command.ts";

/** A dataset that has to be downloaded cannot be. */
const NO_HUB = { HF_ENDPOINT: "http://127.0.0.1:9" };

test.each<[string[], RegExp]>([
  [["report", "a", "b"], /^error: A page shows one run\. For a leaderboard of several: .*report --runs a,b\n$/],
  [["view", "--runs", "nowhere", "--port", "0"], /^error: nowhere: there is no such folder\.\n$/],
  [["mcp", "--model", "nope"], /^error: Unknown model "nope"/],
  [["mcp", "--temperature", "hot"], /^error: --temperature takes/],
  [["mine", ".", "--test", ""], /^error: --test is empty: write the command .*, or leave the option out\.\n$/],
  [["fix", ".", "--test", " "], /^error: --test is empty/],
  [["repair", "a.py", "--test-command", ""], /^error: --test-command is empty/],
  [["score", "nope.jsonl"], /^error: nope\.jsonl: there is no such file\.\n$/],
  [["completions"], /^error: Name a shell, one of bash, zsh, fish: SHELL is not set\.\n$/],
])("%j is answered with one sentence and exit code 2", async (words, message) => {
  using folder = temporaryFolder();
  const { exitCode, stdout, stderr } = await run("eval/cli/main.ts", words, folder.path, { SHELL: "", ...NO_HUB });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(message) });
});

/** Not even root may look there where it is root of a container. */
const FORBIDDEN = "/proc/1/root";
const isForbidden = () => {
  try {
    statSync(FORBIDDEN);
    return false;
  } catch {
    return true;
  }
};

test.skipIf(!isForbidden())("a folder that this user may not look into", async () => {
  using folder = temporaryFolder();
  const { exitCode, stderr } = await run("eval/cli/main.ts", ["view", "--runs", FORBIDDEN], folder.path);
  expect([exitCode, stderr]).toEqual([2, `error: ${FORBIDDEN} may not be read by this user.\n`]);
});
