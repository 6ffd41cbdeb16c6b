/**
 * A model server for measurements, in a process of its own: it calls one tool until the turns that a task names are
 * used up.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** What each call of the tool holds: a program of the size that models write. */
const CODE = Array.from({ length: 12 }, (_, i) => `def step_${i}(x):\n    return x + ${i}`).join("\n");
const THOUGHT = "The loop ends one step too early, so the last value is missing; I run it with two inputs to see.";

/** A user's message names how many replies there are, and how calls are written. */
const ASKED = /TURNS=(\d+) (native|text)/;

/**
 * What the server says to a request, by the conversation alone, so that it serves any number of conversations at a
 * time.
 */
export function replyTo(body: string): { content: string | null; code: string | null } {
  const [, turns = "1", format = "native"] = ASKED.exec(body) ?? [];
  const heard = body.split(format === "native" ? '"role":"tool"' : '"role":"assistant"').length - 1;
  if (heard + 1 >= Number(turns)) {
    return { content: `Thought: ${THOUGHT}\nFinal Answer: the last value is missing`, code: null };
  }
  if (format === "native") return { content: THOUGHT, code: CODE };
  const input = JSON.stringify({ code: CODE });
  return { content: `Thought: ${THOUGHT}\nAction: run_code\nAction Input: ${input}`, code: null };
}

let served = 0;

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString();
  const { content, code } = replyTo(body);
  served += 1;
  const call = {
    id: `call${served}`,
    type: "function",
    function: { name: "run_code", arguments: JSON.stringify({ code }) },
  };
  const message = { role: "assistant", content, ...(code !== null && { tool_calls: [call] }) };
  const finish_reason = code === null ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 900, completion_tokens: 160, total_tokens: 1060 };
  const head = { id: `chatcmpl-${served}`, created: 1, model: "stub" };
  if (!/"stream":true/.test(body)) {
    response.setHeader("content-type", "application/json");
    const choices = [{ index: 0, message, finish_reason }];
    response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const send = (choices: unknown[], more = {}) =>
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`);
  for (const text of content?.match(/\s*\S+/g) ?? [])
    send([{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }]);
  if (code !== null) send([{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason }]);
  send([], { usage });
  response.end("data: [DONE]\n\n");
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
// A client that gets little of the processor leaves connections idle for long, and is slow to say what it asks.
server.keepAliveTimeout = server.requestTimeout = server.headersTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") console.log(`http://127.0.0.1:${address.port}/v1`);
});
