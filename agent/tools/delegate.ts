/** The tool `delegate`: a named sub-agent works on a part of the task as a fresh run of the same graph. */

import { z } from "zod";
import { defineTool, type Observation, type Tool } from "./tool.ts";

/** @param run starts the sub-agent; what it returns is all the caller gets to see */
export const delegateTool = <Name extends string>(
  names: readonly Name[],
  run: (agent: Name, task: string) => Promise<Observation>,
): Tool =>
  defineTool({
    name: "delegate",
    description: `delegate: gives a part of the work to a sub-agent, who sees nothing of this conversation and answers with a text. Input: {"agent": one of ${names.join(", ")}, "task": "everything it needs to know"}.`,
    input: z.object({ agent: z.enum(names), task: z.string().min(1) }),
    run: ({ agent, task }) => run(agent, task),
  });
