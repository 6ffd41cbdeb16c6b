/** The repair as one node of a bigger graph: keys of the same name pass between the two states. */

import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { createModel, createRepairGraph, createSandbox, createTask, RepairInput, RepairOutput } from "mend";
import { z } from "zod";

await using sandbox = await createSandbox();
const model = await createModel();
const State = new StateSchema({
  ...RepairInput.fields,
  ...RepairOutput.fields,
  source: z.string(),
  review: z.string().default(""),
});
const program = new StateGraph(State)
  .addNode("read", ({ source }) => ({
    task: createTask({ code: source, entryPoint: "double", tests: "assert double(4) == 8\nassert double(10) == 20" }),
  }))
  .addNode("repair", createRepairGraph({ model, sandbox }))
  .addNode("tell", ({ answer, verified }) => ({
    review: verified ? `Please merge:\n${answer}` : "A person is needed.",
  }))
  .addEdge(START, "read")
  .addEdge("read", "repair")
  .addEdge("repair", "tell")
  .addEdge("tell", END)
  .compile();
console.log((await program.invoke({ source: "def double(x):\n    return x + 3\n" })).review);
await model.close();
