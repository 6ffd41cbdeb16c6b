import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type FakeRequest, startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { type RunningCommand, run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { right, taskOf, wrong } from "../../testing/fake_repairer.ts";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal, unseal } from "./seal.ts";
import { hasRedis, startRedis } from "./testing/servers.ts";

const [PASS1, WORKER] = ["eval/pass1.ts", "eval/worker.ts"];
const KEY = "a secret of this test";
const ARGS = ["--model", "openai:scripted", "--dataset", "builtin", "--indices", "3,4,5,6", "--few-shot-k", "0"];

if (!hasRedis) console.warn("redis-server is not installed: the queue is not tested");

/** Right for even positions. `before` is told which task is asked for before the answer goes out. */
async function setUp(before: (id: string, count: number) => void | Promise<void> = () => {}) {
  const counts = new Map<string, number>();
  const reply = async (request: FakeRequest) => {
    const task = taskOf(request);
    const count = (counts.get(task.id) ?? 0) + 1;
    counts.set(task.id, count);
    await before(task.id, count);
    return Number(task.id.split("/")[1]) % 2 ? wrong(task) : right(task);
  };
  const server = await startFakeOpenAI({ reply });
  const redis = await startRedis();
  const folder = temporaryFolder();
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k", MEND_QUEUE_KEY: KEY };
  const workers: RunningCommand[] = [];
  const args = [...ARGS, "--max-iterations", "1", "--run", "r"];
  return {
    redis,
    env,
    folder: folder.path,
    workers,
    worker: (...more: string[]) => {
      const worker = start(WORKER, ["--queue", redis.url, "--lease", "2", ...more], folder.path, env);
      workers.push(worker);
      return worker;
    },
    coordinator: () => start(PASS1, [...args, "--queue", redis.url], folder.path, env),
    local: () => run(PASS1, [...args.slice(0, -1), "local"], folder.path, env),
    results: (name: string) =>
      readFileSync(join(folder.path, "runs", name, "results.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => withoutClocks(JSON.parse(line))),
    [Symbol.asyncDispose]: async () => {
      for (const worker of workers) worker.process.kill("SIGKILL");
      await Promise.all(workers.map(({ done }) => done));
      await redis[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const Line = z.looseObject({ usage: z.looseObject({ seconds: z.number() }) });
const withoutClocks = (value: unknown) => {
  const line = Line.parse(value);
  return { ...line, usage: { ...line.usage, seconds: 0 } };
};

test.skipIf(!hasRedis)("two workers give what a local run gives; no job is left in the store", async () => {
  await using at = await setUp();
  await at.local();
  at.worker();
  const other = at.worker();
  const { exitCode, stderr, lines } = await at.coordinator().done;
  expect(stderr).toContain("4/4");
  expect([exitCode, lines.length]).toEqual([0, 5]);
  expect(at.results("r")).toEqual(at.results("local"));
  other.process.kill("SIGINT");
  expect((await other.done).exitCode).toBe(0);
  expect(
    at.redis
      .ask("keys", "*")
      .split("\n")
      .filter((key) => !/:(stalled-check|meta)$/.test(key))
      .join(),
  ).toBe("");
});

test.skipIf(!hasRedis)("a worker killed in the middle, and all jobs lost: no line is lost or doubled", async () => {
  const faults: (() => void)[] = [];
  await using at = await setUp((_, count) => (count === 1 ? faults.shift()?.() : undefined));
  await at.local();
  faults.push(
    () => {},
    () => {},
  );
  await using again = await setUp((id, count) => {
    if (id === "Builtin/4" && count === 1) {
      again.workers[0]?.process.kill("SIGKILL");
      again.worker();
    }
    if (id === "Builtin/6" && count === 1) again.redis.ask("flushall");
  });
  again.worker();
  const { exitCode } = await again.coordinator().done;
  expect(exitCode).toBe(0);
  expect(again.results("r")).toEqual(at.results("local"));
});

test.skipIf(!hasRedis)("a coordinator killed and started again takes what ended meanwhile", async () => {
  let kill = () => {};
  await using at = await setUp((id, count) => (id === "Builtin/4" && count === 1 ? kill() : undefined));
  const first = at.coordinator();
  kill = () => void first.process.kill("SIGKILL");
  at.worker();
  await first.done;
  const { exitCode } = await at.coordinator().done;
  expect(exitCode).toBe(0);
  const ids = at.results("r").map((line) => Reflect.get(line, "task_id"));
  expect(ids).toEqual(["Builtin/3", "Builtin/4", "Builtin/5", "Builtin/6"]);
});

test.skipIf(!hasRedis)("a sample that kills each of its workers ends as an error that names it", async () => {
  await using at = await setUp((id) => {
    if (id !== "Builtin/5") return;
    at.workers.at(-1)?.process.kill("SIGKILL");
    at.worker();
  });
  at.worker();
  const { exitCode, lines } = await at.coordinator().done;
  expect(exitCode).toBe(1);
  expect(lines).toContainEqual(
    expect.objectContaining({ task_id: "Builtin/5", error: expect.stringContaining("Builtin/5#0 was begun 3 times") }),
  );
  expect(lines).toHaveLength(5);
});

test.skipIf(!hasRedis)("results that are not signed, or with another key, are refused and run again", async () => {
  await using at = await setUp();
  await at.local();
  const coordinator = at.coordinator();
  const broker = await openBroker(at.redis.url);
  const offers = broker.queue(OFFERS);
  let [offer] = await offers.peek();
  while (!offer) [offer] = await offers.peek();
  const run = offer.id;
  const passed = { result: { ...at.results("local")[0], passed: true, outcome: "passed" } };
  const end = new AbortController();
  let forged = 0;
  const forge = async ({ id }: { id: string }) => {
    forged += 1;
    if (forged === 4) end.abort();
    return forged % 2 ? passed : seal("some other secret", ["result", run, id], passed);
  };
  await broker.work(run, forge, { name: "rogue", concurrency: 1, leaseMs: 60_000, signal: end.signal });
  await broker.close();
  at.worker();
  const { exitCode, stderr } = await coordinator.done;
  expect(stderr).toContain("without a valid signature is refused");
  expect(exitCode).toBe(0);
  expect(at.results("r")).toEqual(at.results("local"));
});

test.skipIf(!hasRedis)("a run of other code or another key is refused in one sentence, with exit 2", async () => {
  await using at = await setUp();
  const coordinator = at.coordinator();
  const broker = await openBroker(at.redis.url);
  const offers = broker.queue(OFFERS);
  let [offer] = await offers.peek();
  while (!offer) [offer] = await offers.peek();
  coordinator.process.kill("SIGKILL");
  await coordinator.done;
  const stranger = await run(WORKER, ["--queue", at.redis.url], at.folder, {
    ...at.env,
    MEND_QUEUE_KEY: "x".repeat(20),
  });
  expect([stranger.exitCode, stranger.stderr]).toEqual([2, expect.stringContaining("not of this MEND_QUEUE_KEY")]);
  const Any = z.looseObject({ decides: z.looseObject({ code: z.string() }) });
  const real = Any.parse(unseal(KEY, ["offer", offer.id], offer.data, Any));
  const other = { ...real, decides: { ...real.decides, code: "0".repeat(64) } };
  await offers.forget([offer.id]);
  await offers.add([{ id: offer.id, data: seal(KEY, ["offer", offer.id], other) }]);
  const { exitCode, stderr } = await run(WORKER, ["--queue", at.redis.url], at.folder, at.env);
  await broker.close();
  expect(stderr).toMatch(/error: run \S+ is refused: code is 000000000000 in the run and \w{12} here\./);
  expect(exitCode).toBe(2);
});

test.skipIf(!hasRedis)("ids with colons come back as they were", async () => {
  await using redis = await startRedis();
  const broker = await openBroker(redis.url);
  const queue = broker.queue("ids", { create: true });
  const ids = ["a:b#0", "Python/0#1", "%zz", "ü:1"];
  await queue.add(ids.map((id) => ({ id, data: null })));
  expect((await queue.peek()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
  await queue.remove();
  await broker.close();
});

test.each([
  [["--queue", "http://x"], { MEND_QUEUE_KEY: KEY }, "--queue takes redis://"],
  [["--queue", "redis://127.0.0.1:1"], { MEND_QUEUE_KEY: KEY }, "No queue server answers at redis://127.0.0.1:1"],
  [["--queue", "redis://127.0.0.1:1"], { MEND_QUEUE_KEY: "" }, "MEND_QUEUE_KEY"],
  [[], {}, "--queue URL is needed"],
])("worker %j is refused in one sentence", async (args, env, message) => {
  using folder = temporaryFolder();
  const { exitCode, stderr } = await run(WORKER, args, folder.path, env);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toMatch(/\n\s+at /);
});
