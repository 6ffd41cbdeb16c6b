import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { findBenchmark } from "../find.ts";
import { choiceIn, integerIn } from "./answers.ts";
import { questions } from "./questions.ts";

const OWN = ["own_integers.jsonl", "own_choices.jsonl"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const open = (path: string) =>
  questions.open(path, {
    ...{ prepare: false, log: () => {} },
    openBox: () => Promise.reject(new Error("a question needs no box")),
  });
const nothing = undefined as never;
const { signal } = new AbortController();

test("of the rows of our own every answer is right, and an empty one is not", async () => {
  for (const file of OWN) {
    expect((await findBenchmark(file, { log: () => {} })).benchmark.name).toBe("questions");
    using benchmark = await open(file);
    expect(benchmark.tasks).toHaveLength(10);
    for (const task of benchmark.tasks) {
      const scored = async (answer: string | null) => await task.score(answer, nothing, signal);
      expect(await scored(task.reference("gold"))).toMatchObject({ score: { passed: true } });
      expect(await scored(task.reference("empty"))).toMatchObject({ score: { passed: false } });
      expect(await scored(null)).toMatchObject({
        score: { passed: false, explanation: expect.stringMatching(/given nothing$/) },
      });
    }
  }
});

test("the right choice is not always the same letter, and stays the same from run to run", async () => {
  using first = await open(OWN[1] ?? "");
  using second = await open(OWN[1] ?? "");
  const letters = first.tasks.map((task) => task.reference("gold"));
  expect(second.tasks.map((task) => task.reference("gold"))).toEqual(letters);
  expect(new Set(letters).size).toBeGreaterThan(2);
  const [task] = first.tasks;
  if (task?.assignment.type !== "question") throw new Error("a question");
  expect(task.assignment.text).toMatch(/\nA\) .*\nB\) .*\nC\) .*\nD\) /);
  expect(task.assignment.text).toContain(`${letters[0]}) It is proportional to 1/A.`);
});

test.each([
  ["42", "42"],
  ["042", "42"],
  ["$\\boxed{042}$", "42"],
  ["First 7, then 9. So it is \\boxed{63}.", "63"],
  ["We get 3 and 4. The answer is 12.", "12"],
  ["**Answer: 808**", "808"],
  ["1,024", "1024"],
  ["-3", "-3"],
  ["12.0", "12"],
  ["3 or 4", null],
  ["2.5", null],
  ["none", null],
  ["", null],
])("an integer in %j is %j", (text, integer) => expect(integerIn(text)).toBe(integer));

test.each([
  ["B", "B"],
  ["(C)", "C"],
  ["D) blue", "D"],
  ["**A**", "A"],
  ["The answer is (B).", "B"],
  ["$\\boxed{\\text{C}}$", "C"],
  ["I choose (D) over what else there is.", "D"],
  ["blue", "D"],
  ["A or B, who knows: (A) or (B)", null],
  ["Every one of them", null],
  ["", null],
])("a choice in %j is %j", (text, choice) => expect(choiceIn(text, ["red", "green", "grey", "blue"])).toBe(choice));

test(
  "a model answers, is asked again if it gives no answer, and does not learn whether it is right",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const rules = [
      { seen: "divisible by 6 or by 10", turn: 1, reply: "Thought: hm.\nFinal Answer: many" },
      { when: "It has to be an integer", reply: "Thought: I count.\nFinal Answer: \\boxed{199}" },
      { reply: "Thought: a guess.\nFinal Answer: 7" },
    ];
    writeFileSync(join(folder.path, "script.json"), JSON.stringify(rules));
    const args = ["--dataset", OWN[0] ?? "", "--model", "script:script.json", "--run", "q", "--num", "2"];
    const done = await run("eval/pass1.ts", args, folder.path);
    expect(done.exitCode, done.stderr).toBe(0);
    expect(done.lines.at(-1)).toMatchObject({ num: 2, successes: 1, complete: true, shown: "the question" });
    const results = readFileSync(join(folder.path, "runs/q/results.jsonl"), "utf8").trim().split("\n");
    expect(results.map((line) => JSON.parse(line))).toMatchObject([
      { passed: true, iterations: 2, stop: "answered", verified: false },
      { passed: false, iterations: 1, explanation: expect.stringMatching(/^expected \d+, given 7$/) },
    ]);
    const searched = await run("eval/pass1.ts", ["--dataset", OWN[1] ?? "", "--model", "search"], folder.path);
    expect(searched).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("answers no questions") });
  },
);

test("a row whose answer is no integer is left out with the field", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "q.jsonl");
  writeFileSync(file, JSON.stringify({ id: 1, problem: "How many?", answer: "a few" }));
  await expect(open(file)).rejects.toThrow(/aime\/1: field "answer" is no integer/);
});
