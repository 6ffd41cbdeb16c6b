import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { ArchiveBrief } from "../../utils/task/archive_brief.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { Workspace } from "../tools/workspace.ts";
import { improveTask, listedFiles } from "./improve_prompts.ts";

const ROOT = new Workspace(fileURLToPath(new URL("../../", import.meta.url)));
const TRACE = `── turn 1 · 0.10 s ──
Thought: I return it.
Final Answer:
    def f(x):
        return x
Observation: exit code 1
    AssertionError
    where f(2) is 2`;

function promptFor(solver: ArchiveBrief["solver"], scores: number[]): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  mkdirSync(join(folder.path, "traces"));
  const tasks = scores.map((score, i) => {
    const traceFile = `traces/${i}.txt`;
    writeFileSync(join(folder.path, traceFile), score < 1 ? TRACE : "Final Answer: x\nObservation: it passes");
    return {
      ...{ id: `Dev/${i}`, score, outcome: score < 1 ? "failed" : "passed", seconds: i, costUsd: 0 },
      ...{ modelCalls: 1, said: "", traceFile },
    };
  });
  const agent = { n: 0, parent: null, verdict: null, gate: null, message: "", hypothesis: "", changes: "", diff: "" };
  const means = { utility: 0.9, score: 0.5, seconds: 1, costUsd: 0 };
  const failed = tasks
    .filter(({ score }) => score < 1)
    .map(({ id }) => ({
      ...{ id, language: "python" as const, entryPoint: "f", instruction: `Double\nx, as ${id} says.` },
      ...{ declaration: "def f(x):\n", buggyCode: "", epilogue: "", exampleTest: "" },
    }));
  const brief: ArchiveBrief = { editor: 0, champion: 0, solver, failed, agents: [{ ...agent, ...means, tasks }] };
  writeFileSync(join(folder.path, "brief.json"), JSON.stringify(brief));
  return improveTask(ROOT, { archive: folder.path, feedback: null });
}

test("the first message says which dev tasks failed, and what their last test printed", () => {
  const prompt = promptFor({ name: "openai:m", readsPrompts: true }, [1, 0, 1]);
  expect(prompt).toContain("It solves 2 of 3 tasks.");
  expect(prompt).toContain(
    "- Dev/1, score 0 (failed): Double x, as Dev/1 says.\n    exit code 1\n    AssertionError\n    where f(2) is 2\n",
  );
  expect(prompt).not.toContain("- Dev/0, score");
});

test("it says who solves: where that is the search engine, prompts are not listed, and its tables are", () => {
  const engine = promptFor({ name: "search", readsPrompts: false }, [0]);
  expect(engine).toContain("The search engine `search`");
  expect(engine).toContain("a change of `prompts/` changes no score");
  expect(engine).toMatch(/^agent\/models\/search\/tables\/python\.json: edits/m);
  expect(engine).not.toMatch(/^prompts\//m);
  const model = promptFor({ name: "openai:m", readsPrompts: true }, [0]);
  expect(model).toContain("The language model openai:m.");
  expect(model).toMatch(/^prompts\/system\.md: the system message/m);
  expect(model).not.toMatch(/^agent\/models\/search\//m);
});

test("each file that may be edited is listed with what it is for", () => {
  const prompts = [true, false].map((readsPrompts) => promptFor({ name: "m", readsPrompts }, [0])).join("\n");
  const silent = listedFiles(ROOT.files()).filter((name) => !prompts.includes(`\n${name}: `));
  expect(silent).toEqual([]);
});
