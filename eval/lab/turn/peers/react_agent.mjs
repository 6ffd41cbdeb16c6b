/** LangGraph's own agent of two nodes. */

import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAICompletions } from "@langchain/openai";
import { z } from "zod";
import { measure, PROMPT, SYSTEM, TOOL } from "./measure.ts";

await measure(async ({ url, isStreamed }) => {
  const llm = new ChatOpenAICompletions({
    model: "stub",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: url },
  });
  const { name, description, output } = TOOL;
  const tools = [tool(async () => output, { name, description, schema: z.object({ code: z.string() }) })];
  const agent = createReactAgent({ llm, prompt: SYSTEM, tools });
  return async (turns) => {
    const input = { messages: [{ role: "user", content: PROMPT(turns, "native") }] };
    const config = { recursionLimit: 2 * turns + 5 };
    let { messages } = isStreamed ? input : await agent.invoke(input, config);
    if (isStreamed)
      for await (const [mode, part] of await agent.stream(input, { ...config, streamMode: ["messages", "values"] }))
        if (mode === "values") messages = part.messages;
    const replies = messages.filter(({ type }) => type === "ai");
    return { turns: replies.length, isDone: replies.at(-1).text.includes("Final Answer") };
  };
});
