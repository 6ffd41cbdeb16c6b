import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { FakeReply } from "../../../agent/models/testing/fake_openai.ts";
import { FINISHING } from "../../../utils/program/cli.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { KEY, openQueueRun, WORKER } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

const FOUR = ["--indices", "3,4,5,6"];

test.skipIf(!hasRedis)("all jobs lost in the middle: no line is lost or doubled", async () => {
  await using server = await startRedis();
  await using at = await openQueueRun(server, {
    args: FOUR,
    before: ({ task, worker, times }) => {
      if (worker && task.id === "Builtin/5" && times === 1) server.flush();
      return undefined;
    },
  });
  await at.local();
  at.worker();
  const { exitCode } = await at.coordinator().done;
  expect(exitCode).toBe(0);
  expect(at.results()).toEqual(at.results("local"));
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!hasRedis)("two runs at once share a worker fairly", async () => {
  await using server = await startRedis();
  const asked: number[] = [];
  await using at = await openQueueRun(server, {
    args: [],
    before: ({ task }) => {
      asked.push(Number(task.id.split("/")[1]));
      return undefined;
    },
  });
  const runs = [
    at.coordinator(["--indices", "0,1,2,3,4,5"], "a"),
    at.coordinator(["--indices", "10,11,12,13,14,15"], "b"),
  ];
  const broker = await openBroker(server.url);
  const early = Promise.race(runs.map(({ done }) => done)).then(({ stderr }) => Promise.reject(new Error(stderr)));
  while ((await broker.queue(OFFERS).counts()).waiting < 2) await Promise.race([sleep(50), early]);
  early.catch(() => {});
  await broker.close();
  at.worker();
  for (const { exitCode } of await Promise.all(runs.map(({ done }) => done))) expect(exitCode).toBe(0);
  // Neither waits for the other to end.
  const half = asked.slice(0, 6).filter((id) => id < 10).length;
  expect(half).toBeGreaterThanOrEqual(2);
  expect(half).toBeLessThanOrEqual(4);
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!hasRedis)("Ctrl-C lets what has begun end; the same command goes on", async () => {
  await using server = await startRedis();
  let stop = () => {};
  await using at = await openQueueRun(server, {
    args: ["--num", "12"],
    before: ({ task, worker }) => {
      if (worker && task.id === "Builtin/2") stop();
      return undefined;
    },
  });
  await at.local();
  const first = at.coordinator();
  stop = () => void first.process.kill("SIGINT");
  at.worker();
  const { exitCode, stderr } = await first.done;
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining(FINISHING)]);
  const before = at.results();
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(12);
  expect((await at.coordinator().done).exitCode).toBe(0);
  expect(at.results()).toEqual(at.results("local"));
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!hasRedis)("a wrong key of a worker ends the run at once, and no sample has it as its result", async () => {
  await using server = await startRedis();
  const refused: FakeReply = { status: 401, body: { error: { message: "Incorrect API key provided" } } };
  await using at = await openQueueRun(server, { args: ["--num", "30"], before: () => refused });
  at.worker();
  const { exitCode, stderr } = await at.coordinator().done;
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/next .* --run r --queue .*\nerror: \S+ refuses the key /s),
  ]);
  expect(at.model.requests.length).toBeLessThan(10);
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!hasRedis)("HTTP 429 to one worker slows both", async () => {
  await using server = await startRedis();
  const arrivals: { at: number; key: string }[] = [];
  let refusedAt = 0;
  const WAIT_S = 8;
  await using at = await openQueueRun(server, {
    args: ["--num", "30"],
    lease: 60,
    before: async ({ headers, at }) => {
      arrivals.push({ at, key: headers.authorization ?? "" });
      const both = new Set(arrivals.map(({ key }) => key)).size === 2;
      await sleep(100);
      if (!both || refusedAt > 0) return undefined;
      refusedAt = performance.now();
      return { status: 429, headers: { "retry-after": String(WAIT_S) } };
    },
  });
  at.worker();
  at.worker();
  const { exitCode } = await at.coordinator().done;
  expect(exitCode).toBe(0);
  // The other hears of it within two seconds; what it had begun until then has ended.
  const during = arrivals.filter(({ at }) => at > refusedAt + 4000 && at < refusedAt + WAIT_S * 1000 - 500);
  expect(during).toEqual([]);
  expect(new Set(arrivals.filter(({ at }) => at > refusedAt + WAIT_S * 1000).map(({ key }) => key)).size).toBe(2);
});

test.skipIf(!hasRedis)("a rate holds over two workers", async () => {
  await using server = await startRedis();
  const arrivals: number[] = [];
  await using at = await openQueueRun(server, {
    args: ["--num", "12", "--max-rate", "60"],
    lease: 60,
    before: ({ at }) => {
      arrivals.push(at);
      return undefined;
    },
  });
  at.worker("--concurrency", "3");
  at.worker("--concurrency", "3");
  const { exitCode } = await at.coordinator().done;
  expect(exitCode).toBe(0);
  // A worker that has just come may not know yet of the other: two requests of grace.
  expect(((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000).toBeGreaterThan(12 - 1 - 2);
});

test.each([
  [["--queue", "http://x"], { MEND_QUEUE_KEY: KEY }, "--queue takes redis://"],
  [["--queue", "redis://127.0.0.1:1"], { MEND_QUEUE_KEY: KEY }, "No queue server answers at redis://127.0.0.1:1"],
  [["--queue", "redis://u:secret@127.0.0.1:1/2"], { MEND_QUEUE_KEY: KEY }, "answers at redis://127.0.0.1:1/2"],
  [["--queue", "redis://127.0.0.1:1"], { MEND_QUEUE_KEY: "" }, "MEND_QUEUE_KEY"],
  [[], {}, "--queue URL is missing"],
])("worker %j is refused in one sentence", async (args, env, message) => {
  using folder = temporaryFolder();
  const { exitCode, stderr } = await run(WORKER, args, folder.path, env);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toMatch(/\n\s+at |:secret/);
});
