/** The workers of a run as users of one model server: what it refuses to one of them, it refuses to all. */

import type { Peers } from "../../../agent/models/peers.ts";
import type { JobQueue } from "./broker.ts";

/** Two pauses that end so close together are one. */
const SLACK_MS = 1500;

export class SharedPause implements Peers {
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
    // Told as well as can be: our own requests wait in any case.
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
