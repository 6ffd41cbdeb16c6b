/** Jobs in BullMQ on Redis or Valkey. The traps are in the README beside this file. */

import { connect } from "node:net";
import { type Job, Queue, WaitingError, Worker, type WorkerOptions } from "bullmq";
import { UserError } from "../../../utils/errors.ts";
import { type Broker, GiveBack, type JobQueue, STARTS, withoutSecrets } from "./broker.ts";

/** How long a server that does not answer keeps the process from ending, in milliseconds. */
const CLOSE_MS = 2000;
const CONNECT_MS = 10_000;
/** How BullMQ fails a job whose workers fell silent `STARTS` times. */
const LOST = "job stalled more than allowable limit";
/** A result is kept until the coordinator has it on disk. */
const KEEP = { attempts: 1, removeOnComplete: false, removeOnFail: false };
/** BullMQ repeats each result in its stream of events, which nobody reads here. */
const STREAMS = { events: { maxLen: 10 } };

/** BullMQ forbids `:` in the id of a job. */
const safe = (id: string) => encodeURIComponent(id);
/** An id that we did not make is left as it is. */
function unsafe(id = ""): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** @throws UserError where no server answers at `url` */
export async function openBullMQ(url: string): Promise<Broker> {
  const { newQueue, newWorker } = onRedis(url);
  const log = changesOnly();
  const queues = new Map<string, ReturnType<typeof newQueue>>();
  const open = (name: string, create = false) => {
    const queue = queues.get(name) ?? newQueue(name, create);
    if (!queues.has(name)) queue.on("error", log);
    queues.set(name, queue);
    return queue;
  };
  const close = async () => {
    const closed = Promise.all([...queues.values()].map((queue) => queue.close().catch(() => {})));
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    await Promise.all([...queues.values()].map((queue) => queue.disconnect().catch(() => {})));
  };
  await requireServer(url);
  try {
    await new Promise<unknown>((resolve, reject) => {
      open("mend-runs").once("error", reject).waitUntilReady().then(resolve, reject);
    });
  } catch (error) {
    await close();
    throw new UserError(`The queue server at ${withoutSecrets(url)} refuses us: ${messageOf(error)}`);
  }
  return {
    queue: (name, { create } = {}) => jobQueue(open(name, create)),
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
      const worker = newWorker(queue, process, {
        name,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs / 2,
        maxStalledCount: STARTS - 1,
      });
      worker.on("error", log);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await worker.close();
    },
    close,
  };
}

/** The libraries would wait for ever for a server that is not there. */
async function requireServer(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port) || 6379, hostname || "localhost");
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

type Options = Omit<WorkerOptions, "connection">;
type Process = (job: Job, token?: string) => Promise<unknown>;

const onRedis = (url: string) => {
  const connection = { url, maxRetriesPerRequest: null };
  return {
    newQueue: (name: string, create: boolean) =>
      new Queue(name, { connection, streams: STREAMS, skipMetasUpdate: !create }),
    newWorker: (name: string, process: Process, options: Options) =>
      new Worker(name, process, { ...options, connection }),
  };
};

type BullQueue = ReturnType<ReturnType<typeof onRedis>["newQueue"]>;

function jobQueue(queue: BullQueue): JobQueue {
  return {
    add: async (entries) => {
      await queue.addBulk(entries.map(({ id, data }) => ({ name: "job", data, opts: { ...KEEP, jobId: safe(id) } })));
    },
    counts: async () => {
      const counts = await queue.getJobCounts("wait", "active", "completed", "failed");
      const { wait = 0, active = 0, completed = 0, failed = 0 } = counts;
      return { waiting: wait, active, ended: completed + failed };
    },
    peek: async () => (await queue.getJobs(["wait"])).map(({ id, data }) => ({ id: unsafe(id), data })),
    ended: async (limit) =>
      (await queue.getJobs(["completed", "failed"], 0, limit - 1, true)).map(({ id, returnvalue, failedReason }) =>
        failedReason
          ? { id: unsafe(id), failed: failedReason, lost: failedReason === LOST }
          : { id: unsafe(id), value: returnvalue },
      ),
    forget: async (ids) => {
      await Promise.all(ids.map((id) => queue.remove(safe(id))));
    },
    drain: () => queue.drain(),
    limit: async (jobs) => {
      await (jobs === null ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(jobs));
    },
    workers: async () => (await queue.getWorkers()).flatMap(({ rawname }) => rawname?.match(/:w:(.+)$/)?.[1] ?? []),
    remove: () => queue.obliterate({ force: true }),
  };
}

const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(messageOf).join(", ")
    : error instanceof Error
      ? error.message || error.name
      : String(error);

/** Prints an error where it is not the same as the last: a server that is away is tried again and again. */
function changesOnly(): (error: unknown) => void {
  let last = "";
  return (error) => {
    const message = messageOf(error);
    if (message !== last) console.error(`queue: ${message}`);
    last = message;
  };
}
