import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { z } from "zod";
import { sandboxWhenNeeded } from "../../../utils/sandbox/command/own_programs.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { messageWithObservation } from "../../../utils/task/task_data.ts";
import { exampleMessages, taskMessage } from "../../prompts.ts";
import { repair } from "../../repair.ts";
import { searchEdits, searchEditsTool } from "../../tools/search_edits.ts";
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
const hopeless: VisibleTask = { ...task, id: "t/2", exampleTest: 'assert largest([1]) == "x9!"' };

const solve = (wanted: VisibleTask, options: Parameters<typeof createSearchModel>[0] = {}, maxIterations = 6) =>
  repair(wanted, {
    model: { name: "search", chat: createSearchModel(options) },
    sandbox,
    maxIterations,
    timeoutMs: 60_000,
  });

const say = async (messages: BaseMessage[], options = {}) => (await createSearchModel(options).invoke(messages)).text;
const shown = (result: object) => messageWithObservation("Observation: told", z.json().parse(result));

test("repairs a function in one search and one answer, and says which edit it made and how many it tried", async () => {
  const { stop, answer, iterations, messages } = await solve(task);
  expect({ stop, iterations }).toEqual({ stop: "answered", iterations: 2 });
  expect(await isRight(answer)).toBe(true);
  expect(messages.at(-1)?.content).toMatch(/^Thought: line 4: .* → .*\. I tried [\d,]+ candidates?, of which \d+ pass/);
});

test("without tests it offers the likeliest, and neither it nor the tool says that anything passed", async () => {
  const { stop, verified, steps } = await solve({ ...task, exampleTest: " \n" });
  expect({ stop, verified }).toEqual({ stop: "answered", verified: false });
  const [, searched, answered] = steps;
  expect(searched?.observation.output).toMatch(
    /^No visible test says which edit is right: \d+ of \d+ candidates can be/,
  );
  expect(answered?.reply.thought).toMatch(/No test says which edit is right: of \d+ candidates I take the likeliest/);
  const said = [searched?.observation.output, answered?.reply.thought, answered?.observation.status].join("\n");
  expect(said).not.toMatch(/\bpass/);
});

test("goes on from where it stopped until something passes", async () => {
  const { stop, answer, iterations } = await solve(task, { searchSteps: 1 }, 40);
  expect(stop).toBe("answered");
  expect(await isRight(answer)).toBe(true);
  expect(iterations).toBeGreaterThan(2);
});

test("with nothing left to try it says so and returns the program unchanged", async () => {
  const { answer, messages } = await solve(hopeless, { searchSteps: 200_000 });
  expect(answer?.trim()).toBe((task.declaration + task.buggyCode).trim());
  expect(messages.filter(({ content }) => /None of [\d,]+ candidates passes\. I return/.test(content))).not.toEqual([]);
});

test("a program that does not parse is said to be so", async () => {
  const { messages } = await solve({ ...task, buggyCode: "    return (numbers\n" });
  expect(messages.map(({ content }) => content).join("\n")).toMatch(/Nothing can be tried: .*line \d/);
});

test("answers the last task of a conversation, not its examples", async () => {
  const example = { ...hopeless, entryPoint: "other", canonicalCode: "    return max(numbers)\n" };
  const observation = { status: "exit code 1", output: "AssertionError", durationMs: 1 };
  const text = await say([new SystemMessage("x"), ...exampleMessages(example, observation), taskMessage(task)]);
  expect(text).toContain("I try small edits of largest");
  expect(text).not.toContain("x9!");
});

test("a rejected answer is followed by the next edit found, then by a new search that knows its cursor", async () => {
  const edit = { splices: [[0, 3, "DEF"]], operator: "o", line: 1, old: "def", new: "DEF" };
  const other = { ...edit, splices: [[0, 3, "deF"]], new: "deF" };
  const result = { status: "found", tried: 9, passing: 2, lines: 1, best: [edit, other], cursor: { single: 123 } };
  const messages: BaseMessage[] = [taskMessage(task), new AIMessage(await say([taskMessage(task)])), shown(result)];
  const first = await say(messages);
  expect(first).toContain("DEF largest");
  messages.push(new AIMessage(first), new HumanMessage("Observation: the final answer is not accepted: it fails"));
  const second = await say(messages);
  expect(second).toContain("deF largest");
  messages.push(new AIMessage(second), new HumanMessage("Observation: the final answer is not accepted: it fails"));
  const third = await say(messages);
  expect(third).toContain("That was not it. After 9 candidates");
  expect(third).toMatch(/single":123/);
});

test("a conversation without a task gets an answer that says what is missing", async () => {
  expect(await say([new HumanMessage("hello")])).toMatch(/^Thought: .*no task.*\nFinal Answer:/);
});

test("a search that was cut off goes on from the last line it printed", async () => {
  const result = { status: "running", tried: 2000, passing: 0, lines: 1, best: [], cursor: { single: 77 } };
  const messages = [taskMessage(task), new AIMessage(await say([taskMessage(task)])), shown(result)];
  expect(await say(messages)).toMatch(/After 2,000 candidates.*single":77/s);
});

test("a search that ran out of time says so, in its answer and where it goes on", async () => {
  const edit = { splices: [[0, 3, "DEF"]], operator: "o", line: 1, old: "def", new: "DEF" };
  const after = async (result: object) =>
    say([taskMessage(task), new AIMessage(await say([taskMessage(task)])), shown({ tried: 9, lines: 1, ...result })]);
  const found = { status: "found", passing: 1, best: [edit], cursor: { tried: 9 } };
  expect(await after({ ...found, cutOff: true })).toMatch(/cut off before its end.*\nFinal Answer:.*DEF largest/s);
  expect(await after(found)).not.toContain("cut off");
  const none = { status: "none", passing: 0, best: [], cursor: { tried: 9 }, cutOff: true };
  expect(await after(none)).toMatch(/cut off before its end.*After 9 candidates I go on.*\nAction:/s);
});

test("a function that the program does not define is named", async () => {
  const { messages } = await solve({ ...task, entryPoint: "smallest" });
  expect(messages.map(({ content }) => content).join("\n")).toContain("it does not define smallest");
});

test("a search program that gave no result is an error of the model, no fail of the task", async () => {
  const messages = [
    taskMessage(task),
    new AIMessage(await say([taskMessage(task)])),
    new HumanMessage("Observation: timeout"),
  ];
  await expect(say(messages)).rejects.toThrow(/printed no result.*Observation: timeout/s);
  const broken = createSearchModel({ priors: { margin: 1, operators: {}, weights: {} } });
  const options = { model: { name: "search", chat: broken }, sandbox, maxIterations: 6, timeoutMs: 60_000 };
  expect(await repair(task, options)).toMatchObject({
    stop: "error",
    error: { message: expect.stringContaining("KeyError") },
  });
});

test("the same task gives the same trajectory, alone and beside others", async () => {
  const text = async () => JSON.stringify((await solve(task)).messages).replace(/\d+(\.\d+)? ?m?s\b/g, "");
  const alone = await text();
  expect(await Promise.all([text(), text(), text()])).toEqual([alone, alone, alone]);
});

test("searchEdits keeps to a region and a kind", async () => {
  const found = await searchEdits(task, { region: [4, 4], kind: "comparison" }, sandbox);
  expect("programs" in found && found.programs[0]).toContain(repaired);
  const elsewhere = await searchEdits(task, { region: [2, 2], kind: "comparison" }, sandbox);
  expect("result" in elsewhere && elsewhere.result.status).toBe("exhausted");
});

test.skipIf(sandbox.info.layer !== "bwrap")(
  "in a box of its own it finds the same, and starts no servers",
  async () => {
    const alone = sandboxWhenNeeded(sandbox.info.layer, () => Promise.reject(new Error("servers were started")));
    for (const wanted of [task, hopeless]) {
      const [here, there] = [await searchEdits(wanted, {}, alone), await searchEdits(wanted, {}, sandbox)];
      expect({ ...here, durationMs: 0 }).toEqual({ ...there, durationMs: 0 });
      expect("result" in here).toBe(true);
    }
  },
);

test("as a tool it shows the edits and the best program, and refuses a kind it does not know", async () => {
  const tool = searchEditsTool(task, sandbox);
  const { status, output } = await tool.run({ kind: "comparison" });
  expect(status).toBe("found");
  expect(output).toMatch(/^\d+ of [\d,]+ candidates pass the visible tests\.\n1\. line 4: .+ < .+ → .+ > /);
  expect(output).toContain(repaired);
  expect((await tool.run({ kind: "magic" })).status).toBe("bad input");
});
