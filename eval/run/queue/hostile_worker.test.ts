/** Who has the key of a queue can send any result, signed: what is none is refused, and only what was parsed is kept. */
// @module-tag ci

import { createHmac, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { expect, test } from "vitest";
import type { Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage } from "../../../agent/run/usage.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { OFFERS } from "./offer.ts";
import { openBroker } from "./open.ts";
import { MOST_BYTES, seal } from "./seal.ts";
import { type Purpose, resultOf, runMadeUp } from "./testing/made_up_run.ts";
import { KEY, openQueueRun } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

/** Signed as a worker signs, whatever it is. */
function sealBytes(key: string, purpose: Purpose, packed: Buffer) {
  const body = packed.toString("base64");
  return { body, mac: createHmac("sha256", key).update(JSON.stringify(purpose)).update(body).digest("hex") };
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };
const packed = (text: string | Buffer) => brotliCompressSync(text, FAST);

/** What no worker of ours sends, by what is wrong with it. */
const REFUSED: Record<string, (key: string, purpose: Purpose) => unknown> = {
  "no signature": (_, purpose) => ({ result: resultOf(purpose[2]) }),
  "another key": (_, purpose) => seal("some other secret", purpose, { result: resultOf(purpose[2]) }),
  "another run": (key, [what, , id]) => seal(key, [what, "another run", id], { result: resultOf(id) }),
  "no JSON": (key, purpose) => sealBytes(key, purpose, packed("{result\n")),
  "not packed": (key, purpose) => sealBytes(key, purpose, Buffer.from("plain text")),
  "nothing in it": (key, purpose) => sealBytes(key, purpose, Buffer.alloc(0)),
  "no line": (key, purpose) => sealBytes(key, purpose, packed("{}")),
  "unpacks to more than fits": (key, purpose) => sealBytes(key, purpose, packed(Buffer.alloc(2 * MOST_BYTES, " "))),
  "another shape": (key, purpose) => seal(key, purpose, { result: [1, { passed: "yes" }], fatal: null }),
  "another task": (key, purpose) => seal(key, purpose, { result: resultOf("Simulated/7#0") }),
  "a path as its task": (key, purpose) => seal(key, purpose, { result: resultOf("../../../escaped#0") }),
  "another attempt": (key, purpose) => seal(key, purpose, { result: { ...resultOf(purpose[2]), attempt: 99 } }),
  "another place": (key, purpose) => seal(key, purpose, { result: { ...resultOf(purpose[2]), index: 3.0e9 } }),
  "another kind of bug": (key, purpose) => seal(key, purpose, { result: { ...resultOf(purpose[2]), bug_type: "x" } }),
  "passed and failed": (key, purpose) => seal(key, purpose, { result: { ...resultOf(purpose[2]), passed: false } }),
  "less than nothing used": (key, purpose) =>
    seal(key, purpose, { result: { ...resultOf(purpose[2]), usage: { ...noUsage(), costUsd: -1e6 } } }),
  "no number of tokens": (key, purpose) =>
    seal(key, purpose, {
      result: { ...resultOf(purpose[2]), usage: { ...noUsage(), inputTokens: Number.NaN, seconds: null } },
    }),
};

const trajectoryOf = (taskId: string): Trajectory => ({
  taskId,
  model: "simulated",
  stop: "answered",
  answer: "def f(): pass",
  verified: true,
  iterations: 0,
  steps: [],
  messages: [],
  usage: noUsage(),
  seconds: 0,
});

test.each(Object.keys(REFUSED))(
  "a result with what is wrong, %s, is run again, and what comes then is taken",
  async (what) => {
    let times = 0;
    const { results, files } = await runMadeUp(1, (key, purpose) => {
      times += 1;
      return times === 1 ? REFUSED[what]?.(key, purpose) : seal(key, purpose, { result: resultOf(purpose[2]) });
    });
    expect([times, results]).toEqual([2, [resultOf("Simulated/0#0")]]);
    expect(files.filter((file) => /escaped|Simulated_7/.test(file))).toEqual([]);
  },
);

test("of a result and its trajectory only the fields that they have are written", async () => {
  const more = (value: object) =>
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"own":"x",${JSON.stringify(value).slice(1)}`;
  const trajectory = trajectoryOf("Simulated/0");
  const { results, texts } = await runMadeUp(1, (key, purpose) =>
    sealBytes(key, purpose, packed(`{"result":${more(resultOf(purpose[2]))},"__proto__":{}}\n${more(trajectory)}`)),
  );
  expect(results).toEqual([resultOf("Simulated/0#0")]);
  expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
  const [lines, kept] = texts;
  expect(JSON.parse(kept ?? "")).toEqual(trajectory);
  expect(kept).not.toMatch(/polluted|"own"|__proto__/);
  expect(lines).not.toMatch(/polluted|"own"|__proto__/);
});

test.each([
  ["of another task", JSON.stringify(trajectoryOf("Simulated/1"))],
  ["of another shape", JSON.stringify({ ...trajectoryOf("Simulated/0"), steps: [{ reply: "x" }] })],
  ["cut off", JSON.stringify(trajectoryOf("Simulated/0")).slice(0, -1)],
])("a trajectory that is %s is not kept, and its result is", async (_what, text) => {
  const { results, notes, files } = await runMadeUp(1, (key, purpose) =>
    seal(key, purpose, { result: resultOf(purpose[2]) }, text),
  );
  expect(results).toEqual([resultOf("Simulated/0#0")]);
  expect(notes).toEqual([
    expect.stringMatching(/what came with Simulated\/0#0 is not a trajectory of it, so it is not kept/),
  ]);
  expect(files.filter((file) => file.endsWith(".json") && file.includes("trajectories"))).toEqual([]);
});

test.skipIf(!hasRedis)(
  "over a real server: what a hostile worker with the key sends, 100 MB of it at once, changes no line of the run",
  DEEP,
  async () => {
    await using server = await startRedis();
    await using at = await openQueueRun(server, { args: ["--indices", "0,1,2,3,4,5,6,7"] });
    const local = at.local();
    const broker = await openBroker(server.url);
    const coordinator = at.coordinator();
    const stop = new AbortController();
    const signed = ["no JSON", "not packed", "unpacks to more than fits", "another shape", "another task"];
    const bad = [
      ...[...signed, "a path as its task"].map((what) => REFUSED[what]),
      () => ({ body: randomBytes(50e6).toString("hex"), mac: "" }),
      (key: string, purpose: Purpose) => sealBytes(key, purpose, Buffer.alloc(75e6)),
    ];
    const allBegun = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
    const offers = broker.queue(OFFERS);
    let run: string | undefined;
    while (run === undefined) run = (await offers.peek())[0]?.id;
    const name = run;
    const handle = async ({ id }: { id: string }) => {
      const next = bad.pop();
      if (bad.length === 0) stop.abort();
      // So each sample gets one of them.
      await allBegun;
      return next?.(KEY, ["result", name, id]);
    };
    await broker.work(name, handle, { name: "hostile:1", concurrency: 8, leaseMs: 60_000, signal: stop.signal });
    await broker.close();
    at.worker();
    const { exitCode, stderr } = await coordinator.done;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("8/8")]);
    await local;
    expect(at.results()).toEqual(at.results("local"));
    const trajectories = (which: string) => readdirSync(join(at.folder, "runs", which, "trajectories")).sort();
    expect(trajectories("r")).toEqual(trajectories("local"));
    expect(await at.leftovers()).toEqual([]);
  },
);
