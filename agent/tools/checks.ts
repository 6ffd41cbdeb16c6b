/** The editor's tools that do not touch files: `hypothesis`, which comes first, and `checks`, which comes last. */

import { z } from "zod";
import { askHost } from "../../utils/base/host/socket_http.ts";
import { HOST_ROUTES } from "../../utils/task/process_protocol.ts";
import { ok, refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const LEAST_CHARS = 20;

export function hypothesisTool(workspace: Workspace): Tool {
  return defineTool({
    name: "hypothesis",
    description: "States what you will change and why that should help; needed before the first edit.",
    input: z.object({ text: z.string() }),
    run: async ({ text }) => {
      if (text.trim().length < LEAST_CHARS) return refused("Say in a sentence or two what you will change and why.");
      workspace.hypothesis = text.trim();
      return ok("Stated. Edit, run the checks, then finish with the change log.");
    },
  });
}

/** What the checks said. */
const CheckResult = z.object({ ok: z.boolean(), report: z.string() });
type CheckResult = z.infer<typeof CheckResult>;

/** The host's checks of the workspace as it is now: surface, types, and whether the agent starts. */
export const runChecks = (socket: string, signal?: AbortSignal): Promise<CheckResult> =>
  askHost(socket, HOST_ROUTES.checks, {}, CheckResult, signal);

export function checksTool(socket: string): Tool {
  return defineTool({
    name: "checks",
    description: "Compiles the agent and starts it once.",
    input: z.object({}),
    run: async (_, signal) => {
      const result = await runChecks(socket, signal);
      return { status: result.ok ? "ok" : "failed", output: result.report, durationMs: 0 };
    },
  });
}
