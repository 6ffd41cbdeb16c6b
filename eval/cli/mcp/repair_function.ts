/** The result of `repair_function`: a verified repair with the other edits that pass, or why there is none. */

import { z } from "zod";
import { repair } from "../../../agent/repair.ts";
import { reasonOf } from "../../../agent/run/limits.ts";
import { type Step, Stop, type Trajectory } from "../../../agent/run/trajectory.ts";
import { verifyRepair } from "../../../agent/verify.ts";
import { alternativesTo, choicesIn } from "../../../fix/attempts/alternatives.ts";
import { doubtsAbout } from "../../../fix/attempts/attempt.ts";
import { searchTask } from "../../../fix/attempts/search_function.ts";
import { ENDS, type End } from "../../../fix/outcome/outcome.ts";
import type { FileChange } from "../../../fix/project/patch.ts";
import { doubtAlone } from "../../../fix/search/search_places.ts";
import { unifiedDiff } from "../../../utils/base/text/diff.ts";
import { buggyProgram, type VisibleTask } from "../../../utils/task/task.ts";
import type { ToolContext } from "./tool.ts";

export const RepairResult = z.object({
  outcome: z
    .enum(ENDS)
    .exclude(["partly_fixed"])
    .describe(
      "`fixed`: it passes the tests, and mend found no reason to doubt it; `suggestion`: it passes and may be wrong, " +
        "see `doubts`; `not_fixed`: no edit passes; `nothing_to_repair`: the program passes the tests already",
    ),
  doubts: z.array(z.string()).describe("why a suggestion may be wrong"),
  verified: z.boolean().describe("whether `code` passes the tests"),
  stop_reason: Stop.describe(
    "why it ended: `answered` if an answer passed, `nothing_to_repair` if the program passed already",
  ),
  stop: Stop.describe("the same; the name of version 0.2"),
  code: z.string().nullable().describe("the whole program; if none passes, the last that loads, or null"),
  diff: z.string(),
  otherEdits: z
    .array(
      z.object({
        diff: z.string(),
        input: z.string().describe("arguments for which it behaves differently from `code`; empty if none is known"),
        gives: z.string(),
        repairGives: z.string(),
      }),
    )
    .describe("edits that pass the tests, too, and behave differently: the tests do not tell which is right"),
  reason: z.string().nullable().describe("if nothing passes: the result of the last turn; else null"),
  turns: z.int().describe("number of model calls"),
  model: z.string(),
});

/** @throws Error where the harness itself failed: then nothing is known of the function */
export async function repairFunction(
  task: VisibleTask,
  { sandbox, model, limits, signal, progress }: ToolContext,
): Promise<z.input<typeof RepairResult>> {
  const program = buggyProgram(task);
  const { name, chat, engine } = await model();
  const verify = (answer: string) => verifyRepair(task, answer, { sandbox }, signal);
  const onStep = ({ iteration, observation }: Step) => progress(iteration, limits.maxIterations, observation.status);
  const options = { sandbox, ...limits, signal, onStep };
  const trajectory = engine
    ? await searchTask(task, { ...options, engine, verify })
    : await repair(task, { ...options, model: { name, chat } });
  const { stop, answer, verified, iterations } = trajectory;
  const tests = {
    patchOf: (text: string): FileChange[] => [{ file: task.entryPoint, before: program, after: text }],
    passes: async ([change]: FileChange[]) => (await verify(change?.after ?? "")).accepted,
  };
  const diffOf = (text: string) => unifiedDiff(task.entryPoint, program, text);
  const passing = verified && answer !== null ? (await choicesIn({ ...trajectory, answer }, task, tests)).choices : [];
  const otherEdits = alternativesTo(passing, ({ source: [change] }) => diffOf(change?.after ?? "")).map(
    ({ repair_gives: repairGives, ...edit }) => ({ ...edit, repairGives }),
  );
  const doubts = doubtsAbout(doubtAlone(task, trajectory), otherEdits.length);
  return {
    outcome: outcomeOf(trajectory, doubts),
    doubts,
    verified,
    stop_reason: stop,
    stop,
    code: answer,
    diff: answer === null ? "" : diffOf(answer),
    otherEdits,
    reason: verified ? null : reasonOf(trajectory),
    turns: iterations,
    model: name,
  };
}

function outcomeOf({ stop, verified }: Trajectory, doubts: readonly string[]): Exclude<End, "partly_fixed"> {
  if (stop === "nothing_to_repair") return stop;
  if (stop === "aborted") return "interrupted";
  if (!verified) return "not_fixed";
  return doubts.length === 0 ? "fixed" : "suggestion";
}
