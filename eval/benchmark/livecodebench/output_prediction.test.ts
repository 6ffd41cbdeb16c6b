import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { findBenchmark } from "../find.ts";
import { predictedIn, pythonValue } from "../questions/python_value.ts";
import { outputPrediction } from "./output_prediction.ts";

const row = (id: number, input: string, output: string, date = "2024-01-02T00:00:00") => ({
  ...{
    question_title: "Pairs",
    question_content: "Count the pairs of equal numbers.",
    question_id: "own",
    test_id: id,
  },
  ...{ contest_id: "c", contest_date: date, difficulty: "easy", function_name: "pairs" },
  starter_code: "class Solution:\n    def pairs(self, nums: List[int], k: int) -> int:",
  test: JSON.stringify([{ input, output, testtype: "functional" }]),
});
const { signal } = new AbortController();
const options = {
  ...{ prepare: false, log: () => {} },
  openBox: () => Promise.reject(new Error("a question needs no box")),
};

test("a call of the problem's function is asked for, its value scores", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.jsonl");
  const rows = [row(0, "[1, 1, 2]\n3", "1"), row(1, "[]\n1", '["a", true, null]', "2024-09-01T00:00:00")];
  writeFileSync(file, rows.map((one) => JSON.stringify(one)).join("\n"));
  expect((await findBenchmark(file, { log: () => {} })).benchmark.name).toBe("livecodebench-output");
  using benchmark = await outputPrediction.open(file, options);
  const [first, second] = benchmark.tasks;
  if (first?.assignment.type !== "question" || !second) throw new Error("two questions");
  expect(first.assignment.text).toMatch(/Count the pairs[\s\S]*def pairs[\s\S]*pairs\(\[1, 1, 2\], 3\)$/);
  const passes = async (task: typeof first | typeof second, answer: string | null) =>
    await task.score(answer, undefined as never, signal).then((scored) => "score" in scored && scored.score.passed);
  for (const task of [first, second]) {
    expect(await passes(task, task.reference("gold"))).toBe(true);
    expect(await passes(task, task.reference("empty"))).toBe(false);
  }
  expect(await passes(first, "assert pairs([1, 1, 2], 3) == 1")).toBe(true);
  expect(await passes(first, "2")).toBe(false);
  expect(await passes(second, "['a', True, None]")).toBe(true);
  expect(await passes(second, "('a', True, None)")).toBe(false);
  using later = await outputPrediction.open(file, { ...options, after: "2024-06-30" });
  expect(later.tasks.map(({ id }) => id)).toEqual(["livecodebench-output/own/1"]);
});

test.each([
  ["[1, 2.0, 'a\\n', None]", '[1, 2, "a\\n", None]'],
  ["{'b': 1, 'a': (2,)}", '{"a": (2), "b": 1}'],
  ["(3)", "3"],
  ["-12345678901234567890", "-12345678901234567890"],
  ["1e3", "1000"],
  ["True", "1"],
  ["[[], [[1]]]", "[[], [[1]]]"],
  ["[1, 2", null],
  ["f(1)", null],
  ["1 2", null],
  ["__import__('os')", null],
  ["", null],
])("the literal %s is %j", (source, value) => expect(pythonValue(source)).toBe(value));

test.each([
  ["```python\nassert f(1) == [1]\n```", "[1]"],
  ["`4`", "4"],
  ["# so\nassert f(1) == 'x'", '"x"'],
  ["assert f(1) >= 2", null],
  ["I think it is 3", null],
])("the answer %j says %j", (text, value) => expect(predictedIn(text)).toBe(value));
