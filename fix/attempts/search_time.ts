/** Time that a search may use in all its parts together. */

/** Seconds on the clock for a second of processor time, where nothing was measured yet, at most. */
const MOST_PACE = 4;
/** Processor time after which the search's own pace is known, in seconds. */
const PACED_SECONDS = 2;

interface Clock {
  /** Seconds, from any moment. */
  now?: () => number;
  /** Seconds on the clock for a second of processor time, as the tests took before the search. */
  pace?: number | undefined;
}

/**
 * Counts processor time and, from `start` on, the user's clock: whichever ends first ends the search. Limits of single
 * programs stay in processor time, since a busy machine must not refuse a program that is right.
 */
export class SearchTime {
  readonly seconds: number;
  readonly #now: () => number;
  readonly #pace: number;
  #spent = 0;
  #began: number | null = null;
  #deadline: AbortSignal | null = null;

  constructor(seconds: number, { now = () => performance.now() / 1000, pace = 1 }: Clock = {}) {
    this.seconds = seconds;
    this.#now = now;
    this.#pace = Math.min(Math.max(1, pace), MOST_PACE);
  }

  /** Starts the clock. Not for a language model, which also thinks between its searches. */
  start(): void {
    if (this.#began !== null) return;
    this.#began = this.#now();
    this.#deadline = AbortSignal.timeout(Math.ceil(this.seconds * 1000));
  }

  /** Seconds on the clock that are left. */
  get clockLeft(): number {
    return this.#began === null ? this.left : Math.max(0, this.seconds - (this.#now() - this.#began));
  }

  /** Processor time that is left: no more than this machine gives to a process until the clock ends the search. */
  get left(): number {
    const cpu = this.seconds - this.#spent;
    if (this.#began === null) return Math.max(0, cpu);
    const elapsed = this.#now() - this.#began;
    const pace = this.#spent > PACED_SECONDS ? Math.max(1, elapsed / this.#spent) : this.#pace;
    return Math.max(0, Math.min(cpu, (this.seconds - elapsed) / pace));
  }

  /** Whether too little is left to try anything. */
  get isUp(): boolean {
    return this.left < LEAST_SECONDS;
  }

  /** Whether the clock has ended the search. */
  get isOver(): boolean {
    return this.#deadline?.aborted === true;
  }

  spend(seconds: number): void {
    this.#spent += seconds;
  }

  /**
   * Ends work when the time is over.
   * @param share of what is left on the clock, from 0 to 1, that the work may take
   * @returns null where the clock ended it
   */
  async within<T>(
    work: (signal: AbortSignal | undefined) => Promise<T>,
    signal: AbortSignal | undefined,
    share = 1,
  ): Promise<T | null> {
    if (this.#deadline === null) return await work(signal);
    const ownEnd = share < 1 ? AbortSignal.timeout(Math.ceil(share * this.clockLeft * 1000)) : this.#deadline;
    const clock = AbortSignal.any([this.#deadline, ownEnd]);
    try {
      return await work(signal ? AbortSignal.any([clock, signal]) : clock);
    } catch (error) {
      if (clock.aborted && !signal?.aborted) return null;
      throw error;
    }
  }

  get announcement(): string {
    return `searching: small edits, for up to ${this.seconds} s (--time); then checking what passes`;
  }

  /** Why the search ended before everything was tried. */
  get explanation(): string {
    return `the search used up its ${this.seconds} s (give it more, such as --time 5m)`;
  }
}

/** A search needs as much to begin. */
const LEAST_SECONDS = 1;
