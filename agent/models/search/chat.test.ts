// @module-tag ci

import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { z } from "zod";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { search } from "../../../utils/search/search.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { taskMessage } from "../../prompts.ts";
import { repair } from "../../repair.ts";
import { ownKnowledge, searchEditsTool } from "../../tools/search_edits.ts";
import { createSearchModel } from "./chat.ts";

const sandbox = await openForTests();

const task: VisibleTask = {
  id: "t/1",
  language: "python",
  entryPoint: "largest",
  instruction: "Write `largest(numbers)`: return the largest number, or None for an empty list.",
  declaration: "def largest(numbers):\n",
  buggyCode:
    "    best = None\n    for n in numbers:\n        if best is None or n < best:\n            best = n\n    return best\n",
  epilogue: "",
  exampleTest: "assert largest([1, 5, 2]) == 5\nassert largest([]) is None",
};
const repaired = "if best is None or n > best:";
const isRight = async (program: string | null) =>
  (
    await sandbox.judge({
      program: program ?? "",
      entryPoint: task.entryPoint,
      test: "assert [largest([3, 9, 9, 2]), largest([-4, -7]), largest([])] == [9, -4, None]",
      timeoutMs: 10_000,
    })
  ).passed;
function taskToHalve(language: LanguageName, code: string, exampleTest: string): VisibleTask {
  const parts = LANGUAGES[language].partsAround(code, "half");
  const { declaration = "", body: buggyCode = "", epilogue = "" } = parts ?? {};
  return { ...task, language, entryPoint: "half", declaration, buggyCode, epilogue, exampleTest };
}

const hopeless: VisibleTask = { ...task, id: "t/2", exampleTest: 'assert largest([1]) == "x9!"' };

const solve = (wanted: VisibleTask, options: Parameters<typeof createSearchModel>[0] = {}, maxIterations = 6) =>
  repair(wanted, {
    model: { name: "search", chat: createSearchModel(options) },
    sandbox,
    maxIterations,
    timeoutMs: 60_000,
  });

const host = { sandbox, knowledge: ownKnowledge() };

test("repairs a function in one search and one answer, and says which edit it made and how many it tried", async () => {
  const { stop, answer, iterations, messages } = await solve(task);
  expect({ stop, iterations }).toEqual({ stop: "answered", iterations: 2 });
  expect(await isRight(answer)).toBe(true);
  expect(messages.at(-1)?.content).toMatch(/^Thought: line 4: .* → .*\. I tried [\d,]+ edits?; \d+ pass/);
});

test("without tests it offers the likeliest, and neither it nor the tool says that anything passed", async () => {
  const { stop, verified, steps } = await solve({ ...task, exampleTest: " \n" });
  expect({ stop, verified }).toEqual({ stop: "answered", verified: false });
  const [, searched, answered] = steps;
  expect(searched?.observation.output).toMatch(
    /^No visible test says which edit is right: \d+ of \d+ candidates can be/,
  );
  expect(answered?.reply.thought).toMatch(/No test says which edit is right, so I take the likeliest of \d+ edits/);
  const said = [searched?.observation.output, answered?.reply.thought, answered?.observation.status].join("\n");
  expect(said).not.toMatch(/\bpass/);
});

test("goes on from where it stopped until something passes", async () => {
  const { stop, answer, iterations } = await solve(task, { steps: 1 }, 40);
  expect(stop).toBe("answered");
  expect(await isRight(answer)).toBe(true);
  expect(iterations).toBeGreaterThan(2);
});

test("with nothing left to try it says so and returns the program unchanged", DEEP, async () => {
  const { answer, messages } = await solve(hopeless, { steps: 200_000 });
  expect(answer?.trim()).toBe((task.declaration + task.buggyCode).trim());
  expect(messages.filter(({ content }) => /None of [\d,]+ edits passes\. I return/.test(content))).not.toEqual([]);
});

test("the reply names the line where a program does not parse", async () => {
  const { messages } = await solve({ ...task, buggyCode: "    return (numbers\n" });
  expect(messages.map(({ content }) => content).join("\n")).toMatch(/Nothing can be tried: .*line \d/);
});

test("a function that the program does not define is named", async () => {
  const { messages } = await solve({ ...task, entryPoint: "smallest" });
  expect(messages.map(({ content }) => content).join("\n")).toContain("it does not define smallest");
});

test("a conversation that holds earlier tasks and examples begins its own search", async () => {
  const example = { ...hopeless, entryPoint: "other", canonicalCode: "    return max(numbers)\n" };
  const additional_kwargs = { observation: z.json().parse({ failed: "it broke" }) };
  const earlier = new HumanMessage({ content: "Observation: found", additional_kwargs });
  const messages = [taskMessage(example), new AIMessage(example.canonicalCode), earlier, taskMessage(task)];
  const { text, tool_calls } = await createSearchModel({ steps: 7 }).invoke(messages);
  expect(text).toContain("I try small edits");
  expect(tool_calls).toMatchObject([{ name: "search_edits", args: { steps: 7, seed: 0 } }]);
  expect(text + JSON.stringify(tool_calls)).not.toContain("numbers");
});

test("an engine that gave no result is an error of the model, no fail of the task", async () => {
  const ending = taskToHalve("python", "import os\n\ndef half(x):\n    os._exit(0)\n", "assert half(4) == 2\n");
  const options = {
    model: { name: "search", chat: createSearchModel() },
    sandbox,
    maxIterations: 6,
    timeoutMs: 60_000,
  };
  expect(await repair(ending, options)).toMatchObject({
    stop: "error",
    error: { message: expect.stringMatching(/printed no result/) },
  });
});

test("the same task gives the same trajectory, alone and beside others", DEEP, async () => {
  const text = async () => JSON.stringify((await solve(task)).messages).replace(/\d+(\.\d+)? ?m?s\b/g, "");
  const alone = await text();
  expect(await Promise.all([text(), text(), text()])).toEqual([alone, alone, alone]);
});

test("search keeps to a region and a kind", async () => {
  const found = await search(task, { region: [4, 4], kind: "comparison" }, host);
  expect(found).toMatchObject({ programs: expect.arrayContaining([expect.stringContaining(repaired)]) });
  expect(await search(task, { region: [2, 2], kind: "comparison" }, host)).toMatchObject({ status: "exhausted" });
  expect(await search(task, { region: [4, 99] }, host)).toMatch(/region 4 to 99 is not in the program/);
});

test.each<[LanguageName, string, string]>([
  ["python", "def half(x):\n    return x / 3\n", "assert half(0) == 0"],
  ["javascript", "function half(x) {\n  return x / 3;\n}\n", "assert.equal(half(0), 0);"],
])("%s: nothing is tried where the tests do not fail as they do in the project", async (language, code, tests) => {
  const wanted = taskToHalve(language, code, tests);
  expect(await search(wanted, { shown: "0.5 is not 0.75" }, host)).toMatchObject({
    ...{ status: "unreadable", tried: 0 },
    explanation: "Nothing can be tried: its tests pass with the file alone.",
  });
});

test.each<[LanguageName, string, string]>([
  ["python", "def half(list):\n    return list[0]['n'] / 2\n", "assert half([{'n': 4}]) == 2\nassert half([]) == 0"],
  [
    "javascript",
    "function half(list) {\n  return list[0].size / 2;\n}\n",
    "assert.equal(half([{ size: 4 }]), 2);\nassert.equal(half([]), 0);",
  ],
])("%s: what the tests expect is returned, and no other value that equals it", async (language, code, tests) => {
  const found = await search(taskToHalve(language, code, tests), {}, host);
  expect(typeof found === "string" ? found : found.programs[0]).toMatch(/return 0\b/);
});

test("as a tool it shows the edits and the best program, and refuses a kind it does not know", async () => {
  const tool = searchEditsTool(task, sandbox);
  const { status, output } = await tool.run({ kind: "comparison" });
  expect(status).toBe("found");
  expect(output).toMatch(/^\d+ of [\d,]+ candidates pass the visible tests\.\n1\. line 4: .+ < .+ → .+ > /);
  expect(output).toContain(repaired);
  expect((await tool.run({ kind: "magic" })).status).toBe("bad input");
});
