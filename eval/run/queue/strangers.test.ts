// @module-tag deep
/** Who has only the address of a queue's server writes what they like there: nothing of ours ends by it. */

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal } from "./seal.ts";
import { openQueueRun } from "./testing/queue_run.ts";
import { SERVERS } from "./testing/servers.ts";

const redis = SERVERS.find(({ name }) => name === "redis");

/** Records that no BullMQ wrote, in a queue's lists of what waits and what has ended. */
function writeMalformed(url: string, queue: string, id: string): void {
  const say = (...words: string[]) => execFileSync("redis-cli", ["-u", url, ...words], { stdio: "pipe" });
  say("hset", `bull:${queue}:${id}`, "data", "{", "name", "job", "opts", "[", "timestamp", "x", "returnvalue", "{");
  say("rpush", `bull:${queue}:wait`, id, `${id}-of-which-nothing-is-there`);
  say("zadd", `bull:${queue}:completed`, "1", id, "1", `${id}-gone`);
}

test.skipIf(!redis)("malformed records: the good ones beside them are read, worked on and taken", async () => {
  if (!redis) return;
  await using server = await redis.start();
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

test.skipIf(!redis).each(["before a worker is there", "while one starts"])(
  "a job whose record is broken is put in again, %s",
  async (when) => {
    if (!redis) return;
    await using server = await redis.start();
    await using at = await openQueueRun(server, { args: ["--indices", "4,5"], lease: 6 });
    const coordinator = at.coordinator();
    const say = (...words: string[]) => execFileSync("redis-cli", ["-u", server.url, ...words], { encoding: "utf8" });
    const keys = await expect.poll(() => say("keys", "bull:mend-r-*Builtin*").trim().split("\n"), { timeout: 600_000 });
    await keys.toHaveLength(2);
    const [job = ""] = say("keys", "bull:mend-r-*Builtin*").trim().split("\n");
    say("hset", job, "data", "{", "opts", "[");
    if (when === "while one starts") at.worker();
    else await expect.poll(() => say("hget", job, "data"), { timeout: 600_000 }).not.toBe("{\n");
    if (when !== "while one starts") at.worker();
    const { exitCode, stderr } = await coordinator.done;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("2/2")]);
    expect(stderr).toMatch(/^queue: the record of Builtin\/\d#0 cannot be read; it is put in again$/m);
  },
);

test.skipIf(!redis)("coordinator and worker report a key that another program uses in one sentence", async () => {
  if (!redis) return;
  await using server = await redis.start();
  await using at = await openQueueRun(server, { args: ["--indices", "4"] });
  execFileSync("redis-cli", ["-u", server.url, "set", `bull:${OFFERS}:wait`, "theirs"], { stdio: "pipe" });
  const said =
    /^error: The queue server at redis:[^\n]* refuses a command: [^\n]*WRONGTYPE[^\n]* another database\.\n$/m;
  const { exitCode, stderr } = await at.coordinator().done;
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(said)]);
  expect(stderr).not.toMatch(/^ +at /m);
  at.worker();
  expect(await at.workers[0]?.done).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(said) });
});

test.skipIf(!redis).each(["meta", "events", "marker"])(
  "the coordinator does not wait for workers that such a key stops: %s",
  async (name) => {
    if (!redis) return;
    await using server = await redis.start();
    await using at = await openQueueRun(server, { args: ["--indices", "4,5"] });
    const coordinator = at.coordinator();
    const say = (...words: string[]) => execFileSync("redis-cli", ["-u", server.url, ...words], { encoding: "utf8" });
    await expect.poll(() => say("keys", "bull:mend-r-*Builtin*"), { timeout: 600_000 }).toMatch(/Builtin/);
    const [job = ""] = say("keys", "bull:mend-r-*Builtin*").trim().split("\n");
    say("set", job.replace(/[^:]*$/, name), "theirs");
    const { exitCode, stderr } = await coordinator.done;
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error: .* another database\.$/m)]);
  },
);

test.skipIf(!redis)("a worker that finds such a key in its run says so in one sentence, and ends", async () => {
  if (!redis) return;
  await using server = await redis.start();
  await using at = await openQueueRun(server, { args: ["--indices", "4,5"] });
  at.coordinator();
  const say = (...words: string[]) => execFileSync("redis-cli", ["-u", server.url, ...words], { encoding: "utf8" });
  await expect.poll(() => say("keys", "bull:mend-r-*Builtin*"), { timeout: 600_000 }).toMatch(/Builtin/);
  const [job = ""] = say("keys", "bull:mend-r-*Builtin*").trim().split("\n");
  say("set", job.replace(/[^:]*$/, "active"), "theirs");
  at.worker();
  const ended = await at.workers[0]?.done;
  expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^error: .* another database\.$/m) });
  expect(ended?.stderr).not.toMatch(/^ +at /m);
});

test.each(SERVERS)(
  "$name: an idle worker skips unsigned and malformed offers, and still does a run's work",
  async ({ name, start }) => {
    await using server = await start();
    const broker = await openBroker(server.url);
    await using at = await openQueueRun(server, { args: ["--indices", "4,5"] });
    const offers = broker.queue(OFFERS, { create: true });
    await offers.add([
      { id: "theirs", data: { kind: "samples" } },
      { id: "theirs2", data: seal("another key of sixteen", ["offer", "theirs2"], { kind: "samples" }) },
    ]);
    if (name === "redis") writeMalformed(server.url, OFFERS, "bad");
    at.worker();
    const { exitCode, stderr } = await at.coordinator().done;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("2/2")]);
    await at.leftovers();
    const said = (await at.workers[0]?.done)?.stderr ?? "";
    expect(said.match(/is skipped: it was signed with another MEND_QUEUE_KEY/g)).toHaveLength(1);
    await broker.close();
  },
);
