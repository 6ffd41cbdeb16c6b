/** Requests that wait for their turn, served in the order that computes least without letting any wait for ever. */

export interface Waiting {
  ids: readonly number[];
  /** Requests that were served first although they came later. */
  overtaken: number;
}

/** After this many later requests a waiting one is served, however much it has to compute. */
const MAX_OVERTAKEN = 8;

export class Queue<Job extends Waiting> {
  #jobs: Job[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  /** Tokens of the longest prompt that waits. */
  get longest(): number {
    return Math.max(0, ...this.#jobs.map(({ ids }) => ids.length));
  }

  add(job: Job): void {
    this.#jobs.push(job);
  }

  /**
   * Takes out the cheapest request of those that may begin; once the first has waited too long, that one or none.
   * @param cost tokens that a request would have to compute
   */
  next(mayBegin: (job: Job) => boolean, cost: (job: Job) => number): Job | undefined {
    const [first] = this.#jobs;
    if (!first) return undefined;
    const candidates = (first.overtaken < MAX_OVERTAKEN ? this.#jobs : [first]).filter(mayBegin);
    if (candidates.length === 0) return undefined;
    const next = candidates.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    for (const job of this.#jobs.slice(0, this.#jobs.indexOf(next))) job.overtaken++;
    this.#jobs = this.#jobs.filter((job) => job !== next);
    return next;
  }
}
