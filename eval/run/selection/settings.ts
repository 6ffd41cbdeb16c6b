/** What a user chooses of a run: the options of `pass1`, and what they come to. */

import { type Model, TOOL_CALLS } from "../../../agent/models/model.ts";
import { parseSpec } from "../../../agent/models/table.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { type Arguments, grouped, MOST_AT_ONCE, type Option } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Benchmark } from "../../benchmark/benchmark.ts";
import { PROTOCOL_NAMES } from "../../benchmark/functions/protocol.ts";
import { idsByKind } from "../../benchmark/remarks.ts";
import {
  datasetOptions,
  exerciseOptions,
  ownOptions,
  protocolOptions,
  referenceOptions,
  repositoryOptions,
} from "../benchmark.ts";
import { budgetOptions, readLimits } from "../cost/limits.ts";
import type { Prices } from "../cost/pricing.ts";
import { RUNS_FOLDER } from "../lock.ts";
import { codeHash, gitCommit, type Manifest, RUN_FORMAT } from "../manifest.ts";
import { queueKey } from "../queue/seal.ts";
import { type SampleJob, sampleKey } from "../results.ts";
import { chosenTools, modelOptions, queueOption, repairLimits, sandboxOptions, toolOptions } from "../setup.ts";
import { USUAL_KS } from "../summary/task_scores.ts";
import { fewShotOptions, indicesOption, readChosen, readFewShot, type Selection } from "./selection.ts";

const samplingOptions = grouped("Attempts", {
  samples: { value: "N", help: "number of attempts at each task, each with its own seed (default 1)" },
  k: { value: "1,5,10", help: "values of k for pass@k, at most --samples (default: 1, 5, 10, … up to --samples)" },
} satisfies Record<string, Option>);

const taskLimits = repairLimits("a task");

export const runOptions = {
  num: { value: "N", help: "score only the first N tasks that are not few-shot examples (default: all)" },
  run: {
    value: "NAME",
    help: `name of the run, kept in ${RUNS_FOLDER}/; the same name resumes it (default: a new name)`,
  },
  list: { help: "list the benchmarks and whether they are on this machine, and run nothing" },
  ...indicesOption,
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
] as const;

/** `--agent` as it was given. @throws UserError where something does not go with it */
function wantedAgent(args: RunArguments): string | null {
  const agent = args.text("agent") ?? null;
  if (agent === null) return null;
  for (const [name, why] of NOT_WITH_AGENT)
    if (args.text(name) !== undefined) throw new UserError(`--${name} cannot be used with --agent: ${why}.`);
  if (args.text("protocol") === "tests")
    throw new UserError("--protocol tests cannot be used with --agent: it shows the hidden tests.");
  if ((args.choice("tool-calls", TOOL_CALLS) ?? "text") !== "text")
    throw new UserError("--tool-calls cannot be used with --agent: its agents call tools in their text.");
  return agent;
}

export type Settings = ReturnType<typeof readSettings>;

/** @throws UserError for a value that cannot be used, and for options that do not go together */
export function readSettings(args: RunArguments) {
  const url = args.text("queue");
  const spec = args.text("model");
  if (spec !== undefined) parseSpec(spec);
  readFewShot(args);
  const limits = taskLimits.read(args);
  return {
    ...readSampling(args),
    agent: wantedAgent(args),
    ...readChosen(args),
    limits,
    protocol: args.choice("protocol", PROTOCOL_NAMES),
    tries: args.count("tries", 1),
    budget: readLimits(args),
    concurrency: args.count("concurrency", 1, MOST_AT_ONCE) ?? 2,
    maxRequests: args.count("max-requests", 1, MOST_AT_ONCE),
    requestsPerMinute: args.count("max-rate", 1),
    queue: url === undefined ? null : { url, key: queueKey() },
    // A model that spends its only call on a tool has no answer.
    tools: limits.maxIterations === 1 && args.text("tools") === undefined ? [] : chosenTools(args),
    json: args.flag("json"),
    retryErrors: args.flag("retry-errors"),
    minPass: args.number("min-pass", { min: 0, max: 1 }),
  };
}

/** What a run is opened with. */
interface RunParts {
  benchmark: Benchmark;
  selection: Selection;
  jobs: readonly SampleJob[];
  model: Model;
  prices: Prices | null;
  /** In place of this project's agent. */
  agent: { decides: Manifest["decides"]["agent"] } | null;
  sandbox: Sandbox;
}

/** Options that a task which is run again by itself does without. */
const OF_THE_WHOLE = [
  ...(["num", "indices", "run", "queue", "concurrency", "min-pass", "retry-errors", "json"] as const),
];

/** All that decides the results of a run. */
export function manifestOf(
  args: RunArguments,
  settings: Settings,
  { benchmark, selection, jobs, model, prices, agent, sandbox: { info } }: RunParts,
): Manifest {
  const { limits, samples, seed, tools } = settings;
  return {
    v: RUN_FORMAT,
    decides: {
      protocol: benchmark.protocol,
      shown: benchmark.shown,
      model: { name: model.name, parameters: model.parameters },
      ...(agent && { agent: agent.decides }),
      dataset: { name: benchmark.name, sha256: benchmark.sha256, ...idsByKind(selection.remarks) },
      few_shot: { from: selection.fewShotFrom, task_ids: selection.fewShot.map(({ id }) => id) },
      tools: agent ? [] : tools,
      limits: { max_iterations: limits.maxIterations, timeout_ms: limits.timeoutMs },
      seed,
      prices,
      sandbox: { layer: info.layer, python: info.pythonVersion, ...runtimeVersions(jobs) },
      code: codeHash(),
      attempts: samples,
      samples: jobs.map(({ task, attempt }) => sampleKey({ task_id: task.id, attempt })),
    },
    remarks: selection.remarks,
    again: args.without([]),
    again_one: args.without(OF_THE_WHOLE),
    git_commit: gitCommit(),
    started_at: new Date().toISOString(),
  };
}

/** Only of what runs tasks, so that a newer Node.js does not stop a run on Python tasks from being resumed. */
function runtimeVersions(jobs: readonly SampleJob[]): Record<string, string> {
  const runtimes = jobs.flatMap(({ task }) => (task.language && LANGUAGES[task.language].runtime) ?? []);
  return Object.fromEntries(runtimes.flatMap(({ id, version }) => (version === null ? [] : [[id, version]])));
}

/** At one task: all are planned before the first begins. */
const MOST_ATTEMPTS = 10_000;

interface Sampling {
  samples: number;
  /** Ascending. */
  ks: number[];
  /** What every sample's seed is derived from; null: no seeds are sent. */
  seed: number | null;
}

/** @throws UserError for a k above the number of samples: no estimate of it exists */
export function readSampling(args: Arguments<keyof typeof samplingOptions | "seed">): Sampling {
  const samples = args.count("samples", 1, MOST_ATTEMPTS) ?? 1;
  const asked = args.counts("k", 1);
  const tooLarge = asked?.find((k) => k > samples);
  if (tooLarge !== undefined) {
    throw new UserError(`pass@${tooLarge} needs ${tooLarge} samples of each task: give --samples ${tooLarge} or more.`);
  }
  const ks = [...new Set(asked ?? USUAL_KS.filter((k) => k <= samples))].sort((a, b) => a - b);
  const seed = args.count("seed", 0, Number.MAX_SAFE_INTEGER) ?? (samples > 1 ? 0 : null);
  return { samples, ks, seed };
}

/** Every task once, then every task again, so that a run that is stopped early has tried as many tasks as it could. */
export const repeatJobs = (jobs: readonly SampleJob[], samples: number): SampleJob[] =>
  Array.from({ length: samples }, (_, attempt) => jobs.map((job) => ({ ...job, attempt }))).flat();

/** A sentence of warning where several attempts at a task will be the same, or nearly so; else null. */
export function warnOfSameness(
  { name, deterministic, parameters }: Pick<Model, "name" | "deterministic" | "parameters">,
  trajectories: number,
): string | null {
  const { temperature } = parameters;
  const draws = typeof temperature === "number" ? temperature > 0 : !deterministic;
  if (trajectories === 1 || draws) return null;
  const why =
    temperature === 0
      ? "gives nearly the same reply each time at temperature 0 (try --temperature 0.8)"
      : "always gives the same reply";
  return `${name} ${why}, so ${trajectories} attempts at a task tell little more than one.`;
}
