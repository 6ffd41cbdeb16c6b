/** A time limit that stands still while the sandbox works, whose jobs have limits of their own in CPU time. */

import type { AgentSandbox } from "./sandbox/types.ts";

/**
 * Counts the time in which no job is under way. So a busy machine, on which programs take many times as long by the clock,
 * does not use it up, and a program that is tried too long ends at its own limit.
 */
export class Countdown implements Disposable {
  readonly #limitMs: number;
  readonly #maxPausedMs: number;
  #onEnd: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Jobs under way. */
  #jobs = 0;
  /** Since when it counts, or stands still. */
  #since = performance.now();
  #countedMs = 0;
  #pausedMs = 0;

  /** @param maxPausedMs beyond this the time of jobs counts, too; default: never */
  constructor(limitMs: number, maxPausedMs = Infinity) {
    this.#limitMs = limitMs;
    this.#maxPausedMs = maxPausedMs;
  }

  /** Begins to count. @param onEnd called once, when the limit is reached */
  start(onEnd: () => void): this {
    this.#onEnd = onEnd;
    this.#since = performance.now();
    this.#countedMs = 0;
    this.#pausedMs = 0;
    this.#schedule();
    return this;
  }

  /** What has counted so far, in milliseconds. */
  get elapsedMs(): number {
    this.#account();
    return this.#countedMs;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#onEnd = undefined;
  }

  /** The same sandbox; while it works for its caller, this clock stands still. */
  pausedBy(sandbox: AgentSandbox): AgentSandbox {
    return {
      run: (job) => this.#pausing(() => sandbox.run(job)),
      judgeVisible: (job) => this.#pausing(() => sandbox.judgeVisible(job)),
    };
  }

  async #pausing<T>(work: () => Promise<T>): Promise<T> {
    this.#account();
    this.#jobs += 1;
    this.#schedule();
    try {
      return await work();
    } finally {
      this.#account();
      this.#jobs -= 1;
      this.#schedule();
    }
  }

  /** Adds the time since it was last called to what it belongs to. */
  #account(): void {
    const now = performance.now();
    const passed = now - this.#since;
    this.#since = now;
    const paused = this.#jobs > 0 ? Math.min(passed, this.#maxPausedMs - this.#pausedMs) : 0;
    this.#pausedMs += paused;
    this.#countedMs += passed - paused;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#onEnd) return;
    const left = this.#limitMs - this.#countedMs + (this.#jobs > 0 ? this.#maxPausedMs - this.#pausedMs : 0);
    if (left === Infinity) return;
    this.#timer = setTimeout(() => {
      const onEnd = this.#onEnd;
      this.#onEnd = undefined;
      onEnd?.();
    }, left);
  }
}
