/** A benchmark of real fixes: repositories at their bases, and the developers' tests that score a patch. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { NOT_SEARCHED, SEARCHERS } from "../../../fix/search/searchers.ts";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { Benchmark, BenchmarkTask, CheckOptions } from "../benchmark.ts";
import type { LeftOut } from "../functions/admission.ts";
import { allRemarks, tellRemarks } from "../remarks.ts";
import { applyPatch, openRepositories } from "./checkout.ts";
import { type RepositoryTask, readRepositoryRows } from "./rows.ts";
import { failureToStart, type Place, REPOSITORY_PROTOCOLS, repositoryTask, treeOf } from "./task.ts";
import { parcelOf } from "./travel.ts";

/** What is shown of a task: its issue, with `tests` also the tests that score. */
const SHOWN = {
  example: "issue and repository, no scoring tests (SWE-bench)",
  tests: "issue, repository and the scoring tests",
} as const;

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

/** @throws UserError where rows or repositories cannot be read */
export async function openRepositoryBenchmark(options: RepositoryOptions): Promise<Benchmark> {
  const protocol = protocolOf(options.protocol);
  const { made: rows, leftOut: unread, order } = await readRepositoryRows(options.rows);
  const repositories = openRepositories(options.repositories);
  const say = once((line) => options.log(`dataset: ${line}`));
  const place: Place = { ...options, repositories, protocol, say };
  const leftOut: LeftOut[] = [...unread];
  const usable: RepositoryTask[] = [];
  for (const row of rows) {
    const reason = repositories.missing(row) ?? (await unusable(row, place));
    if (reason === null) usable.push(row);
    else leftOut.push({ id: row.id, reason });
  }
  const name = basename(options.rows);
  const remarks = allRemarks({ leftOut, remarks: [] });
  tellRemarks(name, remarks, options.log);
  const byId = new Map(usable.map((row) => [row.id, row]));
  const reasonFor = async ({ id }: BenchmarkTask, by: CheckOptions["by"]): Promise<string | null> => {
    const row = byId.get(id);
    if (!row) throw new Error(`${id} is no task of this benchmark`);
    const searches = by !== null && typeof by !== "string" && by.inRepositories === "search_edits";
    if (searches && (!(row.framework in SEARCHERS) || row.build !== "")) return NOT_SEARCHED;
    return await failureToStart(row, place);
  };
  return {
    name,
    source: "file",
    sha256: createHash("sha256").update(JSON.stringify(usable)).digest("hex"),
    protocol,
    shown: SHOWN[protocol],
    tasks: usable.map((row) => ({ ...repositoryTask(row, place), parcel: parcelOf(row, place) })),
    order,
    remarks,
    refusal: (by) =>
      by.inRepositories === "search_edits" && protocol !== "tests"
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

function protocolOf(name = "example"): Place["protocol"] {
  const protocol = REPOSITORY_PROTOCOLS.find((one) => one === name);
  if (protocol) return protocol;
  throw new UserError(`--protocol takes example (the issue alone) or tests with --repositories, not "${name}".`);
}

/** Cheap to find out before anything is run. */
async function unusable(row: RepositoryTask, place: Place): Promise<string | null> {
  try {
    using tree = await treeOf(row, place, true);
    return applyPatch(tree.path, row.patch);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
