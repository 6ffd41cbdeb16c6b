/** `npx tsx eval/pass1.ts`: how many tasks the agent repairs at the first attempt. */

import { type Arguments, EXIT, type ExitCode, listenForInterrupt, runCommand } from "../utils/cli.ts";
import { UserError } from "../utils/errors.ts";
import type { Dataset } from "./dataset.ts";
import { codeHash, gitCommit, type Manifest, RUN_FORMAT } from "./manifest.ts";
import { percent, startProgress } from "./progress.ts";
import { PROTOCOLS } from "./protocol.ts";
import { isScored, type Result, sampleKey, summarize } from "./results.ts";
import { runSamples } from "./runner.ts";
import {
  chosenTools,
  datasetOptions,
  fewShotOptions,
  modelOptions,
  openDataset,
  openModel,
  openSandboxFor,
  protocolOptions,
  requireLanguages,
  type Selection,
  sandboxOptions,
  select,
  toolOptions,
} from "./setup.ts";
import { openRun, type RunStore } from "./store.ts";

const RUNS = "runs";

const command = {
  usage: "npx tsx eval/pass1.ts [options]",
  summary: "Repairs the tasks of a benchmark, one attempt each, and scores them with hidden tests (pass@1).",
  options: {
    num: { value: "N", help: "the first N tasks that are no few-shot examples (default: all)" },
    indices: { value: "3,7", help: "these positions of the dataset instead" },
    ...protocolOptions,
    ...fewShotOptions,
    "max-iterations": { value: "N", help: "calls of the model a task (default 12)" },
    timeout: { value: "SECONDS", help: "wall-clock limit a task (default 600)" },
    ...modelOptions,
    ...toolOptions,
    ...datasetOptions,
    concurrency: { value: "N", help: "tasks at a time (default 2)" },
    run: { value: "NAME", help: `folder under ${RUNS}/; the same name resumes (default: a new name)` },
    json: { help: "print the summary as one JSON document, and no line per sample" },
    "retry-errors": { help: "on resume, run again the samples that ended with an error" },
    "min-pass": { value: "P", help: "exit 100 where pass@1 is below P, from 0 to 1, or incomplete" },
    ...sandboxOptions,
  },
};
type Args = Arguments<keyof typeof command.options>;

await runCommand(command, async (args) => {
  const settings = readSettings(args);
  const dataset = await openDataset(args);
  const selection = await select(dataset, args, settings);
  const model = await openModel(args, settings.limits.timeoutMs);
  requireLanguages(selection, { model, tools: settings.tools });
  await using sandbox = await openSandboxFor(args, settings.concurrency);
  try {
    const { info } = sandbox;
    const manifest: Manifest = {
      v: RUN_FORMAT,
      decides: {
        protocol: selection.protocol,
        shown: PROTOCOLS[selection.protocol].shown,
        model: { name: model.name, parameters: model.parameters },
        dataset: datasetEntry(dataset),
        few_shot: { from: selection.fewShotFrom, task_ids: selection.fewShot.map(({ id }) => id) },
        tools: settings.tools,
        limits: { max_iterations: settings.limits.maxIterations, timeout_ms: settings.limits.timeoutMs },
        seed: args.count("seed") ?? null,
        sandbox: { layer: info.layer, python: info.pythonVersion, ...nodeVersion(selection) },
        code: codeHash(),
        samples: selection.jobs.map(({ task, attempt }) => sampleKey({ task_id: task.id, attempt })),
      },
      git_commit: gitCommit(),
      started_at: new Date().toISOString(),
    };
    using store = openRun(RUNS, args.text("run") ?? newRunName(model.name, dataset.name), manifest);
    return await run(store, manifest, selection, { ...settings, model, sandbox });
  } finally {
    await model.close();
  }
});

/** Only where it matters, so that a newer Node.js does not stop a run on Python tasks from being resumed. */
function nodeVersion({ jobs }: Selection): { node?: string } {
  return jobs.some(({ task }) => task.language === "javascript") ? { node: process.versions.node } : {};
}

function datasetEntry({ name, sha256, leftOut }: Dataset): Manifest["decides"]["dataset"] {
  return { name, sha256, ...(leftOut.length > 0 ? { left_out: leftOut.map(({ id }) => id) } : {}) };
}

function readSettings(args: Args) {
  const indices = args.counts("indices");
  const num = args.count("num", 1);
  if (indices && num !== undefined) throw new UserError("Give --num or --indices, not both.");
  return {
    indices,
    num,
    limits: {
      maxIterations: args.count("max-iterations", 1) ?? 12,
      timeoutMs: (args.number("timeout", { min: 1 }) ?? 600) * 1000,
    },
    concurrency: args.count("concurrency", 1) ?? 2,
    tools: chosenTools(args),
    json: args.flag("json"),
    retryErrors: args.flag("retry-errors"),
    minPass: args.number("min-pass", { min: 0, max: 1 }),
  };
}

type RunSettings = ReturnType<typeof readSettings> & Pick<Parameters<typeof runSamples>[2], "model" | "sandbox">;

async function run(
  store: RunStore,
  manifest: Manifest,
  { jobs, fewShot }: Selection,
  settings: RunSettings,
): Promise<ExitCode> {
  const started = performance.now();
  const { minPass, json, ...options } = settings;
  const progress = startProgress(jobs.length, store.results.length);
  progress.note(`${settings.model.name} · ${jobs.length} tasks of ${manifest.decides.dataset.name} → ${store.folder}`);
  using interrupt = listenForInterrupt(() => progress.note("finishing what has begun; Ctrl-C again stops at once"));
  const fatal = await runSamples(jobs, store, {
    ...options,
    fewShot,
    draining: () => interrupt.draining,
    signal: interrupt.signal,
    onResult: (result) => {
      if (!json) console.log(JSON.stringify(itemLine(result)));
      progress.update(store.results);
    },
  });
  progress.end();
  const summary = summarize(store.results, jobs.length);
  store.writeSummary(summary);
  const line = headline(manifest, summary, (performance.now() - started) / 1000);
  console.log(JSON.stringify(line, null, json ? 2 : 0));
  console.error(verdict(manifest, summary, jobs.length, store.folder));
  if (fatal)
    throw new UserError(`${fatal} The run stopped; resume it with --run ${store.folder.split(/[\\/]/).at(-1)}.`);
  if (interrupt.draining) return EXIT.interrupted;
  if (minPass !== undefined && (!summary.complete || (summary.value ?? 0) < minPass)) return EXIT.belowMinPass;
  return summary.complete ? EXIT.ok : EXIT.failed;
}

function itemLine(result: Result) {
  const { index, task_id } = result;
  return isScored(result) ? { index, task_id, pass: result.passed } : { index, task_id, error: result.error.message };
}

function headline({ decides }: Manifest, summary: ReturnType<typeof summarize>, seconds: number) {
  const { num, successes, value, interval, errors, complete, usage } = summary;
  return {
    metric: "pass@1",
    num,
    successes,
    value,
    interval,
    errors,
    complete,
    model: decides.model.name,
    protocol: decides.protocol,
    shown: decides.shown,
    dataset: decides.dataset.name,
    left_out: decides.dataset.left_out?.length ?? 0,
    few_shot_k: decides.few_shot.task_ids.length,
    seconds: Math.round(seconds * 10) / 10,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
  };
}

function verdict({ decides }: Manifest, summary: ReturnType<typeof summarize>, total: number, folder: string): string {
  const { num, successes, value, interval, errors, complete } = summary;
  const score = `pass@1 ${percent(value, interval)} · ${successes}/${num} tasks · ${decides.model.name} · shown: ${decides.shown}`;
  const missing = total - num - errors;
  const why = [errors > 0 && `${errors} ended with an error`, missing > 0 && `${missing} were not run`].filter(Boolean);
  return complete ? `${score} → ${folder}` : `INCOMPLETE (${why.join(", ")} of ${total}): ${score} → ${folder}`;
}

function newRunName(model: string, dataset: string): string {
  const clean = (text: string) => text.replace(/^.*[/\\]/, "").replace(/[^A-Za-z0-9.-]+/g, "-");
  const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${time}-${clean(model)}-${clean(dataset)}`.slice(0, 100);
}
