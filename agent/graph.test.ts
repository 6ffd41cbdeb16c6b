import { readFileSync } from "node:fs";
import { HumanMessage } from "@langchain/core/messages";
import { END, StateSchema } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { python } from "../utils/languages/python/index.ts";
import type { Observation, Reply } from "./dialects/reply.ts";
import { buildGraph, createAgent, route, runGraph } from "./graph.ts";
import { ScriptedChat } from "./models/script.ts";
import type { Stop } from "./run/trajectory.ts";
import { defineTool, registry } from "./tools/tool.ts";

const act: Reply = { kind: "act", tool: "code_interpreter", input: { code: "1" }, thought: "" };
const answer: Reply = { kind: "answer", text: "def f(): pass", thought: "" };
const malformed: Reply = { kind: "malformed", problem: "…", error: "empty", thought: "" };

/** A model that says these, one a turn. */
const said = (replies: readonly string[]) =>
  new ScriptedChat(
    "script:said",
    replies.map((reply, turn) => ({ turn: turn + 1, reply })),
  );

/** The tool `ask`, alone. */
const asking = (run: () => Promise<Observation>) =>
  registry([defineTool({ name: "ask", description: "ask", input: z.looseObject({}), run })]);

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
    const pending = reply ? [Object.freeze({ reply, usage: null, seconds: 0 })] : [];
    expect(route(Object.freeze({ pending, stop }))).toBe(next);
  });
});

test("runs at once, and one in a tool of another, keep to their own parts", async () => {
  const run = (replies: readonly string[], ask: () => Promise<string> = async () => "none") =>
    runGraph({
      model: said(replies),
      tools: asking(async () => ({ status: "ok", output: await ask(), durationMs: 0 })),
      verify: async (result) => ({
        accepted: true,
        result,
        observation: { status: "right", output: "", durationMs: 0 },
      }),
      answer: "text",
      language: python,
      limits: { maxIterations: 3 },
      opening: [new HumanMessage("Go.")],
    });
  const inner = async () => (await run(["Final Answer: inner"])).answer ?? "";
  const [outer, other] = await Promise.all([
    run(["Action: ask\nAction Input: {}", "Final Answer: outer"], inner),
    run(["Action: ask\nAction Input: {}", "Final Answer: other"]),
  ]);
  expect([outer.answer, outer.steps[0]?.observation.output]).toEqual(["outer", "inner"]);
  expect([other.answer, other.steps[0]?.observation.output]).toEqual(["other", "none"]);
});

test("the picture of the pages is drawn from the code", async () => {
  const agent = createAgent({
    opening: [],
    model: new ScriptedChat("script:none", []),
    tools: registry([]),
    verify: async () => ({ accepted: false, result: null, observation: { status: "", output: "", durationMs: 0 } }),
    answer: "code",
    language: python,
    limits: { maxIterations: 1 },
  });
  const nothing = new StateSchema({});
  const graph = buildGraph(() => agent, { input: nothing, output: nothing }).compile();
  const page = readFileSync(new URL("../docs/concepts.md", import.meta.url), "utf8");
  const pictures = [...page.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, picture]) => picture?.trim());
  const drawn = (await graph.getGraphAsync()).drawMermaid({ withStyles: false }).trim();
  expect(pictures).toContain(drawn);
});
