/** Vercel's AI SDK with its client for compatible servers. */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { measure, PROMPT, SYSTEM, TOOL } from "./measure.ts";

await measure(async ({ url, isStreamed }) => {
  const model = createOpenAICompatible({ name: "stub", baseURL: url, apiKey: "none" })("stub");
  const { name, description, output } = TOOL;
  const tools = {
    [name]: tool({ description, inputSchema: z.object({ code: z.string() }), execute: async () => output }),
  };
  return async (turns) => {
    const prompt = PROMPT(turns, "native");
    const options = { model, tools, system: SYSTEM, prompt, stopWhen: stepCountIs(turns), maxRetries: 0 };
    if (!isStreamed) {
      const { text, steps } = await generateText(options);
      return { turns: steps.length, isDone: text.includes("Final Answer") };
    }
    const result = streamText(options);
    for await (const _ of result.fullStream);
    return { turns: (await result.steps).length, isDone: (await result.text).includes("Final Answer") };
  };
});
