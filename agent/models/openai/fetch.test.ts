import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { expect, test } from "vitest";
import { ALSO_DEEP, quarter } from "../../../utils/testing/repeats.ts";
import { startWebServer } from "../../../utils/testing/web_server.ts";
import type { Model } from "../model.ts";
import { connectTo, failureOf, KEY, streamed } from "../testing/calls.ts";
import { startFakeOpenAI } from "../testing/fake_openai.ts";
import { LARGEST_REPLY_BYTES } from "./fetch.ts";

const PROMPT = "the prompt";
/** @param spec null: the first model that the server lists */
const connect = (url: string, spec?: string | null) => connectTo(url, { maxRetries: 2 }, spec);

async function startServer(listener: RequestListener) {
  const requests: IncomingMessage[] = [];
  const { url, ...server } = await startWebServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return { ...server, url: `${url}/v1`, requests };
}

const invoked = async (model: Model): Promise<string> => (await model.chat.invoke(PROMPT)).text;
const inParts = async (model: Model): Promise<string> => (await streamed(model, PROMPT)).text;

/** Writes to `to` for ever, unless the client hangs up. */
function writeForEver(to: NodeJS.WritableStream, response: ServerResponse, part: string): void {
  const more = () => {
    while (!response.destroyed) if (!to.write(part)) return void to.once("drain", more);
  };
  more();
}

const JSON_START = '{"choices":[{"index":0,"message":{"role":"assistant","content":"';
const EVENT = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "spam ".repeat(1000) } }] })}\n\n`;

test.each(
  quarter([
    ["whole", "application/json", invoked, false],
    ["whole and compressed", "application/json", invoked, true],
    ["streamed", "text/event-stream", inParts, false],
    ["streamed and compressed", "text/event-stream", inParts, true],
  ]),
)("a reply without end is not read on: %s", ALSO_DEEP, async (_name, contentType, call, compressed) => {
  await using server = await startServer((_request, response) => {
    response.on("error", () => {});
    response.writeHead(200, { "content-type": contentType, ...(compressed ? { "content-encoding": "gzip" } : {}) });
    const to = compressed ? createGzip() : response;
    if (to !== response) to.pipe(response);
    if (call === invoked) to.write(JSON_START);
    writeForEver(to, response, call === invoked ? "spam ".repeat(1000) : EVENT);
  });
  const failure = await failureOf(call(await connect(server.url)));
  expect(failure).toMatchObject({ kind: "server", fatal: false });
  expect(failure.message).toBe(
    `The reply of ${server.url} was too large (more than 8 MB) and was not read: look at the server.`,
  );
  expect(server.requests).toHaveLength(1);
});

test("a reply as large as any model's is read", async () => {
  const text = "word ".repeat(LARGEST_REPLY_BYTES / 5 - 1000);
  await using server = await startFakeOpenAI({ reply: () => ({ text }) });
  expect(await invoked(await connect(server.url))).toBe(text);
});

test("a list of models without end is not read on", async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"data": [');
    writeForEver(response, response, '{"id": "a"},'.repeat(1000));
  });
  await expect(connect(server.url, null)).rejects.toThrow("was too large (more than 8 MB)");
});

test.each([301, 302, 303, 307, 308])(
  "neither prompt nor key follow a redirect (%d) to another origin",
  async (status) => {
    await using other = await startFakeOpenAI({ reply: () => "stolen", models: ["tiny"] });
    const target = new URL(other.url).origin;
    await using server = await startServer((_request, response) =>
      response.writeHead(status, { location: `${target}/v1/chat/completions` }).end(),
    );
    const model = await connect(server.url);
    for (const call of [invoked, inParts]) {
      const failure = await failureOf(call(model));
      expect(failure).toMatchObject({ kind: "address", fatal: true });
      expect(failure.message).toBe(
        `${server.url} redirects to another server (${target}), which gets neither prompt nor key: set OPENAI_BASE_URL to that address if it is the right one.`,
      );
    }
    expect(other.requests).toEqual([]);
    expect(server.requests).toHaveLength(2);
  },
);

test("a redirect of the list of models to another origin is not followed", async () => {
  await using other = await startServer((_request, response) => response.end('{"data": [{"id": "tiny"}]}'));
  await using server = await startServer((_request, response) =>
    response.writeHead(307, { location: `${other.url}/models` }).end(),
  );
  await expect(connect(server.url, null)).rejects.toThrow("redirects to another server");
  expect(other.requests).toEqual([]);
});

test("a redirect within the origin is followed with prompt and key; one in a circle is not", async () => {
  await using server = await startFakeOpenAI({
    key: KEY,
    reply: ({ last }, turn) =>
      turn % 2 === 0 ? { status: 307, headers: { location: "/v1/chat/completions" } } : `read: ${last}`,
  });
  const model = await connect(server.url);
  expect(await invoked(model)).toBe(`read: ${PROMPT}`);
  expect(await inParts(model)).toBe(`read: ${PROMPT}`);
  await using circle = await startFakeOpenAI({
    reply: () => ({ status: 308, headers: { location: "/v1/chat/completions" } }),
  });
  expect(await failureOf(invoked(await connect(circle.url)))).toMatchObject({ kind: "address", fatal: true });
  expect(circle.requests).toHaveLength(6);
});
