/** Jobs in BullMQ, on whatever server holds them. The traps are in the README beside this file. */

import { setTimeout as sleep } from "node:timers/promises";
import { type Job, type JobType, WaitingError } from "bullmq";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { type Broker, GiveBack, type JobQueue, STARTS, withoutSecrets } from "./broker.ts";
import { type BullQueue, isAway, isRefusal, isWrongType, openStore } from "./stores.ts";

/** How many milliseconds the process waits at its end for a server that does not answer. */
const CLOSE_MS = 2000;
/** How often a server that is away is tried again, in milliseconds. */
const RETRY_MS = 1000;
/** How BullMQ fails a job whose workers fell silent `STARTS` times. */
const LOST = "job stalled more than allowable limit";
/** A result is kept until the coordinator has it on disk. */
const KEEP = { attempts: 1, removeOnComplete: false, removeOnFail: false };
/** More than any run begins in a second: BullMQ can stop a queue for a while only where it has a rate limit. */
const NO_RATE = [1_000_000, 1000] as const;

/** Jobs that are read at once: anyone with the server's address may put in more than fit into memory. */
const MOST_LOOKED_AT = 1000;

/** BullMQ forbids `:` in the id of a job. */
const safe = (id: string) => encodeURIComponent(id);
/** An id that was not made here is left as it is. */
function unsafe(id = ""): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** @throws UserError where no server answers at `url`, or it refuses us */
export async function openBullMQ(url: string): Promise<Broker> {
  const store = await openStore(url);
  const log = changesOnly();
  const queues = new Map<string, BullQueue>();
  let closed = false;
  const open = (name: string, create = false) => {
    const queue = queues.get(name) ?? store.queue(name, create);
    if (!queues.has(name)) queue.on("error", log);
    queues.set(name, queue);
    return queue;
  };
  /** Asks again, on a new connection, while the server is away. */
  const patiently = async <T>(ask: () => Promise<T>, again: () => void): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (closed || !isAway(error)) throw isRefusal(error) ? refusal(url, error) : error;
        log(error);
        again();
        await sleep(RETRY_MS);
      }
    }
  };
  const close = async () => {
    closed = true;
    const all = [...queues.values()];
    const ended = Promise.all(all.map((queue) => queue.close().catch(() => {})));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    await Promise.race([
      Promise.all(all.map((queue) => queue.disconnect().catch(() => {}))),
      sleep(CLOSE_MS, null, { ref: false }),
    ]);
  };
  try {
    await new Promise<unknown>((resolve, reject) => {
      open("mend-runs").once("error", reject).waitUntilReady().then(resolve, reject);
    });
  } catch (error) {
    await close();
    throw new UserError(`The queue server at ${withoutSecrets(url)} refuses us: ${messageOf(error)}`);
  }
  return {
    queue: (name, { create } = {}) =>
      jobQueue((ask) =>
        patiently(
          () => ask(open(name, create)),
          () => {
            void queues
              .get(name)
              ?.close()
              .catch(() => {});
            queues.delete(name);
          },
        ),
      ),
    work: async (queue, handle, { name, concurrency, leaseMs, signal }) => {
      const process = async (job: Job, token?: string) => {
        try {
          return await handle({ id: unsafe(job.id), data: job.data });
        } catch (error) {
          if (!(error instanceof GiveBack)) throw error;
          await job.moveToWait(token);
          throw new WaitingError();
        }
      };
      const worker = store.worker(queue, process, {
        name,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs / 2,
        maxStalledCount: STARTS - 1,
        // How often a stopped queue is looked at again: it may be let go before its time.
        maximumRateLimitDelay: 5000,
        runRetryDelay: RETRY_MS,
      });
      try {
        await new Promise<void>((resolve, reject) => {
          worker.on("error", (error) => (isWrongType(error) ? reject(refusal(url, error)) : log(error)));
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      } finally {
        await worker.close();
      }
    },
    close,
  };
}

const refusal = (url: string, error: Error): UserError =>
  new UserError(
    `The queue server at ${withoutSecrets(url)} refuses a command: ${messageOf(error)}. ` +
      (isWrongType(error) ? "Another program uses a key of this queue: remove the key, or use another database." : ""),
  );

/** Does something with the queue, as often as it takes to reach the server. */
type On = <T>(ask: (queue: BullQueue) => Promise<T>) => Promise<T>;

/** The oldest jobs in these states. One that somebody else wrote so that it cannot be read has an id alone. */
const jobsOf = (on: On, states: JobType[], limit = MOST_LOOKED_AT): Promise<{ id: string; job: Job | undefined }[]> =>
  on(async (queue) => {
    const ids = await queue.getRanges(states, 0, limit - 1, true);
    return await Promise.all(ids.map(async (id) => ({ id: unsafe(id), job: await readJob(queue, id) })));
  });

async function readJob(queue: BullQueue, id: string): Promise<Job | undefined> {
  try {
    return await queue.getJob(id);
  } catch (error) {
    if (isAway(error) || !(error instanceof Error)) throw error;
    return undefined;
  }
}

function jobQueue(on: On): JobQueue {
  return {
    add: async (entries) => {
      const jobs = entries.map(({ id, data }) => ({ name: "job", data, opts: { ...KEEP, jobId: safe(id) } }));
      await on((queue) => queue.addBulk(jobs));
    },
    counts: async () => {
      const counts = await on((queue) => queue.getJobCounts("wait", "active", "completed", "failed"));
      const { wait = 0, active = 0, completed = 0, failed = 0 } = counts;
      return { waiting: wait, active, ended: completed + failed };
    },
    peek: async () => (await jobsOf(on, ["wait"])).map(({ id, job }) => ({ id, data: job?.data })),
    unreadable: async () =>
      (await jobsOf(on, ["wait", "active"])).flatMap(({ id, job }) => (job?.data === undefined ? id : [])),
    active: async () => (await jobsOf(on, ["active"])).map(({ id, job }) => ({ id, worker: job?.processedBy ?? "" })),
    ended: async (limit) =>
      (await jobsOf(on, ["completed", "failed"], limit)).map(({ id, job }) =>
        job?.failedReason
          ? { id, failed: job.failedReason, lost: job.failedReason === LOST }
          : { id, value: job?.returnvalue },
      ),
    forget: async (ids) => {
      await on((queue) => Promise.all(ids.map((id) => queue.remove(safe(id)))));
    },
    drain: () => on((queue) => queue.drain()),
    limit: (jobs) =>
      on(async (queue) => {
        await (jobs === null ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(jobs));
        await queue.setGlobalRateLimit(...NO_RATE);
      }),
    slow: (ms) => on((queue) => queue.rateLimit(ms)),
    slowedMs: async () => Math.max(0, await on((queue) => queue.getRateLimitTtl())),
    workers: async () =>
      (await on((queue) => queue.getWorkers())).flatMap(({ rawname }) => rawname?.match(/:w:(.+)$/)?.[1] ?? []),
    remove: () => on((queue) => queue.obliterate({ force: true })),
  };
}

/** Prints an error unless it is the last one again: a server that is away gives the same error many times. */
function changesOnly(): (error: unknown) => void {
  let last = "";
  return (error) => {
    const message = messageOf(error);
    if (message !== last) console.error(`queue: ${message}`);
    last = message;
  };
}
