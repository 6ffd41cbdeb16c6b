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
import { publishedAfter } from "../dates.ts";
import { rowsOf } from "../files.ts";
import { pythonValue } from "../questions/python_value.ts";
import { type Question, questionBenchmark } from "../questions/questions.ts";
import type { OtherRow } from "../row.ts";

const Row = z.object({
  question_title: z.string().default(""),
  question_content: z.string().min(1),
  question_id: z.coerce.string().min(1),
  contest_date: z.coerce.string().default(""),
  difficulty: z.string().default(""),
  /** JSON: a list with one test. */
  test: z.string(),
  starter_code: z.string().nullish(),
  function_name: z.string().min(1),
  test_id: z.coerce.string(),
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
  open: async (path, { protocol, after }) => {
    if (protocol !== undefined && protocol !== "example")
      throw new UserError("--protocol is of functions and repositories: of a question all is shown but the answer.");
    const rows = await rowsOf(path, Row);
    const read = rows.flatMap(({ where, row }) =>
      after !== undefined && !publishedAfter(row.contest_date, after, where) ? [] : questionOf(row, where),
    );
    return questionBenchmark(after === undefined ? basename(path) : `${basename(path)} after ${after}`, read);
  },
};

/** @throws UserError where its test cannot be read */
function questionOf(row: z.infer<typeof Row>, where: string): Question {
  const [test] = Tests.safeParse(jsonValue(row.test)).data ?? [];
  if (!test) throw new UserError(`${where}: field "test" is no JSON list with a test.`);
  const answer = canonical(test.output);
  if (answer === null) throw new UserError(`${where}: the output of its test is no JSON value.`);
  const call = `${row.function_name}(${test.input.trim().split("\n").join(", ")})`;
  const parts = [row.question_title.trim(), row.question_content.trim(), row.starter_code?.trim() ?? ""];
  return {
    id: `livecodebench-output/${row.question_id}/${row.test_id}`,
    kind: row.difficulty || "output",
    text: [...parts.filter((part) => part !== ""), `What does this call give?\n${call}`].join("\n\n"),
    form: "value",
    answer,
  };
}

function canonical(json: string): string | null {
  try {
    return pythonValue(pythonLiteral(json).source);
  } catch {
    return null;
  }
}
