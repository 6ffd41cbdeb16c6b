import { expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { type Task, toVisible, type VisibleTask } from "../../../utils/task/task.ts";
import { loadDataset } from "../../benchmark/find.ts";
import { splitFewShot } from "./few_shot.ts";

const { tasks } = await loadDataset("builtin", { log: () => {} });
const other: Task[] = tasks.slice(10, 16).map((task, i) => ({ ...task, id: `Other/${i}` }));
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id);

test("the first k tasks become examples and are not scored", () => {
  const { examples, scored } = splitFewShot(tasks, { k: 3, from: "dataset", builtinTasks: [] });
  expect(ids(examples)).toEqual(["Builtin/0", "Builtin/1", "Builtin/2"]);
  expect(scored).toEqual(tasks.slice(3));
});

test("k = 0 shows nothing and scores everything", () => {
  expect(splitFewShot(tasks, { k: 0, from: "dataset", builtinTasks: [] })).toEqual({ examples: [], scored: tasks });
});

test("tasks without a visible test, long ones and kept ones are passed over, and scored", () => {
  const [first, second, third, fourth] = tasks;
  if (!first || !second || !third || !fourth) throw new Error("the built-in set has too few tasks");
  const input = [
    { ...first, exampleTest: " \n" },
    { ...second, buggyCode: second.buggyCode + "    # long\n".repeat(300) },
    third,
    fourth,
  ];
  const { examples, scored } = splitFewShot(input, { k: 1, from: "dataset", builtinTasks: [], keep: [third] });
  expect(ids(examples)).toEqual(["Builtin/3"]);
  expect(scored).toEqual(input.slice(0, 3));
});

test("built-in examples leave every task of another dataset to be scored", () => {
  const { examples, scored } = splitFewShot(other, { k: 2, from: "builtin", builtinTasks: tasks });
  expect(ids(examples)).toEqual(["Builtin/0", "Builtin/1"]);
  expect(scored).toEqual(other);
});

test("built-in examples are not scored where the dataset is the built-in set, even a copy of it", () => {
  const copy = structuredClone(tasks);
  const { examples, scored } = splitFewShot(copy, {
    k: 2,
    from: "builtin",
    builtinTasks: tasks,
    keep: copy.slice(0, 1),
  });
  expect(ids(examples)).toEqual(["Builtin/1", "Builtin/2"]);
  expect(ids(scored)).toEqual(["Builtin/0", ...ids(tasks.slice(3))]);
});

test("an example holds visible material and the right body, no hidden test and no bug type", () => {
  const { examples } = splitFewShot(tasks, { k: tasks.length, from: "dataset", builtinTasks: [] });
  expect(examples).toHaveLength(tasks.length);
  for (const [i, example] of examples.entries()) {
    const task = tasks[i];
    if (!task) throw new Error("more examples than tasks");
    const { hiddenTest, documentedDeclaration, bugType, ...shown } = task;
    expect(example).toEqual(shown);
    expect(Object.keys(example)).not.toContain("hiddenTest");
    for (const line of hiddenTest.match(/^ {4}assert .+$/gm) ?? [])
      expect(JSON.stringify(example)).not.toContain(line.trim());
  }
});

test("more examples than tasks that fit is the user's mistake", () => {
  const ask = () => splitFewShot(other, { k: 7, from: "dataset", builtinTasks: [] });
  expect(ask).toThrow(UserError);
  expect(ask).toThrow(
    "--few-shot-k 7: only 6 tasks in Python can serve as examples. Give a lower number; 0 scores every task.",
  );
  const usual = () => splitFewShot(other.slice(0, 2), { k: 3, asked: false, from: "dataset", builtinTasks: [] });
  expect(usual).toThrow("--few-shot-k 3 (default): only 2 tasks");
});

test("where a dataset has too few visible tests, examples show what its tasks do: other tests, or none", () => {
  const untested = tasks.map((task) => ({ ...task, exampleTest: "" }));
  const shown = (visible?: (task: Task) => VisibleTask) => {
    const { examples } = splitFewShot(untested, {
      k: 2,
      from: "dataset",
      builtinTasks: [],
      ...(visible && { visible }),
    });
    return examples.map(({ id, exampleTest }) => [id, exampleTest]);
  };
  expect(shown()).toEqual(untested.slice(0, 2).map(({ id }) => [id, ""]));
  const withHidden = ({ hiddenTest, ...task }: Task) => ({
    ...toVisible({ ...task, hiddenTest }),
    exampleTest: hiddenTest,
  });
  expect(shown(withHidden)).toEqual(untested.slice(0, 2).map(({ id, hiddenTest }) => [id, hiddenTest]));
});
