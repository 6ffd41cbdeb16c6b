/** For tests and figures: a run of many samples on simulated workers, with the real loop and the real store. */

import { join } from "node:path";
import { makeTemporaryFolder } from "../../../../utils/files/temporary.ts";
import { builtinTasks } from "../../../testing/fake_repairer.ts";
import { scored } from "../../../testing/results.ts";
import { Spending } from "../../cost/spending.ts";
import { type Manifest, RUN_FORMAT } from "../../manifest.ts";
import type { Result } from "../../results.ts";
import { type SampleJob, sampleKey } from "../../sample.ts";
import { openRun } from "../../store.ts";
import { samplesToHandOut } from "../coordinate.ts";
import { type Clock, handOut } from "../hand_out.ts";
import { seal } from "../seal.ts";
import { SimulatedBroker } from "./simulated.ts";

const KEY = "a secret of the simulation";

export interface BigRun {
  samples: number;
  workers: number;
  /** The coordinator is away once, in the middle, in simulated milliseconds. */
  awayMs?: number;
}

/** From 0.1 to 60 s, as many between 0.1 and 1 as between 6 and 60; always the same for a sample. */
const durationMs = (id: string): number => 100 * 600 ** (((Number(/(\d+)#/.exec(id)?.[1]) * 7919) % 10_007) / 10_007);

const keyOf = ({ task, attempt }: SampleJob) => sampleKey({ task_id: task.id, attempt });

/** As by `kill -9`: the loop stops where it is. */
class Killed extends Error {}

export async function bigRun({ samples, workers, awayMs = 0 }: BigRun) {
  using folder = makeTemporaryFolder("simulation");
  const [task] = builtinTasks;
  if (!task) throw new Error("there is no built-in task");
  const jobs = Array.from({ length: samples }, (_, index): SampleJob => {
    const own = { ...task, id: `Simulated/${index}` };
    return { index, task: own, visible: own, attempt: 0 };
  });
  using store = openRun(join(folder.path, "runs"), "big", manifestOf(jobs));
  const name = () => samplesToHandOut([], store, options()).handOut.name;
  let left = awayMs > 0 ? samples / 2 : Infinity;
  const stop = new AbortController();
  const options = () => ({
    candidates: 1,
    spending: new Spending([]),
    signal: stop.signal,
    fewShot: [],
    onResult: () => {
      left -= 1;
    },
    draining: () => false,
    key: KEY,
    offered: { spec: "search", temperature: 0, local: {} },
    note: () => {},
    onActivity: () => {},
  });
  const run = name();
  const broker = new SimulatedBroker({
    workers,
    durationMs,
    outcome: ({ id }) => seal(KEY, ["result", run, id], { result: resultOf(id) }),
  });
  const handOutOf = (todo: readonly SampleJob[], clock: Clock) =>
    handOut({ ...samplesToHandOut(todo, store, options()).handOut, broker, clock });
  if (awayMs > 0) {
    const sleep = async (ms: number) => {
      if (left <= 0) throw new Killed();
      await broker.clock.sleep(ms);
    };
    await handOutOf(jobs, { ...broker.clock, sleep }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    broker.pass(awayMs);
  }
  const done = new Set(store.results.map(sampleKey));
  await handOutOf(
    jobs.filter((job) => !done.has(keyOf(job))),
    broker.clock,
  );
  const idealMs = jobs.reduce((sum, job) => sum + durationMs(keyOf(job)), 0) / workers;
  return {
    lines: store.results.length,
    different: new Set(store.results.map(sampleKey)).size,
    begunTwice: [...broker.begun.values()].filter((times) => times > 1).length,
    leftInStore: broker.size,
    seconds: broker.clock.now() / 1000,
    idealSeconds: idealMs / 1000,
  };
}

const resultOf = (id: string): Result => {
  const [task_id = "", attempt] = id.split("#");
  const sample = { index: Number(task_id.split("/")[1]), task_id, attempt: Number(attempt), bug_type: "value misuse" };
  return { ...scored(0, true), ...sample };
};

const manifestOf = (jobs: readonly SampleJob[]): Manifest => ({
  v: RUN_FORMAT,
  decides: {
    protocol: "example",
    shown: "",
    model: { name: "simulated", parameters: {} },
    dataset: { name: "simulated", sha256: "" },
    few_shot: { from: "dataset", task_ids: [] },
    tools: [],
    limits: { max_iterations: 1, timeout_ms: 1 },
    seed: null,
    prices: null,
    sandbox: { layer: "bwrap", python: "3.11" },
    code: "",
    candidates: 1,
    attempts: 1,
    samples: jobs.map(keyOf),
  },
  git_commit: null,
  started_at: new Date(0).toISOString(),
});
