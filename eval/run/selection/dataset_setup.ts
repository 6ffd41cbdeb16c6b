/** What commands that read a dataset share: its options, opening it, and whether model and tools are fit for it. */

import type { Model } from "../../../agent/models/model.ts";
import { TOOLS } from "../../../agent/tools/table.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { LANGUAGES, titlesOf } from "../../../utils/languages/registry.ts";
import type { Arguments, Option } from "../../../utils/program/cli.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { BenchmarkTask } from "../../benchmark/benchmark.ts";
import { type Dataset, loadDataset } from "../../benchmark/dataset.ts";
import { readDay } from "../../benchmark/dates.ts";
import { PROTOCOL_NAMES } from "../../benchmark/functions/protocol.ts";
import { BENCHMARKS } from "../../benchmark/table.ts";
import { COMPARED } from "../best_of/choose.ts";
import { chosenLayer, type sandboxOptions } from "../setup.ts";

export const datasetOptions = {
  dataset: {
    value: "PATH|ID",
    help: "a .jsonl or .parquet file, a QuixBugs folder, `builtin`, or a hub id (default bigcode/humanevalpack)",
  },
  format: {
    value: "NAME",
    help: `which benchmark a file is, where its rows do not say it: ${BENCHMARKS.map(({ name }) => name).join(", ")}`,
  },
  slow: { help: "QuixBugs: also the cases that its own tests skip because they take long" },
  after: {
    value: "DATE",
    help: "only tasks published after this day (LiveCodeBench): what a model cannot have seen when it was trained",
  },
  plus: { value: "FILE", help: "HumanEval+ (.jsonl or .jsonl.gz): its tests score instead of the dataset's own" },
} satisfies Record<string, Option>;

export const fewShotOptions = {
  "few-shot-k": { value: "K", help: "solved examples shown to the model and left out of scoring (default 3)" },
  "few-shot-from": { value: "SET", help: "dataset or builtin; with builtin every task is scored (default dataset)" },
} satisfies Record<string, Option>;

/** @throws UserError for a value that cannot be used; `asked`: how many, where somebody said */
export const readFewShot = (args: Arguments<keyof typeof fewShotOptions>) => ({
  from: args.choice("few-shot-from", ["dataset", "builtin"]) ?? ("dataset" as const),
  asked: args.count("few-shot-k"),
});

type DatasetArguments = Arguments<keyof typeof datasetOptions | keyof typeof sandboxOptions>;

function dayOf(args: DatasetArguments): string | undefined {
  const text = args.text("after");
  return text === undefined ? undefined : readDay(text, "--after");
}

/** How data is found and read, as the user said it. */
export const readingOptions = (args: DatasetArguments) => ({
  log: console.error,
  openSandbox: () => openSandbox({ layer: chosenLayer(args) }),
  format: args.text("format"),
  slow: args.flag("slow"),
  after: dayOf(args),
  plus: args.text("plus"),
});

/** Functions alone. */
export const openDataset = (args: DatasetArguments): Promise<Dataset> =>
  loadDataset(args.text("dataset"), readingOptions(args));

export const protocolOptions = {
  protocol: {
    value: "NAME",
    help:
      `what the model is shown: ${PROTOCOL_NAMES.join(", ")} (default example; see eval/README.md before ` +
      "comparing scores)",
  },
} satisfies Record<string, Option>;

/**
 * To be asked before anything runs.
 * @throws UserError where the model or a tool is to work on a language that it cannot
 */
export function requireLanguages(
  { jobs }: { jobs: readonly { task: Pick<BenchmarkTask, "id" | "language"> }[] },
  { model, tools, candidates = 1 }: { model: Pick<Model, "kind">; tools: readonly string[]; candidates?: number },
): void {
  for (const { task } of jobs) {
    if (task.language === undefined) continue;
    const { title, name } = LANGUAGES[task.language];
    if (candidates > 1 && !COMPARED.includes(name))
      throw new UserError(`--candidates compares ${titlesOf(COMPARED)} programs alone, and ${task.id} is in ${title}.`);
    const { kind } = model;
    if (kind.languages?.includes(name) === false)
      throw new UserError(
        `${kind.title} repairs ${titlesOf(kind.languages)} alone, and ${task.id} is in ${title}: choose ` +
          "another --model.",
      );
    const tool = TOOLS.find((row) => tools.includes(row.name) && row.languages?.includes(name) === false);
    if (tool?.languages)
      throw new UserError(
        `${tool.name} works on ${titlesOf(tool.languages)} alone, and ${task.id} is in ${title}: leave it ` +
          "out of --tools.",
      );
  }
}
