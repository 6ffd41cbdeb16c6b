import { readFileSync } from "node:fs";
import { HumanMessage } from "@langchain/core/messages";
import { END, StateSchema } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import type { Reply } from "./dialects/reply.ts";
import { buildGraph, type GraphParts, route, runGraph } from "./graph.ts";
import { parseRules, ScriptedChat } from "./models/script.ts";
import { Allowance } from "./run/allowance.ts";
import type { Stop } from "./run/trajectory.ts";
import { registry } from "./tools/tool.ts";

const act: Reply = { kind: "act", tool: "code_interpreter", input: { code: "1" }, thought: "" };
const answer: Reply = { kind: "answer", text: "def f(): pass", thought: "" };
const malformed: Reply = { kind: "malformed", problem: "…", error: "empty", thought: "" };

describe("route", () => {
  test.each<[reply: Reply | null, stop: Stop | null, next: string]>([
    [null, null, "llm"],
    [act, null, "tool"],
    [answer, null, "tool"],
    [malformed, null, "tool"],
    [null, "answered", END],
    [null, "max_iterations", END],
    [null, "malformed", END],
    [null, "budget", END],
    [null, "error", END],
    [null, "aborted", END],
    [act, "aborted", END],
  ])("pending %j, stop %j → %s", (reply, stop, next) => {
    const pending = reply && Object.freeze({ reply, usage: null, seconds: 0 });
    expect(route(Object.freeze({ pending, stop }))).toBe(next);
  });
});

test("runs that share an allowance use it up together", async () => {
  using allowance = new Allowance({ timeoutMs: 600_000, maxTokens: 25 });
  const rule = { reply: "Hm.", usage: { input_tokens: 10, output_tokens: 0 } };
  const said = (text: string) => ({ messages: [new HumanMessage(text)] });
  const parts = {
    model: new ScriptedChat("script:hm", parseRules(JSON.stringify([rule]), "test")),
    tools: registry([]),
    verify: async () => ({ accepted: false, result: null, observation: { status: "", output: "", durationMs: 0 } }),
    answer: "text" as const,
    limits: { maxIterations: 2 },
    allowance,
  };
  const stops = [await runGraph({ ...parts, opening: said("a") }), await runGraph({ ...parts, opening: said("b") })];
  expect(stops.map(({ stop, iterations }) => [stop, iterations])).toEqual([
    ["max_iterations", 2],
    ["budget", 1],
  ]);
});

test("the picture of the pages is drawn from the code", async () => {
  using allowance = new Allowance({ timeoutMs: 1000 });
  const parts = (): GraphParts => ({
    opening: { messages: [] },
    model: new ScriptedChat("script:none", []),
    tools: registry([]),
    verify: async () => ({ accepted: false, result: null, observation: { status: "", output: "", durationMs: 0 } }),
    answer: "code",
    limits: { maxIterations: 1 },
    allowance,
  });
  const nothing = new StateSchema({});
  const graph = buildGraph(parts, { input: nothing, output: nothing }).compile();
  const page = readFileSync(new URL("../docs/concepts.md", import.meta.url), "utf8");
  const pictures = [...page.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, picture]) => picture?.trim());
  const drawn = (await graph.getGraphAsync()).drawMermaid({ withStyles: false }).trim();
  expect(pictures).toContain(drawn);
});
