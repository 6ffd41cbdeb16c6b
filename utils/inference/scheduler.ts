/** Which of the requests that wait begins next, and whether beside those that run. */

import { commonLength } from "./cache/prefix_store.ts";

export interface Waiting {
  /** The prompt. */
  ids: readonly number[];
  /** Requests that were served first although they came later. */
  overtaken: number;
}

/** What counts of the replies that are being generated. */
export interface RunningReplies {
  readonly all: readonly { ids: readonly number[] }[];
  /** Tokens of the longest one, prompt included. */
  readonly longest: number;
  readonly draftGain: { readonly beatsNeighbours: boolean };
}

export interface BatchLimits {
  /** Replies that may run side by side. */
  maxBatch: number;
  /** Tokens that the caches of all replies may hold; a single reply may hold more. */
  maxTokens: number;
  /** Whether replies that run alone have drafts. */
  speculate: boolean;
}

/** After this many later requests a waiting one is served, however much it has to compute. */
const MAX_OVERTAKEN = 8;

/** Serves requests in the order that computes least without letting any wait for ever. */
export class Scheduler<Request extends Waiting> {
  readonly #running: RunningReplies;
  readonly #limits: BatchLimits;
  #jobs: Request[] = [];

  constructor(running: RunningReplies, limits: BatchLimits) {
    this.#running = running;
    this.#limits = limits;
  }

  /** Requests that wait. */
  get size(): number {
    return this.#jobs.length;
  }

  add(job: Request): void {
    this.#jobs.push(job);
  }

  /**
   * Takes out the cheapest request of those that may begin now; once the first has waited too long, that one or none.
   * @param known tokens of a prompt that would not have to be computed
   */
  next(known: (ids: readonly number[]) => number): Request | undefined {
    const [first] = this.#jobs;
    if (!first) return undefined;
    const candidates = (first.overtaken < MAX_OVERTAKEN ? this.#jobs : [first])
      .filter((job) => this.#mayBegin(job))
      .map((job) => ({ job, cost: job.ids.length - known(job.ids) }));
    if (candidates.length === 0) return undefined;
    const { job: next } = candidates.reduce((a, b) => (b.cost < a.cost ? b : a));
    for (const job of this.#jobs.slice(0, this.#jobs.indexOf(next))) job.overtaken++;
    this.#jobs = this.#jobs.filter((job) => job !== next);
    return next;
  }

  #mayBegin(job: Request): boolean {
    return this.#running.all.length === 0 || (this.#hasRoom(job) && this.#gains(job));
  }

  #hasRoom({ ids }: Request): boolean {
    const rows = this.#running.all.length + 1;
    // A batch gives every row the room of the longest.
    return (
      rows <= this.#limits.maxBatch && rows * Math.max(this.#running.longest, ids.length) <= this.#limits.maxTokens
    );
  }

  /** Samples of a prompt gain from running beside each other; other prompts only where drafts gain less. */
  #gains({ ids }: Request): boolean {
    const { all, draftGain } = this.#running;
    if (!this.#limits.speculate || !draftGain.beatsNeighbours) return true;
    return all.some((reply) => reply.ids.length === ids.length && commonLength(reply.ids, ids) === ids.length);
  }
}
