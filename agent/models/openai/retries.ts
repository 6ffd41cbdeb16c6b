/**
 * Repeats calls: later, or without a parameter that the server refuses. LangChain's own retries skip a 429 without
 * Retry-After, sleep through an abort, and log nothing.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { OpenAIClient } from "@langchain/openai";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { causesOf, codeOf, type ModelFailure, type ModelFailureKind } from "../../run/model_errors.ts";
import type { ModelOptions } from "../model.ts";
import { ReplyError } from "./fetch.ts";

interface RetryPolicy extends Pick<ModelOptions, "maxRetries" | "log"> {
  /** First wait where the server names none; doubles each time up to 8 s, minus up to a quarter at random. */
  retryDelayMs: number;
  explain: (error: unknown) => ModelFailure;
}

const LONGEST_BACKOFF_MS = 8_000;
/** A server that asks for more is not waited for. */
const LONGEST_WAIT_MS = 60_000;
const LIMIT_NAMES = ["max_tokens", "max_completion_tokens"];
const OPTIONAL = ["stop", "seed", "temperature", "stream_options", ...LIMIT_NAMES];
const REFUSAL =
  /un(?:supported|recognized|known|expected)|not (?:support|permitted|allowed)|extra.(?:inputs|forbidden)/i;

type Request = OpenAIClient.ChatCompletionCreateParams;
type Signal = OpenAIClient.RequestOptions["signal"];

export class Retries {
  readonly #policy: RetryPolicy;
  /** Parameters that the server does not take. */
  readonly #refused = new Set<string>();
  /** A server that was never reached is a wrong address; another one may be restarting. */
  #wasReached = false;
  /** When each cause last came up: many requests fail for one. */
  readonly #seen = new Map<string, number>();

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  /** @throws what the last attempt throws, or the signal's abort */
  async run<Reply>(request: Request, signal: Signal, attempt: (sent: Request) => Promise<Reply>): Promise<Reply> {
    for (let retry = 0; ; ) {
      const sent = this.#allowed(request);
      try {
        const reply = await attempt(sent);
        this.#wasReached = true;
        return reply;
      } catch (error) {
        if (!this.#learn(error, sent)) await this.#wait(error, retry++, signal);
      }
    }
  }

  /** A length limit goes out under its other name where the server takes that one alone. */
  #allowed(request: Request): Request {
    const sent = { ...request };
    for (const name of this.#refused) Reflect.deleteProperty(sent, name);
    const limit = request.max_completion_tokens ?? request.max_tokens;
    const [name, ...others] = LIMIT_NAMES.filter((limitName) => !this.#refused.has(limitName));
    if (limit != null && name && others.length === 0) Reflect.set(sent, name, limit);
    return sent;
  }

  /** Notes the parameter that the server refuses: of several the first ("x is unsupported: use y"). */
  #learn(error: unknown, sent: object): boolean {
    const { status = 0, message = "" } = refusalOf(error) ?? {};
    const names = OPTIONAL.filter((name) => Reflect.get(sent, name) !== undefined).join("|");
    const name = new RegExp(`\\b(?:${names})\\b`).exec(message)?.[0];
    if (!name || ![400, 422].includes(status) || !REFUSAL.test(message)) return false;
    if (!this.#refused.has(name)) this.#policy.log(`the model server does not take "${name}": going on without it`);
    this.#refused.add(name);
    return true;
  }

  /** Waits as long as the server asks, else ever longer. */
  async #wait(error: unknown, retry: number, signal: Signal): Promise<void> {
    const { maxRetries, retryDelayMs, log } = this.#policy;
    const backoffMs = Math.min(retryDelayMs * 2 ** retry, LONGEST_BACKOFF_MS) * (1 - Math.random() / 4);
    const waitMs = retryAfterMs(error) ?? backoffMs;
    const mayPass = this.#mayPass(error);
    if (signal?.aborted || retry >= maxRetries || waitMs > LONGEST_WAIT_MS || !mayPass) throw error;
    const innermost = causesOf(error).at(-1);
    const { status } = refusalOf(error) ?? {};
    const why = status ? `HTTP ${status}` : (codeOf(innermost) ?? messageOf(innermost));
    const attempt = `${retry + 1} of ${maxRetries}`;
    const cause = why === "HTTP 429" ? why : `${why} ${attempt}`;
    if (performance.now() - (this.#seen.get(cause) ?? -Infinity) > 60_000)
      log(`model server: ${why}; trying again in ${(waitMs / 1000).toFixed(1)} s (${attempt})`);
    this.#seen.set(cause, performance.now());
    await sleep(waitMs, undefined, signal ? { signal } : {});
  }

  #mayPass(error: unknown): boolean {
    const { kind, fatal } = this.#policy.explain(error);
    const wasReached = this.#wasReached;
    this.#wasReached ||= kind !== "address";
    const refusal = refusalOf(error);
    const asked = refusal?.headers?.get("x-should-retry");
    if (asked) return asked === "true";
    if (causesOf(error).some((link) => link instanceof ReplyError && link.name !== "MalformedReplyError")) return false;
    return kind === "address" ? wasReached && !refusal : PASSING.has(kind) && !fatal;
  }
}

const PASSING: ReadonlySet<ModelFailureKind> = new Set(["timeout", "rate_limit", "server"]);

/** The error as the server's refusal, which has a status; a broken connection has none. */
export const refusalOf = (error: unknown) =>
  error instanceof OpenAIClient.APIError && error.status !== undefined ? error : undefined;

/** How long the server asks to wait; undefined where it does not say. */
export function retryAfterMs(error: unknown): number | undefined {
  const headers = refusalOf(error)?.headers;
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms > 0) return ms;
  const header = headers?.get("retry-after")?.trim() ?? "";
  const wait = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? wait : undefined;
}
