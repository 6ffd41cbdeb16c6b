/** Each format of samples gives the same answers, in any container; errors name what another file is. */

import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import type { Sample } from "./format.ts";
import { openSamples } from "./open.ts";
import { SAMPLE_FORMATS } from "./table.ts";

async function read(name: string, content: unknown) {
  using folder = temporaryFolder();
  const file = join(folder.path, name);
  const isRaw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(file, isRaw ? content : JSON.stringify(content));
  return await openSamples(file);
}

const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const short = ({ task, answer, problem }: Sample & { task?: unknown; answer?: unknown }) => problem ?? [task, answer];
const program = (text: string) => ({ kind: "program", text });
const [a, b] = [{ id: "Python/0" }, { id: "Python/1" }];
const log = (samples: unknown) => ({ version: 2, status: "success", eval: { task: "t" }, samples });
const output = (completion: string) => ({ output: { completion, choices: [] } });
const chat = { output: { choices: [{ message: { content: [{ type: "text", text: "B" }] } }] } };
const logged = (id: string, more: object) => ({ doc_id: 7, doc: { task_id: id }, ...more });
const patch = (text: string) => ({ kind: "patch", text });
const DIFF = "diff --git a/x b/x\n";

test.each<[format: string, name: string, content: unknown, samples: unknown[]]>([
  [
    "one sample a row",
    "s.jsonl",
    lines({ task_id: "Python/0", solution: "A" }, { task_id: "Python/1", completion: "B" }),
    [
      [a, program("A")],
      [b, { kind: "completion", text: "B" }],
    ],
  ],
  ["one sample a row", "s.json", [{ task_id: "Python/0", solution: "A" }], [[a, program("A")]]],
  ["one sample a row", "s.jsonl", lines({ task_id: 0, solution: "A" }), [[{ id: "0" }, program("A")]]],
  ["one sample a row", "s.csv", 'task_id,solution\nPython/0,"A\n"\n', [[a, program("A\n")]]],
  [
    "one sample a row",
    "s.jsonl",
    lines({ task_id: "Python/0", solution: ["A", "B"] }),
    [
      [a, program("A")],
      [a, program("B")],
    ],
  ],
  [
    "one sample a row",
    "s.jsonl",
    lines(
      { task_id: "Python/0", solution: null, completion: "A" },
      { task_id: "Python/1", solution: "", completion: "B" },
      { task_id: "Python/0", solution: "", completion: null },
    ),
    [
      [a, { kind: "completion", text: "A" }],
      [b, { kind: "completion", text: "B" }],
      [a, program("")],
    ],
  ],
  [
    "one sample a row",
    "preds.jsonl",
    lines({ instance_id: "o__r-1", model_patch: null }, { org: "o", repo: "r", number: 2, fix_patch: DIFF }),
    [
      [{ id: "o__r-1" }, patch("")],
      [{ id: "o__r-2" }, patch(DIFF)],
    ],
  ],
  [
    "predictions by task",
    "preds.json",
    { "o__r-1": { model_patch: DIFF, model_name_or_path: "m" }, "o__r-2": { model_patch: null } },
    [
      [{ id: "o__r-1" }, patch(DIFF)],
      [{ id: "o__r-2" }, patch("")],
    ],
  ],
  ["predictions by task", "preds.json", { "o__r-1": DIFF }, [[{ id: "o__r-1" }, patch(DIFF)]]],
  [
    "predictions by task",
    "s.json",
    { "Python/0": "A", "Python/1": ["B", "C"] },
    [
      [a, program("A")],
      [b, program("B")],
      [b, program("C")],
    ],
  ],
  [
    "generations of bigcode-evaluation-harness",
    "generations.json",
    [["A", "B"], [], ["C", null]],
    [
      [{ position: 0 }, program("A")],
      [{ position: 0 }, program("B")],
      [{ position: 2 }, program("C")],
      "it holds null, and a text is needed",
    ],
  ],
  [
    "eval_results of evalplus",
    "eval_results.json",
    { date: "d", eval: { "Python/0": [{ task_id: "x", solution: "A", base_status: "pass" }], "Python/1": [7] } },
    [[a, program("A")], "it has no `solution` (program), `completion` (body) or `model_patch`"],
  ],
  [
    "samples of lm-evaluation-harness",
    "samples_humaneval.jsonl",
    lines(
      logged("Python/0", { resps: [["raw"]], filtered_resps: [["A"]], filter: "f" }),
      logged("Python/0", { resps: [["raw"]], filtered_resps: ["again"], filter: "g" }),
      logged("Python/1", { resps: [["B"]], filter: "f" }),
      { doc_id: 3, doc: {}, resps: [["C"]], filter: "f" },
    ),
    [[a, program("A")], [b, program("B")], "`doc.task_id` is missing"],
  ],
  [
    "samples of lm-evaluation-harness",
    "samples_own.jsonl",
    lines({ doc_id: 3, doc: {}, resps: [["C"]] }, { doc_id: null, doc: {}, resps: [["D"]] }),
    [[{ position: 3 }, program("C")], "`doc_id` is missing"],
  ],
  [
    "log of Inspect",
    "log.json",
    log([
      { id: "Python/0", ...output("A") },
      { id: "Python/1", ...chat },
      { id: "x", error: { message: "lost" } },
    ]),
    [[a, program("A")], [b, program("B")], "it ended with an error: lost"],
  ],
])("%s: %s", async (format, name, content, samples) => {
  const found = await read(name, content);
  expect(found.format).toBe(format);
  expect(found.samples.map(short)).toEqual(samples);
});

const ZIP = `import io, json, sys, zipfile
files, method = json.load(sys.stdin)
held = io.BytesIO()
with zipfile.ZipFile(held, "w", method) as archive:
    for name, text in files.items():
        archive.writestr(name, text)
sys.stdout.buffer.write(held.getvalue())`;

/** A zip file as Python writes it, and so Inspect. */
const zip = (files: Record<string, string>, method: 0 | 8 = 8): Buffer =>
  execFileSync("python3", ["-c", ZIP], { input: JSON.stringify([files, method]) });

describe("a log of Inspect as a zip file", () => {
  const files = {
    "header.json": JSON.stringify({ status: "success", eval: { task: "t" } }),
    "samples/Python/1_epoch_1.json": "{}",
    "samples/1_epoch_10.json": JSON.stringify({ id: "Python/1", ...output("B") }),
    "samples/1_epoch_2.json": JSON.stringify({ id: "Python/0", ...output("A") }),
    "samples/9.json": "{",
    "summaries.json": "[]",
  };

  test.each([0, 8] as const)("with compression method %i: samples in their order, a torn one told", async (method) => {
    const { format, samples } = await read("log.eval", zip(files, method));
    expect(format).toBe("log of Inspect");
    const kept = samples.filter(({ problem }) => problem === undefined);
    expect(kept.map(short)).toEqual([
      [a, program("A")],
      [b, program("B")],
    ]);
    expect(samples).toHaveLength(4);
  });

  test("with a method that is not known, cut, or of something else: one sentence", async () => {
    const unknown = zip(files);
    unknown.writeUInt16LE(99, unknown.indexOf("PK\x01\x02") + 10);
    await expect(read("log.eval", unknown)).rejects.toThrow(/is not a zip file that can be read: .*method 99/);
    await expect(read("log.eval", zip(files).subarray(0, 300))).rejects.toThrow("is not a zip file that can be read");
    await expect(read("a.zip", zip({ "a.txt": "x" }))).rejects.toThrow("is a zip file and no log of Inspect");
  });
});

test.each<[what: string, name: string, content: unknown, message: RegExp]>([
  ["a report of SWE-bench", "r.json", { resolved_ids: ["a"] }, /a report of SWE-bench.*give the predictions/],
  ["results of lm-eval", "r.json", { results: { h: { "pass@1": 1 } }, configs: {} }, /run lm_eval with --log_samples/],
  ["results of bigcode", "r.json", { h: { "pass@1": 0.3 }, config: {} }, /--save_generations/],
  ["a dataset", "d.jsonl", lines({ task_id: "a", canonical_solution: "x", test: "y" }), /give it with --dataset/],
  [
    "a log without samples",
    "l.json",
    { status: "started", eval: {}, samples: null },
    /without samples \(status started/,
  ],
  ["other fields", "o.jsonl", lines({ id: 1, generated: "x" }), /line 1 has the fields id, generated\. A row needs/],
  ["a text", "t.txt", "hello\nworld\n", /line 1: it is not valid JSON.*A row needs/],
  ["a list of numbers", "n.json", [1, 2], /item 1 is 1\. A row needs/],
  ["bytes", "b.npy", Buffer.from([0x93, 0x4e, 0xff, 0xfe, 10, 0xff]), /line 1: it is not UTF-8 text/],
  ["an empty object", "e.json", {}, /line 1 is an object\. A row needs/],
  ["nothing", "e.jsonl", " \n", /has no samples/],
])("%s is named in the error, with what to do", async (_what, name, content, message) => {
  const error = await read(name, content).catch((reason: unknown) => String(reason));
  expect(error).toMatch(message);
  expect(error).toMatch(/^UserError: /);
  expect(error).not.toContain("Invalid input");
});

test("one bad row is reported and the others are read, in each format of rows", async () => {
  const rows = [
    { task_id: "Python/0", solution: "A" },
    { task_id: "Python/0" },
    { solution: "x" },
    { task_id: null, solution: "x" },
    { task_id: "Python/0", solution: 7 },
    { task_id: "Python/0", solution: "x", attempt: -1 },
    [1],
    { task_id: "Python/1", solution: "B", more: 1 },
  ];
  const { samples } = await read("s.jsonl", `${lines(...rows)}{"task_id": "Py`);
  expect(samples.map(({ problem }) => problem !== undefined)).toEqual([false, ...Array(6).fill(true), false, true]);
  const torn = await read("l.jsonl", `${lines(logged("Python/0", { resps: [["A"]] }), { doc: 1 })}{`);
  expect(torn.samples.map(({ problem }) => problem !== undefined)).toEqual([false, true, true]);
});

const DAMAGED = [null, 7, "x", { a: 1 }, true];
test.each([
  ["generations.json", (damaged: unknown) => [["A"], damaged, ["B"]]],
  [
    "eval_results.json",
    (damaged: unknown) => ({ eval: { a1: [{ solution: "A" }], a2: damaged, a3: [{ solution: "B" }] } }),
  ],
  ["preds.json", (damaged: unknown) => ({ a1: "A", a2: damaged === "x" ? 1 : damaged, a3: ["B"] })],
])("one damaged part of %s is reported, and the others are read", async (name, contentWith) => {
  for (const damaged of DAMAGED) {
    const { samples } = await read(name, contentWith(damaged));
    expect(samples.map(({ problem }) => problem !== undefined)).toEqual([false, true, false]);
    expect(samples[1]?.problem).toMatch(/(list|text) is needed|^it has no/);
  }
});

test.each([[["Python/0"]], [{ "0": "Python/0" }]])("a table that stands by columns: %j", async (task_id) => {
  const { samples } = await read("s.json", { task_id, solution: ["A"] });
  expect(samples.map(short)).toEqual([
    expect.stringMatching(/`task_id` is (a list|an object): write one object a row/),
  ]);
});

test("the error for a link to itself names it", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "loop.jsonl");
  symlinkSync("loop.jsonl", file);
  await expect(openSamples(file)).rejects.toThrow(UserError);
});

test("no two formats have one name", () => {
  expect(new Set(SAMPLE_FORMATS.map(({ name }) => name)).size).toBe(SAMPLE_FORMATS.length);
});
