/** The agent of this process at tasks that are no functions: questions, folders of files, and repositories. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { isNative } from "../../../agent/conversation.ts";
import { REPLY_LABELS } from "../../../agent/dialects/reply.ts";
import { type GraphParts, runGraph } from "../../../agent/graph.ts";
import { textProtocol } from "../../../agent/prompts.ts";
import { Allowance } from "../../../agent/run/allowance.ts";
import type { Trajectory, Verification } from "../../../agent/run/trajectory.ts";
import { fileTools } from "../../../agent/tools/editor_table.ts";
import { RUN_TESTS } from "../../../agent/tools/run_tests.ts";
import { defineTool, registry } from "../../../agent/tools/tool.ts";
import { Workspace } from "../../../agent/tools/workspace.ts";
import { attemptRepair } from "../../../fix/attempts/run.ts";
import { makeEdits } from "../../../fix/project/answer_edits.ts";
import { readPatch, renderPatch } from "../../../fix/project/patch.ts";
import { notSearched, RepositorySearch } from "../../../fix/search/repository_search.ts";
import { searchInStages } from "../../../fix/search/stages.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyTree } from "../../../utils/base/files/trees/copy_tree.ts";
import { loadTemplate } from "../../../utils/base/text/template.ts";
import { python } from "../../../utils/languages/python/index.ts";
import type { FolderAssignment, QuestionAssignment, RepositoryAssignment } from "../../benchmark/benchmark.ts";
import type { RepairParts } from "./solver.ts";

type Parts = RepairParts & { id: string };

/** Lets the model talk until its answer is accepted. */
async function converse(
  { id, model, seed, limits, onStep, reserve, signal }: Omit<Parts, "sandbox">,
  prepare: (allowance: Allowance) => Pick<GraphParts, "tools" | "verify"> & { system: string; user: string },
  maxAnswers?: number,
): Promise<Trajectory> {
  const started = performance.now();
  using allowance = new Allowance({ timeoutMs: limits.timeoutMs, reserve, signal });
  const { system, user, ...parts } = prepare(allowance);
  const run = await runGraph({
    ...{ ...parts, reserve: allowance.reserve, signal: allowance.signal, seed, onStep, language: python },
    opening: [new SystemMessage(system), new HumanMessage(user)],
    model: model.chat,
    answer: "text",
    limits: { maxIterations: limits.maxIterations, maxAnswers },
  });
  const seconds = (performance.now() - started) / 1000;
  return { taskId: id, model: model.name, ...run, usage: { ...run.usage, seconds }, seconds };
}

const prompt = (name: string) => loadTemplate(new URL(`prompts/${name}.md`, import.meta.url));
const [questionPrompt, workPrompt] = [prompt("question"), prompt("work")];
const LABELS = { thought: REPLY_LABELS.thought, answer: REPLY_LABELS.answer };

export async function answerQuestion({ text, form, isAnswer }: QuestionAssignment, parts: Parts): Promise<Trajectory> {
  // The model does not learn whether its answer is right; it is asked again only if the form is wrong.
  const verify = async (answer: string): Promise<Verification> => {
    const accepted = isAnswer(answer);
    const output = accepted ? answer : `It has to be ${form}.`;
    return { accepted, result: answer, observation: { status: accepted ? "ok" : "no answer", output, durationMs: 0 } };
  };
  const opening = { system: questionPrompt({ form, ...LABELS }), user: text };
  return { ...(await converse(parts, () => ({ ...opening, tools: registry([]), verify }))), verified: false };
}

/**
 * The answer is a patch of the folder, empty where nothing was changed.
 * @throws Error where the harness failed
 */
export async function workInFolder({ prepare, tests, tries }: FolderAssignment, parts: Parts): Promise<Trajectory> {
  const { model, sandbox, signal } = parts;
  using folder = makeTemporaryFolder("folder");
  const [given, work] = [join(folder.path, "given"), join(folder.path, "work")];
  for (const path of [given, work]) mkdirSync(path);
  const user = await prepare(given, signal);
  copyTree(given, work);
  const workspace = Workspace.ofAnyFiles(work);
  const patch = () => {
    const { source, tests: more } = readPatch(given, work, workspace.changed);
    return renderPatch([...source, ...more]);
  };
  const worked = await converse(
    parts,
    (allowance) => {
      const runTests = (folderTests: NonNullable<typeof tests>) =>
        defineTool({
          ...RUN_TESTS,
          run: (_, ended = signal) => allowance.pausing(() => folderTests.run(work, ended)),
        });
      const tools = registry([
        ...fileTools(workspace, sandbox),
        ...(tests && tries === undefined ? [runTests(tests)] : []),
      ]);
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
      const protocol = textProtocol(tools, isNative({ model: model.chat, tools }));
      return { system: workPrompt({ protocol }), user, tools, verify };
    },
    tries,
  );
  // What was changed and never answered with is still the model's work.
  return { ...worked, answer: patch() };
}

/** @throws Error where the harness failed, UserError where the task cannot be run here */
export async function repairRepository(
  { prepare }: RepositoryAssignment,
  options: RepairParts & { id: string; onStage?: ((stage: string) => void) | undefined },
): Promise<Trajectory> {
  const { id, model, sandbox, seed, limits, onStep, onStage, reserve, signal } = options;
  onStage?.("its tests run as they are");
  using prepared = await prepare(signal);
  const search = RepositorySearch.of(prepared);
  const isSearch = model.kind.isSearch;
  if (isSearch && !search) throw notSearched(prepared);
  const { trajectory } = await attemptRepair(prepared, {
    id,
    model,
    moves: isSearch && search ? searchInStages(search) : undefined,
    sandbox,
    search,
    seed,
    ...limits,
    onStep,
    onStage,
    reserve,
    signal,
  });
  const doubt = (isSearch && search?.doubt) || trajectory.doubt;
  return { ...trajectory, doubt };
}
