/** The OpenAI-compatible server that the environment names: its address and its models. */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { secretFrom } from "../../utils/base/data/secret.ts";
import { listed } from "../../utils/base/text/text.ts";
import { explainModelError, statusOf } from "../run/model_errors.ts";
import type { ModelOptions } from "./model.ts";
import { guardedFetch, ReplyError, refusalIn } from "./openai/fetch.ts";

export interface ModelServer {
  /** Without credentials and without a trailing slash. */
  address: string;
  key: string | undefined;
  /** Sent with each request. */
  headers: Record<string, string>;
}

const OPENAI = "https://api.openai.com/v1";

/**
 * Reads `OPENAI_BASE_URL` (default: OpenAI's own) and `OPENAI_API_KEY`. A user and password in the URL are sent as
 * basic authentication, as browsers do.
 * @throws UserError for an invalid URL or key, and for OpenAI's own address without a key
 */
export function serverFrom(env: Record<string, string | undefined>): ModelServer {
  const given = env.OPENAI_BASE_URL?.trim() || OPENAI;
  const key = secretFrom(env, "OPENAI_API_KEY");
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search)
    throw new UserError(
      "OPENAI_BASE_URL must be an http(s) address without a query, such as http://localhost:8080/v1.",
    );
  if (given === OPENAI && !key)
    throw new UserError(
      "An openai: model needs OPENAI_API_KEY, or OPENAI_BASE_URL with the address of a server of yours.",
    );
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const basic = `Basic ${Buffer.from(login).toString("base64")}`;
  const headers = { authorization: login === ":" ? `Bearer ${key ?? "none"}` : basic };
  return { address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), key, headers };
}

const Size = z.number().int().positive().optional().catch(undefined);
/** The context of a model as vLLM and SGLang, OpenRouter and Together, Groq, Mistral, and llama.cpp name it. */
const ModelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: Size,
      context_length: Size,
      context_window: Size,
      max_context_length: Size,
      meta: z.object({ n_ctx: Size }).optional().catch(undefined),
    }),
  ),
});

/**
 * The names of the models that the server offers.
 * @throws UserError where it does not say
 */
export const listModels = async (server: ModelServer, timeoutMs: number): Promise<string[]> =>
  (await modelsOn(server, timeoutMs)).map(({ id }) => id);

/** How many tokens a model takes at once; null where its server does not say. */
export async function contextOnServer(server: ModelServer, name: string, timeoutMs: number): Promise<number | null> {
  const models = await modelsOn(server, Math.min(timeoutMs, CONTEXT_TIMEOUT_MS)).catch(() => []);
  const found = models.find(({ id }) => id === name);
  if (!found) return null;
  const { max_model_len, context_length, context_window, max_context_length, meta } = found;
  return max_model_len ?? meta?.n_ctx ?? context_length ?? context_window ?? max_context_length ?? null;
}

const CONTEXT_TIMEOUT_MS = 5000;

type CheckOptions = Pick<ModelOptions, "timeoutMs" | "log">;

/**
 * Asks a server about a model before other work begins. Many servers accept names that they do not list: such a name
 * is asked for one token, and noted on `log`, as some servers reply by another model.
 * @throws UserError where nothing can be reached, the key is refused, or the server has no such model
 */
export async function requireModel(server: ModelServer, name: string, options: CheckOptions): Promise<void> {
  const { timeoutMs, log } = options;
  const limitMs = Math.min(timeoutMs, CONTEXT_TIMEOUT_MS);
  const explain = (error: unknown) =>
    explainModelError(error, undefined, { ...server, model: name, timeoutMs: limitMs });
  // Some servers have no list, and some keys may not read it.
  const list = await ask(server, "/models", limitMs).catch((error: unknown) => {
    const { kind, message } = explain(error);
    const status = statusOf(error);
    if (status === undefined ? kind === "address" : status === 401) throw new UserError(message);
    return "";
  });
  const names = readJson(list, ModelList)?.data.map(({ id }) => id) ?? [];
  if (names.length === 0 || names.includes(name)) return;
  const request = { model: name, messages: [{ role: "user", content: "Hi" }], max_tokens: 1 };
  await ask(server, "/chat/completions", limitMs, request).catch((error: unknown) => {
    const { kind, message } = explain(error);
    if (kind === "auth" || kind === "not_found") throw new UserError(message);
  });
  log(`note: ${server.address} lists ${listed(names, 8)}, not ${name}: make sure which model replies.`);
}

async function modelsOn(server: ModelServer, timeoutMs: number) {
  try {
    const models = readJson(await ask(server, "/models", timeoutMs), ModelList);
    if (!models) throw new ReplyError("NotAModelServerError", "/models is not a list of models");
    return models.data;
  } catch (error) {
    const status = statusOf(error);
    const none =
      `${server.address} lists no models (no /models there): name one with --model openai:NAME; ` +
      "OPENAI_BASE_URL usually ends in /v1.";
    const { message } = explainModelError(error, undefined, { ...server, model: "its list of models", timeoutMs });
    throw new UserError(status === 404 || status === 405 ? none : message);
  }
}

/** @param body what is posted. Default: nothing, a GET @throws what `explainModelError` reads */
async function ask({ address, headers }: ModelServer, path: string, timeoutMs: number, body?: object): Promise<string> {
  const posted = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const init = { ...(body ? posted : { headers }), signal: AbortSignal.timeout(timeoutMs) };
  const response = await guardedFetch(timeoutMs)(`${address}${path}`, init);
  const text = await response.text();
  if (response.ok) return text;
  throw Object.assign(new Error(refusalIn(text).message), { status: response.status });
}

/**
 * The first model of the server that is not an embedding model.
 * @throws UserError where it offers none or does not say
 */
export async function firstModel(server: ModelServer, timeoutMs: number): Promise<{ spec: string; why: string }> {
  const { address } = server;
  const names = await listModels(server, Math.min(timeoutMs, 10_000));
  const name = names.find((candidate) => !/embed/i.test(candidate));
  if (name === undefined)
    throw new UserError(`${address} offers no model: load one there, or name one with --model openai:NAME.`);
  const others = names.length > 1 ? ` (of ${listed(names, 8)})` : "";
  return { spec: `openai:${name}`, why: `the first that ${address} offers${others}` };
}
