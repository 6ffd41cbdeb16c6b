import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import type { FakeReply } from "../../../agent/models/testing/fake_openai.ts";
import { Trajectory } from "../../../agent/run/trajectory.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { finalAnswer } from "../../testing/fake_repairer.ts";
import type { Broker, Entry } from "./broker.ts";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal, unseal } from "./seal.ts";
import { KEY, openQueueRun, WORKER } from "./testing/queue_run.ts";
import { SERVERS } from "./testing/servers.ts";

/** One kind of server is enough where nothing depends on it. */
const [redis = { start: () => Promise.reject(new Error("no server")) }] = SERVERS;
const there = SERVERS.length > 0;
const FOUR = ["--indices", "3,4,5,6"];

async function offerOf(broker: Broker): Promise<Entry> {
  for (;;) {
    const [offer] = await broker.queue(OFFERS).peek();
    if (offer) return offer;
    await sleep(50);
  }
}

test.each(SERVERS)("$name: all jobs lost in the middle: no line is lost or doubled", async ({ start }) => {
  await using server = await start();
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

test.skipIf(!there)(
  "results that are torn, unsigned, or signed with another key are refused and run again",
  async () => {
    await using server = await redis.start();
    await using at = await openQueueRun(server, { args: FOUR });
    await at.local();
    const coordinator = at.coordinator();
    const broker = await openBroker(server.url);
    const { id: name } = await offerOf(broker);
    const passed = { result: { ...at.results("local")[0], passed: true, outcome: "passed" } };
    const forgeries = [
      () => passed,
      (id: string) => seal("some other secret", ["result", name, id], passed),
      (id: string) => seal(KEY, ["result", "another run", id], passed),
      (id: string) => {
        const { body, mac } = seal(KEY, ["result", name, id], passed);
        return { body: body.slice(0, body.length / 2), mac };
      },
    ];
    const end = new AbortController();
    const forge = async ({ id }: Entry) => {
      const made = forgeries.shift();
      if (forgeries.length === 0) end.abort();
      return made?.(id);
    };
    await broker.work(name, forge, { name: "rogue", concurrency: 1, leaseMs: 60_000, signal: end.signal });
    await broker.close();
    at.worker();
    const { exitCode, stderr } = await coordinator.done;
    expect(stderr.match(/is not signed, or no result, and is refused/g)).toHaveLength(4);
    expect(exitCode).toBe(0);
    expect(at.results()).toEqual(at.results("local"));
  },
);

const Any = z.looseObject({ decides: z.looseObject({ sandbox: z.looseObject({}) }) });
type Decides = z.infer<typeof Any>["decides"];

test.skipIf(!there)("a run of other code, layer or Python is refused in one sentence, with exit 2", async () => {
  await using server = await redis.start();
  await using at = await openQueueRun(server, { args: FOUR });
  const coordinator = at.coordinator();
  const broker = await openBroker(server.url);
  const offers = broker.queue(OFFERS);
  const { id, data } = await offerOf(broker);
  coordinator.process.kill("SIGKILL");
  await coordinator.done;
  const real = Any.parse(unseal(KEY, ["offer", id], data, Any)?.value);
  const { sandbox } = real.decides;
  const refusal = async (decides: Partial<Decides>) => {
    await offers.forget([id]);
    await offers.add([{ id, data: seal(KEY, ["offer", id], { ...real, decides: { ...real.decides, ...decides } }) }]);
    const { exitCode, stderr } = await run(WORKER, ["--queue", server.url], at.folder, at.env);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/error: run \S+ is refused: /)]);
    return stderr;
  };
  expect(await refusal({ code: "0".repeat(64) })).toMatch(/code is 000000000000 in the run and \w{12} here\./);
  expect(await refusal({ sandbox: { ...sandbox, layer: "none" } })).toMatch(
    /sandbox.layer is none in the run and \w+ here\./,
  );
  expect(await refusal({ sandbox: { ...sandbox, python: "2.7.1" } })).toMatch(
    /sandbox.python is 2.7.1 in the run and 3\S+ here\./,
  );
  await broker.close();
});

test.skipIf(!there)("two runs at once share a worker fairly", async () => {
  await using server = await redis.start();
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

test.skipIf(!there)("Ctrl-C lets what has begun end; the same command goes on", async () => {
  await using server = await redis.start();
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
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining("finishing what has begun")]);
  const before = at.results();
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(12);
  expect((await at.coordinator().done).exitCode).toBe(0);
  expect(at.results()).toEqual(at.results("local"));
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!there)("a budget ends the run with what has begun; little is under way", async () => {
  await using server = await redis.start();
  await using at = await openQueueRun(server, { args: ["--num", "30", "--price", "1000000,0"] });
  at.worker();
  // Twelve tokens a request: the third is over.
  const { exitCode, stderr } = await at.coordinator(["--max-cost", "30"]).done;
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("Stopped: ")]);
  expect(at.results().length).toBeGreaterThanOrEqual(3);
  expect(at.results().length).toBeLessThan(30);
  expect(await at.leftovers()).toEqual([]);
});

test.skipIf(!there)("a wrong key of a worker ends the run at once, and no sample has it as its result", async () => {
  await using server = await redis.start();
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

test.skipIf(!there)("a trajectory of a megabyte arrives", async () => {
  await using server = await redis.start();
  const long = Array.from({ length: 200_000 }, () => Math.random().toString(36).slice(2, 9)).join(" ");
  await using at = await openQueueRun(server, {
    args: ["--indices", "4"],
    before: ({ task }) => `Thought: ${long}${finalAnswer(task.declaration + task.canonicalCode)}`,
  });
  at.worker();
  const { exitCode } = await at.coordinator().done;
  expect(exitCode).toBe(0);
  const folder = join(at.folder, "runs", "r", "trajectories");
  const [file = ""] = readdirSync(folder);
  const { messages } = Trajectory.parse(JSON.parse(readFileSync(join(folder, file), "utf8")));
  expect(messages.some(({ content }) => content.includes(long))).toBe(true);
});

test.skipIf(!there)("HTTP 429 to one worker slows both", async () => {
  await using server = await redis.start();
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

test.skipIf(!there)("a rate holds over two workers", async () => {
  await using server = await redis.start();
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
