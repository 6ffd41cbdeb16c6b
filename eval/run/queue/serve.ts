/** The work of a worker: it looks for runs at a queue that this machine fits, and does their jobs. It keeps nothing. */

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Queue } from "../../../utils/base/concurrency/queue.ts";
import type { Peers } from "../../../utils/base/concurrency/request_cap.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { Allotment, budgetOf } from "./allot.ts";
import { type Broker, type Entry, GiveBack, type JobQueue } from "./broker.ts";
import { OFFERS, SampleOffer } from "./offer.ts";
import { MOST_BYTES, seal, unseal } from "./seal.ts";
import { type OpenWork, openWork } from "./work.ts";

/** How often a worker looks for runs that begin and end. */
const LOOK_MS = 1000;
/** Characters of this machine's name that are shown. */
const HOST_CHARS = 24;
/** Two pauses that end so close together are one. */
const SLACK_MS = 1500;
/** Unsigned offers that are logged. */
const MOST_STRANGERS = 20;

/** A job as it travels: what there is to do, and what it may use. */
const JobData = z.object({ job: z.unknown(), budget: Allotment });

interface ServeOptions {
  broker: Broker;
  key: string;
  own: Parameters<typeof openWork>[1]["own"];
  sandbox: Sandbox;
  /** Jobs at a time, of all runs. */
  concurrency: number;
  leaseMs: number;
  draining(): boolean;
  /** Stops what is running; it is given back. */
  signal: AbortSignal;
  log(line: string): void;
}

/**
 * Does the jobs of all runs at the queue until `draining` returns true.
 * @throws UserError if a run does not fit this machine and there is no other run to work on
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { broker, draining, log } = options;
  const offers = broker.queue(OFFERS);
  // Shared by all runs, in the order their jobs came: two runs get the same share.
  const places = new Queue(options.concurrency);
  const stop = new AbortController();
  const serving = new Map<string, { end: AbortController; pause: SharedPause; done: Promise<void> }>();
  const refused = new Set<string>();
  const failures: unknown[] = [];
  // Runs whose offers are not signed with our key: anyone with the server's address can make them.
  const strangers = new Set<string>();
  const look = async () => {
    const offered = await offers.peek();
    for (const [run, { end }] of serving) if (!offered.some(({ id }) => id === run)) end.abort();
    for (const { pause } of serving.values()) await pause.look();
    for (const entry of offered) {
      if (serving.has(entry.id) || refused.has(entry.id)) continue;
      const pause = new SharedPause(broker.queue(entry.id));
      const work = await openOffered(entry, options, pause);
      if (work === null) {
        if (strangers.has(entry.id) || strangers.size === MOST_STRANGERS) continue;
        log(`run ${inLine(entry.id)} is skipped: it was signed with another MEND_QUEUE_KEY, or none.`);
        strangers.add(entry.id);
        continue;
      }
      if (typeof work === "string") {
        if (serving.size === 0) throw new UserError(`run ${entry.id} is refused: ${work}.`);
        log(`run ${entry.id} is refused: ${work}`);
        refused.add(entry.id);
        continue;
      }
      log(`run ${entry.id}: at work with ${work.model}`);
      const end = new AbortController();
      const signal = AbortSignal.any([end.signal, stop.signal]);
      const done = doAll(entry.id, work, { ...options, places, stop: signal })
        .then(() => removeRemains(entry.id, broker))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => serving.delete(entry.id));
      serving.set(entry.id, { end, pause, done });
    }
  };
  try {
    while (!draining() && failures.length === 0) {
      await look();
      await sleep(LOOK_MS);
    }
  } finally {
    stop.abort();
    await Promise.all([...serving.values()].map(({ done }) => done));
  }
  for (const failure of failures) throw failure;
}

/** BullMQ's worker may write to a queue after its run has removed it; the last one to leave removes it again. */
async function removeRemains(run: string, broker: Broker): Promise<void> {
  const offered = await broker.queue(OFFERS).peek();
  if (!offered.some(({ id }) => id === run)) await broker.queue(run).remove();
}

/** @returns why it cannot be worked on; null if the offer is not signed with our key */
async function openOffered(
  { id, data }: Entry,
  { key, ...host }: ServeOptions,
  peers: SharedPause,
): Promise<OpenWork | string | null> {
  const sealed = unseal(key, ["offer", id], data, z.unknown());
  if (!sealed) return null;
  const offer = SampleOffer.safeParse(sealed.value).data;
  return offer ? await openWork(offer, { ...host, peers }) : "its offer is of another version of mend";
}

const workerName = (): string => `${hostname().slice(0, HOST_CHARS)}:${process.pid}`;

/** Takes jobs of one run until `stop` fires, and ends those it began. */
async function doAll(
  run: string,
  work: OpenWork,
  { broker, key, concurrency, leaseMs, places, stop, log }: ServeOptions & { places: Queue; stop: AbortSignal },
): Promise<void> {
  const handle = async ({ id, data: sealed }: Entry) => {
    // A job that waits here for a place has not begun, and a worker that ends gives it back.
    await places.enter(stop).catch(() => {
      throw new GiveBack();
    });
    try {
      const job = unseal(key, ["job", run, id], sealed, JobData);
      if (!job) throw new Error("the job's signature is not of this MEND_QUEUE_KEY");
      const { outcome, attached, said } = await work.work(job.value.job, budgetOf(job.value.budget));
      log(`run ${run}: ${id} ${said}`);
      // A character is at most three bytes; the other half is the outcome's.
      const travels = (attached?.length ?? 0) * 6 < MOST_BYTES;
      if (!travels) log(`run ${run}: ${id}: its trajectory is too long to travel, and is left out`);
      return seal(key, ["result", run, id], outcome, travels ? attached : undefined);
    } finally {
      places.leave();
    }
  };
  const name = workerName();
  try {
    await broker.work(run, handle, { name, concurrency, leaseMs, signal: stop });
  } finally {
    await work.close();
  }
}

/** The workers of a run as users of one model server: what it refuses to one of them, it refuses to all. */
class SharedPause implements Peers {
  readonly #queue: JobQueue;
  readonly #hearers: ((waitMs: number) => void)[] = [];
  /** Date until which we know of a pause. */
  #until = 0;
  #count = 1;

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  refused(waitMs: number): void {
    if (Date.now() + waitMs <= this.#until) return;
    this.#until = Date.now() + waitMs;
    // If the others cannot be reached, this worker's own requests wait all the same.
    this.#queue.slow(Math.ceil(waitMs)).catch(() => {});
  }

  onRefused(hear: (waitMs: number) => void): void {
    this.#hearers.push(hear);
  }

  count(): number {
    return this.#count;
  }

  /** Asks the queue what happened to the others. For models without a server there is nothing to ask. */
  async look(): Promise<void> {
    if (this.#hearers.length === 0) return;
    this.#count = Math.max(1, (await this.#queue.workers()).length);
    const waitMs = await this.#queue.slowedMs();
    if (Date.now() + waitMs <= this.#until + SLACK_MS) return;
    this.#until = Date.now() + waitMs;
    for (const hear of this.#hearers) hear(waitMs);
  }
}
