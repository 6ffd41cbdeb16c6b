/** `npx tsx eval/meta_loop.ts`: the agent improves itself; each child is measured before it is believed. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createModel } from "../agent/models/create.ts";
import type { Model } from "../agent/models/model.ts";
import { type Arguments, EXIT, type ExitCode, listenForInterrupt, runCommand } from "../utils/cli.ts";
import { UserError } from "../utils/errors.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import type { FewShotExample } from "../utils/task.ts";
import { Budget, BudgetReached } from "./budget.ts";
import type { Dataset } from "./dataset.ts";
import { lock } from "./lock.ts";
import { gitCommit } from "./manifest.ts";
import { openArchive } from "./meta/archive.ts";
import { type BenchmarkTask, repairBenchmark } from "./meta/benchmark.ts";
import { openBox } from "./meta/box.ts";
import { openBuilder } from "./meta/build.ts";
import type { Evaluator } from "./meta/evaluate.ts";
import { type LoopOptions, runLoop } from "./meta/loop.ts";
import { matchManifest, readManifest } from "./meta/manifest.ts";
import type { PricedModel } from "./meta/model_proxy.ts";
import { describeNoise } from "./meta/noise.ts";
import { describeOutcome } from "./meta/outcome.ts";
import { DEFAULT_WATCH } from "./meta/overseer.ts";
import { metaPage } from "./meta/page/page.ts";
import { SELECTIONS } from "./meta/select.ts";
import { splitTasks } from "./meta/splits.ts";
import { openLog } from "./meta/state.ts";
import { protectedHash } from "./meta/surface.ts";
import { fileEditTasks } from "./meta/synthetic/file_edit.ts";
import { Repository } from "./meta/synthetic/repository.ts";
import { symbolLocationTasks } from "./meta/synthetic/symbol_location.ts";
import { createTuneModel } from "./meta/tune/chat.ts";
import { PAPER_UTILITY } from "./meta/utility.ts";
import { Drained, Workbench } from "./meta/workbench.ts";
import { FREE, type Prices, parsePrices } from "./pricing.ts";
import {
  datasetOptions,
  fewShotOptions,
  modelOptions,
  openDataset,
  openModel,
  openSandboxFor,
  protocolOptions,
  sandboxOptions,
  select,
} from "./setup.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const RUNS = "runs";
/** What no agent may change, besides the dataset. */
const PROTECTED = ["eval", "utils", "package.json", "tsconfig.json"].map((name) => join(ROOT, name));

const command = {
  usage: "npx tsx eval/meta_loop.ts --iterations N --model SPEC [options]",
  summary: "The agent edits its own code; each child is gated, measured, and compared with the champion.",
  options: {
    iterations: { value: "N", help: "children to make (default 5); more can be asked for on resume" },
    run: { value: "NAME", help: `folder under ${RUNS}/; the same name resumes (default: meta)` },
    ...modelOptions,
    "meta-model": { value: "SPEC", help: "the model that edits (default: --model; `tune` with --model search)" },
    overseer: { value: "SPEC", help: "a model that watches the editor (default: rules)" },
    ...datasetOptions,
    num: { value: "N", help: "the first N tasks (default: all)" },
    ...protocolOptions,
    ...fewShotOptions,
    repo: { value: "PATH", help: "a git repository: adds file_edit and symbol_location tasks made from it" },
    "repo-tasks": { value: "N", help: "tasks of each of the two kinds (default 20)" },
    "max-iterations": { value: "N", help: "calls of the model a task (default 12)" },
    timeout: { value: "SECONDS", help: "wall-clock limit a task (default 300)" },
    select: { value: "HOW", help: `${SELECTIONS.join(", ")}: which agent becomes the next parent (default argmax)` },
    alpha: { value: "P", help: "chance that a run promotes a child that is no better (default 0.05)" },
    family: { value: "N", help: "tests on validation that share it (default: --iterations of the first call)" },
    price: { value: "IN,OUT", help: "US dollars per million tokens of --model; needed for openai: models" },
    "meta-price": {
      value: "IN,OUT",
      help: "the same for --meta-model (default: --price where the models are the same)",
    },
    "cost-cap": { value: "USD", help: "dollars a task that use up the cost part of the utility (default 10)" },
    "time-cap": { value: "SECONDS", help: "seconds a task that use up its time part (default 300)" },
    "max-cost": { value: "USD", help: "stop cleanly once so much is spent" },
    "max-tokens": { value: "N", help: "stop cleanly once so many tokens are used" },
    "max-minutes": { value: "N", help: "stop cleanly after so many minutes of this call" },
    "step-turns": { value: "N", help: "calls of the model in one meta step (default 60)" },
    "step-minutes": { value: "N", help: "wall-clock limit of one meta step (default 30)" },
    "step-tokens": { value: "N", help: "tokens of one meta step (default: no limit)" },
    "step-cost": { value: "USD", help: "dollars of one meta step (default: no limit)" },
    "full-observations": { value: "N", help: "observations the editor sees in full, or `all` (default 5)" },
    concurrency: { value: "N", help: "tasks at a time (default 2)" },
    "seed-agent": { value: "FOLDER", help: "agent/ and prompts/ to start from (default: this project's)" },
    unsafe: { help: "run model-written code without bubblewrap, with your own rights" },
    ...sandboxOptions,
  },
};
type Args = Arguments<keyof typeof command.options>;

await runCommand(command, async (args) => {
  const box = openBox({ unsafe: args.flag("unsafe") });
  if (!box.isolated) console.error("warning: --unsafe: model-written code runs with your own rights");
  const dataset = await openDataset(args);
  const selection = await select(dataset, args, { num: args.count("num", 3) });
  if (selection.protocol === "tests")
    throw new UserError("--protocol tests shows the hidden tests, which no agent here may see.");
  const timeoutMs = (args.number("timeout", { min: 1 }) ?? 300) * 1000;
  const concurrency = args.count("concurrency", 1) ?? 2;
  const models = await openModels(args, timeoutMs);
  await using sandbox = await openSandboxFor(args, concurrency);
  const folder = resolve(RUNS, runName(args));
  mkdirSync(folder, { recursive: true });
  const unlock = lock(join(folder, "lock"), folder);
  try {
    const evaluator = evaluatorOf(args, {
      dataset,
      fewShot: selection.fewShot,
      sandbox,
      priced: models.solver,
      timeoutMs,
    });
    const options = loopOptions(args, models, folder);
    const splits = splitTasks([...repairBenchmark(selection.jobs), ...(await repositoryTasks(args))]);
    const { gates, step } = options;
    matchManifest(folder, {
      v: 1,
      decides: {
        evaluator: evaluator.hash,
        protocol: selection.protocol,
        model: [models.solver.model.name, models.solver.model.parameters, { ...models.solver.prices }],
        metaModel: [models.editor.model.name, models.editor.model.parameters],
        splits: Object.values(splits).map((tasks) => tasks.map(({ id }) => id)),
        select: options.select,
        gates: [gates.alpha, gates.family, gates.smokeTasks, gates.screenTasks, gates.screenLosses],
        utility: [step.utility.costCapUsd, step.utility.timeCapSeconds],
      },
      git_commit: gitCommit(),
      started_at: new Date().toISOString(),
    });
    const log = openLog(folder);
    using interrupt = listenForInterrupt(() => console.error("finishing what has begun; Ctrl-C again stops at once"));
    const bench = new Workbench({
      folder,
      log,
      archive: await openArchive(folder),
      builder: openBuilder(box, join(folder, "builds")),
      evaluator: { ...evaluator, box },
      splits,
      budget: new Budget(
        definedOnly({
          costUsd: args.number("max-cost", { min: 0 }),
          tokens: args.count("max-tokens", 1),
          minutes: args.number("max-minutes", { min: 0 }),
        }),
        log.state,
      ),
      concurrency,
      signal: interrupt.signal,
      draining: () => interrupt.draining,
    });
    return await run(bench, options, folder);
  } finally {
    unlock();
    await Promise.all(models.all.map(({ model }) => model.close()));
  }
});

async function repositoryTasks(args: Args): Promise<BenchmarkTask[]> {
  const path = args.text("repo");
  if (path === undefined) return [];
  const repository = await Repository.open(path);
  const count = args.count("repo-tasks", 1) ?? 20;
  return [...(await fileEditTasks(repository, count)), ...(await symbolLocationTasks(repository, count))];
}

function runName(args: Args): string {
  const name = args.text("run") ?? "meta";
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/.test(name)) return name;
  throw new UserError(`--run takes a name of letters, digits and ._-, not "${name}".`);
}

async function run(bench: Workbench, options: LoopOptions, folder: string): Promise<ExitCode> {
  const { state } = bench.parts.log;
  const stopped = await runLoop(bench, options).then(
    () => null,
    (error: unknown) => {
      if (error instanceof BudgetReached || error instanceof Drained) return error;
      if (bench.parts.signal.aborted) return new Drained("stopped at once");
      throw error;
    },
  );
  const page = join(folder, "report.html");
  writeFileSync(page, metaPage(folder));
  console.log(JSON.stringify(describeOutcome(state).line));
  console.error(describeOutcome(state).text);
  console.error(`page: ${relative(".", page)}`);
  if (!stopped) return EXIT.ok;
  console.error(`Stopped: ${stopped.message}. The same command goes on from here (${relative(".", folder)}).`);
  return stopped instanceof Drained ? EXIT.interrupted : EXIT.ok;
}

interface Models {
  solver: PricedModel;
  editor: PricedModel;
  overseer: PricedModel | null;
  all: PricedModel[];
}

async function openModels(args: Args, timeoutMs: number): Promise<Models> {
  const solver = priced(await openModel(args, timeoutMs), args.text("price"), "price");
  const metaSpec = args.text("meta-model") ?? (solver.model.spec === "search" ? "tune" : undefined);
  const options = { temperature: args.number("temperature") ?? 0.2, timeoutMs, maxRetries: 5, log: console.error };
  const open = async (spec: string) =>
    priced(
      spec === "tune" ? createTuneModel() : await createModel(spec, options),
      args.text("meta-price") ?? args.text("price"),
      "meta-price",
    );
  const editor = metaSpec === undefined || metaSpec === solver.model.spec ? solver : await open(metaSpec);
  if (editor.model.spec === "search")
    throw new UserError("`search` repairs functions and cannot edit: give --meta-model.");
  const overseerSpec = args.text("overseer");
  const overseer = overseerSpec === undefined ? null : await open(overseerSpec);
  return { solver, editor, overseer, all: [...new Set([solver, editor, ...(overseer ? [overseer] : [])])] };
}

/** Unknown prices would make the cost part of the utility, and every limit in dollars, a fiction. */
function priced(model: Model, prices: string | undefined, option: string): PricedModel {
  if (prices !== undefined) return { model, prices: parsePrices(prices) };
  if (model.spec.startsWith("openai:")) {
    throw new UserError(
      `What does ${model.name} cost? Give --${option} IN,OUT in US dollars per million tokens (0,0: nothing).`,
    );
  }
  const free: Prices = FREE;
  return { model, prices: free };
}

interface Parts {
  dataset: Dataset;
  fewShot: FewShotExample[];
  sandbox: Sandbox;
  priced: PricedModel;
  timeoutMs: number;
}

function evaluatorOf(args: Args, parts: Parts): Omit<Evaluator, "box"> {
  const { dataset, fewShot, sandbox, timeoutMs } = parts;
  const limits = { maxIterations: args.count("max-iterations", 1) ?? 12, timeoutMs, graceMs: 10_000 };
  const seed = args.count("seed") ?? 0;
  const searchSteps = args.count("search-steps", 1);
  const { layer, pythonVersion } = sandbox.info;
  const decides = [
    protectedHash(PROTECTED),
    dataset.sha256,
    fewShot.map(({ id }) => id),
    limits,
    seed,
    searchSteps ?? null,
  ];
  return {
    sandbox,
    priced: parts.priced,
    examples: fewShot,
    limits,
    seed,
    ...(searchSteps === undefined ? {} : { searchSteps }),
    hash: JSON.stringify([...decides, layer, pythonVersion]),
  };
}

function loopOptions(args: Args, models: Models, folder: string): LoopOptions {
  const iterations = args.count("iterations", 0) ?? 5;
  const full = args.text("full-observations") === "all" ? null : (args.count("full-observations", 1) ?? 5);
  return {
    iterations,
    seedAgent: args.text("seed-agent") ?? ROOT,
    select: args.choice("select", SELECTIONS) ?? "argmax",
    gates: {
      smokeTasks: 3,
      screenTasks: 16,
      screenLosses: 3,
      alpha: args.number("alpha", { min: 1e-9, max: 0.5 }) ?? 0.05,
      family: args.count("family", 1) ?? familyOf(folder) ?? Math.max(1, iterations),
      protectedPaths: PROTECTED,
      versionTimeoutMs: 60_000,
    },
    step: {
      meta: models.editor,
      overseer: models.overseer,
      watch: DEFAULT_WATCH,
      maxIterations: args.count("step-turns", 1) ?? 60,
      timeoutMs: (args.number("step-minutes", { min: 0 }) ?? 30) * 60_000,
      caps: definedOnly({ tokens: args.count("step-tokens", 1), costUsd: args.number("step-cost", { min: 0 }) }),
      fullObservations: full,
      utility: {
        ...PAPER_UTILITY,
        costCapUsd: args.number("cost-cap", { min: 1e-9 }) ?? PAPER_UTILITY.costCapUsd,
        timeCapSeconds: args.number("time-cap", { min: 1e-9 }) ?? PAPER_UTILITY.timeCapSeconds,
      },
    },
    onNoise: (noise) => console.error(describeNoise(noise)),
    onJudged: (judged) => {
      console.log(JSON.stringify(judged));
      const who = judged.agent === null ? "no agent" : `agent ${judged.agent}`;
      console.error(`iteration ${judged.iteration}: ${who}: ${judged.verdict} at ${judged.gate}: ${judged.message}`);
    },
  };
}

/** The size of the family is settled when a run starts: the tests it has made cannot be unmade. */
function familyOf(folder: string): number | undefined {
  const gates = readManifest(folder)?.decides.gates;
  const family = Array.isArray(gates) ? gates[1] : undefined;
  return typeof family === "number" ? family : undefined;
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };
function definedOnly<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;
}
