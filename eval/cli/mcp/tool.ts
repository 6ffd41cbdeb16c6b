/** What a tool of `mend mcp` is. */

import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Model } from "../../../agent/models/model.ts";
import { parseRecord } from "../../../utils/base/data/record.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";

/** What a call has beside its input. */
export interface ToolContext {
  sandbox: Sandbox;
  /** Opened when first asked for: most tools need none. */
  model(): Promise<Model>;
  limits: { maxIterations: number; timeoutMs: number };
  signal: AbortSignal;
  /** @param message one line, such as what a turn came to */
  progress(done: number, total: number, message: string): void;
}

export interface McpTool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  /**
   * @param given what the other side sent
   * @returns plain data, as `output` has it
   * @throws UserError where `given` does not fit `input`, RangeError for code without the function named
   */
  run(given: unknown, context: ToolContext): Promise<Record<string, unknown>>;
}

interface Row<Input extends z.ZodObject, Output extends z.ZodObject> extends Omit<McpTool, "run"> {
  input: Input;
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
}

/** A tool whose input and output are checked by their schemas. */
export const defineMcpTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  row: Row<Input, Output>,
): McpTool => ({
  ...row,
  run: async (given, context) => row.output.parse(await row.run(parseRecord(given, row.input, row.name), context)),
});
