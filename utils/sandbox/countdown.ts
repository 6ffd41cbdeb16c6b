/** A time limit that a busy machine does not use up. */

import type { AgentSandbox } from "./types.ts";

export interface CountdownOptions {
  /** At most this much time is not counted; for processes that are not trusted. Default: no bound. */
  maxUncountedMs?: number;
  /** How many milliseconds the timed process has waited for a CPU so far; asked every second. Default: 0. */
  starvedMs?: () => number;
}

const SAMPLE_MS = 1000;

/**
 * A limit of time. It counts neither the time in which the sandbox works (its jobs have limits of their own, in CPU
 * time) nor the time in which the timed process waits for a CPU. So a run gets the same time on a busy machine as on
 * an idle one.
 */
export class Countdown implements Disposable {
  readonly #limitMs: number;
  readonly #options: CountdownOptions;
  #onEnd: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How many jobs are under way. */
  #jobs = 0;
  /** All time before this moment is accounted for. */
  #since = performance.now();
  #countedMs = 0;
  #uncountedMs = 0;
  #starvedMs = 0;
  #disposed = false;

  constructor(limitMs: number, options: CountdownOptions = {}) {
    this.#limitMs = limitMs;
    this.#options = options;
  }

  /** Begins to count. @param onEnd called once, when the limit is reached */
  start(onEnd: () => void): this {
    this.#onEnd = onEnd;
    this.#since = performance.now();
    this.#countedMs = 0;
    this.#uncountedMs = 0;
    this.#schedule();
    return this;
  }

  /** The milliseconds that have counted so far, or until this was disposed. */
  get elapsedMs(): number {
    if (!this.#disposed) this.#account();
    return this.#countedMs;
  }

  [Symbol.dispose](): void {
    this.#account();
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#onEnd = undefined;
  }

  /** The same sandbox; while it works for its caller, this clock stands still. */
  pausedBy(sandbox: AgentSandbox): AgentSandbox {
    return {
      run: (job) => this.pausing(() => sandbox.run(job)),
      judgeVisible: (job) => this.pausing(() => sandbox.judgeVisible(job)),
    };
  }

  /** Does work that has limits of its own. This clock stands still until the work is done. */
  async pausing<T>(work: () => Promise<T>): Promise<T> {
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

  /** Adds the time since the last call to what counts or to what does not count. */
  #account(): void {
    const now = performance.now();
    const passed = now - this.#since;
    this.#since = now;
    const { starvedMs, maxUncountedMs = Infinity } = this.#options;
    // For a process that is gone the wait reads as 0, and it waits no more.
    const starved = Math.max(this.#starvedMs, starvedMs?.() ?? 0);
    const idle = this.#jobs > 0 ? passed : Math.min(passed, starved - this.#starvedMs);
    this.#starvedMs = starved;
    const uncounted = Math.min(idle, maxUncountedMs - this.#uncountedMs);
    this.#uncountedMs += uncounted;
    this.#countedMs += passed - uncounted;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#onEnd) return;
    const { starvedMs, maxUncountedMs = Infinity } = this.#options;
    const left = this.#limitMs - this.#countedMs + (this.#jobs > 0 ? maxUncountedMs - this.#uncountedMs : 0);
    if (left === Infinity) return;
    this.#timer = setTimeout(() => this.#look(), starvedMs ? Math.min(left, SAMPLE_MS) : left);
  }

  #look(): void {
    this.#account();
    if (this.#countedMs < this.#limitMs) {
      this.#schedule();
      return;
    }
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }
}
