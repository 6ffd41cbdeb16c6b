/** Verification of a repair: the answer, made into a program, is run against the visible tests in the judge. */

import { UserError } from "../utils/base/data/errors.ts";
import { withEdits } from "../utils/base/text/edits.ts";
import { assertionsHold } from "../utils/frameworks/assertions.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { AgentSandbox, Verdict } from "../utils/sandbox/types.ts";
import { assembleProgram } from "../utils/task/code_postprocess.ts";
import { VISIBLE_TIMEOUT_MS } from "../utils/task/judged_tests.ts";
import { buggyProgram, hasTests, isProgram, type VisibleTask } from "../utils/task/task.ts";
import { editsOf } from "./dialects/fences.ts";
import { type ChosenAnswer, isVerified, type Step, type Verification, type Verify } from "./run/trajectory.ts";

export interface VerifyOptions {
  sandbox: AgentSandbox;
  /** `in_process` for tests that the isolated judge cannot serve; then `moduleNames` are what tests may import. */
  judge?: { mode: "isolated" | "in_process"; moduleNames: string[] } | undefined;
}

/**
 * Judges an answer by the visible tests. Without any it is accepted where it loads and defines the entry point.
 * @throws UserError where the tests, or the code before the function, do not compile
 * @throws Error where the sandbox failed: then nothing is known about the answer
 */
export async function verifyRepair(
  task: VisibleTask,
  answer: string,
  { sandbox, judge }: VerifyOptions,
  signal?: AbortSignal,
): Promise<Verification> {
  const program = assembleProgram(task, answer);
  const verdict = await sandbox.judgeVisible({
    task,
    program,
    ...judge,
    timeoutMs: VISIBLE_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  if (verdict.outcome === "sandbox_error" && !signal?.aborted) {
    throw (
      unjudgeable(task, verdict.explanation) ??
      new Error(`the sandbox failed while verifying ${task.id}: ${verdict.explanation}`)
    );
  }
  const untested = !hasTests(task);
  const status = untested && verdict.passed ? UNTESTED : describe(verdict);
  return {
    accepted: verdict.passed,
    result: verdict.loaded ? program : null,
    observation: {
      status,
      output: verdict.passed ? assertionsHold(task.exampleTest) : verdict.explanation,
      durationMs: verdict.durationMs,
    },
    ...(untested && { untested }),
  };
}

/** Judges an answer that gives edits and no program as the program with its edits. */
export const withEditsMade =
  (task: VisibleTask, verify: Verify): Verify =>
  async (answer, signal) => {
    const edits = editsOf(answer, LANGUAGES[task.language]);
    const program = edits.length === 0 ? answer : withEdits(buggyProgram(task), edits);
    if (program !== null) return verify(program, signal);
    const observation = { status: "its edits do not fit the program", output: "", durationMs: 0 };
    return { accepted: false, result: null, observation };
  };

const UNTESTED = "it loads, and no visible test says whether it is right";

/** What the user wrote wrong, where that is why nothing could be judged. */
function unjudgeable({ id }: VisibleTask, explanation: string): UserError | null {
  const [, part, why] = /^the (tests|test helpers) do not compile: (.*)$/s.exec(explanation) ?? [];
  if (part === undefined) return null;
  const what = part === "tests" ? "its tests do" : "the code before its body does";
  return new UserError(`${id} cannot be judged: ${what} not compile: ${why}. Correct that first.`);
}

function describe({ outcome, loaded }: Verdict): string {
  if (!loaded && outcome !== "timeout") return "it does not load";
  switch (outcome) {
    case "passed":
      return "it passes the visible tests";
    case "timeout":
      return "it did not finish in time";
    case "crashed":
    case "forged":
      return "it ended before the tests did";
    case "failed":
    case "sandbox_error":
      return "it fails the visible tests";
  }
}

/** What a model ran, where it may be its program: it defines the function, or was given input. Else null. */
function attemptIn({ iteration, reply }: Step, task: VisibleTask): string | null {
  if (iteration === 0 || reply.kind !== "act") return null;
  const { code, stdin } = reply.input;
  if (typeof code !== "string") return null;
  if (isProgram(task)) return typeof stdin === "string" ? code : null;
  return LANGUAGES[task.language].partsAround(code, task.entryPoint) === null ? null : code;
}

/** How many earlier programs of an unfinished run are tried: later ones are better, and each costs a test run. */
const MAX_LOOKBACK = 3;

/**
 * The last candidate that passes the visible tests, else the last that loads. Candidates are answers and the last
 * programs the model ran that define the entry point (the program given with the task, iteration 0, is none).
 */
export async function bestAnswer(steps: readonly Step[], task: VisibleTask, verify: Verify): Promise<ChosenAnswer> {
  let loads: string | null = null;
  let left = MAX_LOOKBACK;
  for (const step of steps.toReversed()) {
    const code = left > 0 ? attemptIn(step, task) : null;
    if (code !== null) left -= 1;
    const said = step.verification ?? (code === null ? null : await verify(code));
    if (said?.result != null && isVerified(said)) return { answer: said.result, verified: true };
    loads ??= said?.result ?? null;
  }
  return { answer: loads, verified: false };
}
