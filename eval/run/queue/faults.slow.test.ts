/** What may happen to a run: no line is lost, none is doubled, and nothing stays in the store. */

import { expect, test } from "vitest";
import type { RunningCommand } from "../../../utils/testing/command.ts";
import { openQueueRun, type resultsOf, type TaskRequest } from "./testing/queue_run.ts";
import { hasRedis, type QueueServer, startRedis } from "./testing/redis.ts";

const POISON = "Builtin/5";

/** What a fault can do, and to whom. */
interface Scene {
  server: QueueServer;
  coordinator: RunningCommand;
  startWorker(): void;
}

interface Fault {
  name: string;
  /** Called before each answer of the model: while the sample of `asked` is under way. */
  strike(asked: TaskRequest, scene: Scene): void | Promise<void>;
  /** The coordinator is killed, and started again. */
  twice?: boolean;
  /** A sample that ends as an error. */
  lost?: string;
}

const FAULTS: Fault[] = [
  {
    name: "a worker is killed",
    strike: ({ task, times, worker }, { startWorker }) => {
      if (task.id !== "Builtin/9" || times > 1) return;
      worker?.process.kill("SIGKILL");
      startWorker();
    },
  },
  {
    name: "the coordinator is killed",
    strike: ({ task, times }, { coordinator }) => {
      if (task.id === "Builtin/9" && times === 1) coordinator.process.kill("SIGKILL");
    },
    twice: true,
  },
  {
    name: "the server is killed",
    strike: async ({ task, times }, { server }) => {
      if (task.id !== "Builtin/9" || times > 1) return;
      await server.kill();
      await server.start();
    },
  },
  {
    name: "a worker is paused for longer than its lease",
    strike: ({ task, times, worker }, { startWorker }) => {
      if (task.id !== "Builtin/9") return;
      if (times === 1) {
        paused = worker;
        worker?.process.kill("SIGSTOP");
        startWorker();
      } else paused?.process.kill("SIGCONT");
    },
  },
  {
    name: "a sample kills each of its workers",
    strike: ({ task, worker }, { startWorker }) => {
      if (task.id !== POISON) return;
      worker?.process.kill("SIGKILL");
      startWorker();
    },
    lost: POISON,
  },
];
/** Lines of a local run. */
let undisturbed: ReturnType<typeof resultsOf> | undefined;
let paused: RunningCommand | undefined;

test.skipIf(!hasRedis).each(FAULTS)("$name", async ({ strike, twice, lost }) => {
  await using server = await startRedis();
  const scenes: Scene[] = [];
  await using at = await openQueueRun(server, {
    args: [],
    before: async (asked) => {
      if (scenes[0]) await strike(asked, scenes[0]);
      return undefined;
    },
  });
  const expected: ReturnType<typeof resultsOf> = undisturbed ?? (await at.local().then(() => at.results("local")));
  undisturbed = expected;
  at.worker();
  at.worker();
  let coordinator = at.coordinator();
  scenes.push({ server, coordinator, startWorker: () => at.worker() });
  let ended = await coordinator.done;
  if (twice) {
    expect(ended.exitCode).toBe(null);
    coordinator = at.coordinator();
    ended = await coordinator.done;
  }
  expect([ended.exitCode, ended.stderr]).toEqual([lost ? 1 : 0, expect.stringContaining("30/30")]);
  const results = at.results();
  expect(results.map((line) => line.task_id)).toEqual(expected.map((line) => line.task_id));
  const others = (line: { task_id: string }) => line.task_id !== lost;
  expect(results.filter(others)).toEqual(expected.filter(others));
  if (lost) {
    const error = { kind: "worker", message: expect.stringContaining(`${lost}#0 was begun 3 times`) };
    expect(results).toContainEqual(expect.objectContaining({ task_id: lost, error }));
  }
  expect(await at.leftovers()).toEqual([]);
});
