import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Task } from "../../utils/task/task.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import type { AgentBox } from "./child/box.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import { runLoop } from "./loop.ts";
import { runStep } from "./step.ts";
import { pricedModel } from "./testing/sign_model.ts";
import { signTasks } from "./testing/sign_tasks.ts";
import { findBox, openTestRun, temporaryFolder } from "./testing/test_run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const box = await findBox();

let builds: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  builds = temporaryFolder();
});
afterAll(() => builds[Symbol.dispose]());

/** A run whose first agent is the real one, measured on `tasks`; it is built once for all tests. */
async function realAgent(folder: string, box: AgentBox, solver: PricedModel, tasks: Task[]) {
  const [sandbox, agentSandbox] = await Promise.all([openSandbox(), openSandbox()]);
  onTestFinished(async () => {
    await Promise.all([sandbox.close(), agentSandbox.close()]);
  });
  const run = await openTestRun({
    folder,
    builds: builds.path,
    box,
    sandbox,
    agentSandbox,
    solver,
    tasks,
    timeoutMs: 60_000,
  });
  await runLoop(run.bench, { ...run.options, seedAgent: ROOT, iterations: 0 });
  return run;
}

/** Each reply rests on the observation before it, so a tool that did not work would break the chain. */
const editor = (last: string): string => {
  const act = (tool: string, input: object) =>
    `Thought: on I go\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;
  if (last.startsWith("The workspace holds the code of agent 0")) return act("archive", { show: "tasks", agent: 0 });
  if (last.includes("dev tasks of agent 0, worst first"))
    return act("replace_text", { file: "prompts/messages.md", old: "your reply", new: "what you sent" });
  if (last.includes("State your hypothesis first"))
    return act("hypothesis", { text: "A politer word is read more closely." });
  if (last.includes("Stated."))
    return act("replace_lines", { file: "agent/process/solve.ts", from: 1, to: 1, text: "const = ;" });
  if (last.includes("does not parse")) return act("run", { command: "grep -c repair agent/process/solve.ts" });
  if (last.includes("score 0 (")) return act("try_task", { task: "Sign/1" });
  if (last.includes("exit code 0")) return act("try_task", { task: "Sign/0" });
  if (last.includes("There is no dev task Sign/1"))
    return act("create", { file: "agent/extra.ts", text: "export const extra: number = 'text';\n" });
  if (last.includes("agent/extra.ts: 1 line"))
    return "Final Answer: I added a file which the rest of the agent does not need.";
  if (last.includes("the checks fail") && last.includes("agent/extra.ts"))
    return act("replace_text", { file: "agent/extra.ts", old: "'text'", new: "1" });
  if (last.includes("+export const extra: number = 1")) return act("checks", {});
  if (last.includes("compiles and starts"))
    return "Final Answer: I added a constant which the rest of the agent does not need.";
  return "Thought: I am lost.";
};

test.skipIf(!box)(
  "the real agent edits its own code in the box: every tool works, what does not compile is sent back",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    if (!box) return;
    const solver = pricedModel((messages) => editor(messages.at(-1)?.text ?? ""));
    const { bench, options } = await realAgent(folder.path, box, solver, signTasks(1));
    const { state } = bench.parts.log;
    const first = state.agent(0);
    const request = { iteration: 1, round: 1, editor: first, base: first, feedback: null };
    const outcome = await runStep(request, bench, { ...options.step, maxIterations: 30, timeoutMs: 400_000 });
    expect(outcome.done).toMatchObject({ stop: "answered", problem: "" });
    expect(outcome.hypothesis).toBe("A politer word is read more closely.");
    expect(outcome.changes).toContain("I added a constant");
    expect(readFileSync(join(outcome.workspace, "agent/extra.ts"), "utf8")).toBe("export const extra: number = 1;\n");
    expect(outcome.done.costUsd).toBeCloseTo(outcome.done.modelCalls * 0.011, 9);
    // The try found the workspace as agent 0 is, which was measured before.
    expect([...state.measured.values()].filter(({ split }) => split === "dev")).toHaveLength(2);
  },
);
