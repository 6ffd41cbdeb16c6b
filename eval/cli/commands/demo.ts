/** Repairs one task and shows every turn. */

import { prepareExamples } from "../../../agent/prompts.ts";
import { repair } from "../../../agent/repair.ts";
import { unifiedDiff } from "../../../utils/base/text/diff.ts";
import { plural } from "../../../utils/base/text/format.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  printDocument,
  printLine,
  sayError,
} from "../../../utils/program/cli.ts";
import { styledDiff } from "../../../utils/program/status.ts";
import { buggyProgram } from "../../../utils/task/task.ts";
import { datasetOptions, openFunctions, protocolOptions } from "../../run/benchmark.ts";
import { loadPriceTable, pricesOf, withCost } from "../../run/cost/pricing.ts";
import { watchTurns } from "../../run/display/watch.ts";
import { fewShotOptions, requireLanguages, select } from "../../run/selection/selection.ts";
import {
  chosenTools,
  modelOptions,
  openModel,
  openSandboxFor,
  repairLimits,
  sandboxOptions,
  toolOptions,
} from "../../run/setup.ts";

const limits = repairLimits("a repair", 6);

export const command = {
  usage: "--index 0 [options]",
  summary:
    "Repairs one task of a benchmark and shows every turn on stderr; prints the outcome as one JSON line on stdout.",
  exits: { ok: "done, solved or not", failed: "the answer could not be judged" },
  options: {
    index: { value: "I", help: "position of the task in the dataset, counted from 0 (default 0)" },
    json: { help: "print the outcome as one JSON document on stdout" },
    ...limits.options,
    ...fewShotOptions,
    ...protocolOptions,
    ...modelOptions,
    ...toolOptions,
    ...datasetOptions,
    ...sandboxOptions,
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  using watch = watchTurns();
  const { say, onStep, onProgress } = watch;
  const { maxIterations, timeoutMs } = limits.read(args);
  const tools = chosenTools(args);
  using benchmark = await openFunctions(args);
  const model = await openModel(args, timeoutMs);
  await using sandbox = await openSandboxFor(args, 2);
  try {
    const indices = [args.count("index") ?? 0];
    const { jobs, fewShot } = await select(benchmark, args, { indices, by: model.kind }, sandbox);
    const [job] = jobs;
    if (job?.task.assignment.type !== "solve") throw new Error("the selection holds no function");
    const { task, index } = job;
    const { visible } = job.task.assignment;
    requireLanguages(jobs, { model, tools });
    using interrupt = listenForInterrupt(() => console.error(FINISHING));
    say(`${task.id} · ${model.name} · ${plural(fewShot.length, "example")} · sandbox ${sandbox.info.layer}\n`);
    say(`${visible.instruction.trim()}\n\n${buggyProgram(visible)}`);
    const trajectory = await repair(visible, {
      model,
      sandbox,
      tools,
      examples: await prepareExamples(fewShot, sandbox),
      repairPassing: true,
      maxIterations,
      timeoutMs,
      signal: interrupt.signal,
      onStep,
      onProgress,
    });
    const { stop, answer, verified, iterations, error } = trajectory;
    const usage = withCost(trajectory.usage, pricesOf(model, loadPriceTable(undefined)));
    if (error) sayError(error.message);
    if (stop === "aborted") return EXIT.interrupted;
    if (answer !== null) say(styledDiff(unifiedDiff(task.id, buggyProgram(visible), answer), process.stderr));
    const scored = error ? { error: error.message } : await task.score(answer, sandbox, interrupt.signal);
    const outcome = "error" in scored ? { error: scored.error } : { pass: scored.score.passed };
    say("error" in scored ? "not scored" : `hidden tests: ${scored.score.outcome}`);
    const line = {
      index,
      task_id: task.id,
      ...outcome,
      model: model.name,
      stop,
      stop_reason: stop,
      verified,
      iterations,
      usage,
    };
    if (args.flag("json")) printDocument(line);
    else printLine(line);
    return "error" in scored ? EXIT.failed : EXIT.ok;
  } finally {
    await model.close();
  }
}
