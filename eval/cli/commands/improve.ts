/** The agent improves itself; each child is measured before it is believed. */

import { basename, join, relative, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { makeFolder } from "../../../utils/base/files/make_folder.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { replaceInside, requireOwnFiles } from "../../../utils/base/files/write_inside.ts";
import { clause } from "../../../utils/base/text/format.ts";
import {
  EXIT,
  type ExitCode,
  FINISHING,
  grouped,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
  printForPrograms,
} from "../../../utils/program/cli.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { BenchmarkTask } from "../../benchmark/benchmark.ts";
import type { FunctionTask } from "../../benchmark/functions.ts";
import { idsByKind } from "../../benchmark/remarks.ts";
import { isLeftover, openArchive, removeLeftovers } from "../../meta/archive/archive.ts";
import { openBox } from "../../meta/child/box.ts";
import { openBuilder } from "../../meta/child/build.ts";
import { missingForLoop, requireForLoop } from "../../meta/child/libraries.ts";
import { describePlan, type Plan, planOf, requireWinnable } from "../../meta/gates/plan.ts";
import { readShares, SPLITS, type Split, splitTasks } from "../../meta/gates/splits.ts";
import { logFile, openLog, readState } from "../../meta/log.ts";
import { type LoopOptions, runLoop } from "../../meta/loop.ts";
import { MetaManifest, writeGoal } from "../../meta/manifest.ts";
import { type Models, openModels } from "../../meta/models.ts";
import { describeOutcome } from "../../meta/outcome.ts";
import { BASELINE_ATTEMPTS, type MetaProgress, showProgress } from "../../meta/progress.ts";
import { evaluatorOf, loopOptions, type MetaArguments, metaOptions, requireUsable } from "../../meta/settings.ts";
import { UserStop, Workbench } from "../../meta/workbench.ts";
import { metaPage } from "../../pages/meta/meta_page.ts";
import { openFunctions } from "../../run/benchmark.ts";
import { Budget, BudgetReached } from "../../run/cost/budget.ts";
import { readLimits } from "../../run/cost/limits.ts";
import { lockRun, RUNS_FOLDER, runFolder } from "../../run/lock.ts";
import { gitCommit, matchManifest } from "../../run/manifest.ts";
import { select } from "../../run/selection/selection.ts";
import { openSandboxFor } from "../../run/setup.ts";

const FIRST = ["iterations", "run", "model", "meta-model", "dataset"];
grouped(
  "More about the loop",
  Object.fromEntries(Object.entries(metaOptions).filter(([name]) => !FIRST.includes(name))),
);

export const command = {
  usage: "--iterations N --model SPEC [options]",
  summary: "The agent edits its own code; each child is gated, measured, and compared with the champion.",
  options: metaOptions,
  exits: { budget: "a limit of cost, tokens or minutes is reached" },
};

export async function main(args: MetaArguments): Promise<ExitCode> {
  const timeoutMs = (args.seconds("timeout") ?? 300) * 1000;
  const concurrency = args.count("concurrency", 1, MOST_AT_ONCE) ?? 2;
  requireUsable(args);
  const isPlan = args.flag("plan");
  if (!isPlan) requireForLoop();
  // A plan runs nothing of a model.
  const box = await openBox({ unsafe: args.flag("unsafe") || isPlan });
  if (!box.isolated && !isPlan) console.error("warning: --unsafe: model-written code runs with your own rights");
  keepFromBoxes(RUNS_FOLDER);
  // Before the sandboxes: what is kept from them is known then.
  using benchmark = await openFunctions(args);
  await using sandbox = await openSandboxFor(args, concurrency);
  await using agentSandbox = await openSandbox({ layer: sandbox.info.layer, concurrency });
  const functions = await select(benchmark, args, { num: args.count("num", 3), by: "any model" }, sandbox);
  const models = await openModels(args, timeoutMs, !isPlan);
  // A plan leaves nothing.
  using temporary = isPlan ? makeTemporaryFolder("plan") : null;
  const folder = temporary?.path ?? resolve(runFolder(args.text("run") ?? "meta"));
  makeFolder(folder);
  const unlock = lockRun(folder);
  try {
    requireOwnFiles(folder, isLeftover);
    const tasks = functionsOf(functions.jobs);
    const evaluator = evaluatorOf(args, {
      dataset: benchmark,
      fewShot: functions.fewShot,
      sandbox,
      agentSandbox,
      priced: models.solver,
      timeoutMs,
    });
    const options = loopOptions(args, models, folder);
    const shares = readShares(args.text("split"));
    const splits = splitTasks(tasks, shares);
    const { gates, step } = options;
    const plan = planFor(splits, options, models, args);
    if (isPlan) {
      printForPrograms(plan);
      console.error(describePlan(plan));
      const missing = missingForLoop();
      if (missing.length > 0) console.error(`before the run: npm install ${missing.join(" ")}`);
      return EXIT.ok;
    }
    const { tests, settled } = readState(folder);
    if (settled.length < options.iterations) requireWinnable(plan, { tests });
    options.onBaseline = (failed) => settled.length < options.iterations && requireWinnable(plan, { tests, failed });
    matchManifest(
      folder,
      MetaManifest,
      {
        v: 1,
        decides: {
          evaluator: evaluator.hash,
          protocol: benchmark.protocol,
          dataset: { ...idsByKind(functions.remarks) },
          model: [models.solver.model.name, models.solver.model.parameters, { ...models.solver.prices }],
          metaModel: [models.editor.model.name, models.editor.model.parameters],
          splits: SPLITS.map((split) => splits[split].map(({ id }) => id)),
          select: options.select,
          gates: [gates.alpha, gates.family, gates.smokeTasks, gates.screenTasks, gates.screenLosses],
          utility: [step.utility.costCapUsd, step.utility.timeCapSeconds],
        },
        git_commit: gitCommit(),
        started_at: new Date().toISOString(),
      },
      logFile(folder),
    );
    writeGoal(folder, { iterations: options.iterations });
    const log = openLog(folder, () => progress.update());
    const progress = showProgress(log.state, splits, options.iterations);
    options.step.onTurn = (used) => progress.edits(used);
    removeLeftovers(folder);
    const archive = await openArchive(folder);
    const budget = new Budget(readLimits(args), log.state.spent);
    for (const model of models.all) model.budget = budget;
    using interrupt = listenForInterrupt(() => console.error(FINISHING));
    const bench = new Workbench({
      folder,
      log,
      archive,
      builder: openBuilder(box, join(folder, "builds")),
      evaluator: { ...evaluator, box },
      splits,
      budget,
      concurrency,
      signal: interrupt.signal,
      draining: () => interrupt.draining,
    });
    return await run(bench, options, progress, folder, args);
  } finally {
    unlock();
    await Promise.all(models.all.map(({ model }) => model.close()));
  }
}

const planFor = (
  splits: Record<Split, FunctionTask[]>,
  { iterations, gates, step }: LoopOptions,
  { solver, editor, unpriced }: Models,
  args: MetaArguments,
): Plan =>
  planOf({
    tasks: { dev: splits.dev.length, validation: splits.validation.length, sealed: splits.sealed.length },
    iterations,
    baselineAttempts: BASELINE_ATTEMPTS,
    alpha: gates.alpha,
    family: gates.family,
    callsPerTask: args.count("max-iterations", 1) ?? 12,
    callsPerStep: step.maxIterations,
    prices: { solver: solver.prices, editor: editor.prices },
    unpriced,
    maxCostUsd: readLimits(args).costUsd,
    stepCostUsd: step.caps.costUsd,
  });

/**
 * Leaves out tasks on which an agent could forge a pass, and says so.
 * @throws UserError for a task that is no function, or that shares its id with another
 */
function functionsOf(jobs: readonly { task: BenchmarkTask }[]): FunctionTask[] {
  const seen = new Set<string>();
  const functions = jobs.map(({ task }) => {
    if (!isFunction(task)) throw new UserError(`${task.id} is not a function, and the loop takes functions.`);
    if (seen.has(task.id)) throw new UserError(`Two tasks have the id ${task.id}.`);
    seen.add(task.id);
    return task;
  });
  const apart = functions.filter(({ judgeMode }) => judgeMode === undefined);
  const forgeable = functions.length - apart.length;
  if (forgeable > 0)
    console.error(
      `dataset: ${clause(forgeable, "task", "are")} left out: an agent's code shares a process with their tests and ` +
        "could forge a pass",
    );
  return apart;
}

const isFunction = (task: BenchmarkTask): task is FunctionTask =>
  task.assignment.type === "solve" && task.function !== undefined;

async function run(
  bench: Workbench,
  options: LoopOptions,
  progress: MetaProgress,
  folder: string,
  args: MetaArguments,
): Promise<ExitCode> {
  const { state } = bench.parts.log;
  const stopped = await runLoop(bench, options)
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof BudgetReached || error instanceof UserStop) return error;
        if (bench.parts.signal.aborted) return new UserStop("stopped at once");
        throw error;
      },
    )
    .finally(() => progress.end());
  const page = join(folder, "report.html");
  replaceInside(folder, page, metaPage(folder));
  const { line, text } = describeOutcome(state);
  if (args.flag("json")) printDocument({ ...line, page: relative(".", page) });
  else printForPrograms(line);
  console.error(text);
  console.error(`next     open ${relative(".", page)} in a browser`);
  if (!stopped) return EXIT.ok;
  console.error(
    `         ${args.again({ run: basename(folder) })}\nStopped: ${stopped.message}. That command goes on.`,
  );
  return stopped instanceof UserStop ? EXIT.interrupted : EXIT.budget;
}
