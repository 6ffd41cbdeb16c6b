/** A tool is what the model can call by name. The result of every call is an Observation. */

import type { z } from "zod";
import type { Observation } from "../dialects/reply.ts";

export interface Tool {
  name: string;
  /** For the prompt: what it does and its arguments, in one or two lines. */
  description: string;
  /** The schema of its input, for models that call tools natively. Default: any object. */
  input?: z.ZodType;
  /**
   * Carries out one call. Bad input, a failing program and a timeout are Observations; it throws only for a bug.
   * @param input the parsed JSON object of the call, not yet validated
   */
  run(input: Record<string, unknown>, signal?: AbortSignal): Promise<Observation>;
}

/** Makes a tool that checks its input first. If it does not fit the schema, the model gets one sentence for each field. */
export function defineTool<Schema extends z.ZodType>(definition: {
  name: string;
  description: string;
  input: Schema;
  run(input: z.output<Schema>, signal?: AbortSignal): Promise<Observation>;
}): Tool {
  const { name, description, input: schema, run } = definition;
  return {
    name,
    description,
    input: schema,
    run: async (input, signal) => {
      const parsed = schema.safeParse(input);
      if (parsed.success) return run(parsed.data, signal);
      const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
      return { status: "bad input", output: `${name} did not run. ${problems.join("; ")}.`, durationMs: 0 };
    },
  };
}

/** The tools of one run, by name. */
export type Registry = ReadonlyMap<string, Tool>;

/** The tools as prompts list them. */
export const describedTools = (tools: Registry): string =>
  [...tools.values()].map(({ description }) => `- ${description}`).join("\n") || "None.";

/** @throws Error where two tools share a name */
export function registry(tools: readonly Tool[]): Registry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error(`two tools share a name: ${tools.map((t) => t.name).join(", ")}`);
  return byName;
}
