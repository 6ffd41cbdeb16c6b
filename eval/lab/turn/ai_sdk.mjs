/** `generateText` of Vercel's AI SDK, as `bench_turn` measures it. Runs in a folder that has its packages. */

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import { measure, promptOf, SYSTEM, TOOL } from "./measure.ts";

await measure(async (baseURL) => {
  const model = createOpenAICompatible({ name: "stub", baseURL, apiKey: "none" })("stub");
  const { name, description, output } = TOOL;
  const inputSchema = z.object({ code: z.string() });
  const tools = { [name]: tool({ description, inputSchema, execute: async () => output }) };
  return async (turns) => {
    const prompt = promptOf(turns);
    const stopWhen = stepCountIs(turns);
    const { text, steps } = await generateText({ model, tools, system: SYSTEM, prompt, stopWhen, maxRetries: 0 });
    return { turns: steps.length, text };
  };
});
