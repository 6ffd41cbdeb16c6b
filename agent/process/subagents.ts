/** The agents one may delegate to: each is a prompt and a list of tools. */

export const SUBAGENTS = {
  coder: ["list", "view", "search", "replace_text", "replace_lines", "create", "checks"],
  problem_solver: ["list", "view", "search", "code_interpreter", "delegate"],
  reasoner: [],
  archive_explorer: ["archive", "list", "view", "search"],
} as const satisfies Record<string, readonly string[]>;

export type SubagentName = keyof typeof SUBAGENTS;
export const SUBAGENT_NAMES = Object.keys(SUBAGENTS) as SubagentName[];

/** What the editor itself may use. */
export const EDITOR_TOOLS = [
  "hypothesis",
  "archive",
  "list",
  "view",
  "search",
  "replace_text",
  "replace_lines",
  "create",
  "checks",
  "delegate",
] as const;
