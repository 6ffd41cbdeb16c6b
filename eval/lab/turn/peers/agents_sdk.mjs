/** OpenAI's Agents SDK with chat completions, as other servers have them. */

import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { measure, PROMPT, SYSTEM, TOOL } from "./measure.ts";

setTracingDisabled(true);

await measure(async ({ url, isStreamed }) => {
  const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
  const { name, description, output } = TOOL;
  const tools = [tool({ name, description, parameters: z.object({ code: z.string() }), execute: async () => output })];
  const model = new OpenAIChatCompletionsModel(client, "stub");
  const agent = new Agent({ name: "repair", instructions: SYSTEM, model, tools });
  return async (turns) => {
    const result = await run(agent, PROMPT(turns, "native"), { maxTurns: turns, stream: isStreamed });
    if (isStreamed) for await (const _ of result);
    if (isStreamed) await result.completed;
    return { turns: result.rawResponses.length, isDone: String(result.finalOutput).includes("Final Answer") };
  };
});
