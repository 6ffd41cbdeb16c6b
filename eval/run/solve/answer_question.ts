/** The agent of this process at a question: its model thinks and answers, without tools. */

import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { REPLY_LABELS } from "../../../agent/dialects/reply.ts";
import { runGraph } from "../../../agent/graph.ts";
import { Allowance } from "../../../agent/run/allowance.ts";
import type { Trajectory, Verification } from "../../../agent/run/trajectory.ts";
import { registry } from "../../../agent/tools/tool.ts";
import { loadTemplate } from "../../../utils/base/text/template.ts";
import { python } from "../../../utils/languages/python/index.ts";
import type { QuestionAssignment } from "../../benchmark/benchmark.ts";
import type { RepairParts } from "./solver.ts";

const system = loadTemplate(new URL("prompts/question.md", import.meta.url));

const LABELS = { thought: REPLY_LABELS.thought, answer: REPLY_LABELS.answer };

export async function answerQuestion(
  { text, form, isAnswer }: QuestionAssignment,
  { id, model, seed, limits, onStep, pay, signal }: Omit<RepairParts, "sandbox"> & { id: string },
): Promise<Trajectory> {
  const started = performance.now();
  using allowance = new Allowance({ timeoutMs: limits.timeoutMs, pay });
  const run = await runGraph({
    opening: { messages: [new SystemMessage(system({ form, ...LABELS })), new HumanMessage(text)] },
    model: model.chat,
    tools: registry([]),
    // The model does not learn whether its answer is right; it is asked again only if the form is wrong.
    verify: async (answer): Promise<Verification> => {
      const accepted = isAnswer(answer);
      const output = accepted ? answer : `It has to be ${form}.`;
      return {
        accepted,
        result: answer,
        observation: { status: accepted ? "ok" : "no answer", output, durationMs: 0 },
      };
    },
    answer: "text",
    language: python,
    limits: { maxIterations: limits.maxIterations },
    allowance,
    signal,
    seed,
    onStep,
  });
  const seconds = (performance.now() - started) / 1000;
  return { taskId: id, model: model.name, ...run, verified: false, usage: { ...run.usage, seconds }, seconds };
}
