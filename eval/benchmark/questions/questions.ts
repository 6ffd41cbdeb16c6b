/**
 * Questions with an exact answer: AIME's (an integer from 0 to 999) and GPQA's (one of four choices). Text in, an
 * answer out; nothing runs. Sources: Mathematical Association of America; Rein et al. 2023, "GPQA", and the columns of
 * its files.
 */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { parseRecord } from "../../../utils/base/data/record.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Benchmark, BenchmarkTask, QuestionAssignment } from "../benchmark.ts";
import { rowsOf } from "../files.ts";
import type { OtherRow } from "../row.ts";
import { CHOICES, type Choice, choiceIn, integerIn } from "./answers.ts";
import { predictedIn } from "./python_value.ts";

const Id = z.coerce.string().min(1);
const Aime = z.looseObject({
  id: Id.optional(),
  ID: Id.optional(),
  problem: z.string().optional(),
  Problem: z.string().optional(),
  answer: z.coerce.string().optional(),
  Answer: z.coerce.string().optional(),
});
const Gpqa = z.looseObject({
  "Record ID": Id.optional(),
  Question: z.string().min(1),
  "Correct Answer": z.coerce.string().min(1),
  "Incorrect Answer 1": z.coerce.string().min(1),
  "Incorrect Answer 2": z.coerce.string().min(1),
  "Incorrect Answer 3": z.coerce.string().min(1),
  "High-level domain": z.string().nullish(),
});

/** All of it is data, so that it can travel. */
export const Question = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  /** `integer`, `value` (a literal of Python), or the texts of the choices in the order of their letters. */
  form: z.union([z.literal("integer"), z.literal("value"), z.array(z.string()).length(CHOICES.length)]),
  /** As it is written: digits, a literal as `pythonValue` has it, or a letter. */
  answer: z.string(),
});
export type Question = z.infer<typeof Question>;

export const questions: OtherRow = {
  name: "questions",
  about: {
    task: "a question with an exact answer: an integer (AIME) or one of four choices (GPQA)",
    size: "AIME 30 a year, GPQA diamond 198",
    shown: "the question, and its choices in an order of their own",
    scores: "the answer; nothing runs",
    licence: "AIME: MAA's problems; GPQA: CC BY 4.0, not to be shown in the open",
    source: "HuggingFaceH4/aime_2024, Idavidrein/gpqa on the hub",
    dataset: "FILE.jsonl or .parquet with `problem` and `answer`, or with GPQA's columns",
  },
  known: {
    fields: [
      ["problem", "answer"],
      ["Problem", "Answer"],
      ["Question", "Correct Answer", "Incorrect Answer 1"],
    ],
  },
  open: async (path, { protocol }) => {
    if (protocol !== undefined && protocol !== "example")
      throw new UserError(`--protocol is of functions and repositories: of a question all is shown but the answer.`);
    const rows = await rowsOf(path, z.looseObject({}));
    const read = rows.map(({ where, row }, i) => questionOf(row, where, i));
    return questionBenchmark(basename(path), read);
  },
  unpacker: async () => ({ task: async (data) => questionTask(Question.parse(data)) }),
};

/** @throws UserError where there is none, or two have one id */
export function questionBenchmark(name: string, read: readonly Question[]): Benchmark {
  if (read.length === 0) throw new UserError(`${name} holds no questions.`);
  const seen = new Set<string>();
  for (const { id } of read) {
    if (seen.has(id)) throw new UserError(`${name}: two questions have the id "${inLine(id)}".`);
    seen.add(id);
  }
  return {
    name,
    source: "file",
    sha256: createHash("sha256").update(JSON.stringify(read)).digest("hex"),
    protocol: "example",
    shown: "the question",
    tasks: read.map(questionTask),
    remarks: [],
    refusal: (by) =>
      by.inRepositories === "search_edits"
        ? `${by.title} answers no questions: bring a model with --model openai:NAME.`
        : null,
    check: async (tasks) => tasks.map((task) => ({ task, remarks: [] })),
    [Symbol.dispose]: () => {},
  };
}

/** @param number of the row, for one that has no id @throws UserError */
const questionOf = (row: object, where: string, number: number): Question =>
  "Correct Answer" in row
    ? choiceQuestion(parseRecord(row, Gpqa, where), number)
    : integerQuestion(parseRecord(row, Aime, where), where, number);

function choiceQuestion(row: z.infer<typeof Gpqa>, number: number): Question {
  const id = `gpqa/${row["Record ID"] ?? number}`;
  const texts = [
    row["Correct Answer"],
    ...[row["Incorrect Answer 1"], row["Incorrect Answer 2"], row["Incorrect Answer 3"]],
  ].map((text) => text.trim());
  // The same for every run of the question, and not where the right one stands in the file.
  const order = CHOICES.map((_, i) => ({ i, at: deriveSeed(0, id, i) })).sort((a, b) => a.at - b.at || a.i - b.i);
  const form = order.map(({ i }) => texts[i] ?? "");
  const answer = CHOICES[order.findIndex(({ i }) => i === 0)] ?? "A";
  return { id, kind: row["High-level domain"]?.trim() || "choice", text: row.Question.trim(), form, answer };
}

/** @throws UserError where its answer is no integer */
function integerQuestion(row: z.infer<typeof Aime>, where: string, number: number): Question {
  const text = row.problem ?? row.Problem ?? "";
  const answer = integerIn(row.answer ?? row.Answer ?? "");
  if (text.trim() === "") throw new UserError(`${where}: field "problem" is missing.`);
  if (answer === null) throw new UserError(`${where}: field "answer" is no integer.`);
  return { id: `aime/${row.id ?? row.ID ?? number}`, kind: "integer", text: text.trim(), form: "integer", answer };
}

const answerIn = ({ form }: Question, text: string): string | Choice | null =>
  form === "integer" ? integerIn(text) : form === "value" ? predictedIn(text) : choiceIn(text, form);

const FORMS = {
  integer: "an integer, and nothing else",
  value: "the value as a literal of Python, or an assertion of the call, and nothing else",
  choice: "the letter of your choice, and nothing else",
};

export const questionTask = (question: Question): BenchmarkTask<QuestionAssignment> => ({
  id: question.id,
  kind: question.kind,
  verdict: "apart",
  assignment: {
    type: "question",
    text: questionText(question),
    form: FORMS[typeof question.form === "string" ? question.form : "choice"],
    isAnswer: (text) => answerIn(question, text) !== null,
  },
  parcel: { benchmark: questions.name, data: question },
  reference: (which) => (which === "gold" ? question.answer : ""),
  score: async ({ answer }) => {
    const given = answer === null ? null : answerIn(question, answer);
    const passed = given === question.answer;
    const said = given ?? (answer?.trim() ? `"${inLine(answer)}", in which there is no answer` : "nothing");
    const explanation = passed ? "" : `expected ${question.answer}, given ${said}`;
    return { score: { passed, outcome: passed ? "passed" : "failed", explanation } };
  },
});

const questionText = ({ text, form }: Question): string =>
  typeof form === "string" ? text : [text, "", ...form.map((choice, i) => `${CHOICES[i]}) ${choice}`)].join("\n");
