/** Runs the samples of a run on workers elsewhere; this process is the only one that writes the run's folder. */

import { basename } from "node:path";
import { Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage } from "../../../agent/run/usage.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import type { Budget } from "../cost/budget.ts";
import { fileHashes } from "../manifest.ts";
import { isScored, isUnpaid, type Result, type SampleJob, sampleKey, unfinished } from "../results.ts";
import type { RunnerOptions } from "../solve/solve.ts";
import { type RunStore, trajectoryText } from "../store.ts";
import type { Activity } from "./activity.ts";
import { Allotments } from "./allot.ts";
import { type HandOut, handOut } from "./hand_out.ts";
import { needsOf, queueOf, SampleOffer, SolvedSample, sampleData } from "./offer.ts";
import { openBroker } from "./open.ts";

interface QueueOptions extends RunnerOptions {
  budget: Budget;
  url: string;
  key: string;
  /** How workers make the model. */
  offered: SampleOffer["model"];
  /** Tells a person one line. */
  note(line: string): void;
  onActivity(workers: readonly Activity[]): void;
}

/**
 * Runs on the queue's workers what the store does not hold yet. Whatever happens to a worker, to the server or to this
 * process, a later call goes on: it takes what ended meanwhile and puts in again what is missing.
 * @returns the failure of the model that ended the run early (a wrong key, a wrong address), or null
 * @throws UserError where no server answers
 */
export async function runOnQueue(
  jobs: readonly SampleJob[],
  store: RunStore,
  options: QueueOptions,
): Promise<string | null> {
  const todo = unfinished(jobs, store.results, options);
  if (todo.length === 0) return null;
  const broker = await openBroker(options.url);
  try {
    const work = samplesToHandOut(todo, store, { ...options, needs: needsOf(jobs) });
    // A server that is away answers nothing until it is back: the second Ctrl-C does not wait for it.
    await untilAborted(handOut({ ...work.handOut, broker }), options.signal);
    return work.fatal();
  } finally {
    await broker.close();
  }
}

/** Settles as the work does, or when the signal fires. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([work, aborted]);
}

type HandingOut = Omit<QueueOptions, "url" | keyof RunnerOptions> & { needs?: SampleOffer["needs"] } & Pick<
    RunnerOptions,
    "signal" | "fewShot" | "draining" | "onResult"
  >;

/** The samples as jobs whose outcomes go to the store, and what of the model's failures ends the run. */
export function samplesToHandOut(
  todo: readonly SampleJob[],
  store: RunStore,
  options: HandingOut,
): { handOut: Omit<HandOut<SolvedSample>, "broker">; fatal: () => string | null } {
  const { key, signal, fewShot, offered, budget, draining, needs, note, onActivity } = options;
  const allotments = new Allotments(budget);
  const { decides, started_at } = store.manifest;
  const offer = SampleOffer.parse({ decides, model: offered, fewShot, files: fileHashes(), needs });
  let fatal: string | null = null;
  // Without those that have ended: of a big run each is held once, as what is to do or as what came of it.
  const jobs = new Map(todo.map((job) => [sampleKey({ task_id: job.task.id, attempt: job.attempt }), job]));
  const write = (id: string, result: Result) => {
    jobs.delete(id);
    store.append(result);
    options.onResult(result, false);
  };
  const { maxRequests } = offered;
  return {
    fatal: () => fatal,
    handOut: {
      key,
      name: queueOf(basename(store.folder), started_at),
      offer,
      outcome: SolvedSample,
      ids: jobs.keys(),
      dataOf: (id) => {
        const job = jobs.get(id);
        return job && sampleData(job);
      },
      take: (id, { result, fatal: failure }, attached) => {
        const job = jobs.get(id);
        if (!job || !isOf(job, result)) return false;
        const trajectory = trajectoryOf(job, attached);
        if (trajectory) store.saveTrajectory(result, trajectoryText(trajectory));
        else if (attached.length > 0) note(`queue: what came with ${id} is not a trajectory of it, so it is not kept`);
        const used = result.usage ?? noUsage();
        budget.add(used, null);
        allotments.end(id, used, isUnpaid(result));
        if (isUnpaid(result) && budget.reached === null) {
          // On record for what it cost; no result yet.
          store.append(result);
          return "again";
        }
        if (failure !== undefined) fatal ??= failure;
        else write(id, result);
        return failure === undefined;
      },
      allot: (id) => allotments.take(id),
      fail: (id, why) => {
        allotments.end(id, noUsage(), false);
        const job = jobs.get(id);
        if (job) write(id, errorOf(job, why));
      },
      limit: maxRequests ?? null,
      stopping: () => fatal !== null || draining(),
      signal,
      note,
      onActivity,
    },
  };
}

/** Whether a result belongs to this sample and does not contradict itself: anyone with the key can send any. */
const isOf = ({ index, task, attempt }: SampleJob, result: Result): boolean =>
  result.index === index &&
  result.task_id === task.id &&
  result.attempt === attempt &&
  result.bug_type === task.kind &&
  (!isScored(result) || result.passed === (result.outcome === "passed"));

/** The attached trajectory, read by its schema; null if it is not one of this task. */
function trajectoryOf({ task }: SampleJob, attached: Uint8Array): Trajectory | null {
  const trajectory = readJson(new TextDecoder().decode(attached), Trajectory);
  return trajectory?.taskId === task.id ? trajectory : null;
}

const errorOf = ({ index, task, attempt }: SampleJob, message: string): Result => ({
  index,
  task_id: task.id,
  attempt,
  bug_type: task.kind,
  error: { kind: "worker", message },
});
