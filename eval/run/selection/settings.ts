/** What a user chooses of a run: the options of `pass1`, and what they come to. */

import { TOOL_CALLS } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, MOST_AT_ONCE, type Option } from "../../../utils/program/cli.ts";
import { exerciseOptions, referenceOptions, repositoryOptions } from "../benchmark.ts";
import { budgetOptions, readLimits } from "../cost/limits.ts";
import { RUNS_FOLDER } from "../lock.ts";
import { queueKey } from "../queue/seal.ts";
import { chosenTools, modelOptions, queueOption, repairLimits, sandboxOptions, toolOptions } from "../setup.ts";
import { datasetOptions, fewShotOptions, protocolOptions } from "./dataset_setup.ts";
import { readSampling, samplingOptions } from "./sampling.ts";

const taskLimits = repairLimits("a task");

export const runOptions = {
  num: { value: "N", help: "the first N tasks that are no few-shot examples (default: all)" },
  indices: {
    value: "3,7",
    help: "the rows at these positions of the dataset instead, from 0; rows that cannot run count",
  },
  ...samplingOptions,
  ...protocolOptions,
  ...fewShotOptions,
  ...taskLimits.options,
  ...modelOptions,
  ...toolOptions,
  agent: {
    value: "RUN#N",
    help: "agent N of a run of `mend improve` repairs, in a box, in place of this one (RUN alone: its champion)",
  },
  ...datasetOptions,
  ...repositoryOptions,
  ...exerciseOptions,
  ...referenceOptions,
  list: { help: "print the benchmarks: size, what is shown, what scores, licence, source, and whether they are here" },
  concurrency: { value: "N", help: "tasks at a time (default 2)" },
  "max-requests": {
    value: "N",
    help:
      "requests at a time to a model server, of all workers (default: one a trajectory); halved at HTTP " +
      "429, then slowly raised",
  },
  "max-rate": { value: "N", help: "requests a minute to it, evenly spaced (default: no limit)" },
  ...queueOption,
  ...budgetOptions,
  run: { value: "NAME", help: `folder under ${RUNS_FOLDER}/; the same name resumes (default: a new name)` },
  live: { help: "stream replies, so that the run's page shows them as they are written" },
  json: { help: "the summary as one JSON document on stdout, and no line per sample" },
  "retry-errors": { help: "on resume, run again the samples that ended with an error" },
  "min-pass": { value: "P", help: "exit 100 where pass@1 is below P, from 0 to 1, or incomplete" },
  ...sandboxOptions,
} satisfies Record<string, Option>;
export type RunArguments = Arguments<keyof typeof runOptions>;

/** What an agent in a box cannot be asked for, and why. */
const NOT_WITH_AGENT = [
  ["repositories", "mend improve --benchmark repositories measures agents on these"],
  ["queue", "it is built and measured here"],
  ["tools", "it brings its own"],
  ["candidates", "it answers once; --samples makes several attempts"],
] as const;

/** `--agent` as it was given. @throws UserError where something does not go with it */
function wantedAgent(args: RunArguments): string | null {
  const agent = args.text("agent") ?? null;
  if (agent === null) return null;
  for (const [name, why] of NOT_WITH_AGENT)
    if (args.text(name) !== undefined) throw new UserError(`--${name} does not go with --agent: ${why}.`);
  if (args.flag("live")) throw new UserError("--live does not go with --agent: its replies are not streamed.");
  if (args.text("protocol") === "tests")
    throw new UserError("--protocol tests shows the hidden tests, which no agent in a box may see.");
  if ((args.choice("tool-calls", TOOL_CALLS) ?? "text") !== "text")
    throw new UserError("Agents in a box call tools in their text: leave --tool-calls out.");
  return agent;
}

export function readSettings(args: RunArguments) {
  const indices = args.counts("indices");
  const num = args.count("num", 1);
  const url = args.text("queue");
  if (args.flag("live") && url !== undefined)
    throw new UserError("--live shows replies of this machine: not with --queue.");
  if (indices && num !== undefined) throw new UserError("Give --num or --indices, not both.");
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
