/** What `repair_function` gives another agent: a verified repair, what else passes, or why there is none. */

import { z } from "zod";
import { repair } from "../../../agent/repair.ts";
import { reasonOf } from "../../../agent/run/limits.ts";
import { Stop } from "../../../agent/run/trajectory.ts";
import { verifyRepair } from "../../../agent/verify.ts";
import { alternativesTo, choicesIn } from "../../../fix/attempts/alternatives.ts";
import { unifiedDiff } from "../../../utils/base/text/diff.ts";
import { buggyProgram, type VisibleTask } from "../../../utils/task/task.ts";
import type { ToolContext } from "./tool.ts";

export const Repaired = z.object({
  verified: z.boolean().describe("whether `code` passes the tests"),
  stop: Stop.describe(
    "why it ended; `answered` where an answer passed, `nothing_to_repair` where the program passes as it is",
  ),
  code: z.string().nullable().describe("the whole program; where none passes the last that loads, or null"),
  diff: z.string(),
  otherEdits: z
    .array(
      z.object({
        diff: z.string(),
        input: z.string().describe("arguments on which it differs from `code`; empty where none is known"),
        gives: z.string(),
        repairGives: z.string(),
      }),
    )
    .describe("that pass the tests too and do something else: the tests do not say which is right"),
  reason: z.string().nullable().describe("where nothing passes: what the last turn came to; else null"),
  turns: z.int().describe("calls of the model"),
  model: z.string(),
});

/** @throws Error where the harness itself failed: then nothing is known of the function */
export async function repairFunction(
  task: VisibleTask,
  { sandbox, model, limits, signal, progress }: ToolContext,
): Promise<z.input<typeof Repaired>> {
  const program = buggyProgram(task);
  const passes = async (text: string) => (await verifyRepair(task, text, { sandbox }, signal)).accepted;
  const { name, chat } = await model();
  const trajectory = await repair(task, {
    model: { name, chat },
    sandbox,
    ...limits,
    signal,
    onStep: ({ iteration, observation }) => progress(iteration, limits.maxIterations, observation.status),
  });
  const { stop, answer, verified, iterations } = trajectory;
  const diffOf = (text: string) => unifiedDiff(task.entryPoint, program, text);
  const passing =
    verified && answer !== null
      ? (await choicesIn({ ...trajectory, answer }, task, { passes, fileWith: (text) => text })).choices
      : [];
  return {
    verified,
    stop,
    code: answer,
    diff: answer === null ? "" : diffOf(answer),
    otherEdits: alternativesTo(passing, ({ text }) => diffOf(text)).map(({ repair_gives: repairGives, ...edit }) => ({
      ...edit,
      repairGives,
    })),
    reason: verified ? null : reasonOf(trajectory),
    turns: iterations,
    model: name,
  };
}
