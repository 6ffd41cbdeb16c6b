/** For tests: two tasks of each benchmark, and a model that solves them. Adding a benchmark adds a row. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { z } from "zod";
import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import type { FakeRequest } from "../../agent/models/testing/fake_openai.ts";
import { finalAnswer } from "./fake_repairer.ts";
import { REPAIRS, writeRepositoryTasks } from "./repository_tasks.ts";

export interface BenchmarkSet {
  name: string;
  /** Writes two tasks into a folder. @returns options of `pass1` */
  write(folder: string): string[];
  /** The reply of a model that solves all of them. */
  reply(request: FakeRequest): Promise<string>;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

function writeRows(folder: string, rows: readonly object[]): string[] {
  writeFileSync(join(folder, "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return ["--dataset", "rows.jsonl"];
}

const SCRIPT = "script";

/** Replies by rules of the model `script:`, which counts its own messages as turns. */
export function byRules(rules: readonly object[]): BenchmarkSet["reply"] {
  const chat = new ScriptedChat(SCRIPT, parseRules(JSON.stringify(rules), "rules"));
  return async ({ body }) => {
    const messages = body.messages.map(({ role, content }) => {
      const text = content ?? "";
      if (role === "assistant") return new AIMessage({ content: text, response_metadata: { model_name: SCRIPT } });
      return role === "system" ? new SystemMessage(text) : new HumanMessage(text);
    });
    return (await chat.invoke(messages)).text;
  };
}

const edit = (file: string, old: string, now: string) =>
  `Thought: I change it.\nAction: replace_text\nAction Input: ${JSON.stringify({ file, old, new: now })}`;
const DONE = { turn: 2, reply: "Thought: done.\nFinal Answer: it is changed." };

const ENDS = "def ends(items):\n    return (items[0], items[-1])\n";
const endsRow = (id: number) => ({
  task_id: `Mbpp/${900_000 + id}`,
  entry_point: "ends",
  prompt: '"""\nWrite a function to give the first and the last item.\nassert ends((1, 2, 3)) == (1, 3)\n"""\n',
  canonical_solution: `\n${ENDS}`,
  ...{ base_input: [[[1, 2, 3]]], plus_input: [[[4]], [[[5], 6]]], atol: 0 },
  assertion: "\nassert ends((1, 2, 3)) == (1, 3)\n",
});

const Problem = z.looseObject({ question_content: z.string(), mend: z.object({ solution: z.string() }) });
const OWN_PROBLEMS = new URL("../benchmark/livecodebench/own.jsonl", import.meta.url);
const Asked = z.looseObject({ problem: z.string(), answer: z.union([z.string(), z.number()]) });
const OWN_QUESTIONS = new URL("../benchmark/questions/own_integers.jsonl", import.meta.url);

const rowsIn = <Row>(file: URL, row: z.ZodType<Row>): Row[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => row.parse(JSON.parse(line)));

/** The row that a request is about: one whose text stands in it. */
function rowIn<Row extends { question_content: string } | { problem: string }>(
  { body }: FakeRequest,
  file: URL,
  schema: z.ZodType<Row>,
): Row {
  const said = body.messages.map(({ content }) => content ?? "").join("\n");
  const found = rowsIn(file, schema).find((row) =>
    said.includes("problem" in row ? row.problem : row.question_content),
  );
  if (!found) throw new Error("a request that is about no row");
  return found;
}

/** An exercise in Python: give a number twice. */
export const TWICE = {
  ".docs/instructions.md": "# Twice\n\nGive a number twice.\n",
  ".docs/instructions.append.md": "It is called `twice`.\n",
  ".meta/config.json": JSON.stringify({
    files: { solution: ["twice.py"], test: ["twice_test.py"], example: [".meta/example.py"] },
  }),
  ".meta/example.py": "def twice(n):\n    return n + n\n",
  "twice.py": "def twice(n):\n    pass\n",
  "twice_test.py":
    "import unittest\nfrom twice import twice\n\nclass Twice(unittest.TestCase):\n" +
    "    def test_of_one(self):\n        self.assertEqual(twice(1), 2)\n\n" +
    "    def test_of_three(self):\n        self.assertEqual(twice(3), 6)\n",
};

export const BENCHMARK_SETS: readonly BenchmarkSet[] = [
  {
    name: "evalplus",
    write: (folder) => [...writeRows(folder, [endsRow(1), endsRow(2)]), "--few-shot-k", "0"],
    reply: async () => finalAnswer(ENDS),
  },
  {
    name: "livecodebench",
    // One that reads its input, one with a class.
    write: (folder) => [...writeRows(folder, rowsIn(OWN_PROBLEMS, Problem).slice(19, 21)), "--few-shot-k", "0"],
    reply: async (request) => finalAnswer(rowIn(request, OWN_PROBLEMS, Problem).mend.solution),
  },
  {
    name: "polyglot",
    write: (folder) => {
      for (const name of ["again", "twice"]) writeFiles(join(folder, "set/python/exercises/practice", name), TWICE);
      return ["--dataset", "set"];
    },
    reply: byRules([{ turn: 1, reply: edit("twice.py", "    pass", "    return n + n") }, DONE]),
  },
  {
    name: "questions",
    write: (folder) => {
      copyFileSync(OWN_QUESTIONS, join(folder, "own.jsonl"));
      return ["--dataset", "own.jsonl", "--num", "2"];
    },
    reply: async (request) => `Final Answer: ${rowIn(request, OWN_QUESTIONS, Asked).answer}`,
  },
  {
    name: "repositories",
    write: (folder) => [...writeRepositoryTasks(folder), "--protocol", "tests"],
    reply: byRules(REPAIRS),
  },
];
