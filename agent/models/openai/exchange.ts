/**
 * One exchange with a server that is not trusted: no redirect to another origin is followed, no reply is read without
 * end.
 */

import { type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { finished, pipeline, type Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** In pieces, as a conversation is long and kept as it is sent. */
export type Body = readonly Uint8Array[];

export interface Question {
  url: URL;
  method: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: Body | undefined;
  /** Ends the exchange; it fails with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What came back. A reply that is no stream of events has been read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string | Parts;
}

/** A body that comes in parts, to be read once. */
export interface Parts {
  /**
   * Calls `take` with each part as it comes: a stream has hundreds, and a promise for each costs more than reading it.
   * What `take` throws ends the reading. @returns at its end, @throws why it did not come to its end
   */
  read(take: (part: Uint8Array) => void): Promise<void>;
  /** Nobody reads on. */
  cancel(): void;
}

/** All layers between the client of a model server and the network are such functions, around one another. */
export type Send = (question: Question) => Promise<Answer>;

/** Far more than any model writes in one reply: 200,000 tokens are about 1 MB. Bytes after decompression. */
export const LARGEST_REPLY_BYTES = 8 * 1024 * 1024;

const MOST_REDIRECTS = 5;

/** The reply went beyond LARGEST_REPLY_BYTES; it was not read on. */
export class ReplyTooLargeError extends Error {
  override name = "ReplyTooLargeError";
}

/** The server sends its clients to another origin, which was not asked: it would get the prompt and the key. */
export class ForeignRedirectError extends Error {
  override name = "ForeignRedirectError";
}

/**
 * Over `node:http` and its global agent, which keeps connections: `fetch` takes five times the CPU, and gives up on a
 * server that sends nothing for 300 s.
 * @throws ForeignRedirectError; reading fails with ReplyTooLargeError where it is too large
 */
export const exchange: Send = async (question) => {
  const { signal } = question;
  signal?.throwIfAborted();
  // What an abort breaks fails in several ways, which say nothing of the reason.
  const failed = (error: unknown): never => {
    throw signal?.aborted ? signal.reason : error;
  };
  try {
    const response = await followInOrigin(question);
    const { statusCode: status = 0 } = response;
    const headers = headersOf(response);
    const body = decompressed(response);
    if (isSuccess(status) && isEventStream(headers)) return { status, headers, body: partsOf(body, failed) };
    return { status, headers, body: await whole(body) };
  } catch (error) {
    return failed(error);
  }
};

const isSuccess = (status: number) => status >= 200 && status < 300;

export const isEventStream = (headers: Headers): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

async function followInOrigin(start: Question): Promise<IncomingMessage> {
  let question = start;
  for (let redirects = 0; ; redirects += 1) {
    const response = await sent(question);
    const { statusCode: status = 0 } = response;
    const { location } = response.headers;
    if (!REDIRECTS.has(status) || location === undefined) return response;
    response.destroy();
    if (redirects === MOST_REDIRECTS) throw new ForeignRedirectError("in a circle");
    const { url } = question;
    const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (target?.origin !== url.origin) throw new ForeignRedirectError(target?.origin ?? "nowhere");
    question = { ...(status < 307 && question.method !== "HEAD" ? asGet(question) : question), url: target };
  }
}

/** The head of the response. A connection that the server closed while it was idle is not taken for a failure. */
async function sent(question: Question): Promise<IncomingMessage> {
  for (;;) {
    const reply = await sentOnce(question);
    if ("response" in reply) return reply.response;
    if (!reply.wasIdle || question.signal?.aborted) throw reply.error;
  }
}

function sentOnce({ url, method, headers, body, signal }: Question) {
  return new Promise<{ response: IncomingMessage } | { error: Error; wasIdle: boolean }>((resolve) => {
    const send = url.protocol === "https:" ? secure : plain;
    const fields = {
      "accept-encoding": "gzip, deflate, br",
      ...headers,
      ...(body && { "content-length": body.reduce((sum, { byteLength }) => sum + byteLength, 0) }),
    };
    const request = send({ ...targetOf(url), method, headers: fields });
    // Not the option `signal`, for which Node.js watches the ends of all streams besides.
    const stop = () => request.destroy(new DOMException("the call was stopped", "AbortError"));
    signal?.addEventListener("abort", stop, { once: true });
    request.on("close", () => signal?.removeEventListener("abort", stop));
    request.on("response", (response) => resolve({ response }));
    request.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ error, wasIdle: request.reusedSocket && error.code === "ECONNRESET" }),
    );
    for (const piece of body ?? []) request.write(piece);
    request.end();
  });
}

/** A URL as Node.js wants it: to take one apart costs a tenth of an exchange. A server has one for all its calls. */
function targetOf(url: URL): ReturnType<typeof urlToHttpOptions> {
  const known = targets.get(url);
  if (known) return known;
  const made = urlToHttpOptions(url);
  targets.set(url, made);
  return made;
}

const targets = new WeakMap<URL, ReturnType<typeof urlToHttpOptions>>();

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** As browsers do it: only 307 and 308 keep the method. */
function asGet({ body: _body, headers, ...question }: Question): Question {
  const kept = Object.entries(headers).filter(([name]) => !OF_A_BODY.has(name));
  return { ...question, method: "GET", headers: Object.fromEntries(kept) };
}

const OF_A_BODY = new Set(["content-type", "content-length", "content-encoding"]);

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

const DECOMPRESS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

function decompressed(response: IncomingMessage): Readable {
  const made = DECOMPRESS.get(response.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  // Whoever reads the result is told of a failure of either.
  return made ? pipeline(response, made(), () => {}) : response;
}

/** The text of a body, read by events: its parts one by one cost as much as the rest of an exchange. */
function whole(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const read: Buffer[] = [];
    let bytes = 0;
    body.on("data", (part: Buffer) => {
      bytes += part.byteLength;
      if (bytes > LARGEST_REPLY_BYTES) body.destroy(tooLarge());
      else read.push(part);
    });
    body.on("end", () => resolve(new TextDecoder().decode(read.length === 1 ? read[0] : Buffer.concat(read))));
    body.on("error", reject);
    body.on("close", () => reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" })));
  });
}

const tooLarge = () => new ReplyTooLargeError(`more than ${LARGEST_REPLY_BYTES / 2 ** 20} MB`);

const partsOf = (body: Readable, failed: (error: unknown) => never): Parts => ({
  read: (take) =>
    new Promise<void>((resolve, reject) => {
      let bytes = 0;
      const stop = (error: unknown) => {
        reject(error);
        body.destroy();
      };
      // All that came at a time in one part: a server writes hundreds of small ones.
      body.on("readable", () => {
        for (let part: Buffer | null = body.read(); part !== null; part = body.read()) {
          bytes += part.byteLength;
          if (bytes > LARGEST_REPLY_BYTES) return stop(tooLarge());
          try {
            take(part);
          } catch (error) {
            return stop(error);
          }
        }
      });
      finished(body, (error) => (error ? reject(error) : resolve()));
    }).catch(failed),
  cancel: () => void body.destroy(),
});
