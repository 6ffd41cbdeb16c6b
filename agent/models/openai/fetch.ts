/** `fetch` for servers that are not trusted: no redirect to another origin, no body without end. */

import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createUnzip } from "node:zlib";
import { Agent, type Dispatcher, request } from "undici";
import { z } from "zod";
import { readJson } from "../../../utils/base/data/record.ts";

/** Bytes after decompression. Far more than any model writes in one reply: 200,000 tokens are about 1 MB. */
export const LARGEST_REPLY_BYTES = 8 * 1024 * 1024;
const MOST_REDIRECTS = 5;

/** A reply that is not read. Only a malformed one is worth another attempt: replies get cut off. */
export class ReplyError extends Error {
  override readonly name: `${"ForeignRedirect" | "ReplyTooLarge" | "NotAModelServer" | "MalformedReply"}Error`;

  constructor(name: ReplyError["name"], message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * Reads all but a stream of events to its end. Node's `fetch` takes longer, and gives up after 5 minutes of silence.
 * @param timeoutMs longest wait for the first byte, and for each part of the body
 * @throws ReplyError, also while the body is read
 */
export function guardedFetch(timeoutMs: number): typeof globalThis.fetch {
  const limit = Math.ceil(timeoutMs);
  const dispatcher = new Agent({ connectTimeout: limit, headersTimeout: limit, bodyTimeout: limit });
  return async (input, { method, headers, body, signal = null } = {}) => {
    const posted = method === "POST" && ({ method, body: typeof body === "string" ? body : null } as const);
    const options = { headers: Object.fromEntries(new Headers(headers)), signal, dispatcher, ...posted };
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; ; redirects += 1) {
      const received = await request(url, options);
      const location = /^3/.test(`${received.statusCode}`) ? received.headers.location : undefined;
      if (location === undefined) return responseOf(received);
      await received.body.dump();
      const target = URL.canParse(`${location}`, url.href) ? new URL(`${location}`, url) : null;
      if (redirects === MOST_REDIRECTS) throw new ReplyError("ForeignRedirectError", "in a circle");
      if (target?.origin !== url.origin) throw new ReplyError("ForeignRedirectError", target?.origin ?? "nowhere");
      url = target;
    }
  };
}

async function responseOf({ statusCode: status, body, ...received }: Dispatcher.ResponseData): Promise<Response> {
  if (status < 200 || status > 599 || status === 304)
    throw new ReplyError("NotAModelServerError", `it sent the status ${status}`);
  const headers = new Headers(Object.entries(received.headers).map(([name, value]) => [name, `${value}`]));
  // Compression is not asked for, but some servers use it.
  const isCompressed = /^(gzip|deflate)$/.test(headers.get("content-encoding") ?? "");
  const parts = upToLimit(isCompressed ? pipeline(body, createUnzip(), () => {}) : body);
  if (status === 200 && headers.get("content-type")?.startsWith("text/event-stream"))
    return new Response(ReadableStream.from(parts), { headers });
  const whole = await buffer(parts);
  return new Response(whole.length > 0 ? whole : null, { status, headers });
}

async function* upToLimit(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.byteLength;
    if (bytes > LARGEST_REPLY_BYTES)
      throw new ReplyError("ReplyTooLargeError", `more than ${LARGEST_REPLY_BYTES / 2 ** 20} MB`);
    yield part;
  }
}

/**
 * Reads all but a stream to its end and checks it, as the OpenAI client's errors do not say what came instead. An error
 * that comes as 200, as gateways do, gets the status that it names.
 */
export const checkedFetch =
  (send: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await send(input, init);
    const type = response.headers.get("content-type")?.split(";")[0] || "no content type";
    if (response.ok && type === "text/event-stream") return response;
    const text = await response.text();
    const reply = readJson(text, Reply);
    const headers = new Headers(response.headers);
    headers.set("content-type", "application/json");
    if (response.ok && reply?.choices?.length) return new Response(text, { headers });
    const status = response.ok ? reply?.error?.code : response.status;
    if (status !== undefined) return Response.json({ error: refusalIn(text) }, { status, headers });
    if (reply) throw new ReplyError("MalformedReplyError", "its reply held no choices");
    if (!type.includes("json")) throw new ReplyError("NotAModelServerError", `it sent ${type}`);
    throw new ReplyError("MalformedReplyError", "its reply was not a valid JSON object");
  };

/** Why the server refuses, in the form that the OpenAI client reads. */
export const refusalIn = (text: string): { message: string } =>
  readJson(text, Refusal)?.error ?? { message: text.trim() || "it gave no reason" };

const ErrorStatus = z.object({ code: z.coerce.number().int().min(400).max(599) }).catch({ code: 502 });
const Reply = z.looseObject({ choices: z.array(z.unknown()).nullish(), error: ErrorStatus.nullish() });
const Reason = z.union([
  z.looseObject({ message: z.string().min(1) }),
  z.string().transform((message) => ({ message })),
]);
const Refusal = z.object({ error: Reason });
