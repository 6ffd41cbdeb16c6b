/** What is put together of a streamed reply is what LangChain makes of it, and what is told is what came. */

import { AIMessageChunk } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { Progress } from "../../run/progress.ts";
import { createModel } from "../create.ts";
import { startFakeOpenAI } from "../testing/fake_openai.ts";

const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "any" };
const delta = (part: object, finish_reason: string | null = null, more = {}) => ({
  ...base,
  choices: [{ index: 0, delta: part, finish_reason }],
  ...more,
});
const piece = (index: number, args: string, more = {}) => ({
  tool_calls: [{ index, ...more, function: { arguments: args, ...("id" in more && { name: "code_interpreter" }) } }],
});
const start = { role: "assistant", content: "" };
const usage = {
  ...base,
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 5 } },
};
const whole = [delta(start), delta({ content: "été 🦊" }), delta({ content: " is\n" }), delta({ content: "over" })];

const REPLIES: [name: string, chunks: object[]][] = [
  ["text", [...whole, delta({}, "stop"), usage]],
  ["text whose end comes with it", [delta(start), delta({ content: "a" }), delta({ content: "b" }, "length")]],
  ["usage beside text", [delta({ ...start, content: "a" }), delta({ content: "b" }, "stop", { usage: usage.usage })]],
  [
    "reasoning before text",
    [
      delta({ role: "assistant", content: null, reasoning_content: "I " }),
      delta({ reasoning_content: "think" }),
      delta({ content: "a", reasoning_content: null }),
      delta({ content: "b" }),
      delta({}, "stop"),
    ],
  ],
  [
    "text and two calls in pieces",
    [
      ...whole,
      delta(piece(0, "", { id: "call_a", type: "function" })),
      delta(piece(0, '{"co')),
      delta(piece(0, 'de": "1"}')),
      delta(piece(1, '{"code"', { id: "call_b", type: "function" })),
      delta(piece(1, ': "2"}')),
      delta({}, "tool_calls"),
      usage,
    ],
  ],
  [
    "calls whose pieces take turns, and one without an index",
    [
      delta(start),
      delta(piece(0, '{"a"', { id: "call_a" })),
      delta(piece(1, '{"b"', { id: "call_b" })),
      delta(piece(0, ": 1}")),
      delta(piece(1, ": 2}")),
      delta({ tool_calls: [{ id: "call_c", function: { name: "code_interpreter", arguments: "{}" } }] }),
      delta({}, "tool_calls"),
    ],
  ],
];

const sse = (chunks: object[], end: string) =>
  [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `: a comment${end}data: ${data}${end}${end}`)
    .join("");

test.each(REPLIES.flatMap(([name, chunks]) => ["\n", "\r\n"].map((end) => [name, chunks, end] as const)))(
  "%s",
  async (_name, chunks, end) => {
    const raw = sse(chunks, end);
    await using server = await startFakeOpenAI({ reply: () => ({ raw, contentType: "text/event-stream" }) });
    const model = await createModel("openai:any", {
      temperature: 0,
      timeoutMs: 60_000,
      maxRetries: 0,
      log: () => {},
      env: { OPENAI_BASE_URL: server.url },
    });
    const told: Progress[] = [];
    const options = { stop: ["\nObservation:"], onProgress: (progress: Progress) => void told.push(progress) };
    const message = await model.chat.invoke("x", options);
    const parts: AIMessageChunk[] = [];
    for await (const part of await model.chat.stream("x", { stop: options.stop })) parts.push(part);
    const langchains = parts.reduce((sum, part) => sum.concat(part));
    expect(partsOf(message)).toEqual(partsOf(langchains));
    const [asked, ...rest] = told.map((progress) => ("text" in progress ? progress.text : progress.type));
    expect([asked, rest.at(-1)]).toEqual(["asked", "replied"]);
    const heard = parts.map(
      ({ text, additional_kwargs: { reasoning_content: thought }, tool_call_chunks: calls = [] }) =>
        text !== ""
          ? text
          : `${thought ?? ""}${calls.map(({ name, args }) => (name ? `${name} ${args}` : args)).join("")}`,
    );
    expect(rest.slice(0, -1)).toEqual(heard.filter((text) => text !== ""));
    const [own, theirs] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(own).toBe(theirs);
  },
);

/** All that a turn keeps of a message. */
function partsOf(message: object) {
  if (!AIMessageChunk.isInstance(message)) throw new Error("no message of the assistant");
  const { id, content, tool_calls, tool_call_chunks, invalid_tool_calls, additional_kwargs, response_metadata } =
    message;
  const { finish_reason, usage: said } = response_metadata;
  const { input_tokens, output_tokens, input_token_details } = message.usage_metadata ?? {};
  const counted = [input_tokens, output_tokens, input_token_details?.cache_read];
  const read = { tool_calls, tool_call_chunks, invalid_tool_calls, additional_kwargs };
  return { id, content, ...read, finish_reason, said, counted };
}
