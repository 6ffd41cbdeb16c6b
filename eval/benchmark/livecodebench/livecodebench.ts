/**
 * LiveCodeBench: problems of contests, each a program that reads its input or a class with a method. Public tests are
 * shown, private ones score. A row that has programs of a model beside (`code_list`, with `graded_list`) is the
 * scenario of self-repair: each program that is graded wrong is one to repair.
 * Source: Jain et al. 2024, "LiveCodeBench"; schema of `lcb_runner/benchmarks/code_generation.py`.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { pythonLiteral } from "../../../utils/languages/python/literal.ts";
import { writeCases } from "../../../utils/sandbox/cases.ts";
import type { Task } from "../../../utils/task/task.ts";
import { idField, publishedAfter, readRows, TextOrNumber } from "../read_rows.ts";
import type { FunctionsRow } from "../row.ts";
import { type ProblemTest, unpackTests } from "./tests.ts";

const Row = z.object({
  question_title: z.string(),
  question_content: z.string().min(1),
  platform: z.string().default(""),
  question_id: TextOrNumber,
  contest_date: TextOrNumber,
  starter_code: z.string().nullish(),
  difficulty: z.string().default(""),
  public_test_cases: z.string(),
  private_test_cases: z.string(),
  /** JSON; names the method where there is one. */
  metadata: z.string().nullish(),
  code_list: z.array(z.string()).optional(),
  graded_list: z.array(z.boolean()).optional(),
  /** Of our own rows: LiveCodeBench has no solutions. */
  mend: z.looseObject({ solution: z.string() }).optional(),
});
type Row = z.infer<typeof Row>;

const Metadata = z.looseObject({
  func_name: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .nullish(),
});

const AGREEMENT = readFileSync(new URL("./agreement.py", import.meta.url), "utf8");
/** For one test, of processor time. Source: `lcb_runner/runner/parser.py`. */
const CASE_TIMEOUT_MS = 6000;
/** For all tests of a method together, which one process answers. */
const MOST_TIMEOUT_MS = 120_000;
const CLASS = "Solution";

export const liveCodeBench: FunctionsRow = {
  name: "livecodebench",
  about: {
    task: "a program or a method to write or to repair, in Python (LiveCodeBench)",
    size: "400 (release_v1) to 1,055 (release_v6)",
    shown: "the problem with its public tests; for self-repair also a wrong program",
    scores: "public and private tests",
    licence: "CC (the problems belong to LeetCode, AtCoder and Codeforces)",
    source: "livecodebench/code_generation_lite on the hub",
    dataset: "FILE.jsonl; with `code_list` and `graded_list` in its rows it is self-repair",
  },
  known: { fields: [["question_content", "public_test_cases", "private_test_cases"]] },
  hasDates: true,
  read: async (file, { after }) => {
    const contents = await readRows(file, {
      schema: Row,
      idOf: (value) => taskId(idField(value, "question_id")),
      make: (row) => (after === undefined || publishedAfter(row.contest_date, after) ? tasksOf(row) : []),
    });
    return { ...contents, shown: "the problem with its public tests", hiddenTestsAreData: true };
  },
};

const taskId = (question: string | undefined) => (question === undefined ? undefined : `livecodebench/${question}`);

/** A task, or one for each wrong program of self-repair; or why there is none. */
async function tasksOf(row: Row): Promise<Task[] | string> {
  const [shown, hidden] = await Promise.all([row.public_test_cases, row.private_test_cases].map(unpackTests));
  if (!Array.isArray(shown)) return `its public tests cannot be read: ${shown}`;
  if (!Array.isArray(hidden)) return `its private tests cannot be read: ${hidden}`;
  const all = [...shown, ...hidden];
  if (all.length === 0) return "it has no tests";
  const isProgram = all.every(({ testtype }) => testtype === "stdin");
  if (!isProgram && all.some(({ testtype }) => testtype === "stdin")) return "its tests are of both kinds";
  const task = isProgram ? programTask(row, shown, all) : methodTask(row, shown, all);
  if (typeof task === "string" || !row.code_list) return typeof task === "string" ? task : [task];
  const { code_list: programs, graded_list: grades = [] } = row;
  if (grades.length !== programs.length) return "it does not say of each program in `code_list` whether it is right";
  return programs.flatMap((program, i) =>
    grades[i] || program.trim() === "" ? [] : [{ ...task, ...repairOf(task, program, i) }],
  );
}

/** The same problem with a program that is wrong. */
function repairOf(task: Task, program: string, number: number): Partial<Task> {
  const source = program.endsWith("\n") ? program : `${program}\n`;
  const solution = task.correctSource ?? task.canonicalCode;
  return {
    id: `${task.id}/repair/${number}`,
    declaration: "",
    documentedDeclaration: "",
    buggyCode: source,
    canonicalCode: "",
    ...(solution.trim() !== "" && { correctSource: solution }),
    bugType: `self-repair, ${task.bugType}`,
  };
}

function commonOf({ question_id, question_title, question_content, platform, difficulty, mend }: Row) {
  return {
    id: `livecodebench/${question_id}`,
    language: "python",
    instruction: `${question_title.trim()}\n\n${question_content.trim()}`,
    buggyCode: "",
    epilogue: "",
    canonicalCode: "",
    ...(mend && { correctSource: mend.solution }),
    bugType: [platform, difficulty].filter((part) => part !== "").join(" ") || "to write",
  } satisfies Partial<Task>;
}

const programTask = (row: Row, shown: readonly ProblemTest[], all: readonly ProblemTest[]): Task => ({
  ...commonOf(row),
  entryPoint: "the program",
  judgeMode: "stdin",
  declaration: "",
  documentedDeclaration: "",
  exampleTest: writeCases(shown),
  hiddenTest: writeCases(all),
  scoreTimeoutMs: CASE_TIMEOUT_MS,
});

function methodTask(row: Row, shown: readonly ProblemTest[], all: readonly ProblemTest[]): Task | string {
  const metadata = metadataOf(row.metadata ?? "{}");
  if (!metadata?.func_name) return "its metadata does not name a method";
  const method = metadata.func_name;
  const starter = row.starter_code?.trimEnd() ?? "";
  const declaration =
    starter === "" ? `class ${CLASS}:\n    def ${method}(self, *args):\n        ` : `${starter}\n        `;
  try {
    return {
      ...commonOf(row),
      entryPoint: CLASS,
      declaration,
      documentedDeclaration: declaration,
      exampleTest: shown.map((test) => assertionOf(method, test)).join(""),
      hiddenTest: hiddenTestOf(method, all),
      scoreTimeoutMs: Math.min(MOST_TIMEOUT_MS, CASE_TIMEOUT_MS * all.length),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return `a test of its method is not JSON: ${error.message}`;
    throw error;
  }
}

function metadataOf(text: string): z.infer<typeof Metadata> | undefined {
  try {
    return Metadata.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** An argument is a line of JSON. */
const argumentsIn = (input: string): string[] => input.split("\n").filter((line) => line.trim() !== "");

/** @throws SyntaxError where it is no JSON */
const assertionOf = (method: string, { input, output }: ProblemTest): string => {
  const shown = argumentsIn(input).map((line) => pythonLiteral(line).source);
  return `assert ${CLASS}().${method}(${shown.join(", ")}) == ${pythonLiteral(output).source}\n`;
};

/** Parsed in JavaScript 1.0 would become 1: the test holds the text. @throws SyntaxError where it is no JSON */
function hiddenTestOf(method: string, tests: readonly ProblemTest[]): string {
  const cases = tests.map(({ input, output }) => {
    for (const text of [...argumentsIn(input), output]) pythonLiteral(text);
    return `[[${argumentsIn(input).join(",")}],${output}]`;
  });
  return `${AGREEMENT}
import json
check(${CLASS}().${method}, json.loads(${JSON.stringify(`[${cases.join(",")}]`)}))
`;
}
