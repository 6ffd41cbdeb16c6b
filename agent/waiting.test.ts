/** What conversations hold while they wait for their model. */

import { EventEmitter, on } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { python } from "../utils/languages/python/index.ts";
import { ALSO_DEEP, quarter } from "../utils/testing/repeats.ts";
import { startWebServer } from "../utils/testing/web_server.ts";
import { ask } from "./conversation.ts";
import { createModel } from "./models/create.ts";

test.each(quarter(["text", "native"] as const))(
  "a conversation that waits for its model holds what it sent once, as bytes, %s",
  ALSO_DEEP,
  async (toolCalls) => {
    const conversations = 50;
    const bytes = 200_000;
    const heard = new EventEmitter();
    const requests = on(heard, "request");
    await using server = await startWebServer((request) => {
      request.on("end", () => heard.emit("request")).resume();
    });
    const env = { OPENAI_BASE_URL: `${server.url}/v1` };
    const options = { temperature: 0, timeoutMs: 600_000, maxRetries: 0, log: () => {}, env, toolCalls };
    const { chat } = await createModel("openai:any", options);
    // Of one piece: a text that is put together is held once more when it is first read.
    const conversationOf = () => [new HumanMessage(Buffer.alloc(bytes, "x").toString("latin1"))];
    const all = Array.from({ length: conversations }, conversationOf);
    const format = { tools: [], answer: "code", language: python } as const;
    const stop = new AbortController();
    const tools = new Map();
    const wait = (messages: BaseMessage[]) =>
      ask({ model: chat, tools }, messages, format, { signal: stop.signal }, {});
    const [first] = [wait(conversationOf()), await requests.next()];
    const before = heldBytes();
    const calls = Promise.allSettled([first, ...all.map(wait)]);
    for (let waiting = 0; waiting < conversations; waiting += 1) await requests.next();
    const held = heldBytes() - before;
    stop.abort();
    await calls;
    // With room for what comes next.
    expect(held / (conversations * bytes)).toBeLessThan(1.75);
  },
);

/** After what nobody holds is gone. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") for (let times = 0; times < 3; times += 1) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
