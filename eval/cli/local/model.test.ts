/** The commands with a model on this machine: real runtime, real tokenizer, real sandbox; only the weights are a script. */
// @module-tag deep

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { writeScriptedModel } from "../../../utils/inference/testing/scripted.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { loadDataset } from "../../benchmark/find.ts";

const [task] = (await loadDataset("builtin", { log: () => {} })).tasks;
if (!task) throw new Error("the built-in set is empty");

/** Looks first, answers the buggy program, then the right one. */
const REPLIES = [
  `Thought: look\nAction: code_interpreter\nAction Input: ${JSON.stringify({ code: "print(6 * 7)" })}`,
  ...[task.buggyCode, task.canonicalCode].map(
    (body) => `Thought: fixed\nFinal Answer:\n\`\`\`python\n${task.declaration}${body}\`\`\``,
  ),
];
/** The action that comes with the task is one assistant turn of the prompt. */
const model = (folder: string) => writeScriptedModel(join(folder, "model"), { replies: REPLIES, fewShotTurns: 1 });
const ResultLine = z.object({
  pass: z.boolean(),
  stop: z.string(),
  iterations: z.number(),
  usage: z.object({ inputTokens: z.number(), cachedInputTokens: z.number() }),
});
const COMMON = ["--dataset", "builtin", "--few-shot-k", "0"];

test("the demo repairs a task and reuses the prompt from turn to turn", async () => {
  using folder = temporaryFolder();
  const args = ["--index", "0", "--model", await model(folder.path), ...COMMON];
  const { exitCode, lines, stderr } = await run("examples/demo_minimal.ts", args, folder.path, {
    HF_HOME: folder.path,
  });
  expect(stderr).toContain("42");
  expect(exitCode).toBe(0);
  const { usage, ...result } = ResultLine.parse(lines[0]);
  expect(result).toEqual({ pass: true, stop: "answered", iterations: 3 });
  expect(usage.cachedInputTokens).toBeGreaterThan(usage.inputTokens / 2);
});

test("pass1 scores it", async () => {
  using folder = temporaryFolder();
  const args = ["--num", "1", "--run", "local", "--model", await model(folder.path), ...COMMON];
  const { exitCode } = await run("eval/pass1.ts", args, folder.path, { HF_HOME: folder.path });
  expect(exitCode).toBe(0);
  const results = readFileSync(join(folder.path, "runs", "local", "results.jsonl"), "utf8")
    .trim()
    .split("\n");
  expect(results).toHaveLength(1);
  expect(results[0]).toContain('"passed":true');
});
