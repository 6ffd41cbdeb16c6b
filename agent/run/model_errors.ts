/** What went wrong with a model call: any error becomes one of a closed set of failures, told in one sentence. */

import { z } from "zod";
import { oneOf } from "../../utils/base/text/patterns.ts";

export const FAILURE_KINDS = [
  "auth", // the key is missing, wrong or may not use this model
  "not_found", // the server has no such model
  "tools", // the server or its model takes no tools
  "address", // nothing answers there, or something that is not a model server
  "timeout", // no complete reply in time
  "rate_limit", // too many requests, or the account's quota is used up
  "context_length", // the conversation is longer than the model can read
  "server", // the server failed, broke the connection or sent nonsense
  "budget", // what the run may cost is used up, so the call was not made
  "aborted", // the caller's signal stopped the call
  "unknown",
] as const;

export type ModelFailureKind = (typeof FAILURE_KINDS)[number];

export const ModelFailure = z.object({
  kind: z.enum(FAILURE_KINDS),
  /** One sentence that names the model or address and says what to do. Holds no key. */
  message: z.string(),
  /** The next task would fail in the same way: a wrong key, a wrong address, a missing model. */
  fatal: z.boolean(),
});
export type ModelFailure = z.infer<typeof ModelFailure>;

/** A model call that failed for a known reason. `failure` is what callers look at. */
export class ModelCallError extends Error {
  override name = "ModelCallError";
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.failure = failure;
  }
}

/** Whether a call that failed so may be billed all the same: it was sent, and given up. */
export const mayBeBilled = ({ kind }: ModelFailure): boolean => kind === "aborted" || kind === "timeout";

/** What a failure says about where the call went. */
export interface RequestContext {
  /** The model's name, e.g. `qwen2.5-coder`. */
  model: string;
  /** The server's address without credentials. */
  address: string;
  /** Time limit of one attempt. */
  timeoutMs: number;
  /** The key that was sent, or undefined where none is set. Only used to take it out of messages. */
  key: string | undefined;
}

/**
 * Reads the failure out of whatever a model call threw. Never throws.
 * @param signal the signal given to the call: once it is aborted, every error of the call is an abort
 * @param server where the call went, for the message. Default: to no server
 */
export function explainModelError(error: unknown, signal?: AbortSignal, server?: RequestContext): ModelFailure {
  const chain = causesOf(error);
  const known = chain.find((link) => link instanceof ModelCallError);
  if (signal?.aborted || (!known && chain.some(isAbort))) return aborted;
  if (known) return known.failure;
  if (server) return explainServerError(chain, server);
  if (chain.some(isTimeout))
    return failure("timeout", "The model gave no complete reply in time: raise the time limit.");
  const [status = 0] = chain.flatMap((link) => statusOf(link) ?? []);
  const { kind } = explainStatus(status, detail(chain), { address: "", model: "", timeoutMs: 0, key: undefined });
  return failure(kind, `The model call failed: ${detail(chain)}.`);
}

/** Works on the shape of errors (status, code, name, causes), as the client, LangChain and Node each wrap them. */
function explainServerError(chain: readonly unknown[], context: RequestContext): ModelFailure {
  const { address, model, timeoutMs } = context;
  const status = chain.map(statusOf).find((value) => value !== undefined);
  const said = detail(chain, context.key);
  if (chain.some((link) => nameOf(link) === "ForeignRedirectError")) {
    return failure(
      "address",
      `${address} redirects to another server (${said}), which gets neither prompt nor key: set ` +
        "OPENAI_BASE_URL to that address if it is the right one.",
    );
  }
  if (chain.some((link) => nameOf(link) === "ReplyTooLargeError"))
    return failure("server", `The reply of ${address} was too large (${said}) and was not read: look at the server.`);
  if (chain.some((link) => nameOf(link) === "NotAModelServerError") || (status === 405 && !mentionsModel(said))) {
    return failure(
      "address",
      `${address} is not an OpenAI-compatible server (${said}): OPENAI_BASE_URL usually ends in /v1.`,
    );
  }
  if (status !== undefined) return explainStatus(status, said, context);
  if (chain.some(isTimeout)) {
    const limit = `${timeoutMs / 1000} s`;
    return failure(
      "timeout",
      `${model} at ${address} gave no complete reply within ${limit}: raise the time limit or ask for less.`,
    );
  }
  const code = chain.map(codeOf).find((value) => value !== undefined);
  if (code !== undefined && WRONG_ADDRESS.test(code)) {
    return failure(
      "address",
      `Nothing can be reached at ${address} (${code}): start the server or correct OPENAI_BASE_URL.`,
    );
  }
  if (chain.some(isBrokenConnection))
    return failure("server", `The connection to ${address} broke (${said}): look at the server's log, then run again.`);
  return failure("unknown", `The call to ${model} at ${address} failed: ${said}.`);
}

function explainStatus(status: number, said: string, { address, model, key }: RequestContext): ModelFailure {
  if (CONTEXT_LENGTH.test(said) && (status === 400 || status === 413 || status >= 500)) {
    const what = /\bmax_(?:completion_)?tokens\b/.test(said) ? "with its reply is" : "is";
    return failure(
      "context_length",
      `The conversation ${what} longer than ${model} at ${address} can hold (${said}): give it a larger ` +
        "context, or use fewer examples and iterations, or a smaller --max-reply.",
    );
  }
  if (REFUSES_TOOLS.test(said))
    return failure("tools", `${model} at ${address} takes no tools (${said}): add --tool-calls text.`);
  if (QUOTA.test(said) || status === 402)
    return { ...failure("rate_limit", `The account at ${address} has no quota left (${said}).`), fatal: true };
  if (status === 401 || status === 403) {
    const what = key === undefined ? "asks for a key" : "refuses the key";
    return failure("auth", `${address} ${what} (${said}): set OPENAI_API_KEY to a key that may use ${model}.`);
  }
  if (status === 404) {
    return mentionsModel(said)
      ? failure("not_found", `${address} has no model "${model}" (${said}): choose another with --model openai:NAME.`)
      : failure("address", `${address} has no chat completions (${said}): OPENAI_BASE_URL usually ends in /v1.`);
  }
  if (status === 408) return failure("timeout", `${model} at ${address} ran out of time (${said}): ask for less.`);
  if (status === 429)
    return failure("rate_limit", `${address} takes no more requests for now (${said}): run fewer at once or later.`);
  if (status >= 500) {
    const why = said.replace(/^\d{3} /, "");
    return failure("server", `${address} failed with HTTP ${status} (${why}): look at its log, then run again.`);
  }
  return failure("unknown", `${address} refused the request for ${model} (${said}).`);
}

const FATAL: ReadonlySet<ModelFailureKind> = new Set(["auth", "not_found", "tools", "address"]);
const WRONG_ADDRESS = new RegExp(
  `^${oneOf(
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_URL/,
    /ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_/,
  )}`,
);
const CONTEXT_LENGTH = new RegExp(
  oneOf(
    /context[_ ](?:length|size|window)|maximum context|exceed_context/,
    /too many tokens|prompt is too long|input tokens exceed/,
  ),
  "i",
);
/** Servers refuse tools with any status: older ones of llama.cpp with 500, routers with 404. */
const REFUSES_TOOLS = /\btools?\b.*(?:\b(?:requires?|support)|not permitted)|\bsupport\b.*\btools?\b/i;
const QUOTA = /insufficient_quota|exceeded your current quota|out of credits|credit balance/i;
const LONGEST_DETAIL = 160;

const aborted: ModelFailure = { kind: "aborted", message: "The model call was stopped.", fatal: false };

const failure = (kind: ModelFailureKind, message: string): ModelFailure => ({ kind, message, fatal: FATAL.has(kind) });

const mentionsModel = (text: string) => /\bmodel\b/i.test(text);

/** The error and what caused it, outermost first. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 8; link = property(link, "cause")) {
    chain.push(link);
  }
  return chain;
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The code of an error of Node.js, such as ECONNREFUSED. */
export function codeOf(error: unknown): string | undefined {
  const code = property(error, "code");
  return typeof code === "string" ? code : undefined;
}

/** The server's status; an error inside a stream comes without one, but with the server's own words. */
export function statusOf(error: unknown): number | undefined {
  const status = property(error, "status");
  if (typeof status === "number") return status;
  return property(error, "error") === undefined ? undefined : 500;
}

const nameOf = (error: unknown) => property(error, "name");

/** LangChain and the client abort under several names, and once with a bare `Error("AbortError")`. */
const isAbort = (error: unknown) =>
  nameOf(error) === "AbortError" ||
  nameOf(error) === "ModelAbortError" ||
  nameOf(error) === "APIUserAbortError" ||
  property(error, "message") === "AbortError";

const isTimeout = (error: unknown) =>
  nameOf(error) === "TimeoutError" ||
  /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$|^ETIMEDOUT$/.test(String(property(error, "code")));

const isBrokenConnection = (error: unknown) =>
  nameOf(error) === "MalformedReplyError" ||
  property(error, "message") === "terminated" ||
  /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_)/.test(String(property(error, "code")));

/** What the innermost telling error said, on one line, short and without keys. */
function detail(chain: readonly unknown[], key?: string): string {
  const outer = chain.find((link) => statusOf(link) !== undefined) ?? chain.at(-1);
  const words = [outer, property(outer, "message"), nameOf(outer)];
  const text = words.find((word) => typeof word === "string" && word !== "") ?? "it gave no reason";
  const line = withoutKeys(String(text), key)
    .replace(/\s*Troubleshooting URL: \S+/, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\.$/, "");
  return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL)}…` : line;
}

/** Servers like to quote the key they refuse, whole or in part. A short key is a placeholder, often a common word. */
function withoutKeys(text: string, key?: string): string {
  const known = key && key.length >= 8 ? text.replaceAll(key, "[key]") : text;
  return known
    .replace(/\b(sk|hf|gsk|key|pk)[-_][\w*.-]{6,}/g, "[key]")
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=*-]+/gi, "$1 [key]");
}
