/** The noun: a benchmark, its tasks, what an agent is given of one, and how what it leaves is scored. */

import type { Observation } from "../../agent/dialects/reply.ts";
import type { ModelKind } from "../../agent/models/model.ts";
import type { TestsVerdict } from "../../agent/tools/run_tests.ts";
import type { Preparation } from "../../fix/attempts/prepare.ts";
import { jsonHash } from "../../utils/base/data/json_hash.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Task, VisibleTask } from "../../utils/task/task.ts";
import { type Remark, tellRemarks } from "./remarks.ts";
import type { ScoreResult } from "./scorer.ts";

/**
 * What stands in for an agent where a set of tasks is checked: the reference solutions, or the buggy programs and
 * stubs.
 */
export const REFERENCES = ["gold", "empty"] as const;
export type Reference = (typeof REFERENCES)[number];

/** Who works on tasks: models of a kind, models whatever their kind, or what stands in for one. */
export type Worker = ModelKind | "any model" | Reference;

export const isReference = (by: Worker | null): by is Reference => by === "gold" || by === "empty";

/** A function to repair or to write, in the words of the prompt. */
export interface SolveAssignment {
  type: "solve";
  visible: VisibleTask;
}

/** A repository to work in: a copy of it, what its tests say, where the bug likely is. */
export interface RepositoryAssignment {
  type: "repository";
  /** The caller disposes of it. @throws UserError where it cannot be run here */
  prepare(signal: AbortSignal): Promise<Preparation>;
}

/** A folder of files with an instruction; the answer is a patch of it. */
export interface FolderAssignment {
  type: "work";
  /** Puts the files into an empty folder. @returns what the agent is asked to do */
  prepare(folder: string, signal: AbortSignal): Promise<string>;
  /** Absent where there is nothing to run. */
  tests?: FolderTests;
  /**
   * How many answers are tried: after each the tests say what fails, and the agent cannot run them itself. Absent: it
   * can, and any number is.
   */
  tries?: number | undefined;
}

/** A question in words. */
export interface QuestionAssignment {
  type: "question";
  text: string;
  /** What an answer is, e.g. `an integer`. */
  form: string;
  /** Whether a text is one, right or wrong. */
  isAnswer(text: string): boolean;
}

/** What an agent is given. */
export type Assignment = SolveAssignment | RepositoryAssignment | FolderAssignment | QuestionAssignment;

/** Tests that the host runs, in a box of their own, on the folder as it is while an agent works in it. */
export interface FolderTests {
  run(folder: string, signal: AbortSignal): Promise<Observation>;
  /** Whether they agree with what was changed. */
  verify(folder: string, signal: AbortSignal): Promise<TestsVerdict>;
}

export interface BenchmarkTask<Given extends Assignment = Assignment> {
  id: string;
  /** As its row says, e.g. the type of its bug: results are counted by it. */
  kind: string;
  /** Of its programs; absent where there are none. */
  language?: LanguageName;
  /** Present where a function shares an interpreter with its tests, though others do not. */
  judgeMode?: "in_process" | undefined;
  assignment: Given;
  /** Present where it is a function: all that is known of it, hidden tests too. */
  function?: Task;
  /** Data from which another machine makes the same task, and its benchmark. Absent: the task cannot travel. */
  parcel?: { benchmark: string; data: unknown; needs?: unknown } | undefined;
  /** What stands in for an answer; null where there is none. */
  reference(which: Reference): string | null;
  /** A whole answer from what a model wrote as the rest of what it was shown. Absent where no task is answered so. */
  complete?(rest: string): string;
  /**
   * Scores an answer (a program, a patch, a text), on the host, with what the agent never sees.
   * @param timeoutMs limit of the tests, default the task's own
   */
  score(answer: string | null, sandbox: Sandbox, signal: AbortSignal, timeoutMs?: number): Promise<ScoreResult>;
}

/** The result of checking a task. */
export interface CheckedTask {
  /** As it can be scored here; null where it cannot. */
  task: BenchmarkTask | null;
  remarks: Remark[];
}

export interface CheckOptions {
  sandbox: Sandbox;
  /** Who works on the tasks: those that this kind of model cannot do are left out. Null: the tasks are only scored. */
  by: Worker | null;
  /** Receives the progress of a long check. */
  log: (line: string) => void;
}

export interface Benchmark extends Disposable {
  /** The file's name, the hub id, or `builtin`. */
  name: string;
  /** Of the tasks themselves, so that the same tasks in another file have the same hash. */
  sha256: string;
  /** What is shown of a task: scores under different protocols do not compare. */
  protocol: string;
  /** The same in words, as it stands next to the score in every output. */
  shown: string;
  /** All that can be read, in their order. */
  tasks: readonly BenchmarkTask[];
  /**
   * Ids of all rows of the dataset in their order, of those left out too: a position in it is what `--indices` names.
   */
  order: readonly string[];
  /** Remarks from reading the tasks; they were logged already. */
  remarks: readonly Remark[];
  /** Present where solved tasks can be shown as examples: what is shown of one. */
  examples?: (task: Task) => VisibleTask;
  /** Why models of a kind can do nothing here, in a sentence that says what to give instead; null where they can. */
  refusal(by: ModelKind): string | null;
  /**
   * Looks whether tasks can be scored here before anything else is run, each by its own reference. In the order of
   * `tasks`.
   */
  check(tasks: readonly BenchmarkTask[], options: CheckOptions): Promise<CheckedTask[]>;
}

type Usual = "sha256" | "order" | "refusal" | "check" | typeof Symbol.dispose;

/**
 * A benchmark, with what is usual where nothing else is given: rows are tasks, for all models, each as it is.
 * @param data what it is made of, @param log gets its remarks
 */
export function madeBenchmark(
  data: unknown,
  log: (line: string) => void,
  given: Omit<Benchmark, Usual> & Partial<Pick<Benchmark, Usual>>,
): Benchmark {
  tellRemarks(given.name, given.remarks, log);
  return {
    sha256: jsonHash(data),
    order: given.tasks.map(({ id }) => id),
    refusal: () => null,
    check: async (tasks) => tasks.map((task) => ({ task, remarks: [] })),
    [Symbol.dispose]: () => {},
    ...given,
  };
}
