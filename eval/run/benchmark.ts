/** The options that name a benchmark, and opening it: one door, whatever its tasks are. */

import type { Model } from "../../agent/models/model.ts";
import { LAST_RESORT, searchModel } from "../../agent/models/table.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { type Arguments, grouped, type Option } from "../../utils/program/cli.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { ENGINES, findEngine } from "../../utils/sandbox/container/engine.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { type Benchmark, REFERENCES, type Reference } from "../benchmark/benchmark.ts";
import { findBenchmark, loadDataset, readDataset, requireDates } from "../benchmark/find.ts";
import { PROTOCOL_NAMES, type Protocol } from "../benchmark/functions/protocol.ts";
import { functionBenchmark } from "../benchmark/functions.ts";
import { openOwnBenchmark } from "../benchmark/own.ts";
import { readDay } from "../benchmark/read_rows.ts";
import { repositories as repositoryFixes } from "../benchmark/repositories/row.ts";
import { BENCHMARKS } from "../benchmark/table.ts";
import { chosenLayer, engineOption, type sandboxOptions } from "./setup.ts";

export const datasetOptions = {
  dataset: {
    value: "PATH|ID",
    help: "`builtin`, a .jsonl or .parquet file, a QuixBugs folder, or a hub id (default bigcode/humanevalpack)",
  },
  ...grouped("Tasks", {
    format: {
      value: "NAME",
      help: `benchmark that the file belongs to, if mend cannot tell: ${BENCHMARKS.map(({ name }) => name).join(", ")}`,
    },
    slow: { help: "QuixBugs: also run the cases that its own tests skip because they are slow" },
    after: {
      value: "DATE",
      help: "LiveCodeBench: only tasks published after this day, which models trained before cannot know",
    },
  }),
} satisfies Record<string, Option>;

export const protocolOptions = grouped("Tasks", {
  protocol: {
    value: "NAME",
    help: `what the model sees: ${PROTOCOL_NAMES.join(", ")} (default example); compare only scores of the same one`,
  },
} satisfies Record<string, Option>);

export const repositoryOptions = grouped("Tasks from repositories", {
  repositories: {
    value: "PATH",
    help: "git bundle, or folder of clones, with the repositories that the dataset's tasks come from",
  },
  prepare: { help: "install packages that the tests need (by npm, uv, go, cargo or Maven) and keep them" },
  python: { value: "PATH", help: "Python for the tests of repositories (default python3)" },
  image: {
    value: "TEMPLATE",
    help: "without --repositories: the image of a task, {instance_id} in its name (default: what its row names)",
  },
  ...engineOption,
} satisfies Record<string, Option>);

export const exerciseOptions = grouped("Tasks", {
  tries: { value: "N", help: "polyglot: answers to a task; the model sees what failed before (default 2)" },
} satisfies Record<string, Option>);

export const ownOptions = grouped("Tasks", {
  benchmark: {
    value: "FILE",
    help: "in place of --dataset: a .ts or .js module of yours with tasks and their scorers",
  },
} satisfies Record<string, Option>);

export const referenceOptions = grouped("Check of the benchmark", {
  gold: { help: "score the reference solutions instead of a model: a sound benchmark gives 100%, nothing left out" },
  empty: { help: "score the unchanged buggy programs instead of a model: a sound benchmark gives 0%" },
} satisfies Record<string, Option>);

type DatasetArguments = Arguments<keyof typeof datasetOptions | keyof typeof sandboxOptions>;
type BenchmarkArguments = Arguments<
  keyof typeof datasetOptions | keyof typeof ownOptions | keyof typeof repositoryOptions | keyof typeof sandboxOptions
>;

interface OpenedAs {
  /** Taken where the user named none, in place of the default for which the built-in tasks may stand in. */
  dataset?: string;
  protocol?: Protocol | undefined;
  tries?: number | undefined;
}

/**
 * Opens the benchmark that the user named; reports problems with its tasks on stderr.
 * @throws UserError if it cannot be fetched or read, or if options do not go together
 */
export async function openBenchmark(args: BenchmarkArguments, opened: OpenedAs = {}): Promise<Benchmark> {
  const own = args.text("benchmark");
  if (own === undefined) return await openNamed(args, opened);
  const names = ["dataset", "format", "after", "repositories", "image", "python"] as const;
  const asked = {
    ...opened,
    ...Object.fromEntries(names.map((name) => [name, args.text(name)])),
    slow: args.flag("slow") || undefined,
    prepare: args.flag("prepare") || undefined,
  };
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) throw new UserError(`--${name} cannot be used with --benchmark, whose module says it.`);
  return await openOwnBenchmark(own);
}

async function openNamed(args: BenchmarkArguments, { protocol, tries, dataset }: OpenedAs): Promise<Benchmark> {
  const repositories = args.text("repositories");
  const spec = args.text("dataset");
  if (repositories !== undefined && spec === undefined)
    throw new UserError(
      "--repositories needs --dataset FILE with the tasks, such as the tasks.jsonl that mend mine writes.",
    );
  const options = readingOptions(args);
  // A row that cannot be read says so itself, where it is plain what rows these are.
  const format = options.format ?? (repositories === undefined ? undefined : repositoryFixes.name);
  const found = await findBenchmark(spec ?? dataset, { ...options, format });
  const { benchmark, path } = found;
  const { log } = options;
  const [prepare, python] = [args.flag("prepare"), args.text("python")];
  const engine = args.choice("container-engine", ENGINES);
  if (options.after !== undefined) requireDates(benchmark);
  if (tries !== undefined && !benchmark.hasTries)
    throw new UserError(`--tries is for exercises only; ${benchmark.name} allows one answer for each task.`);
  if (!("read" in benchmark)) {
    const opened = await benchmark.open(path, {
      ...{ protocol, tries, repositories, prepare, python, log, image: args.text("image") },
      openEngine: () => findEngine(engine),
      openBox: () => openCommandBox({ layer: chosenLayer(args) }),
    });
    return { ...opened, name: found.name };
  }
  const given = { repositories, prepare: prepare || undefined, python };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined)
      throw new UserError(`--${name} is for tasks from repositories, and ${found.name} holds functions.`);
  return functionBenchmark(await readDataset({ ...found, benchmark }, options), protocol);
}

/** How data is found and read, as the user said it. @throws UserError for a day that is none */
export function readingOptions(args: DatasetArguments) {
  const after = args.text("after");
  return {
    log: console.error,
    openSandbox: () => openSandbox({ layer: chosenLayer(args) }),
    format: args.text("format"),
    slow: args.flag("slow"),
    after: after === undefined ? undefined : readDay(after, "--after"),
  };
}

/** A benchmark of functions alone. @throws UserError as `openBenchmark` */
export const openFunctions = async (args: DatasetArguments & Arguments<"protocol">): Promise<Benchmark> =>
  functionBenchmark(
    await loadDataset(args.text("dataset"), readingOptions(args)),
    args.choice("protocol", PROTOCOL_NAMES),
  );

/** Null where a model is asked. @throws UserError where two of --gold, --empty and --model are given */
export function referenceOf(args: Arguments<keyof typeof referenceOptions | "model">): Reference | null {
  const references = REFERENCES.filter((name) => args.flag(name));
  const [first, second] = [...references.map(String), ...(args.text("model") === undefined ? [] : ["model"])];
  if (references.length > 0 && second !== undefined) throw new UserError(`Use --${first} or --${second}, not both.`);
  return references[0] ?? null;
}

/** What stands where a run names its model. It is never asked. */
export async function referenceModel(name: Reference): Promise<Model> {
  const { createSearchModel } = await import("../../agent/models/search/chat.ts");
  return { ...searchModel(), chat: createSearchModel(), kind: LAST_RESORT, name, parameters: {} };
}
