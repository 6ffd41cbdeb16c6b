/**
 * Runs the samples of a run on workers elsewhere; this process is the only one that writes the run's folder. Relies on
 * no events, so that resuming is the same code.
 */

import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage } from "../../../agent/run/usage.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import type { Budget } from "../cost/budget.ts";
import { isScored, isUnpaid, type Result, type SampleJob, sampleKey, unfinished } from "../results.ts";
import type { RunnerOptions } from "../solve/solve.ts";
import { type RunStore, trajectoryText } from "../store.ts";
import { Allotments } from "./allot.ts";
import { type Broker, type JobEnd, type JobQueue, STARTS } from "./broker.ts";
import { needsOf, OFFERS, queueOf, SampleOffer, SolvedSample, sampleData } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal, unseal } from "./seal.ts";

const TAKEN_AT_ONCE = 20;
const LOOK_MS = 300;
/** How often this process checks that the server still has the jobs it put in, and who is at work. */
const RECONCILE_MS = 5000;
/** So many jobs wait at least, or as many as run where that is more: no worker is idle, and the queue stays small. */
const LEAST_WAITING = 8;
/** How often a job may come back with an invalid signature, or with a result that is not accepted. */
const REFUSALS = 3;
const UNSIGNED = "without a valid signature or without a result: someone else writes to this queue";

interface CoordinatorOptions extends Pick<RunnerOptions, "signal" | "fewShot" | "draining" | "onResult"> {
  budget: Budget;
  key: string;
  /** How workers make the model. */
  offered: SampleOffer["model"];
  /** What has to be on a worker's machine for the tasks. */
  needs?: SampleOffer["needs"];
  /** Tells a person one line. */
  note(line: string): void;
  /** Gets the number of workers now and then. */
  onWorkers(workers: number): void;
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
  options: CoordinatorOptions & RunnerOptions & { url: string },
): Promise<string | null> {
  const todo = unfinished(jobs, store.results, options);
  if (todo.length === 0) return null;
  const broker = await openBroker(options.url);
  try {
    const coordinator = new Coordinator(todo, store, broker, { ...options, needs: needsOf(jobs) });
    // A server that is away answers nothing until it is back: the second Ctrl-C does not wait for it.
    await untilAborted(coordinator.run(), options.signal);
    return coordinator.fatal;
  } finally {
    await broker.close();
  }
}

/** Settles as the work does, or when the signal fires. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([work, aborted]);
}

/** Hands samples out until each has a result. */
export class Coordinator {
  /** Of the queue, and of the offer by which workers find it. */
  readonly name: string;
  /** A failure of the model that every further sample would meet too; it ends the run. */
  fatal: string | null = null;
  /**
   * Samples without a result, by their keys: of a big run each is held once, as what is to do or as what came of it.
   */
  readonly #jobs: Map<string, SampleJob>;
  /** Keys of those that are not in the queue, as far as this process knows, in their order; and of those that are. */
  readonly #later: Set<string>;
  readonly #queued = new Set<string>();
  readonly #refusals = new Map<string, number>();
  readonly #store: RunStore;
  readonly #options: CoordinatorOptions;
  readonly #limit: number | null;
  readonly #allotments: Allotments;
  readonly #queue: JobQueue;
  readonly #offers: JobQueue;
  readonly #offer: ReturnType<typeof seal>;
  readonly #lookMs: number;
  #reconciledAt = -Infinity;

  constructor(
    todo: readonly SampleJob[],
    store: RunStore,
    broker: Broker,
    options: CoordinatorOptions,
    lookMs = LOOK_MS,
  ) {
    const { key, offered, fewShot, needs, budget } = options;
    const { decides, started_at } = store.manifest;
    this.name = queueOf(basename(store.folder), started_at);
    this.#jobs = new Map(todo.map((job) => [sampleKey({ task_id: job.task.id, attempt: job.attempt }), job]));
    this.#later = new Set(this.#jobs.keys());
    this.#store = store;
    this.#options = options;
    this.#limit = offered.maxRequests ?? null;
    this.#allotments = new Allotments(budget);
    this.#queue = broker.queue(this.name, { create: true });
    this.#offers = broker.queue(OFFERS);
    const offer = SampleOffer.parse({ decides, model: offered, fewShot, needs });
    this.#offer = seal(key, ["offer", this.name], offer);
    this.#lookMs = lookMs;
  }

  async run(): Promise<void> {
    const { draining, signal } = this.#options;
    // An offer that another process left may ask for other limits. An equal one stays: workers leave a run that is not
    // on offer.
    const before = (await this.#offers.peek()).find(({ id }) => id === this.name);
    if (before && JSON.stringify(before.data) !== JSON.stringify(this.#offer)) await this.#offers.forget([this.name]);
    await this.#queue.limit(this.#limit);
    // What waits was given its part of the budget by an earlier process.
    await this.#queue.drain();
    while (!signal.aborted) {
      const taken = await this.#takeEnded();
      if (this.#later.size + this.#queued.size === 0) break;
      if (this.fatal !== null || draining()) {
        // What has begun is waited for.
        await this.#queue.drain();
        const { active, ended } = await this.#queue.counts();
        if (active + ended === 0) break;
      } else {
        await this.#reconcile();
        await this.#fill();
      }
      if (taken === 0) await sleep(this.#lookMs);
    }
    if (!signal.aborted) await this.#leave();
  }

  async #takeEnded(): Promise<number> {
    const ended = await this.#queue.ended(TAKEN_AT_ONCE);
    for (const end of ended) {
      // Absent: written down before by a process that was killed before it could forget the job.
      // Among the later ones: an earlier process put it in.
      if (!this.#queued.delete(end.id) && !this.#later.delete(end.id)) continue;
      if (!this.#take(end)) this.#later.add(end.id);
    }
    await this.#queue.forget(ended.map(({ id }) => id));
    return ended.length;
  }

  /** @returns false where the job is run again */
  #take(end: JobEnd): boolean {
    const { key, note } = this.#options;
    const sealed = "value" in end ? unseal(key, ["result", this.name, end.id], end.value, SolvedSample) : null;
    const taken = sealed && this.#takeResult(end.id, sealed.value, sealed.attached);
    if (taken) return taken === "done";
    const isGivenUp = this.#giveUp(end, sealed ? "with what is of no use to this run" : UNSIGNED);
    if (!isGivenUp && !sealed)
      note(`queue: what came for ${end.id} is not signed, or no result, and is refused; it is run again`);
    return isGivenUp;
  }

  /** Writes the result of a job down. @returns null where it is of no use */
  #takeResult(id: string, { result, fatal }: SolvedSample, attached: Uint8Array): "done" | "again" | null {
    const { budget, note } = this.#options;
    const job = this.#jobs.get(id);
    if (!job || !isOf(job, result)) return null;
    const trajectory = trajectoryOf(job, attached);
    if (trajectory) this.#store.saveTrajectory(result, trajectoryText(trajectory));
    else if (attached.length > 0) note(`queue: what came with ${id} is not a trajectory of it, so it is not kept`);
    const used = result.usage ?? noUsage();
    budget.add(used, null);
    this.#allotments.end(id, used, isUnpaid(result));
    if (isUnpaid(result) && budget.reached === null) {
      // On record for what it cost; no result yet.
      this.#store.append(result);
      return "again";
    }
    this.fatal ??= fatal ?? null;
    if (fatal !== undefined) return "again";
    this.#write(id, result);
    return "done";
  }

  #write(id: string, result: Result): void {
    this.#jobs.delete(id);
    this.#store.append(result);
    this.#options.onResult(result, false);
  }

  /** Writes down why a job has no result, if it was lost or refused too often. @returns false: it is run once more */
  #giveUp(end: JobEnd, how: string): boolean {
    const isLost = "failed" in end && end.lost;
    const refusals = (this.#refusals.get(end.id) ?? 0) + 1;
    this.#refusals.set(end.id, refusals);
    if (!isLost && refusals < REFUSALS) return false;
    const message = isLost
      ? `${end.id} was begun ${STARTS} times, and each time its worker was killed or fell silent.`
      : `${end.id} came back ${REFUSALS} times ${how}.`;
    this.#allotments.end(end.id, noUsage(), false);
    const job = this.#jobs.get(end.id);
    if (job) this.#write(end.id, errorOf(job, message));
    return true;
  }

  /** Sees to it that the server has the offer and all that we put in: one without persistence may have lost it. */
  async #reconcile(): Promise<void> {
    if (performance.now() - this.#reconciledAt < RECONCILE_MS) return;
    this.#reconciledAt = performance.now();
    await this.#offers.add([{ id: this.name, data: this.#offer }]);
    const { waiting, active, ended } = await this.#queue.counts();
    if (waiting + active + ended < this.#queued.size) {
      await this.#queue.limit(this.#limit);
      await this.#add([...this.#queued]);
    }
    this.#options.onWorkers((await this.#queue.workers()).length);
  }

  async #fill(): Promise<void> {
    if (this.#later.size === 0) return;
    const { waiting, active } = await this.#queue.counts();
    const wanted = Math.max(LEAST_WAITING, active);
    if (waiting >= wanted) return;
    const next: string[] = [];
    for (const id of this.#later) {
      if (next.length === 2 * wanted - waiting) break;
      next.push(id);
    }
    await this.#add(next);
  }

  /** Puts jobs in whose part of the budget is there; the same job gets the same part again. */
  async #add(ids: readonly string[]): Promise<void> {
    const begun = ids.flatMap((id) => {
      const job = this.#jobs.get(id);
      const budget = this.#allotments.take(id);
      if (!budget) return [];
      const data = { job: job && sampleData(job), budget };
      return [{ id, data: seal(this.#options.key, ["job", this.name, id], data) }];
    });
    await this.#queue.add(begun);
    for (const { id } of begun) if (this.#later.delete(id)) this.#queued.add(id);
  }

  /** Removes the queue: every job has been written down, or was never begun. */
  async #leave(): Promise<void> {
    await this.#offers.forget([this.name]);
    await this.#queue.remove();
    const { waiting } = await this.#offers.counts();
    if (waiting === 0) await this.#offers.remove();
  }
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
