/** What a model meant by one message: a closed set. Produced by `react.ts`, consumed by the graph. */

import { z } from "zod";

/** Why a reply could not be read, for statistics. */
export const FormatError = z.enum(["empty", "no_action", "unknown_tool", "bad_input", "no_code"]);
export type FormatError = z.infer<typeof FormatError>;

export const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("act"), tool: z.string(), input: z.record(z.string(), z.unknown()), thought: z.string() }),
  z.object({ kind: z.literal("answer"), text: z.string(), thought: z.string() }),
  /** `problem` is one sentence that tells the model what to send instead. */
  z.object({ kind: z.literal("malformed"), problem: z.string(), error: FormatError, thought: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
