/** The tool `run`: shell commands in the folder that an agent works in. */

import { z } from "zod";
import { plural } from "../../utils/base/text/format.ts";
import { headAndTail, listed } from "../../utils/base/text/text.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** How a command ended. */
export interface ShellResult {
  /** `exit code 1`, or why it did not come to its end. */
  status: string;
  /** Stdout and stderr as they came. */
  output: string;
  /** Files that it wrote, made or removed and that the workspace has taken over. */
  changed: readonly string[];
  durationMs: number;
}

/** Runs a command in a confined copy of the workspace and takes over the files that it changes. */
export type Shell = (command: string, signal?: AbortSignal) => Promise<ShellResult>;

const SHOWN_CHARS = 6000;
const MOST_NAMES = 8;

export function runTool(workspace: Workspace, shell: Shell): Tool {
  return defineTool({
    name: "run",
    description: "Runs a shell command at the root of the repository, without network. Changed files stay changed.",
    input: z.object({ command: z.string().trim().min(1) }),
    otherNames: { cmd: "command", code: "command", script: "command", input: "command" },
    run: async ({ command }, signal) => {
      const { status, output, changed, durationMs } = await shell(command, signal);
      const text = output.trimEnd();
      const lines = [text === "" ? "(no output)" : headAndTail(text, SHOWN_CHARS)];
      if (text.length > SHOWN_CHARS)
        lines.push(`(all ${plural(text.split("\n").length, "line")}: ${workspace.keepOutput(text)})`);
      if (changed.length > 0) lines.push(`(changed: ${listed(changed, MOST_NAMES)})`);
      return { status, output: lines.join("\n"), durationMs };
    },
  });
}
