/** The tools of editors, in the order in which they are shown. A new tool needs its file and its place here. */

import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { archiveTool } from "./archive.ts";
import { checksTool, hypothesisTool, tryTool } from "./checks.ts";
import { createTool, diffTool, editTool, undoTool } from "./edit.ts";
import { searchTool, viewTool } from "./files.ts";
import { runTool, type Shell } from "./run_tests.ts";
import { type Registry, registry, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

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

/** What the tools of an agent are made of that edits its own code. */
interface EditorParts {
  workspace: Workspace;
  sandbox: AgentSandbox;
  shell: Shell;
  /** Folder with what earlier agents did. */
  archive: string;
  /** The socket of the host, which runs the checks and tries tasks. */
  socket: string;
}

export const editorTools = ({ workspace, sandbox, shell, archive, socket }: EditorParts): Registry =>
  registry([
    hypothesisTool(workspace),
    archiveTool(archive),
    ...fileTools(workspace, sandbox, shell),
    checksTool(socket),
    tryTool(socket),
  ]);
