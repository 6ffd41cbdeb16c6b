import { expect, test } from "vitest";
import { noUsage } from "../../../agent/run/usage.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { Budget } from "../cost/budget.ts";
import { Allotments } from "./allot.ts";
import { openQueueRun } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

const used = (costUsd: number) => ({ ...noUsage(), costUsd });

test("the parts of jobs are together never more than what is left, and what was too little is doubled", () => {
  const budget = new Budget({ costUsd: 1 }, { costUsd: 0.2, tokens: 0 });
  const allotments = new Allotments(budget);
  const parts = Array.from({ length: 40 }, (_, i) => allotments.take(`${i}`)?.costUsd ?? 0);
  expect(parts[0]).toBeCloseTo(0.1, 9);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(0.8);
  expect(allotments.take("0")?.costUsd, "the same job has the same part").toBe(parts[0]);
  for (let i = 0; i < 40; i += 1) allotments.end(`${i}`, used(0), i === 0);
  expect(allotments.take("0")?.costUsd).toBeCloseTo(0.2, 9);
  allotments.end("0", used(0.15), false);
  budget.add(used(0.35), null);
  expect(allotments.take("1")?.costUsd).toBeCloseTo(0.3, 9);
  expect(allotments.take("2"), "it waits for the others").toBeNull();
  allotments.end("1", used(0.1), false);
  budget.add(used(0.35), null);
  expect(allotments.take("2")?.costUsd, "the last one has all that is left").toBeCloseTo(0.1, 9);
});

test.skipIf(!hasRedis)(
  "a limit holds over two workers of two tasks each, to one call a worker's place; resumed with more, the run ends",
  DEEP,
  async () => {
    await using store = await startRedis();
    const usage = { prompt_tokens: 2000, completion_tokens: 500 };
    let turn = 0;
    await using at = await openQueueRun(store, {
      args: ["--num", "6", "--max-iterations", "10", "--price", "1,1"],
      before: () => ({ text: `Action: code_interpreter\nAction Input: {"code": "print(${turn++})"}`, usage }),
    });
    at.worker("--concurrency", "2");
    at.worker("--concurrency", "2");
    const stopped = await at.coordinator(["--max-cost", "0.05"]).done;
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      3,
      expect.stringMatching(/Stopped: \$0\.0\d+ of \$0\.05 are spent/),
    ]);
    const bill = at.model.requests.length * 2500;
    expect(bill).toBeLessThanOrEqual(50_000 + 4 * 2500);
    expect(bill).toBeGreaterThan(25_000);
    const ended = await at.coordinator(["--max-cost", "1"]).done;
    expect([ended.exitCode, ended.stderr]).toEqual([0, expect.anything()]);
    expect(new Set(at.results().map((line) => line)).size).toBeGreaterThan(5);
    expect(await at.leftovers()).toEqual([]);
  },
);
