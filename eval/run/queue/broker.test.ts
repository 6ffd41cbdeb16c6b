// @module-tag deep
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Broker, GiveBack, type JobQueue } from "./broker.ts";
import { openBroker } from "./open.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

const IDS = ["a:b#0", "Python/0#1", "%zz", "ü:1"];
const work = (broker: Broker, name: string, signal: AbortSignal, handle: (id: string) => unknown) =>
  broker.work("q", async ({ id }) => handle(id), { name, concurrency: 2, leaseMs: 60_000, signal });

/** Until all jobs have ended. Throws where what works on them ends before. */
async function allEnded(queue: JobQueue, workers: Promise<unknown>): Promise<void> {
  const stopped = workers.then(() => Promise.reject(new Error("the workers ended before the jobs")));
  while ((await queue.counts()).ended < IDS.length) await Promise.race([sleep(20), stopped]);
  stopped.catch(() => {});
}

test.skipIf(!hasRedis)("jobs with any id go to a worker and come back; nothing stays", async () => {
  await using server = await startRedis();
  const broker = await openBroker(server.url);
  const queue = broker.queue("q", { create: true });
  await queue.limit(null);
  await queue.add(IDS.map((id) => ({ id, data: { id, mb: "x".repeat(1_000_000) } })));
  await queue.add([{ id: "a:b#0", data: "a second time" }]);
  expect((await queue.peek()).map(({ id }) => id).sort()).toEqual(IDS.toSorted());
  const stop = new AbortController();
  let givenBack = 0;
  const seen: unknown[] = [];
  const done = work(broker, "host:1", stop.signal, async (id) => {
    if (id === "%zz" && givenBack++ === 0) throw new GiveBack();
    seen.push(await queue.active(), await queue.workers());
    if (id === "ü:1") throw new Error("no");
    return { id, mb: "y".repeat(1_000_000) };
  });
  await allEnded(queue, done);
  const ended = await queue.ended(10);
  expect(
    Object.fromEntries(ended.map((end) => [end.id, "value" in end ? JSON.stringify(end.value).length : end.failed])),
  ).toEqual({ "a:b#0": 1_000_022, "Python/0#1": 1_000_027, "%zz": 1_000_020, "ü:1": "no" });
  expect(seen).toContainEqual(expect.arrayContaining([{ id: "Python/0#1", worker: "host:1" }]));
  expect(seen).toContainEqual(["host:1"]);
  await queue.forget(IDS);
  expect(await queue.counts()).toEqual({ waiting: 0, active: 0, ended: 0 });
  stop.abort();
  await done;
  await queue.remove();
  await broker.close();
  expect(server.contents()).toEqual([]);
});

test.skipIf(!hasRedis)("a queue that is slowed begins no job for so long; a limit holds over all workers", async () => {
  await using server = await startRedis();
  const broker = await openBroker(server.url);
  const queue = broker.queue("q", { create: true });
  await queue.limit(2);
  expect(await queue.slowedMs()).toBe(0);
  await queue.slow(3_600_000);
  expect(await queue.slowedMs()).toBeGreaterThan(60_000);
  const began = Date.now();
  await queue.slow(1500);
  await queue.add(IDS.map((id) => ({ id, data: null })));
  const stop = new AbortController();
  let [running, most, first] = [0, 0, Infinity];
  const handle = async () => {
    first = Math.min(first, Date.now());
    most = Math.max(most, ++running);
    await sleep(50);
    running -= 1;
  };
  const workers = ["a:1", "b:2"].map((name) => work(broker, name, stop.signal, handle));
  await allEnded(queue, Promise.all(workers));
  expect(first - began).toBeGreaterThanOrEqual(1500);
  expect(most).toBe(2);
  stop.abort();
  await Promise.all(workers);
  await broker.close();
});

test.skipIf(!hasRedis)("a server that is away is waited for, and has what it had", async () => {
  await using server = await startRedis();
  const broker = await openBroker(server.url);
  const queue = broker.queue("q", { create: true });
  await queue.add([{ id: "a", data: null }]);
  await server.kill();
  const asked = Promise.all([queue.counts(), broker.queue("other").peek(), queue.add([{ id: "b", data: null }])]);
  await server.start();
  const [counts] = await asked;
  expect(counts.waiting).toBeGreaterThan(0);
  expect((await queue.peek()).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  await broker.close();
});
