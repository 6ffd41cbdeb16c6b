/** Any chat model of LangChain repairs. Set OPENAI_BASE_URL, OPENAI_API_KEY where the server has keys, and MY_MODEL. */

import { ChatOpenAI } from "@langchain/openai";
import { createRepairGraph, createSandbox, createTask } from "mend";

const model = new ChatOpenAI({
  model: process.env.MY_MODEL ?? "qwen2.5-coder",
  temperature: 0,
  configuration: { baseURL: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY ?? "none" },
});
await using sandbox = await createSandbox();
const graph = createRepairGraph({ model, sandbox, limits: { maxIterations: 6 } });
const task = createTask({
  code: "def area(width, height):\n    return width + height\n",
  entryPoint: "area",
  tests: "assert area(3, 4) == 12",
});
const { answer, verified, stop, error } = await graph.invoke({ task }, { signal: AbortSignal.timeout(120_000) });
console.log(verified ? answer : `no repair: ${error?.message ?? stop}`);
