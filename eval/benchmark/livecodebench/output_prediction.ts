/**
 * LiveCodeBench's scenario of test output prediction: what does the function that a problem asks for give for an input?
 * Text in, a value out. Source: `lcb_runner/benchmarks/test_output_prediction.py`, and the prompt's contents of its
 * scenario.
 */

import { basename } from "node:path";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { jsonValue } from "../../../utils/base/data/record.ts";
import { pythonLiteral } from "../../../utils/languages/python/literal.ts";
import { pythonValue } from "../questions/python_value.ts";
import { type Question, questionBenchmark } from "../questions/questions.ts";
import { idField, publishedAfter, readRows, TextOrNumber } from "../read_rows.ts";
import type { OtherRow } from "../row.ts";

const Row = z.object({
  question_title: z.string().default(""),
  question_content: z.string().min(1),
  question_id: TextOrNumber,
  contest_date: TextOrNumber.default(""),
  difficulty: z.string().default(""),
  /** JSON: a list with one test. */
  test: z.string(),
  starter_code: z.string().nullish(),
  function_name: z.string().min(1),
  test_id: TextOrNumber,
});
const Tests = z.array(z.looseObject({ input: z.string(), output: z.string() })).min(1);

export const outputPrediction: OtherRow = {
  name: "livecodebench-output",
  about: {
    task: "what a call gives, from its problem (LiveCodeBench, test output prediction)",
    size: "442, of 185 problems",
    shown: "the problem, its signature, an input",
    scores: "the value; nothing runs",
    licence: "CC (the problems belong to LeetCode)",
    source: "livecodebench/test_generation on the hub",
    dataset: "FILE.jsonl or .parquet with `question_content`, `function_name`, `test_id`, `test`",
  },
  known: { fields: [["question_content", "function_name", "test_id", "test"]] },
  hasDates: true,
  open: async (path, { protocol, after, log }) => {
    if (protocol !== undefined && protocol !== "example")
      throw new UserError("--protocol is of functions and repositories: of a question all is shown but the answer.");
    const read = await readRows(path, {
      schema: Row,
      idOf: (value) => {
        const [question, test] = [idField(value, "question_id"), idField(value, "test_id")];
        return question === undefined || test === undefined ? undefined : taskId(question, test);
      },
      make: (row) => (after === undefined || publishedAfter(row.contest_date, after) ? questionOf(row) : []),
    });
    return questionBenchmark(after === undefined ? basename(path) : `${basename(path)} after ${after}`, read, log);
  },
};

const taskId = (question: string, test: string) => `livecodebench-output/${question}/${test}`;

function questionOf(row: z.infer<typeof Row>): [Question] | string {
  const [test] = Tests.safeParse(jsonValue(row.test)).data ?? [];
  if (!test) return 'field "test" is not a JSON list with a test';
  const answer = canonical(test.output);
  if (answer === null) return "the output of its test is not a JSON value";
  const call = `${row.function_name}(${test.input.trim().split("\n").join(", ")})`;
  const parts = [row.question_title.trim(), row.question_content.trim(), row.starter_code?.trim() ?? ""];
  return [
    {
      id: taskId(row.question_id, row.test_id),
      kind: row.difficulty || "output",
      text: [...parts.filter((part) => part !== ""), `What does this call give?\n${call}`].join("\n\n"),
      form: "value",
      answer,
    },
  ];
}

function canonical(json: string): string | null {
  try {
    return pythonValue(pythonLiteral(json).source);
  } catch {
    return null;
  }
}
