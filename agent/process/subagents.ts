/** The agents one may delegate to: each is a prompt and a list of tools. */

export const SUBAGENTS = {
  coder: ["run", "view", "search", "edit", "create", "diff", "undo", "checks"],
  problem_solver: ["view", "search", "code_interpreter", "delegate"],
  reasoner: [],
  archive_explorer: ["archive", "view", "search"],
} as const satisfies Record<string, readonly string[]>;

export type SubagentName = keyof typeof SUBAGENTS;
export const SUBAGENT_NAMES = Object.keys(SUBAGENTS) as SubagentName[];

/** What the editor itself may use. */
export const EDITOR_TOOLS = [
  "hypothesis",
  "archive",
  "run",
  "view",
  "search",
  "edit",
  "create",
  "diff",
  "undo",
  "checks",
  "try_task",
  "delegate",
] as const;
