/** How many requests a model server gets at a time: as many as it takes without refusing, found out as it goes. */

import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "../../../utils/base/concurrency/queue.ts";
import type { Peers } from "../peers.ts";
import type { Answer, Parts, Send } from "./exchange.ts";
import { retryAfterMs } from "./http.ts";

interface RequestCapOptions {
  /** Most requests at a time; also where it begins. */
  max: number;
  log: (line: string) => void;
  /** Most requests a minute, of all peers together, evenly spaced. */
  requestsPerMinute?: number | undefined;
  /** Other processes that use the server: they wait where we are refused, and we where they are. */
  peers?: Peers | undefined;
}

/**
 * Additive increase, multiplicative decrease: a 429 halves the limit, once for all requests that were sent before it;
 * after as many answers as the limit has places it grows by one, up to `max`. Requests wait in the order they came.
 * Source: Chiu and Jain 1989, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance", section 3.
 */
export class RequestCap {
  readonly #max: number;
  readonly #log: (line: string) => void;
  readonly #queue: Queue;
  /** Answers since the limit last changed. */
  #answered = 0;
  /** Counts halvings, so that one crowd of requests halves once. */
  #era = 0;
  /** The lowest limit that was told. */
  #told = Infinity;
  readonly #perMinute: number;
  readonly #peers: Peers | undefined;
  /** `performance.now()` before which no request goes out. */
  #nextAt = 0;

  constructor({ max, log, requestsPerMinute = Infinity, peers }: RequestCapOptions) {
    this.#max = Math.max(1, max);
    this.#queue = new Queue(this.#max);
    this.#log = log;
    this.#perMinute = requestsPerMinute;
    this.#peers = peers;
    peers?.onRefused((waitMs) => {
      this.#nextAt = Math.max(this.#nextAt, performance.now() + waitMs);
      this.#halve(this.#era);
    });
  }

  get limit(): number {
    return this.#queue.limit;
  }

  /** Waits for a place. @returns in which era it was given. @throws the signal's reason where it fires first */
  async enter(signal?: AbortSignal | null): Promise<number> {
    await this.#queue.enter(signal);
    try {
      await this.#ownTurn(signal);
    } catch (error) {
      this.#queue.leave();
      throw error;
    }
    return this.#era;
  }

  /** Gives the place back. @param era as `enter` gave it, @param refused whether the server answered 429 */
  leave(era: number, refused: boolean): void {
    if (refused) this.#halve(era);
    else this.#grow();
    this.#queue.leave();
  }

  /** Tells those who share the server. @param waitMs as the server asked */
  tellPeers(waitMs = UNSAID_WAIT_MS): void {
    this.#peers?.refused(waitMs);
  }

  async #ownTurn(signal?: AbortSignal | null): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + (60_000 * (this.#peers?.count() ?? 1)) / this.#perMinute;
    if (at > now) await sleep(at - now, undefined, signal ? { signal } : {});
  }

  #halve(era: number): void {
    if (era !== this.#era) return;
    this.#era += 1;
    this.#answered = 0;
    if (this.limit === 1) return;
    this.#queue.limit = Math.floor(this.limit / 2);
    // It rises and falls all the time with a server that refuses now and then.
    if (this.limit >= this.#told) return;
    this.#told = this.limit;
    this.#log(`model server: HTTP 429; from now on ${this.limit} of ${this.#max} requests at a time`);
  }

  #grow(): void {
    if (this.limit === this.#max) return;
    this.#answered += 1;
    if (this.#answered < this.limit * ROUNDS) return;
    this.#queue.limit += 1;
    this.#answered = 0;
  }
}

/** Full rounds of answers before the limit grows: a 429 costs a wait, a request that waits for a place costs little. */
const ROUNDS = 4;

/** How long others wait where a server refuses and does not say for how long. */
const UNSAID_WAIT_MS = 1000;

/** Caps by the server's address: models of one server share it. */
const caps = new Map<string, RequestCap>();

export function requestCapFor(address: string, options: RequestCapOptions): RequestCap {
  const cap = caps.get(address) ?? new RequestCap(options);
  caps.set(address, cap);
  return cap;
}

/**
 * Lets a request go out only with a place under `cap`. Put it within retries (a request that waits to be tried again
 * holds no place) and around the time limit (a request that waits for a place is not late). A streamed reply holds its
 * place to its end.
 */
export const withRequestCap =
  (send: Send, cap: RequestCap): Send =>
  async (question) => {
    const era = await cap.enter(question.signal);
    let answer: Answer;
    try {
      answer = await send(question);
    } catch (error) {
      cap.leave(era, false);
      throw error;
    }
    const { body, status, headers } = answer;
    if (status === 429) cap.tellPeers(retryAfterMs(headers));
    if (typeof body !== "string") {
      const read: Parts["read"] = (take) => body.read(take).finally(() => cap.leave(era, false));
      return { ...answer, body: { ...body, read } };
    }
    cap.leave(era, status === 429);
    return answer;
  };
