/** Tools called natively: a scripted server sees schemas, calls and results, and answers by what it was sent. */

import { RunnableLambda } from "@langchain/core/runnables";
import { expect, test } from "vitest";
import { z } from "zod";
import { openForTests } from "../utils/sandbox/testing/open.ts";
import { ADD_TASK, answerToAdd } from "../utils/testing/add_task.ts";
import { DEEP } from "../utils/testing/repeats.ts";

import type { Model } from "./models/model.ts";
import { createModel } from "./models/table.ts";
import { connectTo } from "./models/testing/calls.ts";
import { type FakeReply, type FakeRequest, startFakeOpenAI } from "./models/testing/fake_openai.ts";
import { prepareExamples } from "./prompts.ts";
import { type RepairOptions, repair } from "./repair.ts";

const sandbox = await openForTests();
const solve = (model: Model, onProgress?: RepairOptions["onProgress"]) =>
  repair(ADD_TASK, { model, sandbox, maxIterations: 6, timeoutMs: 600_000, onProgress });

const Tools = z.array(
  z.object({ function: z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }) }),
);
const toolsOf = ({ body }: FakeRequest) => (body.tools === undefined ? null : Tools.parse(body.tools));
const rolesOf = ({ body }: FakeRequest) => body.messages.map(({ role }) => role).join(" ");
const call = (args: string): FakeReply => ({ text: "Let me see.", toolCalls: [{ name: "code_interpreter", args }] });

/** Calls, errs, and answers once a result says 42. Refuses what a strict server refuses. */
function strict(request: FakeRequest): FakeReply {
  const { messages } = request.body;
  for (const [at, { tool_calls: calls }] of messages.entries()) {
    const open = Array.isArray(calls) ? calls.length : 0;
    const results = messages.slice(at + 1, at + 1 + open).filter(({ role }) => role === "tool");
    if (results.length !== open)
      return { status: 400, body: { error: { message: "tool calls must be followed by their results" } } };
  }
  if (!toolsOf(request)) return { status: 400, body: { error: { message: "no tools were sent" } } };
  if (request.last.includes("AssertionError")) return call('{"code": "print(6');
  if (request.last.includes("could not be read")) return call('{"code": "print(6 * 7)"}');
  if (request.last.includes("42")) return answerToAdd("a * b");
  return answerToAdd("a + b");
}

test.each([["whole"], ["streamed"]])("calls, results and errors, %s", DEEP, async (how) => {
  await using server = await startFakeOpenAI({ reply: strict });
  let written = "";
  const onProgress: RepairOptions["onProgress"] = (progress) => {
    written += progress.type === "wrote" ? progress.text : `<${progress.type}>`;
  };
  const model = await connectTo(server.url, { toolCalls: "native" });
  const { steps, stop, messages } = await solve(model, how === "streamed" ? onProgress : undefined);
  expect(stop).toBe("answered");
  expect(steps.map(({ reply, dialect = "", observation }) => [reply.kind, dialect, observation.status])).toEqual([
    ["act", "", "exit code 1"],
    ["malformed", "", "malformed"],
    ["act", "native", "exit code 0"],
    ["answer", "strict", "it fails the visible tests"],
    ["answer", "strict", "it passes the visible tests"],
  ]);
  expect(steps[2]?.reply).toMatchObject({ input: { code: "print(6 * 7)" }, thought: "Let me see." });
  const [first] = toolsOf(server.requests[0] ?? Object()) ?? [];
  expect(first?.function).toMatchObject({
    name: "code_interpreter",
    parameters: { properties: { code: { type: "string" } }, required: ["code"] },
  });
  // What came with the task is a call too; one that was cut off is text, as no server could read it.
  expect(server.requests.map(rolesOf)).toEqual([
    "system user assistant tool",
    "system user assistant tool assistant user",
    "system user assistant tool assistant user assistant tool",
    "system user assistant tool assistant user assistant tool assistant user",
  ]);
  expect(server.requests[1]?.body.messages.at(-2)?.content).toContain('code_interpreter {"code": "print(6');
  expect(server.requests.map(({ body }) => body.stream === true)).toEqual(Array(4).fill(how === "streamed"));
  // The record is text, as of every other model.
  expect(messages.map(({ role }) => role)).toContain("assistant");
  expect(messages.find(({ content }) => content.includes("6 * 7"))?.content).toBe(
    'Thought: Let me see.\nAction: code_interpreter\nAction Input: {"code":"print(6 * 7)"}',
  );
  if (how === "whole") return;
  expect(written).toContain('<asked>Let me see.code_interpreter {"code": "print(6 * 7)"}<replied><asked>Thought: so.');
});

test.each([
  ["native", "whole"],
  ["native", "streamed"],
  ["text", "whole"],
] as const)(
  "a server is sent the same whether somebody watches or not, and the run is the same: %s, %s",
  DEEP,
  async (toolCalls, how) => {
    const act = 'Thought: a\nAction: code_interpreter\nAction Input: {"code": "print(6 * 7)"}';
    const inText = ({ last }: FakeRequest) => (last.includes("42") ? answerToAdd("a * b") : act);
    await using server = await startFakeOpenAI({ reply: toolCalls === "native" ? strict : inText });
    const model = await connectTo(server.url, { toolCalls });
    const onProgress = how === "streamed" ? () => {} : undefined;
    const alone = await solve(model, onProgress);
    const sent = server.requests.splice(0).map(({ body }) => JSON.stringify(body));
    const calls: unknown[] = [];
    const handler = { handleChatModelStart: () => void calls.push(1) };
    const traced = await RunnableLambda.from(() => solve(model, onProgress)).invoke(null, { callbacks: [handler] });
    expect(calls).toHaveLength(server.requests.length);
    expect(server.requests.map(({ body }) => JSON.stringify(body))).toEqual(sent);
    const told = (run: typeof alone) =>
      JSON.stringify(run, (key, value) => (/^seconds$|Ms$/.test(key) ? undefined : value));
    expect(told(traced)).toBe(told(alone));
  },
);

const run = (code: string) => ({ name: "code_interpreter", args: JSON.stringify({ code }) });

test("all calls of a reply are carried out in order, each answered by its own result; its tokens count once", async () => {
  const calls = [run("print(6 * 7)"), { name: "bash", args: '{"command":"ls"}' }, run("print(7 * 8)")];
  await using server = await startFakeOpenAI({
    reply: ({ last }) => (last.includes("AssertionError") ? { toolCalls: calls } : answerToAdd("a + b")),
  });
  const { steps, stop, iterations, usage } = await solve(await connectTo(server.url, { toolCalls: "native" }));
  expect([stop, iterations]).toEqual(["answered", 2]);
  expect(steps.map(({ iteration, observation, usage }) => [iteration, observation.output, usage?.inputTokens])).toEqual(
    [
      [0, expect.stringContaining("AssertionError"), undefined],
      [1, "42", 12],
      [1, 'There is no tool "bash"; call code_interpreter.', undefined],
      [1, "56", undefined],
      [2, "1 assertion holds.", 12],
    ],
  );
  expect(usage).toMatchObject({ inputTokens: 24, modelCalls: 2, toolCalls: 3 });
  const sent = server.requests[1]?.body.messages.slice(4) ?? [];
  const { tool_calls: made } = Calls.parse(sent[0]);
  expect(made.map(({ function: { name } }) => name)).toEqual(["code_interpreter", "bash", "code_interpreter"]);
  expect(made.every(({ id }) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
  expect(sent.slice(1)).toMatchObject([
    { role: "tool", tool_call_id: made[0]?.id, content: "exit code 0\n42" },
    { role: "tool", tool_call_id: made[1]?.id, content: 'There is no tool "bash"; call code_interpreter.' },
    { role: "tool", tool_call_id: made[2]?.id, content: "exit code 0\n56" },
  ]);
});

const Calls = z.object({ tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })) });

/** What belongs to the text protocol alone. */
const TEXT_PROTOCOL = /Action|Observation|Thought:|Final Answer|Input:/;

test("no request of native calls has a word of the text protocol, whatever went wrong", DEEP, async () => {
  const examples = await prepareExamples([{ ...ADD_TASK, canonicalCode: "    return a + b\n", epilogue: "" }], sandbox);
  const replies: FakeReply[] = [
    "",
    { toolCalls: [{ name: "bash", args: "{}" }] },
    { toolCalls: [{ name: "code_interpreter", args: "{}" }] },
    "The sign in the last line is wrong.",
    { toolCalls: [{ name: "code_interpreter", args: '{"code": "print(6' }] },
    { reasoning: "Hm." },
    "```python\ndef add(a, b):\n    return a * b\n```",
    "Now it is right:\n```python\ndef add(a, b):\n    return a + b\n```",
  ];
  // Three in a row that cannot be read end a run.
  const said = replies.flatMap((reply) => [reply, { toolCalls: [run("print(1)")] }]);
  await using server = await startFakeOpenAI({ reply: (_, turn) => said[turn] ?? "" });
  const model = await connectTo(server.url, { toolCalls: "native" });
  const { stop, steps } = await repair(ADD_TASK, { model, sandbox, examples, maxIterations: 20, timeoutMs: 600_000 });
  expect([stop, steps.at(-1)?.iteration]).toEqual(["answered", 15]);
  for (const { body } of server.requests) expect(JSON.stringify(body)).not.toMatch(TEXT_PROTOCOL);
  expect(server.requests.filter((_, at) => at % 2 === 1).map(({ last }) => last)).toEqual([
    expect.stringMatching(/^Your reply was empty; call code_interpreter, or send the whole corrected function in/),
    'There is no tool "bash"; call code_interpreter.',
    "Your call has no code; call code_interpreter again with `code`.",
    expect.stringMatching(/^Your reply had neither a call nor an answer; call code_interpreter, or send the whole/),
    expect.stringMatching(/^The input of code_interpreter could not be read, as your reply was cut off inside it/),
    expect.stringMatching(/^Your reply was only reasoning.*send the whole corrected function in a ```python fence\.$/),
    expect.stringMatching(
      /^Your answer is not accepted: it fails the visible tests\n.*\nFind out why, then send the whole/,
    ),
  ]);
});

test.each<[string, FakeReply]>([
  ["a model without tools", { status: 400, body: { error: { message: "tiny does not support tools" } } }],
  ["a server without a parser", { status: 400, body: { message: '"auto" tool choice requires --tool-parser' } }],
  ["a router", { status: 404, body: { error: { message: "No endpoints found that support tool use" } } }],
  ["a strict server", { status: 422, body: { detail: "tools: extra inputs are not permitted" } }],
  ["a server that has no tools", { status: 500, body: "tools param requires --jinja flag" }],
])("calls are native unless the user asks for text, and %s ends the run with what to do", async (_name, refusal) => {
  const reply = (request: FakeRequest) => (toolsOf(request) === null ? answerToAdd("a + b") : refusal);
  await using server = await startFakeOpenAI({ reply });
  const { stop, error } = await solve(await connectTo(server.url, { maxRetries: 3 }));
  expect([stop, error]).toEqual([
    "error",
    expect.objectContaining({
      kind: "tools",
      fatal: true,
      message: expect.stringMatching(/ takes no tools \(.+\): add --tool-calls text\.$/),
    }),
  ]);
  expect(server.requests).toHaveLength(1);
  expect((await solve(await connectTo(server.url, { toolCalls: "text" }))).verified).toBe(true);
});

test("native calls need a server", async () => {
  const options = { temperature: 0, timeoutMs: 1000, maxRetries: 0, log: () => {} };
  await expect(createModel("search", { ...options, toolCalls: "native" })).rejects.toThrow("--tool-calls");
  expect((await createModel("search", options)).name).toBe("search");
});
