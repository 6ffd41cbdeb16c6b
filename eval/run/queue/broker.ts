/**
 * What a job queue on another machine has to do for a run. `results.jsonl` stays the only truth: a broker may forget.
 */

export interface Entry {
  /** Unique within its queue: a second job of the same id is not put in. */
  id: string;
  data: unknown;
}

/** A job that is over: what its worker returned, or why it never will. `lost`: each of its workers fell silent. */
export type JobEnd = { id: string; value: unknown } | { id: string; failed: string; lost: boolean };

export interface Counts {
  waiting: number;
  active: number;
  /** Ended and not yet forgotten. */
  ended: number;
}

/** While the server is away, every call waits for it, and none fails. */
export interface JobQueue {
  /** Puts jobs in; one whose id is there, in whatever state, is left as it is. */
  add(entries: readonly Entry[]): Promise<void>;
  counts(): Promise<Counts>;
  /** Waiting jobs, left where they are. */
  peek(): Promise<Entry[]>;
  /** Waiting jobs and begun ones whose record another program broke: no worker can do them. */
  unreadable(): Promise<string[]>;
  /** Jobs that have begun, each with the name of its worker. */
  active(): Promise<{ id: string; worker: string }[]>;
  /** Some of the jobs that are over, each until it is forgotten. */
  ended(limit: number): Promise<JobEnd[]>;
  forget(ids: readonly string[]): Promise<void>;
  /** Takes out what waits; what has begun goes on. */
  drain(): Promise<void>;
  /** Jobs at a time, over all workers; null: no limit. Called before `slow`. */
  limit(jobs: number | null): Promise<void>;
  /** For this many milliseconds no worker begins a job. */
  slow(ms: number): Promise<void>;
  /** For how many milliseconds from now no worker begins a job. */
  slowedMs(): Promise<number>;
  /** Names of the workers that are connected, as given to `work`. */
  workers(): Promise<string[]>;
  /** Removes the queue with all that is in it. */
  remove(): Promise<void>;
}

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

export interface Broker {
  /** @param options.create for its coordinator: others look at a queue, and leave nothing where it is gone */
  queue(name: string, options?: { create?: boolean }): JobQueue;
  /** Works until the signal fires. A job whose worker fell silent is begun `STARTS` times. */
  work(queue: string, handle: (entry: Entry) => Promise<unknown>, options: WorkOptions): Promise<void>;
  close(): Promise<void>;
}

/** How often a job is begun before it is given up: one that kills its worker must not kill them all. */
export const STARTS = 3;

/** An address without user and password, for people. */
export const withoutSecrets = (url: string): string => url.replace(/^(\w+:)?(\/\/)?.*@/s, "$1$2");
