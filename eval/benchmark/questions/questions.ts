/**
 * Questions with an exact answer: AIME's (an integer from 0 to 999) and GPQA's (one of four choices). Text in, an
 * answer out; nothing runs. Sources: Mathematical Association of America; Rein et al. 2023, "GPQA", and the columns of
 * its files.
 */

import { basename } from "node:path";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { checkRecord } from "../../../utils/base/data/record.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import { type BenchmarkTask, madeBenchmark, type QuestionAssignment } from "../benchmark.ts";
import { idField, readRows, TextOrNumber } from "../read_rows.ts";
import type { OtherRow } from "../row.ts";
import { CHOICES, type Choice, choiceIn, integerIn } from "./answers.ts";

const Aime = z.looseObject({
  problem: z.string().optional(),
  Problem: z.string().optional(),
  answer: TextOrNumber.optional(),
  Answer: TextOrNumber.optional(),
});
const ChoiceText = TextOrNumber.refine((text) => text.trim() !== "", "it is empty");
const Gpqa = z.looseObject({
  Question: z.string().min(1),
  "Correct Answer": ChoiceText,
  "Incorrect Answer 1": ChoiceText,
  "Incorrect Answer 2": ChoiceText,
  "Incorrect Answer 3": ChoiceText,
  "High-level domain": z.string().nullish(),
});

/** All of it is data, so that it can travel. */
const Question = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  /** `integer`, or the texts of the choices in the order of their letters. */
  form: z.union([z.literal("integer"), z.array(z.string()).length(CHOICES.length)]),
  /** As it is written: digits, or a letter. */
  answer: z.string(),
});
type Question = z.infer<typeof Question>;

export const questions: OtherRow = {
  name: "questions",
  about: {
    task: "a question with an exact answer: an integer (AIME) or one of four choices (GPQA)",
    size: "AIME 30 a year, GPQA diamond 198",
    shown: "the question, and its choices in an order of their own",
    scores: "the answer; nothing runs",
    licence: "AIME: MAA's problems; GPQA: CC BY 4.0, not to be shown in the open",
    source: "HuggingFaceH4/aime_2024, Idavidrein/gpqa on the hub",
    dataset: "FILE.jsonl, .json, .csv or .parquet with `problem` and `answer`, or with GPQA's columns",
  },
  known: {
    fields: [
      ["problem", "answer"],
      ["Problem", "Answer"],
      ["Question", "Correct Answer", "Incorrect Answer 1"],
    ],
  },
  open: async (path, { protocol, log }) => {
    if (protocol !== undefined && protocol !== "example")
      throw new UserError(`--protocol is of functions and repositories: of a question all is shown but the answer.`);
    const { tasks, ...read } = await readRows(path, {
      schema: z.looseObject({}),
      idOf: (value) => idIn(value, isChoice(value) ? "gpqa" : "aime"),
      make: (row, _text, number) => (isChoice(row) ? choiceQuestion(row, number) : integerQuestion(row, number)),
    });
    return madeBenchmark(tasks, log, {
      ...read,
      ...{ name: basename(path), protocol: "example", shown: "the question", tasks: tasks.map(questionTask) },
      refusal: (by) =>
        by.isSearch ? `${by.title} answers no questions: bring a model with --model openai:NAME.` : null,
    });
  },
  unpacker: async () => ({ task: async (data) => questionTask(Question.parse(data)) }),
};

const idIn = (value: Readonly<Record<string, unknown>>, kind: string): string | undefined => {
  const id = idField(value, "Record ID", "id", "ID");
  return id === undefined ? undefined : `${kind}/${id}`;
};

const isChoice = (row: object): boolean => "Correct Answer" in row || "Question" in row;

function choiceQuestion(value: object, number: number): [Question] | string {
  const { data: row, problem } = checkRecord(value, Gpqa);
  if (!row) return problem;
  const id = idIn(row, "gpqa") ?? `gpqa/${number}`;
  const texts = [
    row["Correct Answer"],
    ...[row["Incorrect Answer 1"], row["Incorrect Answer 2"], row["Incorrect Answer 3"]],
  ].map((text) => text.trim());
  // The same for every run of the question, and not where the right one stands in the file.
  const order = CHOICES.map((_, i) => ({ i, at: deriveSeed(0, id, i) })).sort((a, b) => a.at - b.at || a.i - b.i);
  const form = order.map(({ i }) => texts[i] ?? "");
  const answer = CHOICES[order.findIndex(({ i }) => i === 0)] ?? "A";
  return [{ id, kind: row["High-level domain"]?.trim() || "choice", text: row.Question.trim(), form, answer }];
}

function integerQuestion(value: object, number: number): [Question] | string {
  const { data: row, problem } = checkRecord(value, Aime);
  if (!row) return problem;
  const text = (row.problem ?? row.Problem ?? "").trim();
  const given = row.answer ?? row.Answer;
  const answer = integerIn(given ?? "");
  if (text === "") return 'field "problem" is missing';
  if (answer === null) return `field "answer" is ${given === undefined ? "missing" : "no integer"}`;
  return [{ id: idIn(row, "aime") ?? `aime/${number}`, kind: "integer", text, form: "integer", answer }];
}

const answerIn = ({ form }: Question, text: string): string | Choice | null =>
  form === "integer" ? integerIn(text) : choiceIn(text, form);

const FORMS = {
  integer: "an integer, and nothing else",
  choice: "the letter of your choice, and nothing else",
};

export const questionTask = (question: Question): BenchmarkTask<QuestionAssignment> => ({
  id: question.id,
  kind: question.kind,
  assignment: {
    type: "question",
    text: questionText(question),
    form: FORMS[typeof question.form === "string" ? question.form : "choice"],
    isAnswer: (text) => answerIn(question, text) !== null,
  },
  parcel: { benchmark: questions.name, data: question },
  reference: (which) => (which === "gold" ? question.answer : ""),
  score: async (answer) => {
    const given = answer === null ? null : answerIn(question, answer);
    const passed = given === question.answer;
    const said = given ?? (answer?.trim() ? `"${inLine(answer)}", in which there is no answer` : "nothing");
    const explanation = passed ? "" : `expected ${question.answer}, given ${said}`;
    return { score: { passed, outcome: passed ? "passed" : "failed", explanation } };
  },
});

const questionText = ({ text, form }: Question): string =>
  typeof form === "string" ? text : [text, "", ...form.map((choice, i) => `${CHOICES[i]}) ${choice}`)].join("\n");
