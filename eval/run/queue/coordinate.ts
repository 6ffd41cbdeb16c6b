/** Runs samples on workers elsewhere: what is not in `results.jsonl` is put into the queue, what ended is written down, once. */

import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../../utils/errors.ts";
import { noUsage } from "../../../utils/usage.ts";
import { Manifest, readManifest } from "../manifest.ts";
import type { Result } from "../results.ts";
import { type RunnerOptions, unfinished } from "../runner.ts";
import { type SampleJob, sampleKey } from "../sample.ts";
import type { RunStore } from "../store.ts";
import { type Broker, type Ended, type JobQueue, STARTS, withoutSecrets } from "./broker.ts";
import { OFFERS, Offer, Outcome, queueOf } from "./offer.ts";
import { openBroker } from "./open.ts";
import { seal, unseal } from "./seal.ts";

const TAKEN_AT_ONCE = 20;
const LOOK_MS = 300;
/** How often we look whether the server still has what we put in. */
const RECONCILE_MS = 5000;
/** Jobs that wait at least, and as many as run where that is more: no worker is idle, and little is in the queue. */
const LEAST_WAITING = 8;
/** How often a sample may come back without a valid signature. */
const REFUSALS = 3;

export interface QueueOptions extends RunnerOptions {
  url: string;
  key: string;
  /** How workers make the model. */
  offered: Offer["model"];
  /** Tells a person one line. */
  note(line: string): void;
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
  const todo = unfinished(jobs, store, options);
  if (todo.length === 0) return null;
  const { url, signal, fewShot, offered } = options;
  const { decides, started_at } = requireManifest(store.folder);
  const offer = Offer.parse({ decides, model: offered, fewShot });
  const broker = await openBroker(url);
  try {
    const coordination = new Coordination(
      todo,
      store,
      options,
      broker,
      queueOf(basename(store.folder), started_at),
      offer,
    );
    // A server that is away answers nothing until it is back: the second Ctrl-C does not wait for it.
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([coordination.run(), aborted]);
    return coordination.fatal;
  } finally {
    await broker.close();
  }
}

/** That of the run's first call: its date is in the name of the run's queue. */
function requireManifest(folder: string): Manifest {
  const manifest = readManifest(folder, Manifest);
  if (!manifest) throw new UserError(`${folder} has lost its manifest.`);
  return manifest;
}

class Coordination {
  fatal: string | null = null;
  readonly #open: Map<string, SampleJob>;
  /** Ids of `#open` that are in the queue as far as we know. */
  readonly #put = new Set<string>();
  readonly #refusals = new Map<string, number>();
  readonly #store: RunStore;
  readonly #options: QueueOptions;
  readonly #name: string;
  readonly #offer: Offer;
  readonly #queue: JobQueue;
  readonly #offers: JobQueue;
  #reconciledAt = -Infinity;
  #workers = "";

  constructor(
    todo: readonly SampleJob[],
    store: RunStore,
    options: QueueOptions,
    broker: Broker,
    name: string,
    offer: Offer,
  ) {
    this.#open = new Map(todo.map((job) => [sampleKey({ task_id: job.task.id, attempt: job.attempt }), job]));
    this.#store = store;
    this.#options = options;
    this.#name = name;
    this.#offer = offer;
    this.#queue = broker.queue(name, { create: true });
    this.#offers = broker.queue(OFFERS);
  }

  async run(): Promise<void> {
    const { draining, signal, candidates, offered } = this.#options;
    const { maxRequests } = offered;
    // An offer of before may ask for other limits.
    await this.#offers.forget([this.#name]);
    await this.#queue.limit(maxRequests === undefined ? null : Math.max(1, Math.floor(maxRequests / candidates)));
    while (!signal.aborted) {
      const taken = await this.#takeEnded();
      if (this.#open.size === 0) break;
      if (this.fatal !== null || draining()) {
        await this.#queue.drain();
        const { active, ended } = await this.#queue.counts();
        if (active + ended === 0) break;
      } else {
        await this.#reconcile();
        await this.#fill();
      }
      if (taken === 0) await sleep(LOOK_MS);
    }
    if (!signal.aborted) await this.#leave();
  }

  async #takeEnded(): Promise<number> {
    const ended = await this.#queue.ended(TAKEN_AT_ONCE);
    for (const end of ended) {
      const job = this.#open.get(end.id);
      this.#put.delete(end.id);
      // Absent: written down before by a process that was killed before it could forget the job.
      if (job) this.#take(end, job);
    }
    await this.#queue.forget(ended.map(({ id }) => id));
    return ended.length;
  }

  #take(end: Ended, job: SampleJob): void {
    const { key, spending, note } = this.#options;
    const outcome = "value" in end ? unseal(key, ["result", this.#name, end.id], end.value, Outcome) : null;
    if (!outcome || sampleKey(outcome.result) !== end.id) {
      const failure = this.#failureOf(end);
      if (failure !== null) this.#write(end.id, errorOf(job, failure));
      else note(`queue: a result of ${end.id} without a valid signature is refused; it is run again`);
      return;
    }
    const { result, trajectory, fatal } = outcome;
    if (trajectory) this.#store.saveTrajectory(job.attempt, trajectory);
    spending.finish(result, result.usage ?? noUsage());
    if (fatal !== undefined) this.fatal ??= fatal;
    else this.#write(end.id, result);
  }

  #write(id: string, result: Result): void {
    this.#store.append(result);
    this.#open.delete(id);
    this.#options.onResult(result, false);
  }

  /** Why a sample ends without an outcome; null: it is run once more. */
  #failureOf(end: Ended): string | null {
    if ("failed" in end && end.lost) {
      return `${end.id} was begun ${STARTS} times, and each time its worker was killed or fell silent.`;
    }
    const refusals = (this.#refusals.get(end.id) ?? 0) + 1;
    this.#refusals.set(end.id, refusals);
    if (refusals < REFUSALS) return null;
    return `${end.id} came back ${REFUSALS} times without a valid signature: someone else writes to this queue.`;
  }

  /** Sees to it that the server has the offer and all that we put in: one without persistence may have lost it. */
  async #reconcile(): Promise<void> {
    if (performance.now() - this.#reconciledAt < RECONCILE_MS) return;
    this.#reconciledAt = performance.now();
    const data = seal(this.#options.key, ["offer", this.#name], this.#offer);
    await this.#offers.add([{ id: this.#name, data }]);
    const { waiting, active, ended } = await this.#queue.counts();
    if (waiting + active + ended < this.#put.size) await this.#add([...this.#put]);
    await this.#tellWorkers();
  }

  async #fill(): Promise<void> {
    if (this.#put.size === this.#open.size) return;
    const { waiting, active } = await this.#queue.counts();
    const wanted = Math.max(LEAST_WAITING, active);
    if (waiting >= wanted) return;
    const next = [...this.#open.keys()].filter((id) => !this.#put.has(id)).slice(0, 2 * wanted - waiting);
    await this.#add(next);
  }

  async #add(ids: readonly string[]): Promise<void> {
    const { key } = this.#options;
    const entries = ids.map((id) => ({ id, data: seal(key, ["job", this.#name, id], this.#open.get(id)) }));
    await this.#queue.add(entries);
    for (const id of ids) this.#put.add(id);
  }

  async #tellWorkers(): Promise<void> {
    const { note, url } = this.#options;
    const names = (await this.#queue.workers()).sort().join(", ");
    if (names === this.#workers && names !== "") return;
    if (names !== "") note(`workers: ${names}`);
    else if (this.#workers !== "-") {
      note(`no worker is there: npx tsx eval/worker.ts --queue ${withoutSecrets(url)} starts one, on any machine`);
    }
    this.#workers = names || "-";
  }

  /** Leaves nothing behind: all is written down, or was never begun. */
  async #leave(): Promise<void> {
    await this.#offers.forget([this.#name]);
    await this.#queue.remove();
    const { waiting } = await this.#offers.counts();
    if (waiting === 0) await this.#offers.remove();
  }
}

const errorOf = ({ index, task, attempt }: SampleJob, message: string): Result => ({
  index,
  task_id: task.id,
  attempt,
  bug_type: task.bugType,
  error: { kind: "worker", message },
});
