/** Exercises as a benchmark: an answer is a patch of the files given, and the exercise's own tests score it. */

import { z } from "zod";
import { describeRun } from "../../../fix/attempts/tools.ts";
import { type FileChange, renderPatch } from "../../../fix/project/patch.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { isFail } from "../../../utils/frameworks/test_run.ts";
import { runsAsOther } from "../../../utils/project/project.ts";
import { hasPackage, projectPython } from "../../../utils/project/python_environment.ts";
import { BoxFailure } from "../../../utils/project/repository_box.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import {
  type Benchmark,
  type BenchmarkTask,
  type CheckedTask,
  type FolderAssignment,
  madeBenchmark,
} from "../benchmark.ts";
import { leftOut, type Remark } from "../remarks.ts";
import { applyPatch } from "../repositories/checkout.ts";
import type { ScoreResult } from "../scorer.ts";
import { Exercise } from "./exercise.ts";
import { filledIn, instructionOf } from "./folder.ts";
import { type ExerciseRun, MissingTool, type RunOptions, runExercise, trackOf, writeFiles } from "./run.ts";

/** What is shown of a task beside its instructions and files: what tests say of an answer, or the tests themselves. */
type ProtocolName = "example" | "tests";

export interface ExerciseOptions extends RunOptions {
  protocol?: string | undefined;
  /** Default: two. */
  tries?: number | undefined;
  log: (line: string) => void;
}

/** As aider has it. */
const TRIES = 2;

/** @throws UserError for a protocol that is none */
export function exerciseBenchmark(
  exercises: readonly Exercise[],
  remarks: readonly Remark[],
  name: string,
  options: ExerciseOptions,
): Benchmark {
  const shows = protocolOf(options);
  const tries = options.tries ?? TRIES;
  const more =
    shows === "tests"
      ? "and the scoring tests"
      : `${tries > 1 ? `and after a try what its tests say, ${tries} tries` : `one try`}`;
  return madeBenchmark(exercises, options.log, {
    name,
    protocol: shows,
    shown: `instructions and stub, ${more}`,
    tasks: exercises.map((exercise) => exerciseTask(exercise, { ...options, shows, tries })),
    remarks,
    refusal: (by) =>
      by.isSearch
        ? `${by.title} edits functions and repositories, and these tasks are files to fill in: bring a model ` +
          "with --model openai:NAME."
        : null,
    check: async (tasks) => {
      const byId = new Map(exercises.map((exercise) => [exercise.id, exercise]));
      const reasons = new Map<string, Promise<string | null>>();
      const reasonOf = (exercise: Exercise) => {
        const known = reasons.get(exercise.track) ?? unusable(exercise, options);
        reasons.set(exercise.track, known);
        return known;
      };
      return await Promise.all(
        tasks.map(async (task): Promise<CheckedTask> => {
          const exercise = byId.get(task.id);
          const reason = exercise ? await reasonOf(exercise) : null;
          if (reason !== null) return { task: null, remarks: [leftOut(task.id, reason)] };
          return {
            task,
            remarks: exercise && (await passesAsGiven(exercise, options)) ? [alreadyPasses(task.id)] : [],
          };
        }),
      );
    },
  });
}

function protocolOf({ protocol = "example", tries }: ExerciseOptions): ProtocolName {
  if (protocol !== "example" && protocol !== "tests")
    throw new UserError(
      "--protocol takes example (what tests say after a try) or tests (the tests themselves) for " +
        `exercises, not "${protocol}".`,
    );
  if (protocol === "tests" && tries !== undefined)
    throw new UserError("--protocol tests lets the model run the tests as often as it likes: leave out --tries.");
  return protocol;
}

/**
 * Code to be written anew, which does what it should: no other exercise is looked at, as it takes a run of the tests.
 */
const REFACTORING = /\brefactor/i;

const passesAsGiven = async (exercise: Exercise, options: RunOptions): Promise<boolean> =>
  REFACTORING.test(exercise.instructions) && (await runExercise(exercise, {}, options)).passed;

const alreadyPasses = (id: string): Remark => ({
  id,
  kind: "already_passes",
  reason: "it is to be written anew, and passes as it is given",
});

/** Why exercises of a track cannot be run here; null where they can. */
async function unusable(exercise: Exercise, options: RunOptions): Promise<string | null> {
  const track = trackOf(exercise);
  const missing = track.missing?.() ?? null;
  if (missing !== null) return missing;
  try {
    if (track.pytest && !(await hasPytest(options))) return NO_PYTEST;
    // Whether its packages are there is found out by running something.
    if (track.npm) await runExercise(exercise, {}, options);
    return null;
  } catch (error) {
    if (error instanceof UserError || error instanceof MissingTool) return error.message;
    throw error;
  }
}

const NO_PYTEST = "this Python has no pytest: pip install pytest, or name another with --python";

async function hasPytest({ box, python }: { box: CommandBox; python?: string | undefined }): Promise<boolean> {
  using folder = makeTemporaryFolder("python");
  const { path } = folder;
  const project = { root: path, folder: path, target: path, shared: runsAsOther(box.layer), python };
  return await hasPackage(await projectPython(project), "pytest");
}

/** The row that unpacks exercises. */
const EXERCISES = "polyglot";

const Parcel = z.object({
  exercise: Exercise,
  shows: z.enum(["example", "tests"]),
  tries: z.number().int().positive(),
});
type Parcel = z.infer<typeof Parcel>;

/** A task that came from another machine. */
export function unpackedTask(data: unknown, options: RunOptions): BenchmarkTask {
  const { exercise, ...how } = Parcel.parse(data);
  return exerciseTask(exercise, { ...options, ...how });
}

export interface ExerciseTaskOptions extends RunOptions {
  shows: ProtocolName;
  tries: number;
}

export function exerciseTask(exercise: Exercise, options: ExerciseTaskOptions): BenchmarkTask<FolderAssignment> {
  const { shows, tries } = options;
  const run = (folder: string, signal: AbortSignal) =>
    runExercise(exercise, filledIn(exercise, folder), { ...options, signal });
  return {
    id: exercise.id,
    kind: exercise.track,
    assignment: {
      type: "work",
      prepare: async (folder) => {
        writeFiles(folder, shows === "tests" ? { ...exercise.given, ...exercise.tests } : exercise.given);
        return instructionOf(exercise, shows === "tests");
      },
      tests: {
        run: async (folder, signal) => observed(await run(folder, signal)),
        verify: async (folder, signal) => {
          const ran = await run(folder, signal);
          return { accepted: ran.passed, observation: observed(ran) };
        },
      },
      tries: shows === "tests" ? undefined : tries,
    },
    parcel: { benchmark: EXERCISES, data: { exercise, shows, tries } satisfies Parcel },
    reference: (which) => (which === "empty" ? "" : renderPatch(changesOf(exercise))),
    score: (answer, _, signal) => scored(exercise, answer, { ...options, signal }),
  };
}

const changesOf = ({ given, reference }: Exercise): FileChange[] =>
  Object.entries(reference).flatMap(([file, after]) =>
    given[file] === after ? [] : { file, before: given[file] ?? null, after },
  );

const observed = (ran: ExerciseRun) => {
  const { status, output } = describeRun(ran);
  const more = ran.ending === "complete" && output !== "" ? output : output || ran.output;
  return { status, output: more, durationMs: ran.cpuSeconds * 1000 };
};

async function scored(
  exercise: Exercise,
  answer: string | null,
  options: RunOptions & { signal: AbortSignal },
): Promise<ScoreResult> {
  if (answer === null) return failed("nothing was answered");
  using folder = makeTemporaryFolder("answer");
  writeFiles(folder.path, exercise.given);
  const problem = answer.trim() === "" ? null : applyPatch(folder.path, answer);
  if (problem !== null) return failed(`the patch does not apply: ${problem}`);
  try {
    const ran = await runExercise(exercise, filledIn(exercise, folder.path), options);
    if (ran.passed) return { score: { passed: true, outcome: "passed", explanation: "" } };
    const { status, output } = observed(ran);
    const outcome = ran.ending === "timeout" ? "timeout" : "failed";
    const names = [...ran.tests.values()].filter(isFail).map(({ name }) => name);
    const failing = names.length > 0 ? `failing tests: ${names.slice(0, MOST_NAMED).join(", ")}\n` : "";
    return { score: { passed: false, outcome, explanation: `${status}\n${failing}${output}`.slice(0, MOST_CHARS) } };
  } catch (error) {
    if (error instanceof UserError || error instanceof MissingTool || error instanceof BoxFailure)
      return { error: `the exercise cannot be run here: ${error.message}` };
    throw error;
  }
}

const MOST_NAMED = 40;
const MOST_CHARS = 6000;
const failed = (explanation: string): ScoreResult => ({ score: { passed: false, outcome: "failed", explanation } });
