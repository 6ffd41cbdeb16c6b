// @module-tag deep
/** Who has only the address of a queue's server writes what they like there: nothing of ours ends by it. */

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal } from "./seal.ts";
import { openQueueRun } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

/** Records that no BullMQ wrote, in a queue's lists of what waits and what has ended. */
function writeMalformed(url: string, queue: string, id: string): void {
  const say = (...words: string[]) => execFileSync("redis-cli", ["-u", url, ...words], { stdio: "pipe" });
  say("hset", `bull:${queue}:${id}`, "data", "{", "name", "job", "opts", "[", "timestamp", "x", "returnvalue", "{");
  say("rpush", `bull:${queue}:wait`, id, `${id}-without-a-record`);
  say("zadd", `bull:${queue}:completed`, "1", id, "1", `${id}-gone`);
}

test.skipIf(!hasRedis)("malformed records: the good ones beside them are read, worked on and taken", async () => {
  await using server = await startRedis();
  const broker = await openBroker(server.url);
  const queue = broker.queue("q", { create: true });
  await queue.add([{ id: "good:1", data: "data" }]);
  writeMalformed(server.url, "q", "bad");
  expect((await queue.peek()).map(({ id }) => id)).toContain("good:1");
  const ended = await queue.ended(10);
  expect(ended.filter((end) => "value" in end && end.value !== undefined)).toEqual([]);
  await queue.forget(ended.map(({ id }) => id));
  expect(await queue.ended(10)).toEqual([]);
  const stop = new AbortController();
  const seen: string[] = [];
  const worked = broker.work(
    "q",
    async ({ id }) => {
      seen.push(id);
      if (id === "good:1") stop.abort();
      return null;
    },
    { name: "w:1", concurrency: 1, leaseMs: 60_000, signal: stop.signal },
  );
  await worked;
  expect(seen).toContain("good:1");
  await broker.close();
});

test.skipIf(!hasRedis)("an idle worker skips unsigned and malformed offers, and still does a run's work", async () => {
  await using server = await startRedis();
  const broker = await openBroker(server.url);
  await using at = await openQueueRun(server, { args: ["--indices", "4,5"] });
  const offers = broker.queue(OFFERS, { create: true });
  await offers.add([
    { id: "theirs", data: { kind: "samples" } },
    { id: "theirs2", data: seal("another key of sixteen", ["offer", "theirs2"], { kind: "samples" }) },
  ]);
  writeMalformed(server.url, OFFERS, "bad");
  at.worker();
  const { exitCode, stderr } = await at.coordinator().done;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("2/2")]);
  await at.leftovers();
  const said = (await at.workers[0]?.done)?.stderr ?? "";
  expect(said.match(/is skipped: it was signed with another MEND_QUEUE_KEY/g)).toHaveLength(4);
  await broker.close();
});
