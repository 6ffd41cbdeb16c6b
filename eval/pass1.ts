/** `npx tsx eval/pass1.ts`: how many tasks the agent repairs, at the first attempt and with several. */

import { basename } from "node:path";
import { callsTools } from "../agent/models/model.ts";
import { inOrder } from "../utils/concurrency/pool.ts";
import { UserError } from "../utils/errors.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import { isEntry } from "../utils/program/called_as.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  printDocument,
  runCommand,
} from "../utils/program/cli.ts";
import { idsByKind } from "./dataset/remarks.ts";
import { showActivity } from "./run/activity.ts";
import { Budget } from "./run/cost/budget.ts";
import { budgetOptions, readLimits, readPrices } from "./run/cost/limits.ts";
import { Spending } from "./run/cost/spending.ts";
import { startLive } from "./run/live.ts";
import { newRunName, RUNS_FOLDER } from "./run/lock.ts";
import { codeHash, gitCommit, type Manifest, RUN_FORMAT } from "./run/manifest.ts";
import { startProgress } from "./run/progress.ts";
import type { OfferedModel } from "./run/queue/offer.ts";
import { queueKey } from "./run/queue/seal.ts";
import { repositoryOptions, wantedBenchmark } from "./run/repositories.ts";
import { latest, type Result } from "./run/results.ts";
import type { RunnerOptions } from "./run/runner.ts";
import { type SampleJob, sampleKey } from "./run/sample.ts";
import { PROTOCOLS } from "./run/selection/protocol.ts";
import { readSampling, repeatJobs, samplingOptions, warnOfSameness } from "./run/selection/sampling.ts";
import { type Selection, select } from "./run/selection/selection.ts";
import {
  chosenTools,
  datasetOptions,
  fewShotOptions,
  modelOptions,
  modelSettings,
  openDataset,
  openModel,
  openSandboxFor,
  protocolOptions,
  queueOption,
  requireLanguages,
  sandboxOptions,
  toolOptions,
} from "./run/setup.ts";
import { openRun, type RunStore } from "./run/store.ts";
import { renderBreakdown } from "./run/summary/breakdown_text.ts";
import { headline, itemLine, taskLines, verdict } from "./run/summary/output.ts";
import { renderEnd } from "./run/summary/run_end.ts";
import { type Summary, summarize } from "./run/summary/summary.ts";

export const command = {
  usage: "[options]",
  summary: "Repairs the tasks of a benchmark and scores them with hidden tests (pass@1, with --samples also pass@k).",
  options: {
    num: { value: "N", help: "the first N tasks that are no few-shot examples (default: all)" },
    indices: { value: "3,7", help: "these positions of the dataset instead" },
    ...samplingOptions,
    ...protocolOptions,
    ...fewShotOptions,
    "max-iterations": { value: "N", help: "calls of the model a task (default 12)" },
    timeout: {
      value: "SECONDS",
      help: "limit a task; the clock stands still while programs run, which have their own (default 600)",
    },
    ...modelOptions,
    ...toolOptions,
    ...datasetOptions,
    ...repositoryOptions,
    concurrency: { value: "N", help: "tasks at a time (default 2)" },
    "max-requests": {
      value: "N",
      help: "requests at a time to a model server, of all workers (default: one a trajectory); halved at HTTP 429, then slowly raised",
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
  },
  exits: {
    failed: "incomplete: samples ended with an error or were not run",
    budget: "a limit of cost, tokens or minutes is reached",
    belowMinPass: "pass@1 is below --min-pass",
  },
};
type Args = Arguments<keyof typeof command.options>;

export async function main(args: Args): Promise<ExitCode> {
  const settings = readSettings(args);
  const maxRequests = settings.maxRequests ?? settings.concurrency * settings.candidates;
  const { requestsPerMinute } = settings;
  const open = () => openModel(args, settings.limits.timeoutMs, { maxRequests, requestsPerMinute });
  if (settings.queue && args.text("repositories") !== undefined)
    throw new UserError("--queue hands out functions; repositories are repaired here.");
  using benchmark = await wantedBenchmark(args, open);
  const dataset = benchmark?.dataset ?? (await openDataset(args));
  const model = benchmark?.model ?? (await open());
  await using sandbox = await openSandboxFor(args, settings.concurrency);
  try {
    const selection = benchmark?.select(settings) ?? (await select(dataset, args, settings, sandbox));
    if (!benchmark) requireLanguages(selection, { model, tools: settings.tools, candidates: settings.candidates });
    const jobs = repeatJobs(selection.jobs, settings.samples);
    const sameness = warnOfSameness(model, settings.samples * settings.candidates);
    if (sameness) console.error(sameness);
    const { info } = sandbox;
    const prices = readPrices(args, model);
    const manifest: Manifest = {
      v: RUN_FORMAT,
      decides: {
        protocol: selection.protocol,
        shown: benchmark?.shown ?? PROTOCOLS[selection.protocol].shown,
        model: { name: model.name, parameters: model.parameters },
        dataset: { name: dataset.name, sha256: dataset.sha256, ...idsByKind(selection.remarks) },
        few_shot: { from: selection.fewShotFrom, task_ids: selection.fewShot.map(({ id }) => id) },
        tools: settings.tools,
        limits: { max_iterations: settings.limits.maxIterations, timeout_ms: settings.limits.timeoutMs },
        seed: settings.seed,
        prices,
        candidates: settings.candidates,
        sandbox: { layer: info.layer, python: info.pythonVersion, ...runtimeVersions(selection) },
        code: codeHash(),
        attempts: settings.samples,
        samples: jobs.map(({ task, attempt }) => sampleKey({ task_id: task.id, attempt })),
      },
      remarks: selection.remarks,
      git_commit: gitCommit(),
      started_at: new Date().toISOString(),
    };
    using store = openRun(RUNS_FOLDER, args.text("run") ?? newRunName(model.name, dataset.name), manifest);
    const toolCalls = callsTools(model.chat) ? ("native" as const) : ("text" as const);
    const offered = {
      spec: model.spec,
      ...modelSettings(args),
      toolCalls,
      maxRequests: settings.maxRequests,
      requestsPerMinute,
    };
    return await run(
      store,
      manifest,
      { jobs, fewShot: selection.fewShot, offered },
      { ...settings, model, prices, sandbox, solver: benchmark, resume: (name) => args.again("run", name) },
    );
  } finally {
    await model.close();
  }
}

/** Only of what runs tasks, so that a newer Node.js does not stop a run on Python tasks from being resumed. */
function runtimeVersions({ jobs }: Selection): Record<string, string> {
  const runtimes = jobs.flatMap(({ task }) => LANGUAGES[task.language].runtime ?? []);
  return Object.fromEntries(runtimes.map(({ id, version }) => [id, version]));
}

function readSettings(args: Args) {
  const indices = args.counts("indices");
  const num = args.count("num", 1);
  const url = args.text("queue");
  if (args.flag("live") && url !== undefined)
    throw new UserError("--live shows replies of this machine: not with --queue.");
  if (indices && num !== undefined) throw new UserError("Give --num or --indices, not both.");
  return {
    ...readSampling(args),
    indices,
    num,
    limits: {
      maxIterations: args.count("max-iterations", 1) ?? 12,
      timeoutMs: (args.number("timeout", { min: 1 }) ?? 600) * 1000,
    },
    budget: readLimits(args),
    concurrency: args.count("concurrency", 1) ?? 2,
    maxRequests: args.count("max-requests", 1),
    requestsPerMinute: args.count("max-rate", 1),
    queue: url === undefined ? null : { url, key: queueKey() },
    tools: chosenTools(args),
    json: args.flag("json"),
    live: args.flag("live"),
    retryErrors: args.flag("retry-errors"),
    minPass: args.number("min-pass", { min: 0, max: 1 }),
  };
}

type RunSettings = ReturnType<typeof readSettings> &
  Pick<RunnerOptions, "model" | "prices" | "sandbox" | "solver"> & {
    /** The command that goes on with a run. */
    resume: (name: string) => string;
  };

const say = (text: string) => console.error(text);

async function run(
  store: RunStore,
  manifest: Manifest,
  { jobs, fewShot, offered }: { jobs: SampleJob[]; fewShot: Selection["fewShot"]; offered: OfferedModel },
  settings: RunSettings,
): Promise<ExitCode> {
  const started = performance.now();
  const { minPass, samples, ks, json, queue, live: isLive, budget: limits, resume, ...options } = settings;
  const spending = new Spending(store.results);
  const budget = new Budget(limits, spending);
  let overBudget: string | null = null;
  const progress = startProgress(jobs.length, store.results.length);
  const work = `${jobs.length / samples} tasks${samples > 1 ? `, ${samples} attempts each,` : ""}`;
  say(`${settings.model.name} · ${work} of ${manifest.decides.dataset.name} → ${store.folder}`);
  const lines = inOrder<Result>(manifest.decides.samples, (result) => {
    if (!json) console.log(JSON.stringify(itemLine(result, samples)));
  });
  using interrupt = listenForInterrupt(() => say(FINISHING));
  using live = isLive ? startLive(store.folder) : null;
  // LangChain takes a second to load: a run that is refused does without it.
  const runner: RunnerOptions = {
    ...options,
    fewShot,
    spending,
    draining: () => {
      overBudget ??= budget.reached;
      return interrupt.draining || overBudget !== null;
    },
    signal: interrupt.signal,
    onProgress: live?.heard,
    onResult: (result) => {
      live?.finished(result);
      lines.add(sampleKey(result), result);
      progress.update(store.results);
    },
  };
  const runHere = async () => (await import("./run/runner.ts")).runSamples(jobs, store, runner);
  const runOnQueue = async (at: { url: string; key: string }) => {
    const { runOnQueue } = await import("./run/queue/coordinate.ts");
    const { leaveSoonAfter } = await import("./run/queue/open.ts");
    leaveSoonAfter(interrupt.signal);
    using activity = showActivity(store.folder, at.url, { ...progress, note: say });
    return await runOnQueue(jobs, store, { ...runner, ...at, offered, note: say, onActivity: activity.show });
  };
  const fatal = await (queue ? runOnQueue(queue) : runHere());
  progress.end();
  store.stopped(fatal ?? (interrupt.draining ? "it was stopped from the keyboard" : overBudget));
  lines.flush();
  store.sortResults();
  const summary = summarize(store.results, jobs.length, ks);
  store.writeSummary(summary);
  if (samples > 1 && !json) for (const line of taskLines(summary)) console.log(JSON.stringify(line));
  const line = headline(manifest, summary, (performance.now() - started) / 1000);
  if (json) printDocument(line);
  else console.log(JSON.stringify(line));
  const results = latest(store.results);
  const breakdown = renderBreakdown(results);
  if (breakdown) say(`\n${breakdown}\n`);
  say(verdict(manifest, summary, jobs.length, store.folder));
  if (overBudget !== null && !summary.complete)
    say(`Stopped: ${overBudget}. What had begun was finished; with a higher limit the last command below goes on.`);
  say(renderEnd(results, { folder: store.folder, resume: summary.complete ? null : resume(basename(store.folder)) }));
  if (fatal) throw new UserError(`${fatal} The run stopped.`);
  if (interrupt.draining) return EXIT.interrupted;
  if (overBudget !== null && summary.samples + summary.errors < jobs.length) return EXIT.budget;
  return exitCode(summary, minPass);
}

function exitCode({ complete, value }: Summary, minPass: number | undefined): ExitCode {
  if (minPass !== undefined && (!complete || (value ?? 0) < minPass)) return EXIT.belowMinPass;
  return complete ? EXIT.ok : EXIT.failed;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
