/** What a command prints on a terminal, where a person reads it. */
// @module-tag ci

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { programWords, run, temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";

const GOLD = ["--gold", "--num", "2", "--dataset", "builtin", "--run", "gold"];

/** A terminal gives both streams as one text. */
async function onTerminal(file: string, ...args: string[]): Promise<string> {
  using folder = temporaryFolder();
  return await onTerminalIn(folder.path, 0, file, ...args);
}

async function onTerminalIn(cwd: string, exitCode: number, file: string, ...args: string[]): Promise<string> {
  const words = [...programWords(file), ...args];
  const script = "import os, pty, sys; sys.exit(os.WEXITSTATUS(pty.spawn(sys.argv[2:])) != int(sys.argv[1]))";
  const { stdout } = await promisify(execFile)("python3", ["-c", script, String(exitCode), ...words], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  return stdout.replaceAll("\r\n", "\n").replace(/[^\n]*\r\p{Cc}\[J/gu, "");
}

test("mend eval prints a line for each task and no JSON", DEEP, async () => {
  const text = await onTerminal("eval/cli/main.ts", "eval", ...GOLD);
  expect(text).toMatch(/^passed {3}Builtin\/0$/m);
  expect(text).toMatch(/^pass@1 100% /m);
  expect(text).not.toContain('{"');
});

test("mend score prints its result as a sentence and no JSON", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "s.jsonl"), '{"task_id": "Builtin/9", "solution": ""}');
  const text = await onTerminalIn(folder.path, 1, "eval/cli/main.ts", "score", "s.jsonl", "--dataset", "builtin");
  expect(text).toMatch(
    /^INCOMPLETE \(29 of 30 tasks have no sample\): pass@1 0% \(95% interval 0–79\) · 0 of 1 sample passed · 1 task /m,
  );
  expect(text).not.toContain('{"');
});

test("mend improve --plan prints its figures in words and no JSON", DEEP, async () => {
  const options = ["--model", "search", "--meta-model", "tune", "--dataset", "builtin", "--few-shot-k", "0"];
  const text = await onTerminal("eval/cli/main.ts", "improve", "--iterations", "1", ...options, "--plan");
  expect(text).toMatch(/tasks/);
  expect(text).not.toContain('{"');
});

test("eval/pass1.ts ends with its line of JSON there, too", DEEP, async () => {
  const text = await onTerminal("eval/pass1.ts", ...GOLD);
  expect(text).toMatch(/^\{"metric":"pass@1","num":2,/m);
});

test("--num above the size of the benchmark is reported", DEEP, async () => {
  using folder = temporaryFolder();
  const { stderr, lines } = await run("eval/pass1.ts", [...GOLD, "--num", "100"], folder.path);
  expect(lines.at(-1)).toMatchObject({ num: 30 });
  expect(stderr).toMatch(/^--num 100: builtin has only 30 tasks to score$/m);
});

test("tasks that become examples are named, and --num begins after them", async () => {
  using folder = temporaryFolder();
  const args = ["--num", "1", "--dataset", "builtin", "--model", "search"];
  const { stderr, lines } = await run("eval/pass1.ts", args, folder.path);
  expect(lines[0]).toMatchObject({ task_id: "Builtin/3" });
  expect(stderr).toMatch(/^few-shot examples, not scored: Builtin\/0, Builtin\/1, Builtin\/2 \(--few-shot-k 0 /m);
});

test.each([
  ["a wrong key", { model: "openai:known", key: "wrong" }, /^error: .* refuses the key /],
  [
    "a model that its server does not have",
    { model: "openai:unknown", key: "right" },
    /^error: .* has no model "unknown"/,
  ],
  ["no model at all", { model: "gpt", key: "right" }, /^error: Unknown model "gpt"/],
])("%s is reported before any test runs", async (_, { model, key }, sentence) => {
  await using server = await startFakeOpenAI({ reply: () => "", models: ["known"], key: "right" });
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "f.py"), "def f(x):\n    return x\n");
  writeFileSync(join(folder.path, "test_f.py"), "from f import f\n\nassert f(1) == 2\n");
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: key };
  const { exitCode, stderr } = await run("eval/cli/main.ts", ["repair", "f.py", "--model", model], folder.path, env);
  expect([exitCode, stderr.trim().split("\n").length]).toEqual([2, 1]);
  expect(stderr).toMatch(sentence);
  expect(server.requests).toEqual([]);
});
