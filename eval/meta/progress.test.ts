// @module-tag deep
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { run } from "../../utils/testing/command.ts";
import { metaData } from "../pages/meta/data.ts";
import { openLog, readState } from "./log.ts";
import { progressLine, progressOf } from "./progress.ts";
import { agentAdded, measuredLine } from "./testing/events.ts";
import { writeAgent } from "./testing/mini_agent.ts";
import { signRows } from "./testing/sign_tasks.ts";
import { findBox, temporaryFolder } from "./testing/test_run.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const splits = { dev: { length: 2 }, validation: { length: 1 }, sealed: { length: 1 } };

test("the line says what is done now, about how long it takes, and what was used, a step under way included", () => {
  using folder = temporaryFolder();
  const log = openLog(folder.path);
  const line = (editing: Parameters<typeof progressLine>[2] = null) =>
    progressLine(progressOf(log.state, splits, 3), log.state.spent, editing);
  log.append(agentAdded(0, { at: at(0) }));
  const measured = (i: number, tokens: number | null) =>
    measuredLine("t0", `d${i}`, { costUsd: 0.25, inputTokens: tokens, outputTokens: tokens, at: at(10 * i) });
  for (const i of [1, 2, 3, 4]) log.append(measured(i, 500));
  expect(line()).toBe(
    "4 of 6 done · measuring the first agent twice on each task · about 20 s left · $1.00, 4,000 tokens",
  );
  for (const i of [5, 6]) log.append(measured(i, 500));
  expect(line({ turns: 1, costUsd: 0.5, tokens: 70 })).toBe(
    "0 of 3 done · an editor makes child 1, 1 turn · $2.00, 6,070 tokens",
  );
  expect(line({ turns: 2, costUsd: 0.5, tokens: null })).toContain("$2.00, unknown tokens");
  log.append(measured(7, null));
  expect(line()).toContain("unknown tokens");
});

const hasBox = (await findBox()) !== null;

test.skipIf(!hasBox)(
  "progress is on stderr; a model that counts no tokens has unknown ones in the log, on the page and in the console",
  async () => {
    using folder = temporaryFolder();
    writeAgent(join(folder.path, "seed"));
    writeFileSync(join(folder.path, "tasks.jsonl"), signRows(8));
    await using server = await startFakeOpenAI({
      models: ["m"],
      reply: ({ last }) => ({
        text: last.startsWith("IMPROVE")
          ? JSON.stringify({ hypothesis: "A politer word helps.", changes: "Changed it.", edits: [] })
          : "def f(x):\n    return x\n",
        usage: null,
      }),
    });
    const loop = (...more: string[]) =>
      run("eval/meta_loop.ts", [...options, ...more, "--run", "r"], folder.path, { OPENAI_BASE_URL: server.url });
    const options = [
      ...["--iterations", "1", "--model", "openai:m", "--price", "0,0", "--alpha", "0.5", "--few-shot-k", "0"],
      ...["--dataset", "tasks.jsonl", "--seed-agent", "seed"],
    ];
    const limited = await loop("--step-tokens", "9");
    expect(limited).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("a limit of tokens cannot be kept") });
    const done = await loop();
    expect(done, done.stderr).toMatchObject({ exitCode: 0 });
    expect(done.lines.at(-1)).toMatchObject({ tokens: null, cost_usd: 0 });
    expect(done.stderr).toMatch(/^\d+ of \d+ done · .*unknown tokens$/m);
    expect(done.stderr).not.toMatch(/\b0 tokens/);
    const state = readState(join(folder.path, "runs/r"));
    expect(state.spent.tokens).toBeNull();
    expect(state.steps.map(({ inputTokens }) => inputTokens)).toEqual([null]);
    expect(metaData(join(folder.path, "runs/r")).spent.tokens).toBeNull();
  },
);
