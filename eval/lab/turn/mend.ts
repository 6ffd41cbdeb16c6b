/** mend's own agent as one of the programs that `bench_turn` measures. */

import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { z } from "zod";
import { runGraph } from "../../../agent/graph.ts";
import { createModel } from "../../../agent/models/create.ts";
import { textProtocol } from "../../../agent/protocol.ts";
import { Allowance } from "../../../agent/run/allowance.ts";
import { defineTool, registry } from "../../../agent/tools/tool.ts";
import { measure, PROMPT, TOOL } from "./measure.ts";

/** No figure is to be lost where a machine has much else to do. */
const DAY_MS = 86_400_000;

const tools = registry([
  defineTool({
    name: TOOL.name,
    description: TOOL.description,
    input: z.object({ code: z.string() }),
    run: async () => ({ status: "ok", output: TOOL.output, durationMs: 0 }),
  }),
]);

await measure(async ({ url, format, isStreamed }) => {
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" };
  const model = await createModel("openai:stub", {
    temperature: 0,
    timeoutMs: DAY_MS,
    maxRetries: 0,
    log: () => {},
    env,
    toolCalls: format,
  });
  return async (turns) => {
    using allowance = new Allowance({ timeoutMs: DAY_MS });
    const messages = [new SystemMessage(textProtocol(tools)), new HumanMessage(PROMPT(turns, format))];
    const run = await runGraph({
      model: model.chat,
      tools,
      opening: { messages },
      verify: async (answer) => ({
        accepted: true,
        result: answer,
        observation: { status: "accepted", output: "", durationMs: 0 },
      }),
      answer: "text",
      limits: { maxIterations: turns },
      allowance,
      ...(isStreamed && { onProgress: () => {} }),
    });
    return { turns: run.iterations, isDone: run.stop === "answered" };
  };
});
