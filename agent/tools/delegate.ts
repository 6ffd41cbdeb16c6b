/** The tool `delegate`: a named sub-agent works on a part of the task as a fresh run of the same graph. */

import { z } from "zod";
import type { CallResult } from "../call.ts";
import { SUBAGENTS, type SubagentName } from "../improve/subagents.ts";
import { defineTool, type Tool } from "./tool.ts";

const names = Object.keys(SUBAGENTS) as [SubagentName, ...SubagentName[]];

/** @param run starts the sub-agent and returns how it ended; its answer is all the caller gets to see */
export function delegateTool(run: (agent: SubagentName, task: string) => Promise<CallResult>): Tool {
  return defineTool({
    name: "delegate",
    description: `delegate: gives a part of the work to a sub-agent, who sees nothing of this conversation and answers with a text. Input: {"agent": one of ${names.join(", ")}, "task": "everything it needs to know"}.`,
    input: z.object({ agent: z.enum(names), task: z.string().min(1) }),
    run: async ({ agent, task }) => {
      const { stop, answer, error } = await run(agent, task);
      if (answer !== null) return { status: `${agent} answered`, output: answer, durationMs: 0 };
      return {
        status: `${agent} gave no answer`,
        output: error ?? `It stopped: ${stop.replace("_", " ")}.`,
        durationMs: 0,
      };
    },
  });
}
