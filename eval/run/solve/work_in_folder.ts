/** The agent of this process at work in a folder of files. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { isNative } from "../../../agent/conversation.ts";
import { runGraph } from "../../../agent/graph.ts";
import { workPrompt } from "../../../agent/process/improve_prompts.ts";
import { Allowance } from "../../../agent/run/allowance.ts";
import type { Trajectory, Verification } from "../../../agent/run/trajectory.ts";
import { fileTools } from "../../../agent/tools/editor_table.ts";
import { RUN_TESTS } from "../../../agent/tools/run_tests.ts";
import { defineTool, registry } from "../../../agent/tools/tool.ts";
import { Workspace } from "../../../agent/tools/workspace.ts";
import { makeEdits } from "../../../fix/project/answer_edits.ts";
import { readPatch, renderPatch } from "../../../fix/project/patch.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyTree } from "../../../utils/base/files/trees/copy_tree.ts";
import { python } from "../../../utils/languages/python/index.ts";
import type { FolderAssignment } from "../../benchmark/benchmark.ts";
import type { RepairParts } from "./solver.ts";

/**
 * The answer is a patch of the folder, empty where nothing was changed.
 * @throws Error where the harness failed
 */
export async function workInFolder(
  { prepare, tests, tries }: FolderAssignment,
  { id, model, sandbox, seed, limits, onStep, pay, signal }: RepairParts & { id: string },
): Promise<Trajectory> {
  const started = performance.now();
  using folder = makeTemporaryFolder("folder");
  const [given, work] = [join(folder.path, "given"), join(folder.path, "work")];
  for (const path of [given, work]) mkdirSync(path);
  const instruction = await prepare(given, signal);
  copyTree(given, work);
  const workspace = Workspace.ofAnyFiles(work);
  using allowance = new Allowance({ timeoutMs: limits.timeoutMs, pay });
  const tools = registry([
    ...fileTools(workspace, sandbox),
    ...(tests && tries === undefined
      ? [
          defineTool({
            ...RUN_TESTS,
            run: (input, ended = signal) => allowance.pausing(() => tests.run(work, { ...input }, ended)),
          }),
        ]
      : []),
  ]);
  const patch = () => {
    const { source, tests: more } = readPatch(given, work, workspace.changed);
    return renderPatch([...source, ...more]);
  };
  const verify = async (answer: string, ended: AbortSignal): Promise<Verification> => {
    const nothing = { accepted: true, observation: { status: "ok", output: answer, durationMs: 0 } };
    const problem =
      makeEdits(workspace, answer) ??
      (tests || workspace.changed.size > 0 ? null : "Make the change in the files, then answer.");
    if (problem !== null)
      return {
        accepted: false,
        result: patch(),
        observation: { status: "nothing was changed", output: problem, durationMs: 0 },
      };
    const said = tests ? await allowance.pausing(() => tests.verify(work, ended)) : nothing;
    return { ...said, result: patch() };
  };
  const run = await runGraph({
    opening: {
      messages: [
        new SystemMessage(workPrompt(tools, isNative({ model: model.chat, tools }))),
        new HumanMessage(instruction),
      ],
    },
    model: model.chat,
    tools,
    verify,
    answer: "text",
    language: python,
    limits: { maxIterations: limits.maxIterations, maxAnswers: tries },
    allowance,
    signal,
    seed,
    onStep,
  });
  const seconds = (performance.now() - started) / 1000;
  const usage = { ...run.usage, seconds };
  // What was changed and never answered with is still the model's work.
  return { taskId: id, model: model.name, ...run, answer: patch(), usage, seconds };
}
