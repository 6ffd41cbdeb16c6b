// @module-tag ci

import { expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../../../agent/models/script.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { bestOf, deriveInputs, observe } from "./best_of.ts";
import { choose, editSize } from "./choose.ts";

const sandbox = await openForTests();

const task: VisibleTask = {
  id: "t/1",
  language: "python",
  entryPoint: "largest",
  instruction: "Return the largest number of the list, or None where it is empty.",
  declaration: "def largest(numbers):\n",
  buggyCode: "    return min(numbers)\n",
  epilogue: "",
  exampleTest:
    "def check(largest):\n    assert largest([1, 3, 2]) == 3\n    assert largest([-5, -7]) == -5\n\ncheck(largest)\n",
};
const program = (body: string) => `${task.declaration}    ${body}`;
const RIGHT = "return max(numbers) if numbers else None";
const RIGHT_TOO = "return sorted(numbers)[-1] if len(numbers) > 0 else None";
const CRASHES = "return max(numbers)";
const FAILS = "return numbers[0]";

/** A model whose n-th candidate answers `bodies[n]`: the seeds decide, as they would for one that draws. */
function modelOf(bodies: string[]) {
  const seeds = bodies.map((_, i) => deriveSeed(5, i));
  let size = seeds.length;
  while (new Set(seeds.map((seed) => seed % size)).size < seeds.length) size += 1;
  const chosenBy = (rest: number) => bodies[seeds.findIndex((seed) => seed % size === rest)] ?? FAILS;
  const replies = Array.from(
    { length: size },
    (_, rest) => `Thought: so.\nFinal Answer:\n\`\`\`python\n${program(chosenBy(rest))}\n\`\`\``,
  );
  const rule = { replies, usage: { input_tokens: 10, output_tokens: 1 } };
  return { name: "script:test", chat: new ScriptedChat("script:test", parseRules(JSON.stringify([rule]), "test")) };
}

test("inputs are the visible calls and others like them, and programs differ on them where they do", async () => {
  const inputs = await deriveInputs(task, program(RIGHT), sandbox);
  expect(inputs.slice(0, 2)).toEqual(["([1, 3, 2],)", "([-5, -7],)"]);
  expect(inputs).toContain("([],)");
  expect(inputs.length).toBeGreaterThan(20);
  expect(await deriveInputs(task, program(CRASHES), sandbox)).toEqual(inputs);

  const [right, other, crashes] = await Promise.all(
    [RIGHT, RIGHT_TOO, CRASHES].map((body) => observe(task, program(body), inputs, sandbox)),
  );
  expect(right).toHaveLength(inputs.length);
  expect(other).toEqual(right);
  expect(crashes?.[inputs.indexOf("([],)")]).toBe("raised");
});

test("a program that loops, prints or exits is only told apart, and ends nothing", async () => {
  const inputs = ["([1],)", "([2],)"];
  const act = (body: string) => observe(task, program(body), inputs, sandbox);
  const loop = `return numbers if numbers == [9] else [0 for _ in iter(int, 1)]`;
  const calls = ["([9],)", ...inputs, ...inputs];
  const looping = ["list [9]", "cut", "cut", "cut", "not tried"];
  expect(await observe(task, program(loop), calls, sandbox)).toEqual(looping);
  expect(await act('print("BEHAVIOUR 7"); return {2, 1, 1.5}')).toEqual(["set {1, 1.5, 2}", "set {1, 1.5, 2}"]);
  expect(await act("import os; os._exit(0)")).toEqual([]);
  expect(await deriveInputs({ ...task, exampleTest: "" }, program(RIGHT), sandbox)).toEqual([]);
});

test("what tests take to be equal is equal: 1, 1.0 and True, sums that were rounded otherwise; texts are not numbers", async () => {
  const act = (body: string) => observe(task, program(body), ["([0.1, 0.2, 1],)"], sandbox);
  const [one, ...others] = await Promise.all(["return [1, '1']", "return [True, '1']", "return [1.0, '1']"].map(act));
  expect(one).toEqual(["list [1, '1']"]);
  for (const other of others) expect(other).toEqual(one);
  expect(await act("return [1, 'True']")).not.toEqual(one);
  expect(await act("return numbers[0] + numbers[1]")).toEqual(await act("return 0.3"));
  expect(await act("return 0.31")).not.toEqual(await act("return 0.3"));
});

test("of several candidates the largest group that behaves the same wins, with its shortest edit and the cost of all", async () => {
  const bodies = [CRASHES, RIGHT_TOO, FAILS, RIGHT];
  const limits = { maxIterations: 1, timeoutMs: 60_000 };
  const result = await bestOf(task, { model: modelOf(bodies), sandbox, ...limits, seed: 5, candidates: 4 });
  expect(result.answer?.trim()).toBe(program(RIGHT));
  expect(result).toMatchObject({ verified: true, iterations: 4, usage: { inputTokens: 40, modelCalls: 4 } });
  const { bestOf: record } = result;
  expect(record).toMatchObject({ chosen: 3, groups: [[3, 1], [0]] });
  expect(record?.why).toMatch(
    /^2 of 3 candidates do the same on \d+ inputs, the largest of 2 groups; its shortest edit/,
  );
  expect(record?.candidates.map(({ seed, verified }) => [seed, verified])).toEqual(
    bodies.map((body, i) => [deriveSeed(5, i), body !== FAILS]),
  );
});

test("where none passes the visible tests, the most agreed on of those that load is submitted, unverified", async () => {
  const bodies = [FAILS, "return numbers[-1]", "return numbers[0] if True else 0"];
  const limits = { maxIterations: 1, timeoutMs: 60_000 };
  const result = await bestOf(task, { model: modelOf(bodies), sandbox, ...limits, seed: 5, candidates: 3 });
  expect(result.answer?.trim()).toBe(program(FAILS));
  expect(result).toMatchObject({ verified: false, bestOf: { groups: [[0, 2], [1]] } });
});

test("a failing model leaves an error and not the best of the rest", async () => {
  const rule = { error: { kind: "server", message: "it broke" } };
  const chat = new ScriptedChat("script:test", parseRules(JSON.stringify([rule]), "test"));
  const model = { name: "script:test", chat };
  const result = await bestOf(task, { model, sandbox, maxIterations: 2, timeoutMs: 60_000, candidates: 2 });
  expect(result).toMatchObject({ stop: "error", error: { kind: "server" }, bestOf: { chosen: null } });
});

test("an input on which most candidates raise is not compared; ties go to the shorter edit, then the earlier one", () => {
  const option = (candidate: number, edit: number, ...outcomes: string[]) => ({
    candidate,
    edit,
    outcomes,
    program: String(candidate),
  });
  const outside = [option(0, 9, "1", "raised"), option(1, 5, "1", "raised"), option(2, 1, "1", "0")];
  expect(choose(outside)).toMatchObject({ chosen: 2, compared: 1, groups: [[2, 1, 0]] });
  const tied = choose([option(0, 9, "1"), option(1, 5, "2"), option(2, 5, "3")]);
  expect(tied).toMatchObject({ chosen: 1, groups: [[1], [2], [0]] });
  expect(tied.why).toContain("tied by size");
  expect(choose([option(0, 1), option(1, 1)])).toMatchObject({ chosen: 0, groups: [[0], [1]], compared: 0 });
  expect(editSize("a + b", "a - b\n")).toBe(2);
});
