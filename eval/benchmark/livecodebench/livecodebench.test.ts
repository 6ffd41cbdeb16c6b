import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { firstAction, taskMessage } from "../../../agent/prompts.ts";
import { verifyRepair } from "../../../agent/verify.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import { functionBenchmark } from "../functions.ts";
import { NotPickledText, readPickledText, unpackTests } from "./tests.ts";

const OWN = fileURLToPath(new URL("./own.jsonl", import.meta.url));
const quiet = { log: () => {} };
const { signal } = new AbortController();

const sandbox = await openForTests();

const open = async (file: string, after?: string) =>
  functionBenchmark(await loadDataset(file, { ...quiet, after }), undefined);

test("of the 30 rows of our own all solutions pass, and no stub does", DEEP, async () => {
  const benchmark = await open(OWN);
  const programs = benchmark.tasks.filter((task) => task.function?.judgeMode === "stdin");
  expect([programs.length, benchmark.tasks.length]).toEqual([20, 30]);
  for (const task of benchmark.tasks) {
    const gold = await task.score(task.reference("gold"), sandbox, signal);
    const empty = await task.score(task.reference("empty"), sandbox, signal);
    expect([task.id, gold, empty]).toMatchObject([task.id, { score: { passed: true } }, { score: { passed: false } }]);
  }
});

test("public tests are shown, and nothing of the private ones", async () => {
  const { tasks } = await open(OWN);
  const [program, method] = [tasks[0], tasks[20]];
  if (program?.assignment.type !== "solve" || method?.assignment.type !== "solve") throw new Error("functions");
  const { text } = taskMessage(program.assignment.visible);
  expect(text).toContain("Input:\n````text\n3\n1 2 4\n````\nExpected output:\n````text\n6\n````");
  expect(text).not.toContain("-2 3 -4 5");
  expect(method.assignment.visible).toMatchObject({
    entryPoint: "Solution",
    exampleTest: "assert Solution().pairOfPlaces([2, 7, 11], 9) == [0, 1]\n",
  });
  const right = "class Solution:\n    def pairOfPlaces(self, nums, target):\n        return (0, 1)\n";
  // A tuple is no list where it is shown, as the shown assertion is what the model reads.
  expect(await verifyRepair(method.assignment.visible, right.replace("(0, 1)", "[0, 1]"), { sandbox })).toMatchObject({
    accepted: true,
  });
});

test("a program that knows the public tests alone passes these, and is not scored as right", async () => {
  const { tasks } = await open(OWN);
  const task = tasks[0];
  if (task?.assignment.type !== "solve") throw new Error("a program");
  const { visible } = task.assignment;
  expect(await verifyRepair(visible, "print(6)\n", { sandbox })).toMatchObject({ accepted: true });
  const wrong = await verifyRepair(visible, "print(5)\n", { sandbox });
  expect(wrong).toMatchObject({ accepted: false, result: "print(5)\n" });
  expect(wrong.observation.output).toContain("expected:\n6\ngiven:\n5");
  expect(await task.score("print(6)\n", sandbox, signal)).toMatchObject({
    score: { passed: false, outcome: "failed", explanation: expect.stringContaining("case 2 of 4") },
  });
});

test("self-repair: each program that is graded wrong is one to repair, and the first turn runs it", async () => {
  using folder = temporaryFolder();
  const [first = ""] = readFileSync(OWN, "utf8").split("\n");
  const row = {
    ...JSON.parse(first),
    code_list: ["print(6)", "print(1)\n", "right"],
    graded_list: [false, false, true],
  };
  const file = join(folder.path, "repair.jsonl");
  writeFileSync(file, `${JSON.stringify(row)}\n`);
  const { tasks } = await open(file);
  expect(tasks.map(({ id, kind }) => [id, kind])).toEqual([
    ["livecodebench/own_00/repair/0", "self-repair, atcoder easy"],
    ["livecodebench/own_00/repair/1", "self-repair, atcoder easy"],
  ]);
  const [task] = tasks;
  if (task?.assignment.type !== "solve") throw new Error("a program");
  expect(firstAction(task.assignment.visible)).toMatchObject({ input: { code: "print(6)", stdin: "3\n1 2 4\n" } });
  expect(taskMessage(task.assignment.visible).text).toMatch(/^Repair this program[\s\S]*```python\nprint\(6\)\n```/);
  expect(await task.score(task.reference("gold"), sandbox, signal)).toMatchObject({
    score: { passed: true },
  });
  expect(await task.score(task.reference("empty"), sandbox, signal)).toMatchObject({
    score: { passed: false },
  });
});

test("a day chooses what was published later, and is refused where rows have none", async () => {
  const later = await open(OWN, "2024-06-30");
  expect(later.name).toBe("own.jsonl after 2024-06-30");
  expect(later.tasks.length).toBeGreaterThan(0);
  expect(later.tasks.length).toBeLessThan(30);
  await expect(open(OWN, "2024-12-31")).rejects.toThrow("own.jsonl after 2024-12-31 holds no task");
  await expect(loadDataset("builtin", { ...quiet, after: "2024-01-01" })).rejects.toThrow(
    "--after is for livecodebench",
  );
});

describe("what is packed", () => {
  const text = JSON.stringify([{ input: "ä\n", output: "1", testtype: "stdin" }]);
  const bytes = (...parts: (string | number[] | Buffer)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
  const packed = (pickle: Buffer) => deflateSync(pickle).toString("base64");
  const utf8 = Buffer.from(text);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(utf8.length);

  test("is read as Python writes it", async () => {
    const protocol2 = bytes([0x80, 2], "X", size, utf8, "q", [0], ".");
    expect(readPickledText(protocol2)).toBe(text);
    expect(readPickledText(bytes([0x80, 4, 0x95, 0, 0, 0, 0, 0, 0, 0, 0, 0x8c, 2], "ab", [0x94], "."))).toBe("ab");
    expect(readPickledText(bytes("Va\\u00e9\\u005cb\np0\n."))).toBe("aé\\b");
    expect(await unpackTests(packed(protocol2))).toEqual(JSON.parse(text));
  });

  test.each([
    ["a call", bytes("cos\nsystem\n(S'true'\ntR.")],
    ["a call of a newer protocol", bytes([0x80, 4, 0x8c, 2], "os", [0x8c, 6], "system", [0x93], ".")],
    ["a list", bytes([0x80, 2], "]q", [0], ".")],
    ["two strings", bytes([0x8c, 1], "a", [0x8c, 1], "b.")],
    ["nothing", bytes([0x80, 2], ".")],
    ["more after the end", bytes([0x8c, 1], "a.", "cos\nsystem\n")],
    ["a string that is cut", bytes("X", [255, 255, 0, 0], "a.")],
    ["bytes that are no text", bytes([0x8c, 1, 0xff], ".")],
  ])("is refused where it is %s", async (_, pickle) => {
    expect(() => readPickledText(pickle)).toThrow(NotPickledText);
    expect(await unpackTests(packed(pickle))).toMatch(/^the packed data is not a pickled text: /);
  });

  test("a row whose tests cannot be read is left out with the reason", async () => {
    using folder = temporaryFolder();
    const rows = readFileSync(OWN, "utf8").trim().split("\n").slice(0, 2);
    const [broken, whole] = rows.map((line) => JSON.parse(line));
    const lines: string[] = [];
    const file = join(folder.path, "rows.jsonl");
    writeFileSync(file, [{ ...broken, private_test_cases: "%%%" }, whole].map((row) => JSON.stringify(row)).join("\n"));
    const dataset = await loadDataset(file, { log: (line) => lines.push(line) });
    expect(dataset.tasks).toHaveLength(1);
    expect(lines.join("\n")).toContain("own_00: its private tests cannot be read: they are neither JSON nor base64");
  });
});
