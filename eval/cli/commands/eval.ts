/** How many tasks the agent repairs, at the first attempt and with several. */

import "../../../utils/program/own_tsconfig.ts";
import { basename } from "node:path";
import { callsTools } from "../../../agent/dialects/reply.ts";
import type { Model } from "../../../agent/models/model.ts";
import { inOrder } from "../../../utils/base/concurrency/pool.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import {
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  printDocument,
  printLine,
  runCommand,
} from "../../../utils/program/cli.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { listBenchmarks, renderList } from "../../benchmark/list.ts";
import { idsByKind } from "../../benchmark/remarks.ts";
import { openBenchmark, referenceModel, referenceOf } from "../../run/benchmark.ts";
import { Budget } from "../../run/cost/budget.ts";
import { readPrices } from "../../run/cost/limits.ts";
import { payFrom } from "../../run/cost/pay.ts";
import { Spending } from "../../run/cost/spending.ts";
import { keepHiddenTests } from "../../run/hidden_tests.ts";
import { newRunName, RUNS_FOLDER, runFolder } from "../../run/lock.ts";
import { codeHash, gitCommit, type Manifest, RUN_FORMAT, solverName } from "../../run/manifest.ts";
import { showActivity } from "../../run/queue/activity.ts";
import type { SampleOffer } from "../../run/queue/offer.ts";
import { isUnpaid, latest, type Result } from "../../run/results.ts";
import type { RunnerOptions } from "../../run/runner.ts";
import { type SampleJob, sampleKey } from "../../run/sample.ts";
import { requireLanguages } from "../../run/selection/dataset_setup.ts";
import { repeatJobs, warnOfSameness } from "../../run/selection/sampling.ts";
import { idAt, type Selection, select } from "../../run/selection/selection.ts";
import { type RunArguments, readSettings, runOptions } from "../../run/selection/settings.ts";
import { modelSettings, openModel, openSandboxFor } from "../../run/setup.ts";
import { startLive } from "../../run/shown/live.ts";
import { startProgress } from "../../run/shown/progress.ts";
import { openRun, type RunStore } from "../../run/store.ts";
import { renderBreakdown } from "../../run/summary/breakdown_text.ts";
import { headline, itemLine, itemText, renderEnd, taskLines, verdict } from "../../run/summary/output.ts";
import { type Summary, summarize } from "../../run/summary/summary.ts";

export const command = {
  usage: "[options]",
  summary: "Repairs the tasks of a benchmark and scores them with hidden tests (pass@1, with --samples also pass@k).",
  options: runOptions,
  exits: {
    failed: "incomplete: samples ended with an error or were not run",
    budget: "a limit of cost, tokens or minutes is reached",
    belowMinPass: "pass@1 is below --min-pass",
  },
};

/** Options that a task which is run again by itself does without. */
const OF_THE_WHOLE = [
  ...(["num", "indices", "run", "queue", "concurrency", "min-pass", "retry-errors", "json", "live"] as const),
];

/** What is to be had, in place of a run. */
async function list(asDocument: boolean): Promise<ExitCode> {
  const listed = await listBenchmarks();
  if (asDocument) printDocument(listed);
  else console.log(renderList(listed));
  return EXIT.ok;
}

/** @param printsJson also on a terminal */
export async function main(args: RunArguments, printsJson = false): Promise<ExitCode> {
  if (args.flag("list")) return await list(args.flag("json"));
  const settings = readSettings(args);
  const ownName = args.text("run");
  // Before anything is opened: a name that is none costs nothing.
  if (ownName !== undefined) runFolder(ownName);
  keepFromBoxes(RUNS_FOLDER);
  const maxRequests = settings.maxRequests ?? settings.concurrency * settings.candidates;
  const { requestsPerMinute } = settings;
  const open = () => openModel(args, settings.limits.timeoutMs, { maxRequests, requestsPerMinute });
  const reference = referenceOf(args);
  if (settings.queue && reference !== null)
    throw new UserError(`--${reference} cannot be used with --queue: it scores known answers on this machine.`);
  using benchmark = await openBenchmark(args, { protocol: args.text("protocol"), tries: settings.tries });
  // Before a model and a sandbox are: a position that is none costs nothing.
  for (const index of settings.indices ?? []) idAt(benchmark, index);
  const model = reference === null ? await open() : await referenceModel(reference);
  await using sandbox = await openSandboxFor(args, settings.concurrency);
  try {
    using agent =
      settings.agent === null ? null : await (await import("../../meta/evolved.ts")).openEvolved(settings.agent);
    const selection = await select(benchmark, args, { ...settings, by: reference ?? model.kind }, sandbox);
    if (reference === null) requireFit(selection, model, settings);
    const jobs = repeatJobs(selection.jobs, settings.samples);
    const sameness = warnOfSameness(model, settings.samples * settings.candidates);
    if (sameness) console.error(sameness);
    const { info } = sandbox;
    const prices = readPrices(args, model);
    const manifest: Manifest = {
      v: RUN_FORMAT,
      decides: {
        protocol: benchmark.protocol,
        shown: benchmark.shown,
        model: { name: model.name, parameters: model.parameters },
        ...(agent && { agent: agent.decides }),
        dataset: { name: benchmark.name, sha256: benchmark.sha256, ...idsByKind(selection.remarks) },
        few_shot: { from: selection.fewShotFrom, task_ids: selection.fewShot.map(({ id }) => id) },
        tools: agent ? [] : settings.tools,
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
      again: args.without(OF_THE_WHOLE),
      git_commit: gitCommit(),
      started_at: new Date().toISOString(),
    };
    using store = openRun(RUNS_FOLDER, ownName ?? newRunName(solverName(manifest), benchmark.name), manifest);
    keepHiddenTests(
      store.folder,
      jobs.map(({ task }) => task),
    );
    const { fewShot } = selection;
    await using evolved = await agent?.solver({ model, prices, fewShot, ...settings, ...modelSettings(args), sandbox });
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
      { jobs, fewShot, offered },
      {
        ...{ ...settings, model, reference, prices, sandbox, solver: evolved },
        isRead: process.stdout.isTTY && !printsJson,
        resume: (name) => args.again("run", name),
      },
    );
  } finally {
    await model.close();
  }
}

/** @throws UserError where the model, a tool or a setting is not for these tasks */
function requireFit(selection: Selection, model: Model, { tools, candidates }: ReturnType<typeof readSettings>): void {
  const functions = selection.jobs.filter(({ task }) => task.function);
  const other = selection.jobs.find(({ task }) => !task.function)?.task.id;
  if (candidates > 1 && other !== undefined)
    throw new UserError(`--candidates works only on functions, and ${other} is not one: use --samples.`);
  requireLanguages({ jobs: functions }, { model, tools, candidates });
}

/** Only of what runs tasks, so that a newer Node.js does not stop a run on Python tasks from being resumed. */
function runtimeVersions({ jobs }: Selection): Record<string, string> {
  const runtimes = jobs.flatMap(({ task }) => (task.language && LANGUAGES[task.language].runtime) ?? []);
  return Object.fromEntries(runtimes.flatMap(({ id, version }) => (version === null ? [] : [[id, version]])));
}

type RunSettings = ReturnType<typeof readSettings> &
  Pick<RunnerOptions, "prices" | "sandbox" | "reference" | "solver"> & { model: Model } & {
    /** Whether a person reads what a run prints on stdout. */
    isRead: boolean;
    /** The command that goes on with a run. */
    resume: (name: string) => string;
  };

const say = (text: string) => console.error(text);

async function run(
  store: RunStore,
  manifest: Manifest,
  { jobs, fewShot, offered }: { jobs: SampleJob[]; fewShot: Selection["fewShot"]; offered: SampleOffer["model"] },
  settings: RunSettings,
): Promise<ExitCode> {
  const started = performance.now();
  const { minPass, samples, ks, json, queue, live: isLive, budget: limits, isRead, resume, ...options } = settings;
  const spending = new Spending(store.results);
  const budget = new Budget(limits, spending);
  let overBudget: string | null = null;
  using interrupt = listenForInterrupt(() => say(FINISHING));
  const progress = startProgress(jobs.length, store.results.length);
  const work = `${plural(jobs.length / samples, "task")}${samples > 1 ? `, ${samples} attempts each,` : ""}`;
  say(`${solverName(manifest)} · ${work} of ${manifest.decides.dataset.name} → ${store.folder}`);
  const lines = inOrder<Result>(manifest.decides.samples, (result) => {
    if (json) return;
    if (isRead) console.log(itemText(result, samples));
    else printLine(itemLine(result, samples));
  });
  using live = isLive ? startLive(store.folder) : null;
  // LangChain takes a second to load: a run that is refused does without it.
  const runner: RunnerOptions = {
    ...options,
    fewShot,
    spending,
    pay: payFrom(budget, settings.prices, settings.model),
    draining: () => {
      overBudget ??= budget.reached;
      return interrupt.draining || overBudget !== null;
    },
    signal: interrupt.signal,
    onProgress: live?.heard,
    onStage: ({ task_id }, stage) => say(`${task_id}: ${stage} …`),
    onResult: (result) => {
      live?.finished(result);
      lines.add(sampleKey(result), result);
      progress.update(store.results);
    },
  };
  const runHere = async () => (await import("../../run/runner.ts")).runSamples(jobs, store, runner);
  const runOnQueue = async (at: { url: string; key: string }) => {
    const { runOnQueue } = await import("../../run/queue/coordinate.ts");
    const { leaveSoonAfter } = await import("../../run/queue/open.ts");
    leaveSoonAfter(interrupt.signal);
    using activity = showActivity(store.folder, at.url, { ...progress, note: say });
    return await runOnQueue(jobs, store, { ...runner, ...at, budget, offered, note: say, onActivity: activity.show });
  };
  const fatal = await (queue ? runOnQueue(queue) : runHere());
  progress.end();
  if (latest(store.results).some(isUnpaid)) overBudget ??= budget.reached;
  store.stopped(fatal ?? (interrupt.draining ? "you stopped it" : overBudget));
  lines.flush();
  store.sortResults();
  const summary = summarize(store.results, jobs.length, ks);
  store.writeSummary(summary);
  if (samples > 1 && !json && !isRead) for (const line of taskLines(summary)) printLine(line);
  const line = headline(manifest, summary, (performance.now() - started) / 1000);
  if (json) printDocument(line);
  else if (!isRead) printLine(line);
  const results = latest(store.results);
  const breakdown = renderBreakdown(results);
  if (breakdown) say(`\n${breakdown}\n`);
  say(verdict(manifest, summary, jobs.length, store.folder));
  if (overBudget !== null && !summary.complete)
    say(
      `Stopped: ${overBudget}. The last command below resumes the run if you raise the limit; unfinished tasks ` +
        "start again.",
    );
  say(renderEnd(results, { folder: store.folder, resume: summary.complete ? null : resume(basename(store.folder)) }));
  if (fatal) throw new UserError(`${fatal} The run stopped.`);
  if (interrupt.draining) return EXIT.interrupted;
  if (overBudget !== null && (summary.samples + summary.errors < jobs.length || results.some(isUnpaid)))
    return EXIT.budget;
  return exitCode(summary, minPass);
}

function exitCode({ complete, value }: Summary, minPass: number | undefined): ExitCode {
  if (minPass !== undefined && (!complete || (value ?? 0) < minPass)) return EXIT.belowMinPass;
  return complete ? EXIT.ok : EXIT.failed;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
