/** What a server is sent of a conversation that grows: beginnings that its cache can serve. */
// @module-tag ci

import { expect, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { ADD_TASK, answerToAdd } from "../../utils/testing/add_task.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { connectTo } from "../models/testing/calls.ts";
import { type FakeCompletion, type FakeOpenAIOptions, startFakeOpenAI } from "../models/testing/fake_openai.ts";
import { repair } from "../repair.ts";

const sandbox = await openForTests();
const TURNS = 14;

const tokensOf = (sent: unknown, bytesPerToken: number) => Math.ceil(JSON.stringify(sent).length / bytesPerToken);

/** What was sent in each turn, of a model that prints some KB in every turn, and at last answers. */
async function requestsOf(
  toolCalls: "native" | "text",
  served: Pick<FakeOpenAIOptions, "models" | "maxModelLen">,
  contextTokens?: number,
  bytesPerToken = 4,
) {
  const act = (turn: number): string | FakeCompletion => {
    const code = `for i in range(80): print("turn ${turn}, line", i, "of many that say little")`;
    if (toolCalls === "text")
      return `Thought: look.\nAction: code_interpreter\nAction Input: ${JSON.stringify({ code })}`;
    const call = { name: "code_interpreter", args: JSON.stringify({ code }) };
    return { text: "Let me see.", toolCalls: [call, { ...call, args: JSON.stringify({ code: `print(${turn})` }) }] };
  };
  await using server = await startFakeOpenAI({
    ...served,
    reply: ({ body }, turn) => {
      if (turn + 1 === TURNS) return answerToAdd("a + b");
      const reply = act(turn + 1);
      const usage = { prompt_tokens: tokensOf(body, bytesPerToken), completion_tokens: 40 };
      return typeof reply === "string" ? { text: reply, usage } : { ...reply, usage };
    },
  });
  const model = await connectTo(server.url, { toolCalls, contextTokens }, "openai:any");
  const { stop } = await repair(ADD_TASK, { model, sandbox, maxIterations: TURNS, timeoutMs: 600_000 });
  expect(stop).toBe("answered");
  return server.requests.map(({ body: { messages, ...rest } }) => ({
    messages: messages.map((message) => JSON.stringify(message)),
    rest: JSON.stringify(rest),
  }));
}

type Requests = Awaited<ReturnType<typeof requestsOf>>;
const isBeginning = (of: readonly string[], all: readonly string[]) => of.every((text, at) => all[at] === text);
const breaksIn = (requests: Requests) =>
  requests.slice(1).filter(({ messages }, at) => !isBeginning(requests[at]?.messages ?? [], messages)).length;
const longest = (requests: Requests) => Math.max(...requests.map(({ messages }) => messages.join("").length));

test.each(["native", "text"] as const)("each request begins with the one before it, %s", DEEP, async (toolCalls) => {
  const requests = await requestsOf(toolCalls, {});
  expect([requests.length, breaksIn(requests)]).toEqual([TURNS, 0]);
  expect(new Set(requests.map(({ rest }) => rest)).size).toBe(1);
});

test.each<[string, Parameters<typeof requestsOf>]>([
  ["the server says", ["native", { models: ["any"], maxModelLen: 8000 }]],
  ["the user says", ["native", { models: ["any"], maxModelLen: 100_000 }, 8000]],
  ["the user says, in text", ["text", {}, 8000]],
])("where the context is small, as %s, old observations go in blocks", async (_name, asked) => {
  const requests = await requestsOf(...asked);
  expect(breaksIn(requests)).toBeGreaterThan(0);
  expect(breaksIn(requests)).toBeLessThan(5);
  expect(longest(requests)).toBeLessThan(8000 * 4);
  const last = requests.at(-1)?.messages ?? [];
  expect(last.join("")).toContain(`lines, no longer shown`);
  expect(last.join("")).toContain(`turn ${TURNS - 1}, line 79`);
});

test.each(["native", "text"] as const)(
  "a context is kept whose tokens are short, as the server counts, %s",
  async (toolCalls) => {
    const requests = await requestsOf(toolCalls, {}, 12_000, 1.6);
    const tokens = requests.map(({ messages, rest }) => tokensOf([messages, rest], 1.6));
    expect(Math.max(...tokens)).toBeLessThan(12_000);
  },
);
