/**
 * The jobs of a run in BullMQ, on a Redis or Valkey server. `results.jsonl` stays the only truth: the server may
 * forget. While it is away every call waits for it, and none fails. The traps are in the README beside this file.
 */

import { createRequire } from "node:module";
import { connect as connectTo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, type JobType, Queue, WaitingError, Worker } from "bullmq";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { OFFERS } from "./offer.ts";
import { withoutSecrets } from "./seal.ts";

export interface Entry {
  /** Unique within its queue: a second job of the same id is not put in. */
  id: string;
  data: unknown;
}

/** A job that is over: what its worker returned, or why it never will. `lost`: each of its workers fell silent. */
export type JobEnd = { id: string; value: unknown } | { id: string; failed: string; lost: boolean };

/** Thrown by a handler to give a job back as if it had never begun. */
export class GiveBack extends Error {
  override name = "GiveBack";
}

interface WorkOptions {
  /** Of this worker, for people. */
  name: string;
  /** Jobs taken at a time. */
  concurrency: number;
  /** How long this worker may be silent before its jobs are given to others, in milliseconds. */
  leaseMs: number;
  /** Ends the work: nothing more is taken, what has begun is finished. */
  signal: AbortSignal;
}

/** How often a job is begun before it is given up: one that kills its worker must not kill them all. */
export const STARTS = 3;
/** How many milliseconds the process waits for a server: at its beginning, and at its end. */
const CONNECT_MS = 10_000;
const CLOSE_MS = 2000;
/** How often a worker asks a server that is away, in milliseconds. */
const RETRY_MS = 1000;
/** How BullMQ fails a job whose workers fell silent `STARTS` times. */
const LOST = "job stalled more than allowable limit";
/** A result is kept until the coordinator has it on disk. */
const KEEP = { attempts: 1, removeOnComplete: false, removeOnFail: false };
/** BullMQ also writes each result to its stream of events, which mend does not read. */
const STREAMS = { events: { maxLen: 10 } };
/** More than any run begins in a second: BullMQ can stop a queue for a while only where it has a rate limit. */
const NO_RATE = [1_000_000, 1000] as const;
/** Jobs that are read at once: anyone with the server's address may put in more than fit into memory. */
const MOST_LOOKED_AT = 1000;

export type Broker = Awaited<ReturnType<typeof connect>>;
export type JobQueue = ReturnType<typeof jobQueue>;

/**
 * @throws UserError where no server answers at `url`, or it refuses us
 * @throws MODULE_NOT_FOUND where ioredis, which BullMQ needs, is not installed
 */
export async function connect(url: string) {
  createRequire(import.meta.url).resolve("ioredis");
  await requireServer(url);
  const connection = { url, maxRetriesPerRequest: null };
  const log = changesOnly();
  const queues = new Map<string, Queue>();
  const open = (name: string, create = false): Queue => {
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection, streams: STREAMS, skipMetasUpdate: !create });
    queue.on("error", log);
    queues.set(name, queue);
    return queue;
  };
  const close = async (): Promise<void> => {
    const all = [...queues.values()];
    const late = () => sleep(CLOSE_MS, null, { ref: false });
    await Promise.race([Promise.all(all.map((queue) => queue.close().catch(() => {}))), late()]);
    await Promise.race([Promise.all(all.map((queue) => queue.disconnect().catch(() => {}))), late()]);
  };
  try {
    await new Promise<unknown>((resolve, reject) => {
      open(OFFERS).once("error", reject).waitUntilReady().then(resolve, reject);
    });
  } catch (error) {
    await close();
    throw new UserError(`The queue server at ${withoutSecrets(url)} refuses us: ${messageOf(error)}`);
  }
  return {
    /** @param options.create for its coordinator: others look at a queue, and leave nothing where it is gone */
    queue: (name: string, { create = false } = {}): JobQueue => jobQueue(open(name, create), url),
    /** Works until the signal fires. A job whose worker fell silent is begun `STARTS` times. */
    work: async (
      queue: string,
      handle: (entry: Entry) => Promise<unknown>,
      { name, concurrency, leaseMs, signal }: WorkOptions,
    ): Promise<void> => {
      const process = async (job: Job, token?: string) => {
        try {
          return await handle({ id: unsafe(job.id), data: job.data });
        } catch (error) {
          if (!(error instanceof GiveBack)) throw error;
          await job.moveToWait(token);
          throw new WaitingError();
        }
      };
      const worker = new Worker(queue, process, {
        ...{ connection, name, concurrency },
        lockDuration: leaseMs,
        stalledInterval: leaseMs / 2,
        maxStalledCount: STARTS - 1,
        // How often a stopped queue is looked at again: it may be let go before its time.
        maximumRateLimitDelay: 5000,
        runRetryDelay: RETRY_MS,
      });
      try {
        worker.on("error", log);
        await new Promise<void>((resolve) => {
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

function jobQueue(queue: Queue, url: string) {
  /** @throws UserError where the server will not do it */
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof Error && error.name === "ReplyError" ? refusal(url, error) : error;
    }
  };
  /** The oldest jobs in these states. One that somebody else wrote so that it cannot be read has an id alone. */
  const jobsOf = async (states: JobType[], limit = MOST_LOOKED_AT) => {
    const ids = await asked(queue.getRanges(states, 0, limit - 1, true));
    return await Promise.all(ids.map(async (id) => ({ id: unsafe(id), job: await readJob(queue, id) })));
  };
  return {
    /** Puts jobs in; one whose id is there, in whatever state, is left as it is. */
    add: async (entries: readonly Entry[]): Promise<void> => {
      const jobs = entries.map(({ id, data }) => ({ name: "job", data, opts: { ...KEEP, jobId: safe(id) } }));
      await asked(queue.addBulk(jobs));
    },
    /** `ended`: and not yet forgotten. */
    counts: async () => {
      const counts = await asked(queue.getJobCounts("wait", "active", "completed", "failed"));
      const { wait = 0, active = 0, completed = 0, failed = 0 } = counts;
      return { waiting: wait, active, ended: completed + failed };
    },
    /** Waiting jobs, left where they are. */
    peek: async (): Promise<Entry[]> => (await jobsOf(["wait"])).map(({ id, job }) => ({ id, data: job?.data })),
    /** Jobs that have begun, each with the name of its worker. */
    active: async () => (await jobsOf(["active"])).map(({ id, job }) => ({ id, worker: job?.processedBy ?? "" })),
    /** Some of the jobs that are over, each until it is forgotten. */
    ended: async (limit: number): Promise<JobEnd[]> =>
      (await jobsOf(["completed", "failed"], limit)).map(({ id, job }) =>
        job?.failedReason
          ? { id, failed: job.failedReason, lost: job.failedReason === LOST }
          : { id, value: job?.returnvalue },
      ),
    forget: async (ids: readonly string[]): Promise<void> => {
      await asked(Promise.all(ids.map((id) => queue.remove(safe(id)))));
    },
    /** Takes out what waits; what has begun goes on. */
    drain: (): Promise<void> => asked(queue.drain()),
    /** Jobs at a time, over all workers; null: no limit. Called before `slow`. */
    limit: async (jobs: number | null): Promise<void> => {
      await asked<unknown>(jobs === null ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(jobs));
      await asked(queue.setGlobalRateLimit(...NO_RATE));
    },
    /** For this many milliseconds no worker begins a job. */
    slow: (ms: number): Promise<void> => asked(queue.rateLimit(ms)),
    /** For how many milliseconds from now no worker begins a job. */
    slowedMs: async (): Promise<number> => Math.max(0, await asked(queue.getRateLimitTtl())),
    /** Names of the workers that are connected, as given to `work`. */
    workers: async (): Promise<string[]> =>
      (await asked(queue.getWorkers())).flatMap(({ rawname }) => rawname?.match(/:w:(.+)$/)?.[1] ?? []),
    /** Removes the queue with all that is in it. */
    remove: (): Promise<void> => asked(queue.obliterate({ force: true })),
  };
}

async function readJob(queue: Queue, id: string): Promise<Job | undefined> {
  try {
    return await queue.getJob(id);
  } catch (error) {
    if (/^Connection is closed/.test(messageOf(error))) throw error;
    return undefined;
  }
}

/** The libraries would wait for a server for ever. @throws UserError where none answers */
async function requireServer(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connectTo(Number(port) || 6379, hostname.replace(/^\[(.*)\]$/, "$1") || "localhost");
  try {
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${CONNECT_MS / 1000} s`));
      socket
        .once("connect", () => resolve())
        .once("error", reject)
        .setTimeout(CONNECT_MS, late);
    });
  } catch (error) {
    throw new UserError(`No queue server answers at ${withoutSecrets(url)}: ${messageOf(error)}.`);
  } finally {
    socket.destroy();
  }
}

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

const refusal = (url: string, error: Error): UserError =>
  new UserError(
    `The queue server at ${withoutSecrets(url)} refuses a command: ${messageOf(error).replace(/ script: .*$/s, "")}.`,
  );

/** Prints an error unless it is the last one again: a server that is away gives the same error many times. */
function changesOnly(): (error: unknown) => void {
  let last = "";
  return (error) => {
    const message = messageOf(error);
    if (message !== last) console.error(`queue: ${message}`);
    last = message;
  };
}
