/**
 * Hands jobs out to workers elsewhere until each has an outcome. Relies on no events, so that resuming is the same
 * code.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { type Activity, activityOf } from "./activity.ts";
import type { Allotment } from "./allot.ts";
import { type Broker, type JobEnd, type JobQueue, STARTS } from "./broker.ts";
import { OFFERS } from "./offer.ts";
import { RefusalLog } from "./refusals.ts";
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

/** Time as the loop sees it. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const REAL_CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

export interface HandOut<Outcome> {
  broker: Broker;
  key: string;
  /** Of the queue, and of the offer by which workers find it. */
  name: string;
  /** What workers have to know besides their jobs. */
  offer: unknown;
  outcome: z.ZodType<Outcome>;
  /** All jobs, in their order. */
  ids: Iterable<string>;
  /** What workers need for a job; asked for when it is put in, which is as late as it can be. */
  dataOf(id: string): unknown;
  /**
   * What the job may use, which is sent with it; null where it cannot begin before others have ended. Asked again for a
   * job that the server lost.
   */
  allot(id: string): Allotment | null;
  /**
   * Writes the outcome of a job down.
   * @param attached what its worker sent with it, UTF-8
   * @returns false where it is of no use, `again` where all is well and the job is run again
   */
  take(id: string, outcome: Outcome, attached: Uint8Array): boolean | "again";
  /** Writes down, in one sentence, why a job has none. */
  fail(id: string, why: string): void;
  /** Jobs at a time, over all workers; null: no limit. */
  limit: number | null;
  /** True once no further job should begin. What has begun is waited for. */
  stopping(): boolean;
  /** Stops at once. */
  signal: AbortSignal;
  /** Tells a person one line. */
  note(line: string): void;
  /** Is given the list of all workers now and then. */
  onActivity(workers: readonly Activity[]): void;
  clock?: Clock;
}

/** Whatever happens to a worker, to the server or to this process, a later call with the jobs that are left goes on. */
export async function handOut<Outcome>(options: HandOut<Outcome>): Promise<void> {
  await new Loop(options).run();
}

class Loop<Outcome> {
  /** Jobs without an outcome that are not in the queue, as far as we know, in their order. */
  readonly #later: Set<string>;
  /** Jobs that are in the queue, as far as this process knows. */
  readonly #queued = new Set<string>();
  readonly #refusals = new Map<string, number>();
  readonly #options: HandOut<Outcome>;
  readonly #queue: JobQueue;
  readonly #offers: JobQueue;
  readonly #refused: RefusalLog;
  readonly #clock: Clock;
  readonly #offer: ReturnType<typeof seal>;
  #reconciledAt = -Infinity;

  constructor(options: HandOut<Outcome>) {
    this.#options = options;
    this.#later = new Set(options.ids);
    this.#queue = options.broker.queue(options.name, { create: true });
    this.#offers = options.broker.queue(OFFERS);
    this.#refused = new RefusalLog(options.broker, options.key, options.name);
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#offer = seal(options.key, ["offer", options.name], options.offer);
  }

  async run(): Promise<void> {
    const { stopping, signal, limit, name } = this.#options;
    // An offer that another process left may ask for other limits. An equal one stays: workers leave a run that is not
    // on offer.
    const before = (await this.#offers.peek()).find(({ id }) => id === name);
    if (before && JSON.stringify(before.data) !== JSON.stringify(this.#offer)) await this.#offers.forget([name]);
    await this.#queue.limit(limit);
    // What waits was given its part of the budget by an earlier process.
    await this.#queue.drain();
    while (!signal.aborted) {
      const taken = await this.#takeEnded();
      if (this.#later.size + this.#queued.size === 0) break;
      if (stopping()) {
        await this.#queue.drain();
        const { active, ended } = await this.#queue.counts();
        if (active + ended === 0) break;
      } else {
        await this.#reconcile();
        await this.#fill();
      }
      if (taken === 0) await this.#clock.sleep(LOOK_MS);
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

  #take(end: JobEnd): boolean {
    const { key, name, note, take, fail, outcome: schema } = this.#options;
    const sealed = "value" in end ? unseal(key, ["result", name, end.id], end.value, schema) : null;
    const taken = sealed !== null && take(end.id, sealed.value, sealed.attached);
    if (taken !== false) return taken === true;
    const failure = this.#failureOf(end, sealed ? "with what is of no use to this run" : UNSIGNED);
    if (failure !== null) fail(end.id, failure);
    else if (!sealed)
      note(`queue: what came for ${end.id} is not signed, or no result, and is refused; it is run again`);
    return failure !== null;
  }

  /** Why a job is given up without an outcome; null: it is run once more. */
  #failureOf(end: JobEnd, how: string): string | null {
    if ("failed" in end && end.lost) {
      return `${end.id} was begun ${STARTS} times, and each time its worker was killed or fell silent.`;
    }
    const refusals = (this.#refusals.get(end.id) ?? 0) + 1;
    this.#refusals.set(end.id, refusals);
    if (refusals < REFUSALS) return null;
    return `${end.id} came back ${REFUSALS} times ${how}.`;
  }

  /** Sees to it that the server has the offer and all that we put in: one without persistence may have lost it. */
  async #reconcile(): Promise<void> {
    if (this.#clock.now() - this.#reconciledAt < RECONCILE_MS) return;
    this.#reconciledAt = this.#clock.now();
    const { name, limit, onActivity, note } = this.#options;
    await this.#offers.add([{ id: name, data: this.#offer }]);
    const { waiting, active, ended } = await this.#queue.counts();
    if (waiting + active + ended < this.#queued.size) {
      await this.#queue.limit(limit);
      await this.#add([...this.#queued]);
    }
    await this.#repairUnreadable();
    onActivity(await activityOf(this.#queue));
    for (const line of await this.#refused.lines()) note(line);
  }

  /** Puts jobs in again that another program broke: no worker could begin them, and the run would wait forever. */
  async #repairUnreadable(): Promise<void> {
    const broken = (await this.#queue.unreadable()).filter((id) => this.#queued.has(id));
    for (const id of broken) {
      await this.#queue.discard(id);
      this.#queued.delete(id);
      const failure = this.#failureOf({ id, value: null }, "with a record that cannot be read");
      if (failure !== null) this.#options.fail(id, failure);
      else {
        this.#later.add(id);
        this.#options.note(`queue: the record of ${id} cannot be read; it is put in again`);
      }
    }
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

  async #add(ids: readonly string[]): Promise<void> {
    const { key, name, dataOf, allot } = this.#options;
    const begun = ids.flatMap((id) => {
      const budget = allot(id);
      return budget ? { id, data: seal(key, ["job", name, id], { job: dataOf(id), budget }) } : [];
    });
    await this.#queue.add(begun);
    for (const { id } of begun) if (this.#later.delete(id)) this.#queued.add(id);
  }

  /** Removes the queue: every job has been written down, or was never begun. */
  async #leave(): Promise<void> {
    await this.#offers.forget([this.#options.name]);
    await this.#queue.remove();
    await this.#refused.leave();
    const { waiting } = await this.#offers.counts();
    if (waiting === 0) await this.#offers.remove();
  }
}
