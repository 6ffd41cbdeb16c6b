/** `fetch` for servers that are not trusted: it follows no redirect to another origin and reads no reply without end. */

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

/** @throws ForeignRedirectError; the body fails with ReplyTooLargeError where it is too large */
export async function guardedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await followInOrigin(new URL(input instanceof Request ? input.url : input), init);
  if (!response.body) return response;
  return new Response(ReadableStream.from(withinLimit(response.body)), response);
}

async function followInOrigin(start: URL, init: RequestInit = {}): Promise<Response> {
  let url = start;
  let request = init;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url.href, { ...request, redirect: "manual" });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (redirects === MOST_REDIRECTS) throw new ForeignRedirectError("in a circle");
    const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (target?.origin !== url.origin) throw new ForeignRedirectError(target?.origin ?? "nowhere");
    url = target;
    if (response.status < 307 && request.method !== "HEAD") request = asGet(request);
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** As fetch itself does it: only 307 and 308 keep the method. */
function asGet({ body: _body, ...init }: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const name of ["content-type", "content-length", "content-encoding"]) headers.delete(name);
  return { ...init, method: "GET", headers };
}

async function* withinLimit(body: ReadableStream<Uint8Array>) {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > LARGEST_REPLY_BYTES) throw new ReplyTooLargeError(`more than ${LARGEST_REPLY_BYTES / 2 ** 20} MB`);
    yield part;
  }
}
