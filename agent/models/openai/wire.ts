/**
 * What OpenAI-compatible servers really send and really accept: replies are checked, refused parameters are left out.
 */

import { z } from "zod";
import { readJson } from "../../../utils/base/data/record.ts";
import { oneOf } from "../../../utils/base/text/patterns.ts";
import { exchange, type Parts, type Question, type Send } from "./exchange.ts";
import { NotAModelServerError } from "./http.ts";

/** The server answered 200 with something that is no chat completion. Worth another try: replies get cut off. */
export class MalformedReplyError extends Error {
  override name = "MalformedReplyError";
}

/**
 * Lets only chat completions through as 200. A page or plain text is no model server; an error that comes as 200
 * (gateways do that) gets the status it carries, else 502.
 */
export const withReplyCheck =
  (send: Send): Send =>
  async (question) => {
    const answer = await send(question);
    const { status, headers, body } = answer;
    if (status < 200 || status >= 300 || typeof body !== "string") return answer;
    const type = headers.get("content-type")?.split(";")[0] ?? "no content type";
    const reply = readJson(body, Completion);
    if (!reply) {
      if (type.includes("json")) throw new MalformedReplyError("its reply was no valid JSON object");
      throw new NotAModelServerError(`it sent ${type}`);
    }
    const { error, choices } = reply;
    if (choices?.length) return { ...answer, status: 200, headers: JSON_TYPE };
    if (error === undefined || error === null) throw new MalformedReplyError("its reply held no choices");
    return { ...answer, status: ErrorStatus.parse(error), headers: JSON_TYPE };
  };

const JSON_TYPE = new Headers({ "content-type": "application/json" });

/**
 * Leaves out a parameter that the server refuses by name and asks again, once for each parameter; later requests go
 * without it from the start. `max_tokens` and `max_completion_tokens` are exchanged instead of left out.
 */
export function withRefusedParameters(send: Send, log: (line: string) => void): Send {
  const refused = new Set<string>();
  const isAllowed = (question: Question): Question => {
    // A conversation is long, and most servers refuse nothing.
    const body = refused.size === 0 ? null : bodyOf(question);
    return body ? { ...question, body: [Buffer.from(JSON.stringify(without(body, refused)))] } : question;
  };
  return async (question) => {
    for (;;) {
      const sent = isAllowed(question);
      const answer = await send(sent);
      if ((answer.status !== 400 && answer.status !== 422) || typeof answer.body !== "string") return answer;
      const name = refusedParameter(answer.body, bodyOf(sent) ?? {});
      if (name === undefined) return answer;
      if (!refused.has(name)) log(`the model server does not take "${name}": going on without it`);
      refused.add(name);
    }
  };
}

const bodyOf = ({ body = [] }: Question) => readJson(Buffer.concat(body).toString(), RequestBody);

/** The layers as the `fetch` that a client wants. */
export const asFetch =
  (send: Send) =>
  async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { body: sent } = init;
    const { status, headers, body } = await send({
      url: new URL(input instanceof Request ? input.url : input),
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof sent === "string" ? [Buffer.from(sent)] : undefined,
      signal: init.signal ?? undefined,
    });
    if (status < 200 || status > 599) throw new NotAModelServerError(`it sent the status ${status}`);
    const content = typeof body === "string" ? body : streamOf(body);
    return new Response(EMPTY_STATUSES.has(status) ? null : content, { status, headers });
  };

const streamOf = ({ read, cancel }: Parts): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (to) => {
      read((part) => to.enqueue(part))
        .then(() => to.close())
        // Where nobody reads any more this says nothing.
        .catch((error: unknown) => to.error(error));
    },
    cancel,
  });

/** Statuses that the Response constructor allows no body for. */
const EMPTY_STATUSES = new Set([204, 205, 304]);

/**
 * The names of the models a server offers.
 * @throws what fetch throws, NotAModelServerError, or an error with the `status` of a refusal
 */
export async function listModels(
  baseUrl: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<string[]> {
  const url = new URL(`${baseUrl}/models`);
  const sent = Object.fromEntries(new Headers(headers));
  const { status, body } = await exchange({ url, method: "GET", headers: sent, signal });
  const text = typeof body === "string" ? body : "";
  if (status < 200 || status >= 300) throw Object.assign(new Error(refusalIn(text)), { status });
  const models = readJson(text, ModelList);
  if (!models) throw new NotAModelServerError("/models is no list of models");
  return models.data.map(({ id }) => id);
}

const OPTIONAL = ["stop", "seed", "temperature", "stream_options", "max_tokens", "max_completion_tokens"];
const REFUSAL = new RegExp(
  oneOf(
    /unsupported|not support|unrecognized|unknown|unexpected|extra inputs|extra_forbidden/,
    /not permitted|not allowed|only the default/,
  ),
  "i",
);

const Completion = z.looseObject({ choices: z.array(z.unknown()).nullish(), error: z.unknown().optional() });
const RequestBody = z.record(z.string(), z.unknown());
const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });
const Refusal = z.object({ error: z.object({ message: z.string() }) });
const refusalIn = (text: string) => readJson(text, Refusal)?.error.message ?? text;

const ErrorStatus = z
  .object({ code: z.coerce.number().int().min(400).max(599) })
  .transform(({ code }) => code)
  .catch(502);

function without(body: Record<string, unknown>, refused: ReadonlySet<string>): Record<string, unknown> {
  const { max_tokens, max_completion_tokens, ...rest } = body;
  const limit = max_completion_tokens ?? max_tokens;
  const names = max_completion_tokens === undefined ? LIMIT_NAMES : LIMIT_NAMES.toReversed();
  const name = names.find((candidate) => !refused.has(candidate));
  const kept = Object.entries(rest).filter(([key]) => !refused.has(key));
  return { ...Object.fromEntries(kept), ...(limit === undefined || name === undefined ? {} : { [name]: limit }) };
}

const LIMIT_NAMES = ["max_tokens", "max_completion_tokens"];

/** The parameter that the server says it does not know; of several the one named first ("use x instead of y"). */
function refusedParameter(answer: string, sent: Record<string, unknown>): string | undefined {
  if (!REFUSAL.test(answer)) return undefined;
  const places = OPTIONAL.filter((name) => sent[name] !== undefined)
    .map((name) => ({ name, at: answer.search(new RegExp(`\\b${name}\\b`)) }))
    .filter(({ at }) => at >= 0);
  return places.toSorted((a, b) => a.at - b.at)[0]?.name;
}
