/** For tests and figures: a queue with workers in this process, on a clock that only moves when somebody waits. */

import type { Broker, Entry, JobEnd, JobQueue } from "../broker.ts";
import type { Clock } from "../coordinate.ts";

export interface Simulation {
  workers: number;
  /** How long a job takes, in milliseconds. */
  durationMs(id: string): number;
  /** What a worker makes of it. */
  outcome(entry: Entry): unknown;
  /** What an answer of the server takes, in milliseconds. */
  answerMs?: number;
}

/** Free for all workers at once: each takes the first that waits as soon as it is done with another. */
export class SimulatedBroker implements Broker {
  readonly clock: Clock;
  readonly #simulation: Simulation;
  readonly #queues = new Map<string, SimulatedQueue>();
  #now = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.clock = { now: () => this.#now, sleep: async (ms) => this.pass(ms) };
  }

  /** Lets time pass; workers go on in it. */
  pass(ms: number): void {
    this.#now += ms;
    for (const queue of this.#queues.values()) queue.workUntil(this.#now);
  }

  queue(name: string): JobQueue {
    const { workers, answerMs = 1 } = this.#simulation;
    const made = () =>
      new SimulatedQueue(name === "mend-runs" ? 0 : workers, this.#simulation, () => this.pass(answerMs));
    const queue = this.#queues.get(name) ?? made();
    this.#queues.set(name, queue);
    return queue;
  }

  /** Jobs of all queues, in whatever state. */
  get size(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }

  async work(): Promise<void> {
    throw new Error("the workers of a simulation are in it");
  }

  async close(): Promise<void> {}
}

interface Running {
  entry: Entry;
  endsAt: number;
}

class SimulatedQueue implements JobQueue {
  readonly #waiting = new Map<string, Entry>();
  /** By the end of the job: the next last, so that taking it moves nothing. */
  readonly #running: Running[] = [];
  readonly #ended = new Map<string, JobEnd>();
  readonly #simulation: Simulation;
  readonly #answer: () => void;
  /** When each idle worker became so. */
  #idleSince: number[];
  readonly #workers: number;
  #limit = Infinity;

  constructor(workers: number, simulation: Simulation, answer: () => void) {
    this.#workers = workers;
    this.#idleSince = Array.from({ length: workers }, () => 0);
    this.#simulation = simulation;
    this.#answer = answer;
  }

  get size(): number {
    return this.#waiting.size + this.#running.length + this.#ended.size;
  }

  /** Ends and begins what does until then. A job is begun no earlier than the last call before it came. */
  workUntil(now: number): void {
    for (let next = this.#running.at(-1); next && next.endsAt <= now; next = this.#running.at(-1)) {
      this.#running.pop();
      const { entry, endsAt } = next;
      this.#ended.set(entry.id, { id: entry.id, value: this.#simulation.outcome(entry) });
      this.#idleSince.push(endsAt);
      this.#begin(endsAt);
    }
    this.#begin(now);
  }

  #begin(now: number): void {
    for (const [id, entry] of this.#waiting) {
      if (this.#running.length >= this.#limit || this.#idleSince.pop() === undefined) return;
      this.#waiting.delete(id);
      const job = { entry, endsAt: now + this.#simulation.durationMs(id) };
      let [low, high] = [0, this.#running.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((this.#running[middle]?.endsAt ?? 0) > job.endsAt) low = middle + 1;
        else high = middle;
      }
      this.#running.splice(low, 0, job);
    }
  }

  async add(entries: readonly Entry[]): Promise<void> {
    this.#answer();
    for (const entry of entries) {
      const isThere =
        this.#waiting.has(entry.id) ||
        this.#ended.has(entry.id) ||
        this.#running.some((job) => job.entry.id === entry.id);
      // What a server holds is not in the memory of its coordinator.
      if (!isThere) this.#waiting.set(entry.id, this.#workers > 0 ? { id: entry.id, data: null } : entry);
    }
  }

  async counts() {
    this.#answer();
    return { waiting: this.#waiting.size, active: this.#running.length, ended: this.#ended.size };
  }

  async peek() {
    this.#answer();
    return [...this.#waiting.values()];
  }

  async unreadable() {
    return [];
  }

  async active() {
    this.#answer();
    return this.#running.map(({ entry }, i) => ({ id: entry.id, worker: `host:${i}` }));
  }

  async ended(limit: number) {
    this.#answer();
    return [...this.#ended.values()].slice(0, limit);
  }

  async forget(ids: readonly string[]) {
    this.#answer();
    for (const id of ids) {
      this.#ended.delete(id);
      this.#waiting.delete(id);
    }
  }

  async discard(id: string) {
    await this.forget([id]);
  }

  async requireOwnKeys(): Promise<void> {}

  async drain() {
    this.#waiting.clear();
  }

  async limit(jobs: number | null) {
    this.#limit = jobs ?? Infinity;
  }

  async slow() {}

  async slowedMs() {
    return 0;
  }

  async workers() {
    return [];
  }

  async remove() {
    this.#waiting.clear();
    this.#ended.clear();
  }
}
