/** The editor's tools that do not touch files: `hypothesis` before an edit, `checks` and `try_task` after it. */

import { z } from "zod";
import { askHost } from "../../utils/base/host/socket_http.ts";
import { HOST_ROUTES } from "../../utils/task/process_protocol.ts";
import { Observation } from "../dialects/reply.ts";
import { ok, refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const LEAST_CHARS = 20;

export const hypothesisTool = (workspace: Workspace): Tool =>
  defineTool({
    name: "hypothesis",
    description: "States what you will change and why that should help; needed before the first edit.",
    input: z.object({ text: z.string() }),
    run: async ({ text }) => {
      if (text.trim().length < LEAST_CHARS) return refused("Say in a sentence or two what you will change and why.");
      workspace.hypothesis = text.trim();
      return ok("Stated. Edit, run the checks, then finish with the change log.");
    },
  });

/** What the checks said. */
const CheckResult = z.object({ ok: z.boolean(), report: z.string() });

/** The host's checks of the workspace as it is now: surface, types, and whether the agent starts. */
export const runChecks = (socket: string, signal?: AbortSignal): Promise<z.infer<typeof CheckResult>> =>
  askHost(socket, HOST_ROUTES.checks, {}, CheckResult, signal);

export const checksTool = (socket: string): Tool =>
  defineTool({
    name: "checks",
    description: "Compiles the agent and starts it once.",
    input: z.object({}),
    run: async (_, signal) => {
      const result = await runChecks(socket, signal);
      return { status: result.ok ? "ok" : "failed", output: result.report, durationMs: 0 };
    },
  });

/** The host runs the agent as the workspace holds it, as it runs every agent that it measures. */
export const tryTool = (socket: string): Tool =>
  defineTool({
    name: "try_task",
    description:
      "Runs the agent with your edits on one dev task. Shows the score and the trace; costs what a task costs.",
    input: z.object({ task: z.string().describe("id of a dev task") }),
    otherNames: { id: "task", task_id: "task", name: "task" },
    run: (input, signal) => askHost(socket, HOST_ROUTES.tryTask, input, Observation, signal),
  });
