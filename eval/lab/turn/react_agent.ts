/** LangGraph's `createReactAgent`, as `bench_turn` measures it. */

import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAICompletions } from "@langchain/openai";
import { z } from "zod";
import { measure, promptOf, SYSTEM, TOOL } from "./measure.ts";

await measure(async (baseURL) => {
  const llm = new ChatOpenAICompletions({ model: "stub", apiKey: "none", maxRetries: 0, configuration: { baseURL } });
  const { name, description, output } = TOOL;
  const tools = [tool(async () => output, { name, description, schema: z.object({ code: z.string() }) })];
  const agent = createReactAgent({ llm, prompt: SYSTEM, tools });
  return async (turns) => {
    const input = { messages: [{ role: "user", content: promptOf(turns) }] };
    const { messages } = await agent.invoke(input, { recursionLimit: 2 * turns + 5 });
    const replies = messages.filter(({ type }) => type === "ai");
    return { turns: replies.length, text: replies.at(-1)?.text ?? "" };
  };
});
