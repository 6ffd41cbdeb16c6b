/** What a user chooses of a run: the options of `pass1`, and what they come to. */

import { TOOL_CALLS } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, grouped, MOST_AT_ONCE, type Option } from "../../../utils/program/cli.ts";
import { exerciseOptions, ownOptions, referenceOptions, repositoryOptions } from "../benchmark.ts";
import { budgetOptions, readLimits } from "../cost/limits.ts";
import { RUNS_FOLDER } from "../lock.ts";
import { queueKey } from "../queue/seal.ts";
import { chosenTools, modelOptions, queueOption, repairLimits, sandboxOptions, toolOptions } from "../setup.ts";
import { datasetOptions, fewShotOptions, protocolOptions } from "./dataset_setup.ts";
import { readSampling, samplingOptions } from "./sampling.ts";

const taskLimits = repairLimits("a task");

export const runOptions = {
  num: { value: "N", help: "score only the first N tasks that are not few-shot examples (default: all)" },
  run: {
    value: "NAME",
    help: `name of the run, kept in ${RUNS_FOLDER}/; the same name resumes it (default: a new name)`,
  },
  list: { help: "list the benchmarks and whether they are on this machine, and run nothing" },
  ...grouped("Tasks", {
    indices: { value: "3,7", help: "score only the tasks at these positions of the dataset, counted from 0" },
  }),
  ...datasetOptions,
  ...ownOptions,
  ...protocolOptions,
  ...fewShotOptions,
  ...repositoryOptions,
  ...exerciseOptions,
  ...referenceOptions,
  ...samplingOptions,
  ...grouped("Output", {
    json: { help: "print the summary as one JSON document on stdout, without a line for each task" },
    live: { help: "stream replies, so that the run's page shows them while the model writes" },
    "min-pass": { value: "P", help: "exit with code 100 if pass@1 is below P (0 to 1) or the run is incomplete" },
    "retry-errors": { help: "when resuming, repeat the samples that ended with an error" },
  }),
  ...taskLimits.options,
  ...budgetOptions,
  ...modelOptions,
  ...toolOptions,
  ...grouped("Model", {
    agent: {
      value: "RUN#N",
      help: "let agent N of a `mend improve` run repair, instead of mend's own (RUN alone: its champion)",
    },
    concurrency: { value: "N", help: "number of tasks at a time (default 2)" },
    "max-requests": {
      value: "N",
      help: "maximum number of requests at a time to a model server (default: one for each task at work)",
    },
    "max-rate": { value: "N", help: "maximum number of requests per minute to a model server (default: no limit)" },
  }),
  ...queueOption,
  ...sandboxOptions,
} satisfies Record<string, Option>;
export type RunArguments = Arguments<keyof typeof runOptions>;

/** What an agent in a box cannot be asked for, and why. */
const NOT_WITH_AGENT = [
  ["repositories", "its agents repair no repositories"],
  ["queue", "the agent runs on this machine only"],
  ["tools", "the agent brings its own tools"],
  ["candidates", "use --samples for several attempts"],
] as const;

/** `--agent` as it was given. @throws UserError where something does not go with it */
function wantedAgent(args: RunArguments): string | null {
  const agent = args.text("agent") ?? null;
  if (agent === null) return null;
  for (const [name, why] of NOT_WITH_AGENT)
    if (args.text(name) !== undefined) throw new UserError(`--${name} cannot be used with --agent: ${why}.`);
  if (args.flag("live")) throw new UserError("--live cannot be used with --agent: its replies are not streamed.");
  if (args.text("protocol") === "tests")
    throw new UserError("--protocol tests cannot be used with --agent: it shows the hidden tests.");
  if ((args.choice("tool-calls", TOOL_CALLS) ?? "text") !== "text")
    throw new UserError("--tool-calls cannot be used with --agent: its agents call tools in their text.");
  return agent;
}

export function readSettings(args: RunArguments) {
  const indices = args.counts("indices");
  const num = args.count("num", 1);
  const url = args.text("queue");
  if (args.flag("live") && url !== undefined)
    throw new UserError("--live cannot be used with --queue: it shows replies on this machine only.");
  if (indices && num !== undefined) throw new UserError("Use --num or --indices, not both.");
  return {
    ...readSampling(args),
    agent: wantedAgent(args),
    indices,
    num,
    limits: taskLimits.read(args),
    tries: args.count("tries", 1),
    budget: readLimits(args),
    concurrency: args.count("concurrency", 1, MOST_AT_ONCE) ?? 2,
    maxRequests: args.count("max-requests", 1, MOST_AT_ONCE),
    requestsPerMinute: args.count("max-rate", 1),
    queue: url === undefined ? null : { url, key: queueKey() },
    tools: chosenTools(args),
    json: args.flag("json"),
    live: args.flag("live"),
    retryErrors: args.flag("retry-errors"),
    minPass: args.number("min-pass", { min: 0, max: 1 }),
  };
}
