/** The model server of `bench_turn`, a process of its own: calls the tool until the turns of a task are used up. */

import { createServer } from "node:http";

/** The program in each call has the size of those that models write. */
const CODE = Array.from({ length: 12 }, (_, i) => `def step_${i}(x):\n    return x + ${i}`).join("\n");
const THOUGHT = "The loop ends one step too early, so the last value is missing; I run it with two inputs to see.";
const ANSWER = `Thought: ${THOUGHT}\nFinal Answer:\n\`\`\`python\ndef f(x):\n    return x + 1\n\`\`\``;

let served = 0;

/** Replies by the conversation alone, so that conversations may run at the same time. */
function replyTo(body: string): object {
  served += 1;
  const [, turns = "1"] = /TURNS=(\d+)/.exec(body) ?? [];
  const isLast = body.split('"role":"tool"').length >= Number(turns);
  const args = JSON.stringify({ code: CODE });
  const call = { id: `call${served}`, type: "function", function: { name: "run_code", arguments: args } };
  const message = { role: "assistant", content: isLast ? ANSWER : THOUGHT, ...(!isLast && { tool_calls: [call] }) };
  const choices = [{ index: 0, message, finish_reason: isLast ? "stop" : "tool_calls" }];
  const usage = { prompt_tokens: 900, completion_tokens: 160, total_tokens: 1060 };
  return { id: `chatcmpl-${served}`, object: "chat.completion", created: 1, model: "stub", choices, usage };
}

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(replyTo(Buffer.concat(parts).toString())));
});
// A client that gets little of the processor leaves connections idle for long.
server.keepAliveTimeout = server.requestTimeout = server.headersTimeout = 0;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") console.log(`http://127.0.0.1:${address.port}/v1`);
});
