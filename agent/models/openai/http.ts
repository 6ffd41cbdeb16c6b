/** HTTP for model servers: a time limit, the one layer of retries, and an abort that ends either at once. */

import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../utils/data/errors.ts";
import { ForeignRedirectError, ReplyTooLargeError } from "./guarded_fetch.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface RetryPolicy {
  maxRetries: number;
  /** First wait where the server names none; doubles each time up to 8 s, minus up to a quarter at random. */
  retryDelayMs: number;
  log: (line: string) => void;
}

/** No complete reply, or no further part of a streamed one, within the limit. */
class ReplyTimeoutError extends Error {
  override name = "TimeoutError";
}

/** What answered speaks another language than a model server; asking again will not change it. */
export class NotAModelServerError extends Error {
  override name = "NotAModelServerError";
}

/**
 * Limits each request: a plain reply must be complete within `timeoutMs`; a streamed one must not pause longer.
 * Plain replies arrive read to their end, so that a connection that breaks half-way can be retried.
 */
export const withTimeout =
  (send: Fetch, timeoutMs: number): Fetch =>
  async (input, init) => {
    const limit = new AbortController();
    const expire = () => limit.abort(new ReplyTimeoutError(`no reply within ${timeoutMs / 1000} s`));
    const timer = setTimeout(expire, timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
    try {
      const response = await send(input, { ...init, signal });
      if (isEventStream(response) && response.body) return streamed(response, response.body, expire, timeoutMs);
      const text = await response.text();
      return new Response(EMPTY_STATUSES.has(response.status) ? null : text, response);
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * Sends again what failed in a way that may pass: a broken connection, a timeout, 408, 409, 429 and 5xx. Waits as long
 * as the server asks (`Retry-After`, `retry-after-ms`); one that asks for more than a minute is not waited for.
 * A server that never answered is a wrong address, told at once; one that did answer before may be restarting.
 */
export function withRetries(send: Fetch, { maxRetries, retryDelayMs, log }: RetryPolicy): Fetch {
  let hasAnswered = false;
  const tell = onceAMinute(log);
  return async (input, init) => {
    for (let retries = 0; ; retries += 1) {
      const result = await settle(send(input, init));
      if ("response" in result) hasAnswered = true;
      const backoffMs = Math.min(retryDelayMs * 2 ** retries, LONGEST_BACKOFF_MS) * (1 - Math.random() / 4);
      const mayPass = !init?.signal?.aborted && (await isTransient(result, hasAnswered));
      const waitMs = "response" in result ? (retryAfterMs(result.response.headers) ?? backoffMs) : backoffMs;
      if (!mayPass || retries >= maxRetries || waitMs > LONGEST_WAIT_MS) {
        if ("response" in result) return result.response;
        throw result.error;
      }
      const why = "response" in result ? `HTTP ${result.response.status}` : reasonOf(result.error);
      const attempt = `${retries + 1} of ${maxRetries}`;
      // A server that refuses for now is no news the second time.
      const cause = why === "HTTP 429" ? why : `${why} ${attempt}`;
      tell(cause, `model server: ${why}; trying again in ${(waitMs / 1000).toFixed(1)} s (${attempt})`);
      await sleep(waitMs, undefined, init?.signal ? { signal: init.signal } : {});
    }
  };
}

/** Many requests fail for one cause: it is told at first, and again once it stayed away for a minute. */
function onceAMinute(log: (line: string) => void) {
  const seen = new Map<string, number>();
  return (cause: string, line: string) => {
    const now = performance.now();
    if (now - (seen.get(cause) ?? -Infinity) > 60_000) log(line);
    seen.set(cause, now);
  };
}

export const isEventStream = (response: Response) =>
  response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** How long the server asks to wait in milliseconds, undefined where it does not say. */
export function retryAfterMs(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (ms > 0) return ms;
  const header = headers.get("retry-after")?.trim();
  if (!header) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? wait : undefined;
}

const LONGEST_BACKOFF_MS = 8_000;
const LONGEST_WAIT_MS = 60_000;
/** Statuses that the Response constructor allows no body for. */
const EMPTY_STATUSES = new Set([204, 205, 304]);

/** The next attempt would end in the same way. */
const FINAL = [NotAModelServerError, ForeignRedirectError, ReplyTooLargeError];

type Result = { response: Response } | { error: unknown };

const settle = (response: Promise<Response>): Promise<Result> =>
  response.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );

async function isTransient(result: Result, hasAnswered: boolean): Promise<boolean> {
  if ("error" in result) {
    if (FINAL.some((type) => result.error instanceof type)) return false;
    return hasAnswered || !/^(ECONNREFUSED|ENOTFOUND)$/.test(codeOf(result.error));
  }
  const { status, headers } = result.response;
  const asked = headers.get("x-should-retry");
  if (asked !== null) return asked === "true";
  if (status === 429) return !(await result.response.clone().text()).includes("insufficient_quota");
  return status === 408 || status === 409 || (status >= 500 && status !== 501);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}

const reasonOf = (error: unknown) => codeOf(error) || messageOf(error);

/** The same response, whose body fails once nothing comes for `timeoutMs`. */
function streamed(response: Response, body: ReadableStream<Uint8Array>, expire: () => void, timeoutMs: number) {
  async function* parts() {
    let timer = setTimeout(expire, timeoutMs);
    try {
      for await (const part of body) {
        clearTimeout(timer);
        yield part;
        timer = setTimeout(expire, timeoutMs);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  return new Response(ReadableStream.from(parts()), response);
}
