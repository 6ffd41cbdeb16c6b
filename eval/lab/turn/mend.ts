/** mend's `createRepairGraph`, as `bench_turn` measures it. */

import { z } from "zod";
import { createModel } from "../../../agent/models/table.ts";
import { defineTool } from "../../../agent/tools/tool.ts";
import { createTask } from "../../../fix/library/create_task.ts";
import { createRepairGraph } from "../../../fix/library/repair_graph.ts";
import type { AgentSandbox } from "../../../utils/sandbox/types.ts";
import { measure, promptOf, TOOL } from "./measure.ts";

/** Accepts every answer at once. */
const sandbox: AgentSandbox = {
  run: () => Promise.reject(new Error("nothing is run")),
  judgeVisible: async () => ({
    ...{ outcome: "passed", passed: true, explanation: "", loaded: true, calls: 1, mode: "isolated" },
    ...{ stdout: "", stderr: "", durationMs: 0 },
  }),
};
const tool = defineTool({
  name: TOOL.name,
  description: TOOL.description,
  input: z.object({ code: z.string() }),
  run: async () => ({ status: "ok", output: TOOL.output, durationMs: 0 }),
});

await measure(async (url) => {
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" };
  const options = { env, temperature: 0, timeoutMs: 600_000, maxRetries: 0, log: () => {} };
  const model = await createModel("openai:stub", { ...options, toolCalls: "native" });
  return async (turns) => {
    const graph = createRepairGraph({ model, sandbox, tools: [tool], limits: { maxIterations: turns } });
    const task = createTask({
      code: "def f(x):\n    return x\n",
      entryPoint: "f",
      instruction: promptOf(turns),
      tests: "assert f(1) == 2",
    });
    // A function to write has no first action, so all turns are the model's.
    const { answer, usage } = await graph.invoke({ task: { ...task, buggyCode: "" } });
    return { turns: usage?.modelCalls ?? 0, text: answer === null ? "" : "Final Answer" };
  };
});
