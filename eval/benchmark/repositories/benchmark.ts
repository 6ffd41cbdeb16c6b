/** A benchmark of real fixes: repositories at their bases, and the developers' tests that score a patch. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Prepared, prepareRepository } from "../../../fix/attempts/prepare.ts";
import { NOT_SEARCHED } from "../../../fix/search/chat.ts";
import { SEARCHERS } from "../../../fix/search/searchers.ts";
import { pool } from "../../../utils/concurrency/pool.ts";
import { UserError } from "../../../utils/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/files/temporary.ts";
import { isExitCodeAlone } from "../../../utils/frameworks/command_report.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { CommandBox } from "../../../utils/sandbox/command_box.ts";
import type { Benchmark, BenchmarkTask, CheckOptions, RepositoryAssignment } from "../benchmark.ts";
import type { LeftOut } from "../functions/admission.ts";
import { allRemarks, tellRemarks } from "../remarks.ts";
import { applyPatch, openRepositories, type Repositories } from "./checkout.ts";
import { addEnvironment, ENVIRONMENTS_FOLDER } from "./environment/environment.ts";
import { addMissing } from "./environment/trial.ts";
import { namedTests } from "./named_tests.ts";
import { type RepositoryTask, readRepositoryRows } from "./rows.ts";
import { scorePatch } from "./score_patch.ts";
import { commandOf, startFailure, TEST_SECONDS } from "./tests.ts";

/** What is shown of a task: its issue, with `tests` also the tests that score. */
const SHOWN = {
  example: "issue and repository, no scoring tests (SWE-bench)",
  tests: "issue, repository and the scoring tests",
} as const;
type RepositoryProtocol = keyof typeof SHOWN;

export interface RepositoryOptions {
  rows: string;
  repositories: string;
  /** Default: `example`. */
  protocol?: string | undefined;
  prepare: boolean;
  python?: string | undefined;
  box: CommandBox;
  /** Told which rows are left out and why, and what is not with a task's packages as it was when its row was made. */
  log: (line: string) => void;
}

/** How its trees are made and its tests are run. */
interface Opened extends RepositoryOptions {
  protocol: RepositoryProtocol;
  /** Told of a task's packages, each line once. */
  say: (line: string) => void;
}

/** @throws UserError where rows or repositories cannot be read */
export async function openRepositoryBenchmark(asked: RepositoryOptions): Promise<Benchmark> {
  const say = once((line) => asked.log(`dataset: ${line}`));
  const options: Opened = { ...asked, protocol: protocolOf(asked.protocol), say };
  const { tasks: rows, leftOut: unread } = readRepositoryRows(options.rows);
  const repositories = openRepositories(options.repositories);
  const leftOut: LeftOut[] = [...unread];
  const usable: RepositoryTask[] = [];
  for (const row of rows) {
    const reason = repositories.missing(row) ?? (await unusable(row, repositories, options));
    if (reason === null) usable.push(row);
    else leftOut.push({ id: row.id, reason });
  }
  const name = basename(options.rows);
  const remarks = allRemarks({ leftOut, remarks: [] });
  tellRemarks(name, remarks, options.log);
  const place: Place = (row, withTests) => treeOf(row, repositories, options, withTests);
  const byId = new Map(usable.map((row) => [row.id, row]));
  const reasonFor = async ({ id }: BenchmarkTask, by: CheckOptions["by"]): Promise<string | null> => {
    const row = byId.get(id);
    if (!row) throw new Error(`${id} is no task of this benchmark`);
    const searches = by !== null && typeof by !== "string" && by.inRepositories === "search_edits";
    if (searches && (!(row.framework in SEARCHERS) || row.build !== "")) return NOT_SEARCHED;
    using tree = await place(row, true);
    const failure = await startFailure(row, tree.path, options);
    if (failure !== null || !options.prepare || LANGUAGES[row.language].files.installer !== "npm") return failure;
    return await addMissing(row, { ...options, folder: ENVIRONMENTS_FOLDER, place: () => place(row, true) });
  };
  return {
    name,
    source: "file",
    sha256: createHash("sha256").update(JSON.stringify(usable)).digest("hex"),
    protocol: options.protocol,
    shown: SHOWN[options.protocol],
    tasks: usable.map((row) => taskOf(row, options, place)),
    remarks,
    refusal: (by) =>
      by.inRepositories === "search_edits" && options.protocol !== "tests"
        ? `${by.title} goes by failing tests, and an issue shows none: add --protocol tests, or bring a model ` +
          "with --model openai:NAME."
        : null,
    check: async (tasks, { by }) => {
      const reasons = new Map<string, string | null>();
      await pool(tasks, WIDTH, async (task) => void reasons.set(task.id, await reasonFor(task, by)));
      return tasks.map((task) => {
        const reason = reasons.get(task.id) ?? null;
        return reason === null
          ? { task, remarks: [] }
          : { task: null, remarks: [{ id: task.id, kind: "left_out", reason }] };
      });
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

/** Starts of runners at a time. */
const WIDTH = 2;

function protocolOf(name = "example"): RepositoryProtocol {
  if (name === "example" || name === "tests") return name;
  throw new UserError(`--protocol takes example (the issue alone) or tests with --repositories, not "${name}".`);
}

const taskOf = (row: RepositoryTask, options: Opened, place: Place): BenchmarkTask<RepositoryAssignment> => ({
  id: row.id,
  kind: row.kind,
  language: row.language,
  // The developers' tests import the code that they test.
  verdict: "shared",
  assignment: { type: "repository", prepare: (signal) => prepareTask(row, signal, options, place) },
  reference: (which) => (which === "gold" ? row.patch : null),
  score: async ({ answer }, _, signal) => {
    using tree = await place(row, true);
    return await scorePatch(row, answer, { ...options, tree: tree.path, signal });
  },
});

/** Cheap to find out before anything is run. */
async function unusable(row: RepositoryTask, repositories: Repositories, options: Opened): Promise<string | null> {
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
  { prepare, box, say }: Opened,
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

type Place = (row: RepositoryTask, withTests: boolean) => Promise<TemporaryFolder>;

/** The caller disposes of it. */
async function prepareTask(
  row: RepositoryTask,
  signal: AbortSignal,
  { protocol, box, python }: Opened,
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
