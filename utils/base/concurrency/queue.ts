/** Runs up to `limit` jobs at a time. The others wait in the order in which they came. */

export class Queue {
  #limit: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Jobs at a time. Raising it starts waiting jobs; lowering it interrupts none. */
  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#admit();
  }

  /** Run `task` when there is a place. Rejects with the signal's reason when it is aborted while waiting. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal | null): Promise<T> {
    await this.enter(signal);
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /** Waits for a place, which `leave` gives back. @throws the signal's reason where it fires first */
  async enter(signal?: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(enter);
      this.#admit();
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
