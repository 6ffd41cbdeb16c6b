/** A benchmark of real fixes: repositories at their bases, and the developers' tests that score a patch. */

import { basename } from "node:path";
import { NOT_SEARCHED, SEARCHERS } from "../../../fix/search/searchers.ts";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import {
  type Benchmark,
  type BenchmarkTask,
  type CheckedTask,
  type CheckOptions,
  isReference,
  madeBenchmark,
} from "../benchmark.ts";
import { leftOut } from "../remarks.ts";
import { openRepositories, type Repositories } from "./checkout.ts";
import { type RepositoryTask, readRepositoryRows } from "./rows.ts";
import { failureToStart, type Place, REPOSITORY_PROTOCOLS, repositoryTask } from "./task.ts";
import { parcelOf } from "./travel.ts";

/** What is shown of a task: its issue, with `tests` also the tests that score. */
const SHOWN = {
  example: "issue and repository, no scoring tests (SWE-bench)",
  tests: "issue, repository and the scoring tests",
} as const;

export interface RepositoryOptions {
  rows: string;
  /** A path is one of `openRepositories`. */
  repositories: string | Repositories;
  /** Default: `example`. */
  protocol?: string | undefined;
  prepare: boolean;
  python?: string | undefined;
  box: CommandBox;
  /** Gets which rows are left out and why, and what differs in a task's packages from the day its row was made. */
  log: (line: string) => void;
}

/** @throws UserError where rows or repositories cannot be read */
export async function openRepositoryBenchmark(options: RepositoryOptions): Promise<Benchmark> {
  const protocol = protocolOf(options.protocol);
  const { tasks, remarks, order } = await readRepositoryRows(options.rows);
  const say = once((line) => options.log(`dataset: ${line}`));
  const repositories =
    typeof options.repositories === "string" ? openRepositories(options.repositories) : options.repositories;
  const place: Place = { ...options, repositories, protocol, say };
  const name = basename(options.rows);
  const byId = new Map(tasks.map((row) => [row.id, row]));
  const reasonFor = async ({ id }: BenchmarkTask, by: CheckOptions["by"]): Promise<string | null> => {
    const row = byId.get(id);
    if (!row) throw new Error(`${id} is not a task of this benchmark`);
    const isAsked = by !== null && !isReference(by);
    const searches = isAsked && by !== "any model" && by.isSearch;
    const isHere = place.repositories.boxOf === undefined;
    if (searches && (!isHere || !(row.framework in SEARCHERS) || row.build !== "")) return NOT_SEARCHED;
    return await failureToStart(row, place, { isAsked });
  };
  return madeBenchmark(tasks, options.log, {
    ...{ name, protocol, shown: SHOWN[protocol], order, remarks },
    tasks: tasks.map((row) => taskOf(row, place)),
    refusal: (by) =>
      by.isSearch && protocol !== "tests"
        ? `${by.title} works from failing tests, and an issue shows none: add --protocol tests, or bring a model ` +
          "with --model openai:NAME."
        : null,
    check: (tasks, { by, log }) => checkInTurn(tasks, (task) => reasonFor(task, by), log),
    [Symbol.dispose]: () => repositories[Symbol.dispose](),
  });
}

/** The same, for lines that were not said before. */
function once(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
}

/** A task that can travel where its repository is here, which is looked for when it is about to. */
function taskOf(row: RepositoryTask, place: Place): BenchmarkTask {
  return {
    ...repositoryTask(row, place),
    get parcel() {
      return place.repositories.missing(row) === null ? parcelOf(row, place) : undefined;
    },
  };
}

/** Rows that are checked at a time. */
const WIDTH = 2;
/** Between two lines about rows that take long, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Checks rows, and prints a line for each when it is done, and a line now and then while the next takes long. */
async function checkInTurn(
  tasks: readonly BenchmarkTask[],
  reasonFor: (task: BenchmarkTask) => Promise<string | null>,
  log: (line: string) => void,
): Promise<CheckedTask[]> {
  const reasons = new Map<string, string | null>();
  const current = new Set<string>();
  const say = (what: string) => log(`checking ${reasons.size}/${tasks.length}: ${what}`);
  const timer = setInterval(() => say(`${[...current].join(", ")} …`), PATIENCE_MS);
  try {
    await pool(tasks, WIDTH, async (task) => {
      current.add(task.id);
      const reason = await reasonFor(task);
      reasons.set(task.id, reason);
      current.delete(task.id);
      say(reason === null ? `${task.id} can run` : `${task.id} is left out`);
    });
  } finally {
    clearInterval(timer);
  }
  return tasks.map((task) => {
    const reason = reasons.get(task.id) ?? null;
    return reason === null ? { task, remarks: [] } : { task: null, remarks: [leftOut(task.id, reason)] };
  });
}

function protocolOf(name = "example"): Place["protocol"] {
  const protocol = REPOSITORY_PROTOCOLS.find((one) => one === name);
  if (protocol) return protocol;
  throw new UserError(`--protocol takes example (the issue alone) or tests with --repositories, not "${name}".`);
}
