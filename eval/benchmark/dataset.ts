/** Datasets of functions by name: from a file or folder, from the Hugging Face hub, or the built-in set. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { plural } from "../../utils/base/text/format.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { keepFromBoxes } from "../../utils/sandbox/hidden.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Task } from "../../utils/task/task.ts";
import { type FindOptions, type FoundDataset, fallbackLine, findBenchmark } from "./find.ts";
import type { OmittedTask } from "./functions/admission.ts";
import { withCalledEntryPoints, withWays } from "./functions/as_tested.ts";
import { allRemarks, type Remark, tellRemarks } from "./remarks.ts";
import type { BenchmarkRow, Contents, FunctionsRow, ReadOptions } from "./row.ts";
import { BENCHMARKS } from "./table.ts";

export interface Dataset {
  /** The file's name, the hub id, or `builtin`. */
  name: string;
  source: "hub" | "file" | "builtin";
  /** Of the tasks themselves, so that the same tasks in another file format have the same hash. */
  sha256: string;
  tasks: Task[];
  /** Ids of all its rows in their order, of those left out too. */
  order: readonly string[];
  /** Tasks of the dataset that cannot be scored here; each was passed to `log`. */
  leftOut: OmittedTask[];
  /** Other remarks on its tasks; passed to `log`, too. */
  remarks: Remark[];
  /** True where the correct programs were seen to pass the hidden tests when the dataset was read. */
  hiddenTestsHold: boolean;
  /**
   * Where hidden tests come from another file: its name. They are data rather than text that a model could be shown.
   */
  hiddenTestsFrom?: string;
  /** What is shown of a task, where that is other than of functions to repair. */
  shown?: string;
  /** Where no dataset was named and the built-in set stands in for the hub's: why. */
  fallback?: string;
}

export interface DatasetOptions extends FindOptions, Partial<Omit<ReadOptions, "log">> {
  /** A file with HumanEval+, whose tests replace the hidden ones. */
  plus?: string | undefined;
}

/**
 * Loads the functions that a user named.
 * @param spec as `findBenchmark` takes it
 * @throws UserError in one sentence: what was named cannot be had or read, or holds no functions, and why
 */
export async function loadDataset(spec: string | undefined, options: DatasetOptions): Promise<Dataset> {
  const found = await findBenchmark(spec, options);
  const { benchmark, path } = found;
  if (!("read" in benchmark)) throw new UserError(`${path} holds no functions, but ${benchmark.about.task} a row.`);
  return await readDataset({ ...found, benchmark }, options);
}

/** The functions of what was found. @throws UserError */
export async function readDataset(
  { benchmark, path, fallback, ...shown }: FoundDataset & { benchmark: FunctionsRow },
  options: DatasetOptions,
): Promise<Dataset> {
  const { log, slow = false, after, plus } = options;
  if (slow && !benchmark.hasSlowCases) {
    const those = BENCHMARKS.flatMap(({ hasSlowCases, name }) => (hasSlowCases ? name : [])).join(" or ");
    throw new UserError(`--slow is for ${those} alone: no other benchmark skips cases that take long.`);
  }
  if (after !== undefined) requireDates(benchmark);
  const opened = options.openSandbox ?? openSandbox;
  const contents = runnable(await benchmark.read(path, { log, slow, after, openSandbox: opened }));
  const name = after === undefined ? shown.name : `${shown.name} after ${after}`;
  const dataset = describe({ ...shown, name }, contents, options);
  if (contents.shown !== undefined) dataset.shown = contents.shown;
  if (contents.hiddenTestsAreData) dataset.hiddenTestsFrom = shown.name;
  if (fallback !== undefined) {
    log(fallbackLine(fallback, dataset.tasks.length));
    dataset.fallback = fallback;
  }
  return plus === undefined ? dataset : joinPlus(dataset, plus, options);
}

/** @throws UserError where its rows have no dates */
export function requireDates({ hasDates, name }: BenchmarkRow): void {
  if (hasDates) return;
  const those = BENCHMARKS.flatMap((row) => (row.hasDates ? row.name : [])).join(" and ");
  throw new UserError(`--after is for ${those}: tasks of ${name} do not say when they were published.`);
}

async function joinPlus(dataset: Dataset, file: string, options: DatasetOptions): Promise<Dataset> {
  keepFromBoxes(file);
  const { name, source, tasks, remarks } = dataset;
  const { withPlusTests } = await import("./functions/plus.ts");
  await using sandbox = await (options.openSandbox ?? openSandbox)();
  options.log(
    `dataset: running the canonical solutions of ${plural(tasks.length, "task")} on the inputs of ${basename(file)} …`,
  );
  const admitted = await withPlusTests(tasks, file, { sandbox, log: options.log });
  const { order } = dataset;
  const joined = describe({ name: `${name} with ${basename(file)}`, source }, { ...admitted, order }, options);
  const leftOut = [...dataset.leftOut, ...joined.leftOut];
  return { ...joined, leftOut, remarks, hiddenTestsHold: true, hiddenTestsFrom: basename(file) };
}

/** Without the tasks whose correct program cannot run on this machine, whatever a model answers. */
function runnable({ tasks, leftOut = [], remarks = [], ...rest }: Contents): Contents {
  const unavailable = tasks.flatMap((task) => {
    const reason = LANGUAGES[task.language].unavailable(task.declaration + task.canonicalCode);
    return reason === null ? [] : [{ id: task.id, reason }];
  });
  const ids = new Set(unavailable.map(({ id }) => id));
  const named = withCalledEntryPoints(tasks.filter(({ id }) => !ids.has(id)));
  const judged = withWays(named.tasks);
  return {
    ...rest,
    tasks: judged.tasks,
    leftOut: [...leftOut, ...unavailable],
    remarks: [...remarks, ...named.remarks, ...judged.remarks],
  };
}

function describe(
  { name, source }: Pick<Dataset, "name" | "source">,
  { tasks, order = tasks.map(({ id }) => id), leftOut = [], remarks = [], hiddenTestsHold = false }: Contents,
  { log }: DatasetOptions,
): Dataset {
  tellRemarks(name, allRemarks({ leftOut, remarks }), log);
  if (tasks.length === 0) throw new UserError(`${name} holds no task that can be scored.`);
  const sha256 = createHash("sha256").update(JSON.stringify(tasks)).digest("hex");
  return { name, source, sha256, tasks, order, leftOut, remarks, hiddenTestsHold };
}
