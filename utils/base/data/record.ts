/** Data from outside, checked against a schema; what is wrong is told as a place, a field and a reason. */

import { readFileSync } from "node:fs";
import type { z } from "zod";
import { UserError } from "./errors.ts";

/**
 * `value` as the schema understands it.
 * @param where the place it was read from, e.g. `tasks.jsonl, line 3`; the message starts with it
 * @throws UserError naming the place and the first field that is missing or wrong
 */
export function parseRecord<Schema extends z.ZodType>(value: unknown, schema: Schema, where: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UserError(`${where}: ${explain(value, parsed.error.issues)}`);
}

/** The value of a JSON text; undefined where it is none. */
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

function explain(value: unknown, issues: readonly Issue[]): string {
  const [issue] = issues;
  if (!issue) return "not what was expected.";
  if (issue.code === "invalid_union") return explain(value, nearestBranch(issue.errors));
  const field = issue.path.map(String).join(".");
  if (field === "") return `${issue.message}.`;
  return at(value, issue.path) === undefined
    ? `field "${field}" is missing.`
    : `field "${field}" is wrong: ${issue.message}.`;
}

/** Of the alternatives of a union, the one the value was nearest to: fewest complaints about its own fields. */
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
