import { expect, test } from "vitest";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { openQueueRun } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

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
