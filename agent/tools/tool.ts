/** A tool is what the model can call by name. The result of every call is an Observation. */

import { z } from "zod";
import type { Observation } from "../dialects/reply.ts";

export interface Tool {
  name: string;
  /** What it does, in one or two short sentences. Its arguments are described by `input`. */
  description: string;
  /** The schema of its input. Default: any object. */
  input?: z.ZodType;
  /**
   * Carries out one call. Bad input, a failing program and a timeout are Observations; it throws only for a bug.
   * @param input the parsed JSON object of the call, not yet validated
   */
  run(input: Record<string, unknown>, signal?: AbortSignal): Promise<Observation>;
}

/** Other names of arguments, each with the one it stands for, or with those that a list stands for. */
type OtherNames = Readonly<Record<string, string | readonly string[]>>;

/** What models often call an argument of any tool. */
const OTHER_NAMES: OtherNames = Object.fromEntries(
  ["file", "file_path", "filepath", "filename", "folder", "dir", "directory"].map((name) => [name, "path"]),
);

/** Renames arguments that the schema does not have to those that it has. */
function renamed(input: Record<string, unknown>, schema: z.ZodType, otherNames: OtherNames): Record<string, unknown> {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    const other = known.includes(key) ? [] : [otherNames[key] ?? []].flat();
    const [first] = other;
    if (first === undefined || other.some((name) => !known.includes(name) || name in input)) return [[key, value]];
    if (other.length === 1) return [[first, value]];
    return Array.isArray(value) ? other.map((name, i) => [name, value[i]]) : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** Makes a tool that checks its input first: the model gets one sentence for each field that does not fit. */
export function defineTool<Schema extends z.ZodType>(definition: {
  name: string;
  description: string;
  input: Schema;
  otherNames?: OtherNames;
  run(input: z.output<Schema>, signal?: AbortSignal): Promise<Observation>;
}): Tool {
  const { name, description, input: schema, otherNames, run } = definition;
  return {
    name,
    description,
    input: schema,
    run: async (input, signal) => {
      const parsed = schema.safeParse(renamed(input, schema, { ...OTHER_NAMES, ...otherNames }));
      if (parsed.success) return run(parsed.data, signal);
      const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
      return { status: "bad input", output: `${name} did not run. ${problems.join("; ")}.`, durationMs: 0 };
    },
  };
}

/** The tools of one run, by name. */
export type Registry = ReadonlyMap<string, Tool>;

/** What a schema says that costs tokens and tells a model nothing. */
const NOT_SENT = ["default", "minimum", "exclusiveMinimum", "minLength"] as const;

/** JSON Schema of a tool's arguments, as short as can be: every request carries it. */
export function parametersOf({ input = z.looseObject({}) }: Pick<Tool, "input">): z.core.JSONSchema.BaseSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const key of NOT_SENT) delete jsonSchema[key];
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}

/** The tool as models are sent it that call it natively. */
export const schemaOf = (tool: Omit<Tool, "run">) => ({
  type: "function" as const,
  function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
});

/** The answer as a call, so that it can stand behind others in one reply. Readers know it by many names. */
export const SUBMIT: Omit<Tool, "run"> = {
  name: "submit",
  description: "Your answer, after your edits.",
  input: z.object({ answer: z.string() }),
};

/** The tools as the prompts of the text protocol list them. */
export const describedTools = (tools: Registry): string =>
  [...tools.values()].map((tool) => `- ${tool.name}: ${tool.description} Input: ${describedInput(tool)}.`).join("\n") ||
  "None.";

/** The arguments as text: `{"path": string, "start": integer (optional)}`. */
function describedInput(tool: Tool): string {
  const { properties = {}, required = [] } = parametersOf(tool);
  const fields = Object.entries(properties).map(([name, schema]) => {
    const what = typeof schema === "boolean" ? "any" : (schema.description ?? kindOf(schema));
    return `"${name}": ${what}${required.includes(name) ? "" : " (optional)"}`;
  });
  return `{${fields.join(", ")}}`;
}

const kindOf = ({ enum: values, type, maxLength }: z.core.JSONSchema.BaseSchema): string =>
  values
    ? `one of ${values.join(", ")}`
    : `${type ?? "any"}${maxLength === undefined ? "" : ` of at most ${maxLength} characters`}`;

/** @throws Error where two tools share a name */
export function registry(tools: readonly Tool[]): Registry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error(`two tools share a name: ${tools.map((t) => t.name).join(", ")}`);
  return byName;
}
