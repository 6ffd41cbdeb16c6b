/** Tokens as the model writes them, and every step once its Observation is there. */

import { createModel, createRepairGraph, createSandbox, createTask } from "mend";

await using sandbox = await createSandbox();
const model = await createModel();
const graph = createRepairGraph({ model, sandbox });
const task = createTask({
  code: "def last(items):\n    return items[0]\n",
  entryPoint: "last",
  tests: "assert last([1, 2, 3]) == 3",
});
for await (const [mode, chunk] of await graph.stream({ task }, { streamMode: ["messages", "custom"] })) {
  if (mode === "messages") {
    const [token, { langgraph_node: node }] = chunk;
    if (node === "llm") process.stderr.write(token.text);
  } else console.log(`turn ${chunk.iteration}: ${chunk.observation.status}`);
}
await model.close();
