/** HTTP for model servers: a time limit, the one layer of retries, and an abort that ends either at once. */

import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { type Answer, ForeignRedirectError, type Parts, ReplyTooLargeError, type Send } from "./exchange.ts";

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
  (send: Send, timeoutMs: number): Send =>
  async (question) => {
    const limit = new AbortController();
    const expire = () => limit.abort(new ReplyTimeoutError(`no reply within ${timeoutMs / 1000} s`));
    const timer = setTimeout(expire, timeoutMs);
    // Not `AbortSignal.any`, which costs more than the rest of a request's signals together.
    const { signal } = question;
    const stop = () => limit.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const end = () => signal?.removeEventListener("abort", stop);
    try {
      const answer = await send({ ...question, signal: limit.signal });
      if (typeof answer.body !== "string")
        return { ...answer, body: unpaused(answer.body, { expire, timeoutMs, end }) };
      end();
      return answer;
    } catch (error) {
      end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

/**
 * Sends again what failed in a way that may pass: a broken connection, a timeout, 408, 409, 429 and 5xx. Waits as long
 * as the server asks (`Retry-After`, `retry-after-ms`); one that asks for more than a minute is not waited for.
 * A server that never answered is a wrong address, told at once; one that did answer before may be restarting.
 */
export function withRetries(send: Send, { maxRetries, retryDelayMs, log }: RetryPolicy): Send {
  let hasAnswered = false;
  const tell = onceAMinute(log);
  return async (question) => {
    for (let retries = 0; ; retries += 1) {
      const result = await settle(send(question));
      if ("answer" in result) hasAnswered = true;
      const backoffMs = Math.min(retryDelayMs * 2 ** retries, LONGEST_BACKOFF_MS) * (1 - Math.random() / 4);
      const mayPass = !question.signal?.aborted && isTransient(result, hasAnswered);
      const waitMs = "answer" in result ? (retryAfterMs(result.answer.headers) ?? backoffMs) : backoffMs;
      if (!mayPass || retries >= maxRetries || waitMs > LONGEST_WAIT_MS) {
        if ("answer" in result) return result.answer;
        throw result.error;
      }
      const why = "answer" in result ? `HTTP ${result.answer.status}` : reasonOf(result.error);
      const attempt = `${retries + 1} of ${maxRetries}`;
      // A server that refuses for now is no news the second time.
      const cause = why === "HTTP 429" ? why : `${why} ${attempt}`;
      tell(cause, `model server: ${why}; trying again in ${(waitMs / 1000).toFixed(1)} s (${attempt})`);
      await sleep(waitMs, undefined, question.signal ? { signal: question.signal } : {});
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
/** The next attempt would end in the same way. */
const FINAL = [NotAModelServerError, ForeignRedirectError, ReplyTooLargeError];

type Result = { answer: Answer } | { error: unknown };

const settle = (answer: Promise<Answer>): Promise<Result> =>
  answer.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );

function isTransient(result: Result, hasAnswered: boolean): boolean {
  if ("error" in result) {
    if (FINAL.some((type) => result.error instanceof type)) return false;
    return hasAnswered || !/^(ECONNREFUSED|ENOTFOUND)$/.test(codeOf(result.error));
  }
  const { status, headers, body } = result.answer;
  const asked = headers.get("x-should-retry");
  if (asked !== null) return asked === "true";
  if (status === 429) return typeof body !== "string" || !body.includes("insufficient_quota");
  return status === 408 || status === 409 || (status >= 500 && status !== 501);
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

const reasonOf = (error: unknown) => codeOf(error) || messageOf(error);

/** Parts that fail once nothing comes for `timeoutMs`. */
const unpaused = (
  parts: Parts,
  { expire, timeoutMs, end }: { expire: () => void; timeoutMs: number; end: () => void },
): Parts => ({
  ...parts,
  read: async (take) => {
    const timer = setTimeout(expire, timeoutMs);
    try {
      await parts.read((part) => {
        take(part);
        timer.refresh();
      });
    } finally {
      clearTimeout(timer);
      end();
    }
  },
});
