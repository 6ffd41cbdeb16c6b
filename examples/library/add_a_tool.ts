/**
 * A tool of your own, beside `code_interpreter`. Its description is what the model knows of it. Needs a language model
 * (`OPENAI_BASE_URL`): the built-in search calls no tools.
 */

import { createModel, createRepairGraph, createSandbox, createTask, defineTool } from "mend";
import { z } from "zod";

const RATES: Record<string, number> = { standard: 0.19, reduced: 0.07 };

const taxRate = defineTool({
  name: "tax_rate",
  description: `The company's tax rates: ${Object.keys(RATES).join(", ")}.`,
  input: z.object({ kind: z.string() }),
  run: async ({ kind }) => ({ status: "ok", output: String(RATES[kind] ?? "there is no such kind"), durationMs: 0 }),
});

await using sandbox = await createSandbox();
const model = await createModel();
const graph = createRepairGraph({ model, sandbox, tools: [taxRate] });
const task = createTask({
  code: "def gross(net):\n    return net\n",
  entryPoint: "gross",
  tests: "assert gross(100) == 119",
  instruction: "Add the standard tax rate of the company.",
});
const { answer, verified, reason } = await graph.invoke({ task });
console.log(verified ? answer : `no repair: ${reason}`);
await model.close();
