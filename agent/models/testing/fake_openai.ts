/** For tests: a scripted OpenAI-compatible server on this machine, with every fault a real one has. */

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startWebServer } from "../../../utils/testing/web_server.ts";

/** One request for a chat completion, as the server read it. */
export interface FakeRequest {
  body: z.infer<typeof ChatRequest>;
  /** The content of the last message. */
  last: string;
  headers: IncomingHttpHeaders;
  /** `performance.now()` of its arrival. */
  at: number;
  /** Settles when the client hangs up before the reply is complete. */
  hungUp: Promise<void>;
}

/** What to answer. A string is a text reply. */
export type FakeReply =
  | string
  | FakeCompletion
  | FakeStatus
  | FakeRaw
  | { drop: "at once" | "half-way" }
  | { hang: true };

export interface FakeCompletion {
  text?: string;
  reasoning?: string;
  /** Ends at the length limit. */
  cut?: boolean;
  toolCalls?: { name: string; args: string }[];
  /** Default: some figures. Null: the server does not count. */
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  } | null;
  /** Wait before the first byte. */
  delayMs?: number;
  /** Streamed replies: wait before each part. */
  partDelayMs?: number;
  /** Streamed replies: wait for this before the last word. */
  untilSeen?: Promise<unknown>;
  /** Streamed replies: break the connection after this many words. */
  dropAfterWords?: number;
}

export interface FakeStatus {
  status: number;
  /** Text, or an object sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sent as it is with status 200. */
export interface FakeRaw {
  raw: string;
  contentType: string;
}

export interface FakeOpenAIOptions {
  /** Chooses the answer by what was asked. `turn` counts requests from 0. */
  reply: (request: FakeRequest, turn: number) => FakeReply | Promise<FakeReply>;
  /** What `/v1/models` lists; another model's name in a request is refused. Default: no list, any name. */
  models?: string[];
  /** Tokens that each of these models takes, as vLLM lists them. Default: it does not say. */
  maxModelLen?: number;
  /** The key a request must carry. Default: any. */
  key?: string;
}

export interface FakeOpenAI extends AsyncDisposable {
  /** For OPENAI_BASE_URL. */
  url: string;
  requests: FakeRequest[];
}

/** Starts the server on a free port of 127.0.0.1. Use with `await using`. */
export async function startFakeOpenAI(options: FakeOpenAIOptions): Promise<FakeOpenAI> {
  const requests: FakeRequest[] = [];
  const { url, ...server } = await startWebServer((request, response) => {
    serve(request, response, options, requests).catch((error: unknown) => response.destroy(Error(String(error))));
  });
  return { ...server, url: `${url}/v1`, requests };
}

const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  stream: z.boolean().optional(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
});

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: FakeOpenAIOptions,
  requests: FakeRequest[],
): Promise<void> {
  const at = performance.now();
  const refused = options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`;
  if (refused) return sendError(response, 401, `Incorrect API key provided: ${request.headers.authorization}.`);
  if (request.url === "/v1/models" && options.models) {
    return sendJson(response, 200, {
      object: "list",
      data: options.models.map((id) => ({ id, object: "model", max_model_len: options.maxModelLen })),
    });
  }
  if (request.url !== "/v1/chat/completions") return sendError(response, 404, "File Not Found");
  const body = ChatRequest.parse(JSON.parse(await textOf(request)));
  if (options.models && !options.models.includes(body.model)) {
    return sendError(response, 404, `The model \`${body.model}\` does not exist.`);
  }
  const hungUp = new Promise<void>((done) => {
    response.on("close", () => response.writableFinished || done());
  });
  const asked = { body, last: body.messages.at(-1)?.content ?? "", headers: request.headers, at, hungUp };
  await send(response, await options.reply(asked, requests.push(asked) - 1), body);
}

async function send(response: ServerResponse, reply: FakeReply, body: z.infer<typeof ChatRequest>): Promise<void> {
  if (typeof reply === "string") return sendCompletion(response, { text: reply }, body);
  if ("hang" in reply) return;
  if ("drop" in reply) return drop(response, reply.drop);
  if ("raw" in reply) {
    response.writeHead(200, { "content-type": reply.contentType }).end(reply.raw);
  } else if ("status" in reply) {
    const text = typeof reply.body === "string";
    response.writeHead(reply.status, { "content-type": text ? "text/plain" : "application/json", ...reply.headers });
    response.end(text ? reply.body : JSON.stringify(reply.body ?? { error: { message: `status ${reply.status}` } }));
  } else {
    await sendCompletion(response, reply, body);
  }
}

function drop(response: ServerResponse, when: "at once" | "half-way"): void {
  if (when === "at once") {
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"choices":[{"message":{"role":"assist', () => response.destroy());
}

async function sendCompletion(
  response: ServerResponse,
  reply: FakeCompletion,
  body: z.infer<typeof ChatRequest>,
): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  const base = { id: `chatcmpl-${randomUUID()}`, created: 1, model: body.model, system_fingerprint: "fp_1" };
  const usage = countedUsage(reply);
  const toolCalls = reply.toolCalls?.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: args },
  }));
  const finish_reason = toolCalls ? "tool_calls" : reply.cut ? "length" : "stop";
  const message = {
    role: "assistant",
    content: reply.text ?? (toolCalls || reply.reasoning !== undefined ? null : ""),
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
  };
  if (!body.stream) {
    const choices = [{ index: 0, message: { ...message, tool_calls: toolCalls ?? null }, finish_reason }];
    return sendJson(response, 200, { ...base, object: "chat.completion", choices, ...(usage ? { usage } : {}) });
  }
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  const event = async (data: object) => {
    if (reply.partDelayMs) await sleep(reply.partDelayMs);
    const line = `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...data })}\n\n`;
    await new Promise((written) => response.write(line, written));
  };
  const delta = (part: object, finished: string | null = null) =>
    event({ choices: [{ index: 0, delta: part, finish_reason: finished }] });
  await delta({ ...message, content: "" });
  const words = (reply.text ?? "").match(/\S+\s*/g) ?? [];
  for (const [at, content] of words.slice(0, reply.dropAfterWords).entries()) {
    if (at === words.length - 1) await reply.untilSeen;
    await delta({ content });
  }
  if (reply.dropAfterWords !== undefined) return void response.destroy();
  for (const { index, id, type, function: called } of toolCalls ?? []) {
    await delta({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] });
    for (const part of called.arguments.match(/.{1,7}/gs) ?? [])
      await delta({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  await delta({}, finish_reason);
  if (usage && body.stream_options?.include_usage) await event({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function countedUsage({ usage }: FakeCompletion) {
  if (usage === null) return undefined;
  const counted = usage ?? { prompt_tokens: 12, completion_tokens: 5 };
  return { ...counted, total_tokens: counted.prompt_tokens + counted.completion_tokens };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const sendError = (response: ServerResponse, status: number, message: string) =>
  sendJson(response, status, { error: { message, type: "invalid_request_error", param: null, code: null } });

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
