/** For tests: made-up samples, handed out to a worker in this process that sends whatever a test says. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { functionTask } from "../../../benchmark/functions.ts";
import { builtinTasks } from "../../../testing/fake_repairer.ts";
import { manifestOf, scored } from "../../../testing/results.ts";
import { Budget } from "../../cost/budget.ts";
import { type Result, type SampleJob, sampleKey } from "../../results.ts";
import { openRun } from "../../store.ts";
import type { Broker, Entry, JobEnd, JobQueue } from "../broker.ts";
import { Coordinator } from "../coordinate.ts";
import { OFFERS } from "../offer.ts";

/** What a result is signed for. */
export type Purpose = [string, string, string];

const PASSED = scored(0, true);

export const resultOf = (id: string): Result => {
  const [task_id = "", attempt] = id.split("#");
  return { ...PASSED, task_id, attempt: Number(attempt) };
};

/** Attempts at one task, `Simulated/0`. */
function madeUpJobs(count: number): SampleJob[] {
  const [given] = builtinTasks;
  if (!given) throw new Error("there is no built-in task");
  const own = { ...given, id: "Simulated/0", bugType: PASSED.bug_type };
  const task = functionTask(own, own);
  return Array.from({ length: count }, (_, attempt) => ({ index: 0, task, attempt }));
}

const samplesOf = (jobs: readonly SampleJob[]) =>
  jobs.map(({ task, attempt }) => sampleKey({ task_id: task.id, attempt }));

/** Its jobs end as soon as they are put in; offers wait. */
function madeUpBroker(outcome: (id: string) => unknown): Broker {
  const queues = new Map<string, JobQueue>();
  return {
    queue: (name) => {
      const queue = queues.get(name) ?? madeUpQueue(name === OFFERS ? null : outcome);
      queues.set(name, queue);
      return queue;
    },
    work: async () => {},
    close: async () => {},
  };
}

function madeUpQueue(outcome: ((id: string) => unknown) | null): JobQueue {
  const waiting = new Map<string, Entry>();
  const ended = new Map<string, JobEnd>();
  return {
    add: async (entries) => {
      for (const entry of entries) {
        if (outcome) ended.set(entry.id, { id: entry.id, value: outcome(entry.id) });
        else waiting.set(entry.id, entry);
      }
    },
    counts: async () => ({ waiting: waiting.size, active: 0, ended: ended.size }),
    peek: async () => [...waiting.values()],
    active: async () => [],
    ended: async () => [...ended.values()],
    forget: async (ids) => {
      for (const id of ids) if (!waiting.delete(id)) ended.delete(id);
    },
    drain: async () => waiting.clear(),
    limit: async () => {},
    slow: async () => {},
    slowedMs: async () => 0,
    workers: async () => [],
    remove: async () => {
      for (const jobs of [waiting, ended]) jobs.clear();
    },
  };
}

/** Runs `count` samples whose results come from `outcome`. */
export async function runMadeUp(count: number, outcome: (key: string, purpose: Purpose) => unknown) {
  using folder = makeTemporaryFolder("queue");
  const jobs = madeUpJobs(count);
  using store = openRun(join(folder.path, "runs"), "r", manifestOf(samplesOf(jobs)));
  const notes: string[] = [];
  const key = "a secret of the simulation";
  const options = {
    budget: new Budget({}),
    signal: new AbortController().signal,
    fewShot: [],
    onResult: () => {},
    draining: () => false,
    key,
    offered: { spec: "search", temperature: 0, local: {} },
    note: (line: string) => notes.push(line),
    onWorkers: () => {},
  };
  const broker = madeUpBroker((id) => outcome(key, ["result", coordinator.name, id]));
  const coordinator = new Coordinator(jobs, store, broker, options, 1);
  await coordinator.run();
  const files = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).sort();
  const texts = ["results.jsonl", "trajectories/Simulated_0.0.json"]
    .map((file) => join(store.folder, file))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null));
  return { results: store.results, notes, files, texts, trajectories: readdirSync(join(store.folder, "trajectories")) };
}
