/** Several tasks sent to the repair at once: each result and each step says which task it is of. */

import { END, Send, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { createModel, createRepairGraph, createSandbox, createTask, RepairOutputs } from "mend";
import { z } from "zod";

await using sandbox = await createSandbox();
const model = await createModel();
const Source = z.object({ name: z.string(), code: z.string(), tests: z.string() });
const State = new StateSchema({ ...RepairOutputs.fields, sources: z.array(Source) });
const program = new StateGraph(State)
  .addNode("repair", createRepairGraph({ model, sandbox }))
  .addConditionalEdges(
    START,
    ({ sources }) =>
      sources.map(
        ({ name, code, tests }) => new Send("repair", { task: createTask({ code, entryPoint: name, tests }) }),
      ),
    ["repair"],
  )
  .addEdge("repair", END)
  .compile();
const sources = [
  { name: "half", code: "def half(x):\n    return x * 2\n", tests: "assert half(4) == 2\nassert half(10) == 5" },
  { name: "last", code: "def last(items):\n    return items[0]\n", tests: "assert last([1, 2, 3]) == 3" },
];
const chunks = await program.stream({ sources }, { streamMode: ["custom", "values"], subgraphs: true });
for await (const [path, mode, chunk] of chunks) {
  if (mode === "custom") console.error(`${chunk.taskId}, turn ${chunk.iteration}: ${chunk.observation.status}`);
  else if (path.length === 0)
    for (const { taskId, stop, usage } of chunk.repairs)
      console.log(`${taskId}: ${stop} with ${usage?.modelCalls} model calls`);
}
await model.close();
