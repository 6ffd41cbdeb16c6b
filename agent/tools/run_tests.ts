/** The tools `run`, for shell commands, and `run_tests`. */

import { z } from "zod";
import { plural } from "../../utils/base/text/format.ts";
import { headAndTail, listed } from "../../utils/base/text/text.ts";
import type { Observation } from "../dialects/reply.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const Names = z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string()));

/** The tool without its `run`. */
export const RUN_TESTS = {
  name: "run_tests",
  description: "Runs all or named tests.",
  input: z.object({ tests: Names.optional().describe("names or files") }),
};

/** What tests say of a change. */
export interface TestsVerdict {
  accepted: boolean;
  observation: Observation;
}

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

/** 250 lines of code, as agents with a shell alone show. */
const SHOWN_CHARS = 10_000;
const MOST_NAMES = 8;

export const runTool = (workspace: Workspace, shell: Shell): Tool =>
  defineTool({
    name: "run",
    description: "Runs a shell command: no network, a new /tmp each.",
    input: z.object({ command: z.string().trim().min(1) }),
    otherNames: { cmd: "command", code: "command", script: "command", input: "command" },
    run: async ({ command }, signal) => {
      const { status, output, changed, durationMs } = await shell(command, signal);
      const text = output.trimEnd();
      const lines = [text === "" ? "(no output)" : headAndTail(text, SHOWN_CHARS)];
      const file = text.length > SHOWN_CHARS ? workspace.keepOutput(text) : null;
      if (file !== null) lines.push(`(all ${plural(text.split("\n").length, "line")}: ${file})`);
      const isThere = (file: string) => !("problem" in workspace.read(file));
      const [kept, gone] = [changed.filter(isThere), changed.filter((file) => !isThere(file))];
      if (kept.length > 0) lines.push(`(changed: ${listed(kept, MOST_NAMES)})`);
      if (gone.length > 0) lines.push(`(removed: ${listed(gone, MOST_NAMES)})`);
      return { status, output: lines.join("\n"), durationMs };
    },
  });
