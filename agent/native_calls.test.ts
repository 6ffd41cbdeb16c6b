/** Tools called natively: a scripted server sees schemas, calls and results, and answers by what it was sent. */

import { RunnableLambda } from "@langchain/core/runnables";
import { expect, test } from "vitest";
import { z } from "zod";
import { openForTests } from "../utils/sandbox/testing/open.ts";
import { ADD_TASK, answerToAdd } from "../utils/testing/add_task.ts";
import { callsTools } from "./dialects/reply.ts";
import { createModel, type ModelOptions } from "./models/create.ts";
import { type FakeOpenAI, type FakeReply, type FakeRequest, startFakeOpenAI } from "./models/testing/fake_openai.ts";
import { type RepairOptions, repair } from "./repair.ts";

const sandbox = await openForTests();
const connect = (server: FakeOpenAI, changes: Partial<ModelOptions> = {}) =>
  createModel("openai:any", {
    temperature: 0,
    timeoutMs: 60_000,
    maxRetries: 0,
    log: () => {},
    env: { OPENAI_BASE_URL: server.url },
    ...changes,
  });
const solve = (model: Awaited<ReturnType<typeof connect>>, onProgress?: RepairOptions["onProgress"]) =>
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

test.each([["whole"], ["streamed"]])("calls, results and errors, %s", async (how) => {
  await using server = await startFakeOpenAI({ reply: strict });
  let written = "";
  const onProgress: RepairOptions["onProgress"] = (progress) => {
    written += progress.type === "wrote" ? progress.text : `<${progress.type}>`;
  };
  const model = await connect(server, { toolCalls: "native" });
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
  async (toolCalls, how) => {
    const act = 'Thought: a\nAction: code_interpreter\nAction Input: {"code": "print(6 * 7)"}';
    const inText = ({ last }: FakeRequest) => (last.includes("42") ? answerToAdd("a * b") : act);
    await using server = await startFakeOpenAI({ reply: toolCalls === "native" ? strict : inText });
    const model = await connect(server, { toolCalls });
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

test("of two calls in one reply the first is carried out, and the model is told of the other", async () => {
  const two = ["print(6 * 7)", "print(7 * 8)"].map((code) => ({
    name: "code_interpreter",
    args: JSON.stringify({ code }),
  }));
  await using server = await startFakeOpenAI({
    reply: ({ last }) => (last.includes("AssertionError") ? { toolCalls: two } : answerToAdd("a + b")),
  });
  const { steps, stop } = await solve(await connect(server, { toolCalls: "native" }));
  expect([stop, steps[1]?.observation]).toEqual(["answered", expect.objectContaining({ output: "42" })]);
  expect(server.requests[1]?.last).toMatch(/42\n\n.*Nothing was done for: code_interpreter\./);
  expect(server.requests[1] && rolesOf(server.requests[1])).toBe("system user assistant tool assistant tool");
});

test.each<[string, FakeReply, "native" | "text"]>([
  ["a server that calls", { toolCalls: [{ name: "ready", args: "{}" }] }, "native"],
  ["a server that leaves tools unread", "I am ready!", "text"],
  ["a server that refuses", { status: 400, body: { error: { message: "tiny does not support tools" } } }, "text"],
  ["a server that has no tools", { status: 500, body: "tools param requires --jinja flag" }, "text"],
])("auto asks once: %s", async (_name, trial, expected) => {
  await using server = await startFakeOpenAI({
    reply: (request, turn) => {
      if (turn === 0) return trial;
      return (toolsOf(request) ? "native" : "text") === expected ? answerToAdd("a + b") : "?";
    },
  });
  const lines: string[] = [];
  const model = await connect(server, { toolCalls: "auto", log: (line) => lines.push(line) });
  expect([callsTools(model.chat), model.parameters.toolCalls]).toEqual([expected === "native", expected]);
  expect(lines).toEqual([expect.stringMatching(expected === "native" ? "natively" : "in its text")]);
  expect((await solve(model)).verified).toBe(true);
  expect(server.requests).toHaveLength(2);
});

test("auto where nothing answers is told at once, and native is no choice for a model without a server", async () => {
  await using server = await startFakeOpenAI({ reply: () => "", key: "another" });
  await expect(connect(server, { toolCalls: "auto" })).rejects.toThrow(/key/i);
  const options = { temperature: 0, timeoutMs: 1000, maxRetries: 0, log: () => {} };
  await expect(createModel("search", { ...options, toolCalls: "native" })).rejects.toThrow("--tool-calls");
  expect((await createModel("search", { ...options, toolCalls: "auto" })).name).toBe("search");
});

test("text stays the default: no server is sent a tool unasked", async () => {
  await using server = await startFakeOpenAI({ reply: () => answerToAdd("a + b") });
  expect((await solve(await connect(server))).verified).toBe(true);
  expect(server.requests.map(toolsOf)).toEqual([null]);
});
