import { readFileSync } from "node:fs";
import { END } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { Allowance, buildGraph, drawGraph, route } from "./graph.ts";
import { ScriptedChat } from "./models/script.ts";
import { repairPrompt } from "./prompts.ts";
import type { Reply } from "./reply.ts";
import { registry } from "./tools/tool.ts";
import type { Stop } from "./trajectory.ts";

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
    const pending = reply && Object.freeze({ reply, usage: null, since: 0 });
    expect(route(Object.freeze({ pending, stop }))).toBe(next);
  });
});

test("the picture in the README is drawn from the code", async () => {
  using allowance = new Allowance({ timeoutMs: 1000 });
  const graph = buildGraph({
    model: new ScriptedChat("script:none", []),
    tools: registry([]),
    verify: async () => ({ accepted: false, result: null, observation: { status: "", output: "", durationMs: 0 } }),
    prompt: repairPrompt,
    answer: "code",
    limits: { maxIterations: 1 },
    allowance,
  });
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const pictures = [...readme.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, picture]) => picture?.trim());
  expect(pictures).toContain(await drawGraph(graph));
});
