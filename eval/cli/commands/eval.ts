/** How many tasks the agent repairs, at the first attempt and with several. */

import { basename } from "node:path";
import type { Model } from "../../../agent/models/model.ts";
import { inOrder } from "../../../utils/base/concurrency/pool.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import {
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  printDocument,
  printLine,
} from "../../../utils/program/cli.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { DEFAULT_DATASET } from "../../benchmark/find.ts";
import { listBenchmarks, renderList } from "../../benchmark/list.ts";
import { openBenchmark, referenceModel, referenceOf } from "../../run/benchmark.ts";
import { Budget, reserveFrom, spentBy } from "../../run/cost/budget.ts";
import { readPrices } from "../../run/cost/limits.ts";
import { startProgress } from "../../run/display/progress.ts";
import { keepHiddenTests } from "../../run/hidden_tests.ts";
import { newRunName, RUNS_FOLDER, runFolder } from "../../run/lock.ts";
import { datasetName, type Manifest, solverName } from "../../run/manifest.ts";
import { noteWorkers } from "../../run/queue/activity.ts";
import type { SampleOffer } from "../../run/queue/offer.ts";
import { isKeptError, isScored, isUnpaid, latest, type Result, type SampleJob, sampleKey } from "../../run/results.ts";
import { idAt, requireLanguages, type Selection, select } from "../../run/selection/selection.ts";
import {
  manifestOf,
  type RunArguments,
  readSettings,
  repeatJobs,
  runOptions,
  type Settings,
  warnOfSameness,
} from "../../run/selection/settings.ts";
import { modelSettings, openModel, openSandboxFor } from "../../run/setup.ts";
import type { RunnerOptions } from "../../run/solve/solve.ts";
import { openRun, type RunStore } from "../../run/store.ts";
import { renderBreakdown } from "../../run/summary/breakdown_text.ts";
import { headline, itemLine, itemText, renderEnd, taskLines, verdict } from "../../run/summary/output.ts";
import { type Summary, summarize } from "../../run/summary/summary.ts";

export const command = {
  usage: "[options]",
  summary: "Repairs the tasks of a benchmark and scores them with hidden tests (pass@1, with --samples also pass@k).",
  options: runOptions,
  exits: {
    failed: "samples ended with an error or were not run; with --gold also: a solution fails, or a task is left out",
    budget: "a limit of cost, tokens or minutes is reached",
    belowMinPass: "pass@1 is below --min-pass",
  },
};

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
  using early = listenForInterrupt(() => {
    say("Stopped before the first sample.");
    process.exit(EXIT.interrupted);
  });
  const maxRequests = settings.maxRequests ?? settings.concurrency;
  const { requestsPerMinute } = settings;
  // Agents in a box call tools in their text.
  const toolCalls = settings.agent === null ? {} : { toolCalls: "text" as const };
  const open = () => openModel(args, settings.limits.timeoutMs, { maxRequests, requestsPerMinute, ...toolCalls });
  const reference = referenceOf(args);
  if (settings.queue && reference !== null)
    throw new UserError(`--${reference} cannot be used with --queue: it scores known answers on this machine.`);
  // Who asks for a score of at least P means that dataset: the built-in tasks do not stand in.
  const dataset = settings.minPass === undefined ? undefined : DEFAULT_DATASET;
  using benchmark = await openBenchmark(args, { dataset, protocol: settings.protocol, tries: settings.tries });
  // Before a model and a sandbox are: a position that is none costs nothing.
  for (const index of settings.indices ?? []) idAt(benchmark, index);
  const model = reference === null ? await open() : await referenceModel(reference);
  await using sandbox = await openSandboxFor(args, settings.concurrency);
  try {
    using agent =
      settings.agent === null ? null : await (await import("../../meta/evolved.ts")).openEvolved(settings.agent);
    const selection = await select(benchmark, args, { ...settings, by: reference ?? model.kind }, sandbox);
    if (reference === null)
      requireLanguages(
        selection.jobs.filter(({ task }) => task.function),
        { model, tools: settings.tools },
      );
    agent?.requireFunctions(selection.jobs.map(({ task }) => task));
    const jobs = repeatJobs(selection.jobs, settings.samples);
    const sameness = warnOfSameness(model, settings.samples);
    if (sameness) console.error(sameness);
    const prices = readPrices(args, model);
    const manifest = manifestOf(args, settings, { ...{ benchmark, selection, jobs, model, prices, sandbox }, agent });
    using store = openRun(RUNS_FOLDER, ownName ?? newRunName(solverName(manifest), benchmark.name), manifest);
    keepHiddenTests(store.folder, jobs);
    const { fewShot } = selection;
    await using evolved = await agent?.solver({ model, prices, fewShot, ...settings, ...modelSettings(args), sandbox });
    const offered = {
      spec: model.spec,
      ...modelSettings(args),
      toolCalls: model.chat.callsTools ? ("native" as const) : ("text" as const),
      maxRequests: settings.maxRequests,
      requestsPerMinute,
    };
    early[Symbol.dispose]();
    return await run(
      store,
      manifest,
      { jobs, fewShot, offered },
      {
        ...{ ...settings, model, reference, prices, sandbox, solver: evolved },
        isRead: process.stdout.isTTY && !printsJson,
        resume: (run, retries) => args.again({ run, ...(retries && { "retry-errors": true as const }) }),
      },
    );
  } finally {
    await model.close();
  }
}

type RunSettings = Settings &
  Pick<RunnerOptions, "prices" | "sandbox" | "reference" | "solver"> & { model: Model } & {
    /** Whether a person reads what a run prints on stdout. */
    isRead: boolean;
    /** The command that goes on with a run, and with samples that ended with an error. */
    resume: (name: string, retries: boolean) => string;
  };

const say = (text: string) => console.error(text);

async function run(
  store: RunStore,
  manifest: Manifest,
  { jobs, fewShot, offered }: { jobs: SampleJob[]; fewShot: Selection["fewShot"]; offered: SampleOffer["model"] },
  settings: RunSettings,
): Promise<ExitCode> {
  const started = performance.now();
  const { minPass, samples, ks, json, queue, budget: limits, isRead, resume, ...options } = settings;
  const budget = new Budget(limits, spentBy(store.results));
  let overBudget: string | null = null;
  using interrupt = listenForInterrupt(() => say(FINISHING));
  const progress = startProgress(jobs.length, store.results.length);
  const work = `${plural(jobs.length / samples, "task")}${samples > 1 ? `, ${samples} attempts each,` : ""}`;
  const resumed = resumedFrom(latest(store.results), jobs.length, options.retryErrors);
  say(`${solverName(manifest)} · ${work} of ${datasetName(manifest)} → ${store.folder}${resumed}`);
  const lines = inOrder<Result>(manifest.decides.samples, (result) => {
    if (json) return;
    if (isRead) console.log(itemText(result, samples));
    else printLine(itemLine(result, samples));
  });
  // LangChain takes a second to load: a run that is refused does without it.
  const runner: RunnerOptions = {
    ...options,
    fewShot,
    reserve: reserveFrom(budget, settings.prices, settings.model),
    draining: () => {
      overBudget ??= budget.reached;
      return interrupt.draining || overBudget !== null;
    },
    signal: interrupt.signal,
    onStage: ({ task_id }, stage) => say(`${task_id}: ${stage} …`),
    onResult: (result) => {
      lines.add(sampleKey(result), result);
      progress.update(store.results);
    },
  };
  const runHere = async () => (await import("../../run/solve/solve.ts")).runSamples(jobs, store, runner);
  const runOnQueue = async (at: { url: string; key: string }) => {
    const { runOnQueue } = await import("../../run/queue/coordinate.ts");
    const { leaveSoonAfter } = await import("../../run/queue/open.ts");
    leaveSoonAfter(interrupt.signal);
    const onWorkers = noteWorkers(at.url, say);
    return await runOnQueue(jobs, store, { ...runner, ...at, budget, offered, note: say, onWorkers });
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
  const again = () => resume(basename(store.folder), results.some(isKeptError));
  say(renderEnd(results, { folder: store.folder, resume: summary.complete ? null : again() }));
  if (fatal) throw new UserError(`${fatal} The run stopped.`);
  if (interrupt.draining) return EXIT.interrupted;
  if (overBudget !== null && (summary.samples + summary.errors < jobs.length || results.some(isUnpaid)))
    return EXIT.budget;
  return exitCode(summary, minPass, options.reference === "gold" ? manifest : null);
}

/** How far the run was; empty for a new one. */
function resumedFrom(before: readonly Result[], total: number, retryErrors: boolean): string {
  if (before.length === 0) return "";
  const errors = before.filter(isKeptError).length;
  const again = errors === 0 ? "" : `, ${errors} ended with an error (${retryErrors ? "run again" : "kept"})`;
  return `; resumed, ${before.filter(isScored).length} of ${plural(total, "sample")} are done${again}`;
}

/** @param checked the run of the reference solutions (`--gold`): all tasks have to be there and to pass */
function exitCode({ complete, value }: Summary, minPass: number | undefined, checked: Manifest | null): ExitCode {
  if (minPass !== undefined && (!complete || (value ?? 0) < minPass)) return EXIT.belowMinPass;
  const isUnsound = checked && ((value ?? 0) < 1 || checked.decides.dataset.left_out !== undefined);
  if (complete && isUnsound) say("The check fails: every task has to be there, and its reference solution to pass.");
  return complete && !isUnsound ? EXIT.ok : EXIT.failed;
}
