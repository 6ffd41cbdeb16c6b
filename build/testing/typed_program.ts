/** For tests: a strict program of a user that imports mend and LangGraph, compiled and run where both are installed. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { execute } from "./packed.ts";

const PROGRAM = `
import { BaseChatModel, SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Command, CompiledStateGraph, END, interrupt, MemorySaver, Send, START, StateGraph, StateSchema } from "@langchain/langgraph";
import {
  createModel, createRepairGraph, createSandbox, createTask, flushTraces, RepairOutputs, type Step, tracers, UserError,
} from "mend";

await using sandbox = await createSandbox();
const model = await createModel("search");
const graph = createRepairGraph({ model, sandbox, limits: { maxIterations: 4 } }).withConfig({ tags: ["a"] });
const task = createTask({ code: "def half(x):\\n    return x * 2\\n", entryPoint: "half", tests: "assert half(4) == 2" });
const turns: Step[] = [];
for await (const step of await graph.stream({ task }, { streamMode: "custom" })) turns.push(step);
const { answer, verified } = await graph.invoke({ task }, { callbacks: tracers() });
for (const lost of await flushTraces()) console.error(lost);
const text: string | null = answer;
const bigger = new StateGraph(new StateSchema({ ...RepairOutputs.fields }))
  .addNode("repair", graph)
  .addConditionalEdges(START, () => ["a", "b"].map((id) => new Send("repair", { task: { ...task, id } })), ["repair"])
  .addEdge("repair", END)
  .compile();
const { repairs } = await bigger.invoke({});
const ids = repairs.map(({ taskId, verified }) => \`\${taskId} \${verified}\`);
// A model, an interrupt and a checkpointer of the program's own LangChain.
class Human extends SimpleChatModel {
  override _llmType() { return "human"; }
  override async _call() { return String(interrupt("which answer?")); }
}
const asking = createRepairGraph({ model: new Human({}), sandbox, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: "1" } };
await asking.invoke({ task }, thread);
const { values } = await asking.getState(thread);
const isOwn = [
  graph instanceof CompiledStateGraph, RepairOutputs instanceof StateSchema, model.chat instanceof BaseChatModel,
  values.messages.some((message: unknown) => message instanceof AIMessage),
];
const resume = "Final Answer:\\n\`\`\`python\\ndef half(x):\\n    return x / 2\\n\`\`\`";
const { stop } = await asking.invoke(new Command({ resume }), thread);
console.log(JSON.stringify({ stop, text, verified, turns: turns.length, ids, isOwn, isUserError: new UserError("x") instanceof Error }));
await model.close();
`;

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable", "dom"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  skipLibCheck: false,
};

/**
 * Compiles it with all options that are strict, declarations of libraries included, and runs it.
 * @param project where mend, LangGraph and the compiler are installed
 */
export async function compileAndRun(project: string): Promise<void> {
  writeFileSync(join(project, "program.ts"), PROGRAM);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  // LangChain's own declarations do not keep to this option, so only what is ours is looked at.
  const exact = ["node_modules/typescript/bin/tsc", "--exactOptionalPropertyTypes"];
  const compiled = await execute([process.execPath, ...exact], project);
  const ours = compiled.stdout.split("\n").filter((line) => /^program\.ts|node_modules\/mend\//.test(line));
  expect(ours).toEqual([]);
  const ran = await execute([process.execPath, "program.js"], project);
  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toEqual({
    stop: "answered",
    text: expect.stringContaining("def half"),
    verified: true,
    turns: 3,
    ids: ["a true", "b true"],
    isOwn: [true, true, true, true],
    isUserError: true,
  });
}
