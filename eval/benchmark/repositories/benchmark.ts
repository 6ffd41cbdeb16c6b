/** A benchmark of real fixes: its tasks as a dataset, and how one is repaired and scored. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Model, ModelKind } from "../../../agent/models/model.ts";
import type { PayForCall } from "../../../agent/run/allowance.ts";
import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage } from "../../../agent/run/usage.ts";
import { type Prepared, prepareRepository } from "../../../fix/prepare.ts";
import { attemptRepair } from "../../../fix/run.ts";
import { NOT_SEARCHED, repositoryChat, searchRepairer } from "../../../fix/search/chat.ts";
import { SEARCHERS } from "../../../fix/search/searchers.ts";
import { UserError } from "../../../utils/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/files/temporary.ts";
import { isExitCodeAlone } from "../../../utils/frameworks/command_report.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { CommandBox } from "../../../utils/sandbox/command_box.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Task, VisibleTask } from "../../../utils/task/task.ts";
import type { LeftOut } from "../admission.ts";
import type { Dataset } from "../dataset.ts";
import type { Scored } from "../scorer.ts";
import { applyPatch, openRepositories, type Repositories } from "./checkout.ts";
import { addEnvironment, ENVIRONMENTS_FOLDER } from "./environment/environment.ts";
import { addMissing } from "./environment/trial.ts";
import { namedTests } from "./named_tests.ts";
import { type RepositoryTask, readRepositoryRows } from "./rows.ts";
import { scorePatch } from "./score_patch.ts";
import { commandOf, startFailure, TEST_SECONDS } from "./tests.ts";

/** What stands in for a model where a set is checked: the developer's patch, or none. */
export const REFERENCES = ["gold", "empty"] as const;
export type Reference = (typeof REFERENCES)[number];

/** What is shown of a task: its issue, with `tests` also the tests that score. */
export type RepositoryProtocol = "example" | "tests";
export const SHOWN: Record<RepositoryProtocol, string> = {
  example: "issue and repository, no scoring tests (SWE-bench)",
  tests: "issue, repository and the scoring tests",
};

export interface BenchmarkOptions {
  rows: string;
  repositories: string;
  protocol: RepositoryProtocol;
  /** Who repairs: models of a kind, or what stands in for one. Tasks that the kind cannot repair are left out. */
  by: ModelKind | Reference;
  prepare: boolean;
  python?: string | undefined;
  box: CommandBox;
  /** Told what is not with a task's packages as it was when its row was made, a line each. */
  say?: ((line: string) => void) | undefined;
}

export interface RepairParts {
  model: Pick<Model, "name" | "chat">;
  /** What the run's protocol shows of the task. */
  visible: VisibleTask;
  sandbox: Sandbox;
  seed?: number | undefined;
  limits: { maxIterations: number; timeoutMs: number };
  onStep: (step: Step) => void;
  /** Asks before each call of the model whether it may be made. Default: each may. */
  pay?: PayForCall | undefined;
  signal: AbortSignal;
}

/** How tasks of another kind than functions are repaired and scored. */
export interface Solver {
  /** @throws Error where the harness failed, or the task cannot be run here */
  repair(task: Task, parts: RepairParts): Promise<Trajectory>;
  score(task: Task, answer: string | null, signal: AbortSignal): Promise<Scored>;
}

export interface Benchmark extends Solver, Disposable {
  dataset: Dataset;
  /** Why a task's tests do not start here, which takes a start of their runner to find out; null where they do. */
  startFailure(task: Task): Promise<string | null>;
  /** A repository as an agent gets it, and what its tests say. @throws UserError where it cannot be run here */
  prepare(task: Task, signal: AbortSignal): Promise<Prepared>;
}

/** @throws UserError where rows or repositories cannot be read, and where nothing of what is shown is of use to who repairs */
export async function openBenchmark(wanted: BenchmarkOptions): Promise<Benchmark> {
  const options = { ...wanted, say: once(wanted.say ?? (() => {})) };
  const { by } = options;
  if (typeof by !== "string" && by.inRepositories === "search_edits" && options.protocol !== "tests")
    throw new UserError(
      `${by.title} goes by failing tests, and an issue shows none: add --protocol tests, or bring a model with --model openai:NAME.`,
    );
  const { tasks: rows, leftOut: unread } = readRepositoryRows(options.rows);
  const repositories = openRepositories(options.repositories);
  const leftOut: LeftOut[] = [...unread];
  const tasks: RepositoryTask[] = [];
  for (const row of rows) {
    const reason = repositories.missing(row) ?? (await unusable(row, repositories, options));
    if (reason === null) tasks.push(row);
    else leftOut.push({ id: row.id, reason });
  }
  const byId = new Map(tasks.map((row) => [row.id, row]));
  const rowOf = ({ id }: Task): RepositoryTask => {
    const row = byId.get(id);
    if (!row) throw new Error(`${id} is no task of this benchmark`);
    return row;
  };
  const place = (row: RepositoryTask, withTests: boolean) => treeOf(row, repositories, options, withTests);
  return {
    dataset: {
      name: basename(options.rows),
      source: "file",
      sha256: createHash("sha256").update(JSON.stringify(tasks)).digest("hex"),
      tasks: tasks.map(asTask),
      leftOut,
      remarks: [],
      hiddenTestsHold: true,
    },
    startFailure: async (task) => {
      const row = rowOf(task);
      using tree = await place(row, true);
      const failure = await startFailure(row, tree.path, options);
      if (failure !== null || !options.prepare || LANGUAGES[row.language].files.installer !== "npm") return failure;
      return await addMissing(row, { ...options, folder: ENVIRONMENTS_FOLDER, place: () => place(row, true) });
    },
    prepare: (task, signal) => prepareTask(rowOf(task), signal, options, place),
    repair: (task, parts) => repairTask(rowOf(task), parts, options, place),
    score: async (task, answer, signal) => {
      const row = rowOf(task);
      using tree = await place(row, true);
      return await scorePatch(row, answer, { ...options, tree: tree.path, signal });
    },
    [Symbol.dispose]: () => repositories[Symbol.dispose](),
  };
}

/** The same, for lines that it has not been told yet. */
function once(say: (line: string) => void): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (!told.has(line)) say(line);
    told.add(line);
  };
}

/** Cheap to find out before anything is run. */
async function unusable(
  row: RepositoryTask,
  repositories: Repositories,
  options: BenchmarkOptions,
): Promise<string | null> {
  const { by } = options;
  const searches = typeof by !== "string" && by.inRepositories === "search_edits";
  if (searches && (!(row.framework in SEARCHERS) || row.build !== "")) return NOT_SEARCHED;
  try {
    using tree = await treeOf(row, repositories, options, true);
    return applyPatch(tree.path, row.patch);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** @throws UserError where a patch does not apply or packages are missing */
async function treeOf(
  row: RepositoryTask,
  repositories: Repositories,
  { prepare, box, say }: BenchmarkOptions,
  withTests: boolean,
): Promise<TemporaryFolder> {
  const folder = makeTemporaryFolder("task");
  try {
    repositories.checkOut(row, folder.path);
    const problem =
      (withTests ? applyPatch(folder.path, row.testPatch) : null) ??
      (await addEnvironment(row, folder.path, { folder: ENVIRONMENTS_FOLDER, prepare: prepare ? box : null, say }));
    if (problem !== null) throw new UserError(problem);
    return folder;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** The harness knows functions; of a repository's task it needs the issue and the names of things. */
const asTask = (row: RepositoryTask): Task => ({
  id: row.id,
  language: row.language,
  entryPoint: "",
  instruction: row.issue,
  declaration: "",
  buggyCode: "",
  epilogue: "",
  exampleTest: "",
  hiddenTest: "",
  documentedDeclaration: "",
  canonicalCode: "",
  bugType: row.kind,
});

type Place = (row: RepositoryTask, withTests: boolean) => Promise<TemporaryFolder>;

/** The caller disposes of it. */
async function prepareTask(
  row: RepositoryTask,
  signal: AbortSignal,
  { protocol, box, python }: BenchmarkOptions,
  place: Place,
): Promise<Prepared> {
  const withTests = protocol === "tests";
  const tree = await place(row, withTests);
  const test = commandOf(row, tree.path, withTests ? "files" : "folder");
  const targets = (failing: readonly TestResult[]) =>
    isExitCodeAlone(test, failing) ? failing : namedTests({ ...row, passToPass: [] }, failing).failing;
  try {
    const prepared = await prepareRepository({
      box,
      path: tree.path,
      test,
      issue: row.issue,
      python,
      environment: {},
      testSeconds: TEST_SECONDS,
      targets: withTests ? targets : undefined,
      signal,
    });
    const dispose = () => {
      prepared[Symbol.dispose]();
      tree[Symbol.dispose]();
    };
    return { ...prepared, [Symbol.dispose]: dispose };
  } catch (error) {
    tree[Symbol.dispose]();
    throw error;
  }
}

async function repairTask(
  row: RepositoryTask,
  { model, sandbox, seed, limits, onStep, pay, signal }: RepairParts,
  options: BenchmarkOptions,
  place: Place,
): Promise<Trajectory> {
  const { by } = options;
  if (typeof by === "string") return referenceTrajectory(row, by);
  using prepared = await prepareTask(row, signal, options, place);
  const search = searchRepairer(prepared);
  const chat = repositoryChat({ kind: by, chat: model.chat }, prepared, search);
  const { trajectory } = await attemptRepair(prepared, {
    id: row.id,
    model: { name: model.name, chat },
    sandbox,
    more: (workspace) => (search ? [search.tool(workspace)] : []),
    seed,
    ...limits,
    onStep,
    pay,
    signal,
  });
  const doubt = (chat === search?.chat && search.doubt()) || undefined;
  return { ...trajectory, doubt };
}

const referenceTrajectory = (row: RepositoryTask, reference: Reference): Trajectory => ({
  taskId: row.id,
  model: reference,
  stop: "answered",
  answer: reference === "gold" ? row.patch : null,
  verified: false,
  iterations: 0,
  steps: [],
  messages: [],
  usage: noUsage(),
  seconds: 0,
});
