/** Adding a thing is a file and a row: made-up rows of each table, used by what asks the table. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createModel, type ModelOptions, parseSpec } from "../../agent/models/create.ts";
import type { ModelKind } from "../../agent/models/model.ts";
import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import { MODEL_KINDS } from "../../agent/models/table.ts";
import { TOOLS, toolsFor } from "../../agent/tools/table.ts";
import { defineTool } from "../../agent/tools/tool.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import type { Task } from "../../utils/task/task.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "../benchmark/dataset.ts";
import type { BenchmarkRow } from "../benchmark/row.ts";
import { BENCHMARKS } from "../benchmark/table.ts";
import { pricesOf } from "./cost/price_table.ts";
import { FREE } from "./cost/pricing.ts";
import { requireLanguages } from "./selection/dataset_setup.ts";

const options = (env: ModelOptions["env"], lines: string[] = []): ModelOptions => ({
  temperature: 0,
  timeoutMs: 1000,
  maxRetries: 0,
  log: (line) => lines.push(line),
  env,
});

test("a model is one row: named, taken where it is at hand, in the help, with its price and its languages", async () => {
  const parrot: ModelKind = {
    name: "parrot",
    title: "The parrot",
    usage: "parrot:WORD",
    place: "in its cage",
    recognise: (spec) => /^parrot:(.*)$/.exec(spec)?.[1] ?? null,
    create: async (word) => ({
      name: `parrot:${word}`,
      spec: `parrot:${word}`,
      chat: new ScriptedChat("parrot", parseRules(JSON.stringify([{ reply: word }]), "parrot")),
      parameters: {},
      deterministic: true,
      close: async () => {},
    }),
    atHand: async () => ({ spec: "parrot:hello", why: "which is always there" }),
    work: ["repair"],
    languages: ["javascript"],
    price: "free",
    inRepositories: "replies",
    runsIn: "agent",
  };
  const choice = { kinds: [...MODEL_KINDS, parrot] };
  const lines: string[] = [];
  const named = await createModel("parrot:polly", options({}), choice);
  expect((await named.chat.invoke("x")).text).toBe("polly");
  const task = { id: "t", language: "python" as const };
  expect(() => requireLanguages({ jobs: [{ task }] }, { model: named, tools: [] })).toThrow(
    /The parrot repairs only JavaScript, and t is in Python/,
  );
  expect(pricesOf(named, {})).toEqual(FREE);
  const env = { HF_HOME: "/nowhere" };
  expect((await createModel(undefined, options(env, lines), choice)).name).toBe("parrot:hello");
  expect(lines).toEqual([expect.stringMatching(/^model: parrot:hello, which is always there; .*parrot:WORD \(in its/)]);
  expect(() => parseSpec("parrot:", choice)).toThrow(/lacks a name after the colon/);
  expect(() => parseSpec("parrot:polly")).toThrow(/Unknown model/);
});

const task: Task = {
  id: "Spoken/1",
  language: "python",
  entryPoint: "f",
  instruction: "",
  declaration: "def f(x):\n",
  buggyCode: "    return x\n",
  epilogue: "",
  exampleTest: "",
  hiddenTest: "assert f(1) == 2",
  documentedDeclaration: "def f(x):\n",
  canonicalCode: "    return x + 1\n",
  bugType: "made up",
};

test("a tool is one row: offered where it is asked for, and made for the task", async () => {
  const sandbox = await openForTests();
  const row = {
    name: "run_it",
    always: false,
    languages: null,
    needsScript: false,
    make: (made: Pick<Task, "declaration" | "buggyCode">) =>
      defineTool({
        name: "run_it",
        description: "run_it: calls f.",
        input: z.object({ x: z.number() }),
        run: async ({ x }) => {
          const code = `${made.declaration}${made.buggyCode}print(f(${x}))`;
          const { status, stdout, durationMs } = await sandbox.run({ code, timeoutMs: 10_000 });
          return { status, output: stdout, durationMs };
        },
      }),
  };
  const rows = [...TOOLS, row];
  expect([...toolsFor(task, sandbox, [], [], rows).keys()]).toEqual(["code_interpreter"]);
  const tools = toolsFor(task, sandbox, ["run_it"], [], rows);
  expect([...tools.keys()]).toEqual(["code_interpreter", "run_it"]);
  expect(await tools.get("run_it")?.run({ x: 3 })).toMatchObject({ status: "exited", output: "3\n" });
});

test("a benchmark is one row: known by its rows, its files or its folder, or named; with the options it knows", async () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const about = { task: "t", size: "1", shown: "s", scores: "s", licence: "MIT", source: "here", dataset: "FILE" };
  const spoken: BenchmarkRow = {
    name: "spoken",
    about,
    known: { fields: [["say"]], place: { what: "spoken tasks", is: (path) => /\.spoken$|spoken-tasks$/.test(path) } },
    hasSlowCases: true,
    read: async (path, { slow }) => {
      const instruction = path.endsWith(".spoken") ? readFileSync(path, "utf8") : "A folder.";
      return { tasks: [{ ...task, instruction }], leftOut: slow ? [] : [{ id: "Spoken/2", reason: "it is slow" }] };
    },
  };
  writeFileSync(at("a.spoken"), "Add one.");
  mkdirSync(at("spoken-tasks"));
  const lines: string[] = [];
  const options = { log: (line: string) => void lines.push(line), benchmarks: [...BENCHMARKS, spoken] };
  const read = await loadDataset(at("a.spoken"), options);
  expect(read).toMatchObject({ name: "a.spoken", source: "file", tasks: [{ instruction: "Add one." }] });
  expect(lines.join("\n")).toContain("Spoken/2: it is slow");
  expect(await loadDataset(at("spoken-tasks"), { ...options, slow: true })).toMatchObject({ leftOut: [] });
  await expect(loadDataset("builtin", { ...options, slow: true })).rejects.toThrow(
    /--slow is for quixbugs or spoken alone/,
  );
  await expect(loadDataset(at("a.spoken"), { log: () => {} })).rejects.toThrow("a file of another kind");
  writeFileSync(at("rows.jsonl"), '{"say": "Add two.", "buggy_solution": "", "declaration": ""}\n');
  await expect(loadDataset(at("rows.jsonl"), options)).rejects.toThrow(/could be humanevalpack or spoken: .*--format/);
  const named = await loadDataset(at("rows.jsonl"), { ...options, format: "spoken" });
  expect(named.tasks).toMatchObject([{ instruction: "A folder." }]);
  await expect(loadDataset(at("rows.jsonl"), { ...options, format: "sung" })).rejects.toThrow(
    "--format takes humanevalpack, ",
  );
  writeFileSync(at("rows.jsonl"), '{"declaration": "def f():"}\n');
  await expect(loadDataset(at("rows.jsonl"), options)).rejects.toThrow(
    /not a benchmark that mend knows[^\n]*\n {2}humanevalpack: field "buggy_solution" is missing\n.* {2}spoken: field "say" is missing$/s,
  );
});
