/** What OpenAI-compatible servers really send and really accept: replies are checked, refused parameters are left out. */

import { z } from "zod";
import { readJson } from "../../../utils/data/record.ts";
import { oneOf } from "../../../utils/text/patterns.ts";
import { guardedFetch } from "./guarded_fetch.ts";
import { type Fetch, isEventStream, NotAModelServerError } from "./http.ts";

/** The server answered 200 with something that is no chat completion. Worth another try: replies get cut off. */
export class MalformedReplyError extends Error {
  override name = "MalformedReplyError";
}

/**
 * Lets only chat completions through as 200. A page or plain text is no model server; an error that comes as 200
 * (gateways do that) gets the status it carries, else 502.
 */
export const withReplyCheck =
  (send: Fetch): Fetch =>
  async (input, init) => {
    const response = await send(input, init);
    if (!response.ok || isEventStream(response)) return response;
    const text = await response.text();
    const type = response.headers.get("content-type")?.split(";")[0] ?? "no content type";
    const reply = readJson(text, Completion);
    if (!reply) {
      if (type.includes("json")) throw new MalformedReplyError("its reply was no valid JSON object");
      throw new NotAModelServerError(`it sent ${type}`);
    }
    const { error, choices } = reply;
    if (!choices?.length) {
      if (error === undefined || error === null) throw new MalformedReplyError("its reply held no choices");
      return json(text, ErrorStatus.parse(error));
    }
    return json(text, 200);
  };

/**
 * Leaves out a parameter that the server refuses by name and asks again, once for each parameter; later requests go
 * without it from the start. `max_tokens` and `max_completion_tokens` are exchanged instead of left out.
 */
export function withRefusedParameters(send: Fetch, log: (line: string) => void): Fetch {
  const refused = new Set<string>();
  return async (input, init) => {
    for (;;) {
      const body = readJson(typeof init?.body === "string" ? init.body : "", RequestBody);
      if (!body) return send(input, init);
      const sent = without(body, refused);
      const response = await send(input, { ...init, body: JSON.stringify(sent) });
      if (response.status !== 400 && response.status !== 422) return response;
      const name = refusedParameter(await response.clone().text(), sent);
      if (name === undefined) return response;
      if (!refused.has(name)) log(`the model server does not take "${name}": going on without it`);
      refused.add(name);
    }
  };
}

/**
 * The names of the models a server offers.
 * @throws what fetch throws, NotAModelServerError, or an error with the `status` of a refusal
 */
export async function listModels(
  baseUrl: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<string[]> {
  const response = await guardedFetch(`${baseUrl}/models`, { headers, signal });
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(refusalIn(text)), { status: response.status });
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

const json = (text: string, status: number) =>
  new Response(text, { status, headers: { "content-type": "application/json" } });

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
