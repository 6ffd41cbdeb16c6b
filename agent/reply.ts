/** What a model meant by one message: a closed set. Produced by `react.ts`, consumed by the graph. */

/** Why a reply could not be read, for statistics. */
export type FormatError = "empty" | "no_action" | "unknown_tool" | "bad_input" | "no_code";

export type Reply =
  | { kind: "act"; tool: string; input: Record<string, unknown>; thought: string }
  | { kind: "answer"; text: string; thought: string }
  /** `problem` is one sentence that tells the model what to send instead. */
  | { kind: "malformed"; problem: string; error: FormatError; thought: string };
