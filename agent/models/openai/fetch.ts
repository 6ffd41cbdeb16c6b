/** `fetch` for servers that are not trusted: no redirect to another origin, no body without end. */

import { Agent, fetch, type Response as Received } from "undici";
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
 * Node's own `fetch` gives up on a server that sends nothing for 5 minutes.
 * @param timeoutMs longest wait for the first byte, and for each part of the body
 * @throws ReplyError, also while the body is read
 */
export function guardedFetch(timeoutMs: number): typeof globalThis.fetch {
  const limit = Math.ceil(timeoutMs);
  const dispatcher = new Agent({ connectTimeout: limit, headersTimeout: limit, bodyTimeout: limit });
  return async (input, { method = "GET", headers, body, signal = null } = {}) => {
    const fields = { method, headers: [...new Headers(headers)], body: typeof body === "string" ? body : null, signal };
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url, { ...fields, dispatcher, redirect: "manual" });
      const { status } = response;
      const location = status >= 300 && status < 400 ? response.headers.get("location") : null;
      if (location === null) return limited(response);
      await response.body?.cancel();
      const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
      if (redirects === MOST_REDIRECTS) throw new ReplyError("ForeignRedirectError", "in a circle");
      if (target?.origin !== url.origin) throw new ReplyError("ForeignRedirectError", target?.origin ?? "nowhere");
      url = target;
    }
  };
}

function limited({ status, headers, body }: Received): Response {
  if (status < 200 || status > 599 || status === 304)
    throw new ReplyError("NotAModelServerError", `it sent the status ${status}`);
  return new Response(body && ReadableStream.from(upToLimit(body)), { status, headers: [...headers] });
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
    if (response.ok && !reply && !type.includes("json"))
      throw new ReplyError("NotAModelServerError", `it sent ${type}`);
    if (response.ok && !reply) throw new ReplyError("MalformedReplyError", "its reply was not a valid JSON object");
    if (response.ok && reply?.error == null) throw new ReplyError("MalformedReplyError", "its reply held no choices");
    const status = response.ok ? ErrorStatus.parse(reply?.error).code : response.status;
    return Response.json({ error: refusalIn(text) }, { status, headers });
  };

/** Why the server refuses, in the form that the OpenAI client reads. */
export const refusalIn = (text: string): { message: string } =>
  readJson(text, Refusal)?.error ?? { message: text.trim() || "it gave no reason" };

const Reply = z.looseObject({ choices: z.array(z.unknown()).nullish(), error: z.unknown().optional() });
const Reason = z.union([
  z.looseObject({ message: z.string().min(1) }),
  z.string().transform((message) => ({ message })),
]);
const Refusal = z.object({ error: Reason });
const ErrorStatus = z.object({ code: z.coerce.number().int().min(400).max(599) }).catch({ code: 502 });
