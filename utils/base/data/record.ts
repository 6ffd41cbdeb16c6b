/** Checks data from outside against a schema. Messages name the place, the field and the reason. */

import { readFileSync } from "node:fs";
import type { z } from "zod";
import { inLine } from "../text/text.ts";
import { UserError } from "./errors.ts";

/**
 * `value` as the schema understands it.
 * @param where the place it was read from, e.g. `tasks.jsonl, line 3`; the message starts with it
 * @throws UserError naming the place and the first field that is missing or wrong
 */
export function parseRecord<Schema extends z.ZodType>(value: unknown, schema: Schema, where: string): z.output<Schema> {
  const checked = checkRecord(value, schema);
  if (checked.problem === undefined) return checked.data;
  throw new UserError(`${where}: ${checked.problem}`);
}

/** The same without throwing: the problem is a sentence that names the first wrong field, or all that are missing. */
export function checkRecord<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
): { data: z.output<Schema>; problem?: undefined } | { data?: undefined; problem: string } {
  const parsed = schema.safeParse(value);
  return parsed.success ? { data: parsed.data } : { problem: explain(value, parsed.error.issues) };
}

/** Whether a value is an object with fields, and no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; null where it is no JSON, or not what the schema says. */
export const readJson = <T>(text: string, schema: z.ZodType<T>): T | null =>
  schema.safeParse(jsonValue(text)).data ?? null;

/** The same of a file; null also where it cannot be read. */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return readJson(readFileSync(file, "utf8"), schema);
  } catch {
    return null;
  }
}

type Issue = z.core.$ZodIssue;

function explain(value: unknown, issues: readonly Issue[], within: readonly PropertyKey[] = []): string {
  const [issue] = issues;
  if (!issue) return "it is not what was expected.";
  const path = [...within, ...issue.path];
  if (issue.code === "invalid_union" && issue.message === UNION_MESSAGE)
    return explain(value, nearestBranch(issue.errors), path);
  const found = at(value, path);
  const fieldOf = (keys: readonly PropertyKey[]) => inLine(keys.map(String).join("."));
  const field = fieldOf(path);
  if (issue.code === "unrecognized_keys") return `field "${fieldOf([...path, issue.keys[0] ?? ""])}" is unknown.`;
  if (field !== "" && found === undefined) {
    const paths = issues.map((other) => [...within, ...other.path]);
    const missing = new Set(paths.flatMap((other) => (at(value, other) === undefined ? `"${fieldOf(other)}"` : [])));
    return missing.size > 1 ? `fields ${[...missing].join(", ")} are missing.` : `field "${field}" is missing.`;
  }
  const reason = reasonOf(issue, found);
  return field === "" ? `${reason}.` : `field "${field}" is wrong: ${reason}.`;
}

function reasonOf(issue: Issue, found: unknown): string {
  if (issue.code === "invalid_type") return expected(issue, found);
  if (issue.code === "invalid_value") return `one of ${issue.values.join(", ")} is needed`;
  const isEmpty = issue.code === "too_small" && (found === "" || (Array.isArray(found) && found.length === 0));
  return isEmpty ? "it is empty" : inLine(issue.message);
}

/** What zod says of a union whose schema has no message of its own. */
const UNION_MESSAGE = "Invalid input";

const expected = (issue: z.core.$ZodIssueInvalidType, found: unknown): string =>
  `it is ${kindOf(found)}, and ${withArticle(issue.expected)} is needed`;

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : withArticle(typeof value);
}

const NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  int: "an integer",
  string: "a text",
  record: "an object",
  boolean: "true or false",
};
const withArticle = (kind: string): string => NAMES[kind] ?? (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`);

/** The alternative of a union that fits best: it has the fewest problems in its own fields. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const ownFields = (branch: readonly Issue[]) => branch.filter(({ path }) => path.length <= 1).length;
  return branches.toSorted((a, b) => ownFields(a) - ownFields(b) || a.length - b.length)[0] ?? [];
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}
