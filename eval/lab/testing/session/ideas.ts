/** What the scripted editor tries, in this order: each an edit of the real agent. */

/** What an idea does next. */
export interface Move {
  /** Text or pattern that the last message must hold; else the editor is lost. */
  needs: string | RegExp;
  reply: string;
}

export interface Idea {
  hypothesis: string;
  moves: Move[];
}

export const act = (tool: string, input: object): string =>
  `Thought: on I go\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;

const create = (file: string, text: string) => act("create", { file, text });
const replace = (file: string, old: string, text: string) => act("edit", { file, old, new: text });
const answer = (text: string) => `Thought: that is all.\nFinal Answer: ${text}`;

const TRY_OPERATORS = `/** The tool \`try_operators\`: exchanges one + or - at a time and has the visible tests judge. */

import { z } from "zod";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { defineTool, type Tool } from "./tool.ts";

export const tryOperatorsTool = (task: VisibleTask, sandbox: AgentSandbox): Tool =>
  defineTool({
    name: "try_operators",
    description: "Exchanges one + or - at a time and shows the program that passes the visible tests.",
    input: z.object({}),
    run: async () => {
      const program = buggyProgram(task);
      for (const { index } of program.matchAll(/[+-]/g)) {
        const other = program[index] === "+" ? "-" : "+";
        const tried = program.slice(0, index) + other + program.slice(index + 1);
        const { passed } = await sandbox.judgeVisible({ task, program: tried, timeoutMs: 5000 });
        if (passed) return { status: "it passes", output: tried, durationMs: 0 };
      }
      return { status: "none passes", output: "", durationMs: 0 };
    },
  });
`;

const REPLACE_NEAR = `/** The tool \`replace_near\`: of several lines that read the same, the nearest to a line number is replaced. */

import { z } from "zod";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { change } from "./edit.ts";
import { refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

export const replaceNearTool = (workspace: Workspace, sandbox: AgentSandbox): Tool =>
  defineTool({
    name: "replace_near",
    description: "Replaces the whole line that reads \`old\` and is nearest to \`line\`.",
    input: z.object({ file: z.string(), line: z.coerce.number().int(), old: z.string(), new: z.string() }),
    run: async ({ file, line, old, new: text }) => {
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const lines = read.text.split("\\n");
      const same = lines.flatMap((one, i) => (one === old ? i : []));
      const [at] = same.sort((a, b) => Math.abs(a + 1 - line) - Math.abs(b + 1 - line));
      return change(workspace, sandbox, file, lines.with(at, text).join("\\n"));
    },
  });
`;

const TOOL_IMPORT = 'import { type Registry, registry, type Tool } from "./tool.ts";';

export const ideas: readonly Idea[] = [
  {
    hypothesis: "A tool that tries signs against the visible tests finds the wrong one of several.",
    moves: [
      { needs: "Stated.", reply: create("agent/tools/try_operators.ts", TRY_OPERATORS) },
      {
        needs: "+export const tryOperatorsTool",
        reply: replace(
          "agent/tools/table.ts",
          TOOL_IMPORT,
          `${TOOL_IMPORT}\nimport { tryOperatorsTool } from "./try_operators.ts";`,
        ),
      },
      {
        needs: "+import { tryOperatorsTool }",
        reply: replace(
          "agent/tools/table.ts",
          "  {\n    name: SEARCH_EDITS,",
          '  {\n    name: "try_operators",\n    always: true,\n    languages: ["python"],\n    needsScript: false,\n    make: tryOperatorsTool,\n  },\n  {\n    name: SEARCH_EDITS,',
        ),
      },
      { needs: '+    name: "try_operators"', reply: act("checks", {}) },
      {
        needs: "compiles and starts",
        reply: answer("I added the tool try_operators and offer it for every function."),
      },
    ],
  },
  {
    hypothesis: "An edit tool that takes a line number can change one of several equal lines.",
    moves: [
      { needs: "Stated.", reply: create("agent/tools/replace_near.ts", REPLACE_NEAR) },
      {
        needs: "+export const replaceNearTool",
        reply: replace("agent/tools/edit.ts", "async function change(", "export async function change("),
      },
      {
        needs: "+export async function change(",
        reply: replace(
          "agent/tools/editor_table.ts",
          TOOL_IMPORT,
          `import { replaceNearTool } from "./replace_near.ts";\n${TOOL_IMPORT}`,
        ),
      },
      {
        needs: "+import { replaceNearTool }",
        reply: replace(
          "agent/tools/editor_table.ts",
          "  checks: ({ socket })",
          "  replace_near: ({ workspace, sandbox }) => replaceNearTool(workspace, sandbox),\n  checks: ({ socket })",
        ),
      },
      {
        needs: "+  replace_near:",
        reply: replace("agent/process/jobs.ts", '"edit", "create", "diff"', '"edit", "replace_near", "create", "diff"'),
      },
      { needs: '"replace_near"', reply: answer("I added the edit tool replace_near and offer it in work folders.") },
      {
        needs: /the checks fail[\s\S]*replace_near\.ts/,
        reply: replace(
          "agent/tools/replace_near.ts",
          "      return change(",
          `      if (at === undefined) return refused("No line reads so.");\n      return change(`,
        ),
      },
      {
        needs: "+      if (at === undefined)",
        reply: answer("I added the edit tool replace_near; where no line fits it says so, as the compiler asked."),
      },
    ],
  },
  {
    hypothesis: "A sub-agent that reviews an edit before it is finished finds mistakes early.",
    moves: [
      {
        needs: "Stated.",
        reply: create(
          "prompts/agents/reviewer.md",
          "You review an edit of this agent's code. Look for what it breaks.\n\n{{protocol}}\n\nThe final answer names what has to change.\n",
        ),
      },
      {
        needs: "+You review an edit",
        reply: replace(
          "agent/process/subagents.ts",
          "  reasoner: [],",
          '  reasoner: [],\n  reviewer: ["view", "search"],',
        ),
      },
      { needs: "+  reviewer:", reply: answer("I added the sub-agent reviewer, whom an editor can ask.") },
    ],
  },
  {
    hypothesis: "A shorter list of tools for work folders costs fewer tokens and loses nothing.",
    moves: [
      { needs: "Stated.", reply: replace("agent/process/jobs.ts", '"view", "search"', '"search"') },
      { needs: '-const TOOLS = ["view"', reply: answer("I took the tool view away from work folders.") },
    ],
  },
];
