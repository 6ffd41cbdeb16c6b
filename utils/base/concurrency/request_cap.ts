/** How many requests a model server gets at a time: as many as it takes without refusing, found out as it goes. */

import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "./queue.ts";

/** Processes that use the same model server for the same work. */
export interface Peers {
  /** Tells them that the server refused a request (HTTP 429) and asks to be left alone for so long, in milliseconds. */
  refused(waitMs: number): void;
  /** `hear` is called where one of them was refused. */
  onRefused(hear: (waitMs: number) => void): void;
  /** How many there are, this process counted. */
  count(): number;
}

interface RequestCapOptions {
  /** Most requests at a time; also where it begins. */
  max: number;
  log: (line: string) => void;
  /** Most requests a minute, of all peers together, evenly spaced. */
  requestsPerMinute?: number | undefined;
  /** Other processes that use the server: they wait when we are refused, and we when they are. */
  peers?: Peers | undefined;
}

/** Full rounds of answers before the limit grows: a refusal costs a wait, a request in the queue costs little. */
const ROUNDS = 4;

/**
 * Additive increase, multiplicative decrease: a refusal halves the limit, once for all requests that were sent before
 * it; after as many answers as the limit has places it grows by one, up to `max`. Requests wait in the order they came.
 * Source: Chiu and Jain 1989, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance", section 3.
 */
export class RequestCap {
  readonly #options: RequestCapOptions;
  readonly #queue: Queue;
  /** Answers since the limit last changed. */
  #answered = 0;
  /** Counts halvings, so that one crowd of requests halves once. */
  #era = 0;
  /** The lowest limit in the log so far. */
  #lowest = Infinity;
  /** `performance.now()` before which no request goes out. */
  #nextAt = 0;

  constructor(options: RequestCapOptions) {
    this.#options = options;
    this.#queue = new Queue(Math.max(1, options.max));
    options.peers?.onRefused((waitMs) => {
      this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs);
      this.#halve(this.#era);
    });
  }

  get limit(): number {
    return this.#queue.limit;
  }

  /**
   * Waits for a place.
   * @returns gives the place back; where the server refused the request, with the wait that it asks for
   * @throws the signal's reason where it fires first
   */
  async enter(signal?: AbortSignal | null): Promise<(refusedForMs?: number) => void> {
    await this.#queue.enter(signal);
    try {
      await this.#ownTurn(signal);
    } catch (error) {
      this.#queue.leave();
      throw error;
    }
    const era = this.#era;
    return (refusedForMs) => {
      if (refusedForMs === undefined) this.#grow();
      else {
        this.#options.peers?.refused(refusedForMs);
        this.#halve(era);
      }
      this.#queue.leave();
    };
  }

  async #ownTurn(signal?: AbortSignal | null): Promise<void> {
    const { peers, requestsPerMinute = Infinity } = this.#options;
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + (60_000 * (peers?.count() ?? 1)) / requestsPerMinute;
    if (at > now) await sleep(at - now, undefined, signal ? { signal } : {});
  }

  #halve(era: number): void {
    if (era !== this.#era) return;
    this.#era += 1;
    this.#answered = 0;
    if (this.limit === 1) return;
    this.#queue.limit = Math.floor(this.limit / 2);
    // With a server that refuses now and then the limit falls and rises all the time.
    if (this.limit >= this.#lowest) return;
    this.#lowest = this.limit;
    const { log, max } = this.#options;
    log(`model server: HTTP 429; from now on ${this.limit} of ${max} requests at a time`);
  }

  #grow(): void {
    if (this.limit >= this.#options.max) return;
    this.#answered += 1;
    if (this.#answered < this.limit * ROUNDS) return;
    this.#queue.limit += 1;
    this.#answered = 0;
  }
}

/** Caps by the server's address: models of one server share it. */
const caps = new Map<string, RequestCap>();

export function requestCapFor(address: string, options: RequestCapOptions): RequestCap {
  const cap = caps.get(address) ?? new RequestCap(options);
  caps.set(address, cap);
  return cap;
}
