// @module-tag ci

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { callAsMend } from "../../../utils/program/called_as.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { COMMANDS } from "../../cli/table.ts";
import { manifestOf } from "../../testing/results.ts";
import { noteWorkers } from "./activity.ts";
import { decidedHere, misfit, queueOf, SampleOffer } from "./offer.ts";
import { seal } from "./seal.ts";
import { resultOf, runMadeUp } from "./testing/made_up_run.ts";
import { openQueueRun } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";
import { openWork } from "./work.ts";

test.skipIf(!hasRedis)(
  "a worker killed in the middle of a sample: the lines are those of a local run, nothing stays",
  DEEP,
  async () => {
    await using store = await startRedis();
    await using at = await openQueueRun(store, {
      args: ["--indices", "4,5"],
      lease: 8,
      before: ({ worker, times }) => {
        if (!worker || at.workers.length > 1 || times > 1) return undefined;
        worker.process.kill("SIGKILL");
        at.worker();
        return undefined;
      },
    });
    await at.local();
    at.worker();
    const { exitCode, stderr } = await at.coordinator().done;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("2/2")]);
    expect(at.workers).toHaveLength(2);
    expect(at.results()).toEqual(at.results("local"));
    expect(await at.leftovers()).toEqual([]);
  },
);

test("what is no trajectory is not kept; what is another sample's result ends as an error when it comes a third time", async () => {
  const { results, notes, trajectories } = await runMadeUp(2, (key, purpose) =>
    seal(key, purpose, { result: resultOf("Simulated/0#0") }, "rm -rf /"),
  );
  const error = {
    kind: "worker",
    message: expect.stringContaining("Simulated/0#1 came back 3 times with what is of no"),
  };
  expect(results).toEqual([resultOf("Simulated/0#0"), expect.objectContaining({ attempt: 1, error })]);
  expect(notes).toEqual([expect.stringContaining("what came with Simulated/0#0 is not a trajectory")]);
  expect(trajectories).toEqual([]);
});

test("a worker names in one sentence what differs from the run", () => {
  const separateUsers = false;
  const info = {
    layer: "bwrap" as const,
    python: "/usr/bin/python3",
    pythonVersion: "3.11.2",
    separateUsers,
    warnings: [],
  };
  const here = { ...decidedHere(info, {}) };
  expect(misfit(here, here)).toBe(null);
  expect(here.sandbox).toEqual({ layer: "bwrap", python: "3.11.2" });
  expect(misfit({ ...here, sandbox: { layer: "bwrap", python: "3.12.0" } }, here)).toBe(
    "sandbox.python is 3.12.0 in the run and 3.11.2 here",
  );
});

test("a worker of other code refuses the run and says what brings it there", DEEP, async () => {
  const { decides } = manifestOf([]);
  const offer = SampleOffer.parse({
    ...{ model: { spec: "search", temperature: 0, local: {} }, fewShot: [] },
    decides: { ...decides, code: "f".repeat(64), limits: { max_iterations: 1, timeout_ms: 1000 } },
  });
  const host = { sandbox: await openForTests(), concurrency: 1, peers: NO_PEERS, own: { prepare: false } };
  const refusal = await openWork(offer, { ...host, signal: new AbortController().signal, log: () => {} });
  expect(refusal).toMatch(/^code is ffffffffffff in the run and \w{12} here.*\. Bring .*, and start it again$/);
});

const NO_PEERS = { refused: () => {}, onRefused: () => {}, count: () => 1 };

test("the compose file starts commands that exist, with options that they have", async () => {
  const compose = readFileSync(new URL("../../../examples/compose.yaml", import.meta.url), "utf8");
  const commands = [...compose.matchAll(/command: (\["npx", "tsx".*\])/g)].map(([, json = ""]) =>
    z.array(z.string()).parse(JSON.parse(json)),
  );
  expect(commands.map(([, , file, name]) => [file, name])).toEqual([
    ["eval/cli/main.ts", "worker"],
    ["eval/cli/main.ts", "eval"],
  ]);
  for (const [, , , name = "", ...args] of commands) {
    const loaded = await COMMANDS[name]?.load();
    const used = args.filter((arg) => arg.startsWith("--")).map((arg) => arg.slice(2));
    expect(Object.keys(loaded?.command.options ?? {})).toEqual(expect.arrayContaining(used));
  }
});

test("a queue has the same name when its run is resumed, and another for another run", () => {
  const name = queueOf("a-very-long-name-of-a-run-that-somebody-gave", "2026-01-01T00:00:00.000Z");
  expect(name).toBe(queueOf("a-very-long-name-of-a-run-that-somebody-gave", "2026-01-01T00:00:00.000Z"));
  expect(name).not.toBe(queueOf("a-very-long-name-of-a-run-that-somebody-else-gave", "2026-01-01T00:00:00.000Z"));
});

test("a run without workers names the command that starts one", () => {
  const notes: string[] = [];
  callAsMend();
  const looked = noteWorkers("redis://:secret@host", (line) => notes.push(line));
  for (const workers of [0, 0, 0, 2, 2]) looked(workers);
  expect(notes).toEqual([
    expect.stringMatching(/^no worker is there: mend worker --queue redis:\/\/\S*host starts one/),
    "at work: 2 workers",
  ]);
});
