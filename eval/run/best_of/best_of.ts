/** Best of N: several trajectories on one task, and one of their answers submitted. The cost is that of all of them. */

import { type RepairOptions, repair } from "../../../agent/repair.ts";
import type { CandidateRecord, Trajectory } from "../../../agent/run/trajectory.ts";
import { addUsage, noUsage } from "../../../agent/run/usage.ts";
import { largest } from "../../../utils/base/data/extremes.ts";
import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import type { AgentSandbox } from "../../../utils/sandbox/types.ts";
import { aloneScript } from "../../../utils/search/bundle.ts";
import { buggyProgram, type VisibleTask } from "../../../utils/task/task.ts";
import { type ChosenCandidate, choose, editSize } from "./choose.ts";

interface BestOfOptions extends RepairOptions {
  /** Trajectories, at least 1; each gets a seed of its own, derived from `seed` where there is one. */
  candidates: number;
}

/** A trajectory and the seed it had. */
interface Attempt {
  trajectory: Trajectory;
  seed: number | null;
}

/**
 * Repairs the task N times at once, within one time limit, and chooses: answers that pass the visible tests, else any
 * that load; of these the largest group that behaves the same; of that the shortest edit. Turns and messages of the
 * result are those of the chosen candidate, iterations and usage (seconds too) those of all; `bestOf` names them all.
 * A candidate lost to a failing model leaves no best of N: the result is that error.
 * @throws Error where the harness itself failed
 */
export async function bestOf(task: VisibleTask, options: BestOfOptions): Promise<Trajectory> {
  const started = performance.now();
  const attempts = await attemptAll(task, options);
  const trajectories = attempts.map(({ trajectory }) => trajectory);
  const slowest = largest(trajectories.map(({ seconds }) => seconds));
  const lost = trajectories.find(({ stop }) => stop === "error") ?? trajectories.find(({ stop }) => stop === "aborted");
  const choice = lost ? null : await chooseAmong(task, trajectories, options);
  const shown = lost ?? trajectories[choice?.chosen ?? 0];
  if (!shown) throw new RangeError("best of no candidates");
  const usage = trajectories.map((trajectory) => trajectory.usage).reduce(addUsage, noUsage());
  const seconds = (performance.now() - started) / 1000;
  return {
    ...shown,
    iterations: trajectories.reduce((sum, { iterations }) => sum + iterations, 0),
    usage: { ...usage, seconds: usage.seconds + Math.max(0, seconds - slowest) },
    seconds,
    bestOf: {
      chosen: choice?.chosen ?? null,
      why: choice?.why ?? (lost ? `No choice: a candidate ended with ${lost.stop}.` : "No candidate gave an answer."),
      compared: choice?.compared ?? 0,
      groups: choice?.groups ?? [],
      candidates: attempts.map((attempt) => recordOf(task, attempt)),
    },
  };
}

/** All attempts at once; once the model fails one of them, the others are not worth their cost. */
async function attemptAll(task: VisibleTask, options: BestOfOptions): Promise<Attempt[]> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const attempts = Array.from({ length: options.candidates }, async (_, i): Promise<Attempt> => {
    const seed = options.seed === undefined ? null : deriveSeed(options.seed, i);
    try {
      const trajectory = await repair(task, { ...options, ...(seed === null ? {} : { seed }), signal });
      if (trajectory.stop === "error") failed.abort();
      return { trajectory, seed };
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  await Promise.allSettled(attempts);
  return Promise.all(attempts);
}

/** Null where no candidate has an answer that loads. */
async function chooseAmong(
  task: VisibleTask,
  trajectories: readonly Trajectory[],
  { sandbox, signal }: BestOfOptions,
): Promise<ChosenCandidate | null> {
  const answers = trajectories.flatMap(({ answer, verified }, candidate) =>
    answer === null ? [] : { candidate, verified, program: answer },
  );
  const passing = answers.filter(({ verified }) => verified);
  const eligible = passing.length > 0 ? passing : answers;
  const [first] = eligible;
  if (!first) return null;
  const programs = [...new Set(eligible.map(({ program }) => program))];
  const inputs = programs.length > 1 ? await deriveInputs(task, first.program, sandbox, signal) : [];
  const behaviours = new Map(
    await Promise.all(
      programs.map(async (program) => {
        const outcomes = inputs.length > 0 ? await observe(task, program, inputs, sandbox, signal) : [];
        return [program, outcomes] as const;
      }),
    ),
  );
  const buggy = buggyProgram(task);
  return choose(
    eligible.map(({ candidate, program }) => ({
      candidate,
      program,
      outcomes: behaviours.get(program) ?? [],
      edit: editSize(buggy, program),
    })),
  );
}

const recordOf = (task: VisibleTask, { trajectory, seed }: Attempt): CandidateRecord => {
  const { stop, verified, answer, iterations, usage, seconds, steps } = trajectory;
  const edit = answer === null ? null : editSize(buggyProgram(task), answer);
  return { seed, stop, verified, answer, edit, iterations, usage, seconds, steps };
};

const MARK = "BEHAVIOUR ";
/** Inputs that candidates are compared on: more would separate few that these do not. */
const MOST_INPUTS = 64;
/** Processor time of one program on all inputs. */
const TIMEOUT_MS = 20_000;

/**
 * Arguments like those of the visible tests, as Python literals: their calls first, then calls with one argument
 * varied. The same task and program give the same inputs. Empty where the tests make no calls that could be recorded.
 * @param program a candidate that loads: the tests are run with it
 */
export const deriveInputs = (
  { entryPoint, exampleTest }: VisibleTask,
  program: string,
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<string[]> =>
  ask(aloneScript({ program, entry: entryPoint, tests: exampleTest, limit: MOST_INPUTS }), sandbox, signal);

/**
 * What `program` does on each input: the value as text, `raised`, `cut` where it runs on, or `not tried` after several
 * that did. What it printed about itself is as hostile as it is, and can only change which other candidates it is taken
 * to agree with. Shorter than `inputs` where the program did not come to the end of them.
 */
export const observe = (
  { entryPoint }: VisibleTask,
  program: string,
  inputs: readonly string[],
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<string[]> => ask(aloneScript({ program, entry: entryPoint, tests: "", inputs }), sandbox, signal);

async function ask(code: string, sandbox: AgentSandbox, signal?: AbortSignal): Promise<string[]> {
  const { stdout } = await sandbox.run({ code, timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) });
  return stdout.split("\n").flatMap((line) => (line.startsWith(MARK) ? line.slice(MARK.length) : []));
}
