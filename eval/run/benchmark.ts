/** The options that name a benchmark, and opening it: one door, whatever its tasks are. */

import type { Model } from "../../agent/models/model.ts";
import { LAST_RESORT } from "../../agent/models/table.ts";
import { SearchInTests } from "../../fix/search/chat.ts";
import { UserError } from "../../utils/data/errors.ts";
import type { Arguments, Option } from "../../utils/program/cli.ts";
import { openCommandBox } from "../../utils/sandbox/command_box.ts";
import { type Benchmark, REFERENCES, type Reference } from "../benchmark/benchmark.ts";
import { functionBenchmark } from "../benchmark/functions.ts";
import { openRepositoryBenchmark } from "../benchmark/repositories/benchmark.ts";
import { chosenLayer, type datasetOptions, openDataset, type sandboxOptions } from "./setup.ts";

export const repositoryOptions = {
  repositories: {
    value: "PATH",
    help: "the dataset's tasks are real fixes: a git bundle, or a folder of clones, with their repositories",
  },
  prepare: {
    help: "with --repositories: install packages that JavaScript tasks need (npm, without scripts) and keep them",
  },
  python: { value: "PATH", help: "with --repositories: interpreter of the tests (default python3)" },
} satisfies Record<string, Option>;

export const referenceOptions = {
  gold: { help: "score the reference solutions, to check the set: a sound one has 100%" },
  empty: { help: "score the buggy programs, or no change at all, to check the set: a sound one has 0%" },
} satisfies Record<string, Option>;

type BenchmarkArguments = Arguments<
  keyof typeof datasetOptions | keyof typeof repositoryOptions | keyof typeof sandboxOptions
>;

/**
 * The benchmark that the user named; what is not as it should be with its tasks is said on stderr.
 * @throws UserError where it cannot be had or read, and where options do not go together
 */
export async function openBenchmark(args: BenchmarkArguments, protocol?: string): Promise<Benchmark> {
  const repositories = args.text("repositories");
  if (repositories === undefined) {
    const alone = args.flag("prepare") ? "prepare" : args.text("python") === undefined ? null : "python";
    if (alone !== null) throw new UserError(`--${alone} goes with --repositories alone.`);
    return functionBenchmark(await openDataset(args), protocol);
  }
  const rows = args.text("dataset");
  if (rows === undefined) throw new UserError("--repositories needs --dataset tasks.jsonl: which fixes are the tasks?");
  return openRepositoryBenchmark({
    rows,
    repositories,
    protocol,
    prepare: args.flag("prepare"),
    python: args.text("python"),
    box: await openCommandBox({ layer: chosenLayer(args) }),
    log: (line) => console.error(line),
  });
}

/** Null where a model is to be asked. @throws UserError where both are given */
export function referenceOf(args: Arguments<keyof typeof referenceOptions>): Reference | null {
  const references = REFERENCES.filter((name) => args.flag(name));
  if (references.length > 1) throw new UserError("Give --gold or --empty, not both.");
  return references[0] ?? null;
}

/** What stands where a run names its model. It is never asked. */
export const referenceModel = (name: Reference): Model => ({
  kind: LAST_RESORT,
  name,
  spec: "search",
  chat: new SearchInTests(),
  parameters: {},
  deterministic: true,
  close: async () => {},
});
