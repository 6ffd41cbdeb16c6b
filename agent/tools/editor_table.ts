/** The tools of editors, one row each. A new tool needs its file, its row, and its name in an agent's list. */

import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { archiveTool } from "./archive.ts";
import { checksTool, hypothesisTool } from "./checks.ts";
import { codeInterpreter } from "./code_interpreter.ts";
import { createTool, diffTool, editTool, undoTool } from "./edit.ts";
import { searchTool, viewTool } from "./files.ts";
import { hostTestsTool, runTool, type Shell } from "./run_tests.ts";
import { type Registry, registry, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** What such tools are made of. */
interface EditorParts {
  workspace: Workspace;
  sandbox: AgentSandbox;
  /** Folder with what earlier agents did; only where the agent edits its own code. */
  archive?: string;
  /** The socket of the host, which runs the checks. */
  socket: string;
}

const TOOLS: Readonly<Record<string, (parts: EditorParts) => Tool>> = {
  hypothesis: ({ workspace }) => hypothesisTool(workspace),
  archive: ({ archive = "" }) => archiveTool(archive),
  view: ({ workspace }) => viewTool(workspace),
  search: ({ workspace }) => searchTool(workspace),
  edit: ({ workspace, sandbox }) => editTool(workspace, sandbox),
  create: ({ workspace, sandbox }) => createTool(workspace, sandbox),
  diff: ({ workspace }) => diffTool(workspace),
  undo: ({ workspace }) => undoTool(workspace),
  checks: ({ socket }) => checksTool(socket),
  code_interpreter: ({ sandbox }) => codeInterpreter(sandbox),
  run_tests: ({ socket }) => hostTestsTool(socket),
};

/** The tools with which any agent works in a folder of files. @param shell where commands can be run in it */
export const fileTools = (workspace: Workspace, sandbox: AgentSandbox, shell?: Shell): Tool[] => [
  ...(shell ? [runTool(workspace, shell)] : []),
  viewTool(workspace),
  searchTool(workspace),
  editTool(workspace, sandbox),
  createTool(workspace, sandbox),
  diffTool(workspace),
  undoTool(workspace),
];

/** The tools of these names. Default: all. @throws Error where no tool has one of the names */
export const editorTools = (parts: EditorParts, names: readonly string[] = Object.keys(TOOLS)): Registry =>
  registry(
    names.map((name) => {
      const make = TOOLS[name];
      if (!make) throw new Error(`there is no tool ${name}`);
      return make(parts);
    }),
  );
