/** What commands that read a dataset share: its options, opening it, and whether model and tools are fit for it. */

import type { Model } from "../../../agent/models/model.ts";
import { TOOLS } from "../../../agent/tools/table.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { LANGUAGES, titlesOf } from "../../../utils/languages/registry.ts";
import { type Arguments, grouped, type Option } from "../../../utils/program/cli.ts";
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
    plus: { value: "FILE", help: "score with the tests of HumanEval+ in this .jsonl or .jsonl.gz file" },
  }),
} satisfies Record<string, Option>;

export const fewShotOptions = grouped("Tasks", {
  "few-shot-k": { value: "K", help: "number of solved examples to show; they are not scored (default 3)" },
  "few-shot-from": {
    value: "SET",
    help: "where examples come from: dataset, or builtin, which leaves every task to be scored (default dataset)",
  },
} satisfies Record<string, Option>);

/** @throws UserError for a value that cannot be used; `asked`: how many, if the user said */
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

export const protocolOptions = grouped("Tasks", {
  protocol: {
    value: "NAME",
    help: `what the model sees: ${PROTOCOL_NAMES.join(", ")} (default example); compare only scores of the same one`,
  },
} satisfies Record<string, Option>);

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
      throw new UserError(`--candidates compares only ${titlesOf(COMPARED)} programs, and ${task.id} is in ${title}.`);
    const { kind } = model;
    if (kind.languages?.includes(name) === false)
      throw new UserError(
        `${kind.title} repairs only ${titlesOf(kind.languages)}, and ${task.id} is in ${title}: choose ` +
          "another --model.",
      );
    const tool = TOOLS.find((row) => tools.includes(row.name) && row.languages?.includes(name) === false);
    if (tool?.languages)
      throw new UserError(
        `The tool ${tool.name} works only on ${titlesOf(tool.languages)}, and ${task.id} is in ${title}: leave ` +
          "it out of --tools.",
      );
  }
}
