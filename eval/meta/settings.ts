/** The options of the self-edit loop, and what a run does and is measured by from them. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../utils/base/data/errors.ts";
import { type Arguments, MOST_HOURS, type Option, printForPrograms } from "../../utils/program/cli.ts";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import type { FewShotExample } from "../../utils/task/task.ts";
import type { Benchmark } from "../benchmark/benchmark.ts";
import { PROTOCOL_NAMES } from "../benchmark/functions/protocol.ts";
import { datasetOptions, protocolOptions, readingOptions } from "../run/benchmark.ts";
import { budgetOptions, readLimits } from "../run/cost/limits.ts";
import { parsePrices } from "../run/cost/pricing.ts";
import { RUNS_FOLDER, runFolder } from "../run/lock.ts";
import { readManifest } from "../run/manifest.ts";
import { fewShotOptions, readFewShot } from "../run/selection/selection.ts";
import { chosenLayer, LEAST_CONTEXT, modelOptions, modelSettings, sandboxOptions } from "../run/setup.ts";
import { requireSeed } from "./archive/seeds.ts";
import { protectedHash } from "./archive/surface.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import type { Evaluator } from "./evaluate.ts";
import { describeNoise } from "./gates/noise.ts";
import { SELECTIONS } from "./gates/select.ts";
import { readShares } from "./gates/splits.ts";
import { PAPER_UTILITY } from "./gates/utility.ts";
import type { LoopOptions } from "./loop.ts";
import { MetaManifest } from "./manifest.ts";
import { editorSpec, type Models } from "./models.ts";

export const metaOptions = {
  iterations: { value: "N", help: "children to make (default 5); a resumed run can make more" },
  run: { value: "NAME", help: `folder under ${RUNS_FOLDER}/; the same name resumes (default: meta)` },
  ...modelOptions,
  "meta-model": { value: "SPEC", help: "the model that edits (default: --model; `tune` with --model search)" },
  ...datasetOptions,
  num: { value: "N", help: "use only the first N tasks (default: all)" },
  ...protocolOptions,
  ...fewShotOptions,
  "max-iterations": { value: "N", help: "maximum number of model calls for a task (default 12)" },
  timeout: {
    value: "SECONDS",
    help: "time limit for a task, not counting the programs that it runs (default 300)",
  },
  split: {
    value: "D,V,S",
    help: "shares of the tasks for dev, validation and the sealed split (default 64,50,50)",
  },
  select: {
    value: "HOW",
    help: "agent to edit next: argmax, the best on dev, or champion, the last accepted (default argmax)",
  },
  alpha: { value: "P", help: "chance that the run accepts a child that is no better (default 0.05)" },
  family: { value: "N", help: "tests on validation that share --alpha (default: --iterations of the first call)" },
  ...budgetOptions,
  "meta-price": {
    value: "IN,OUT",
    help: "the price of --meta-model (default: --price, else the table)",
  },
  "cost-cap": {
    value: "USD",
    help: "a task that costs this or more gets nothing from the cost part of the utility (default 10)",
  },
  "time-cap": {
    value: "SECONDS",
    help: "a task that takes this long or longer gets nothing from its time part (default 300)",
  },
  "step-turns": { value: "N", help: "maximum number of the editor's model calls for a child, at least 3 (default 60)" },
  "step-minutes": {
    value: "N",
    help: "time limit for the edit of a child, including the programs that it runs (default 30)",
  },
  "step-tokens": { value: "N", help: "maximum tokens of the editor for a child (default: no limit)" },
  "step-cost": { value: "USD", help: "maximum cost of the editor for a child (default: no limit)" },
  concurrency: { value: "N", help: "number of tasks at a time (default 2)" },
  "seed-agent": {
    value: "SEED",
    help: "the first agent: a folder with agent/ and prompts/, or `minimal`, a weak engine (default: mend's own)",
  },
  "learn-from": {
    value: "PATH",
    help: "let the editor learn edits from a git repository with fixes, or from a folder of Python code",
  },
  plan: { help: "only print tasks, calls, cost bound and the smallest gain that the run can see" },
  json: {
    help: "print the result as one JSON document on stdout; a pipe gets it without this, in one line",
  },
  unsafe: { help: "run model-written code without bubblewrap, with your own rights" },
  ...sandboxOptions,
} satisfies Record<string, Option>;

/** What the user wrote. */
export type MetaArguments = Arguments<keyof typeof metaOptions>;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What no agent may change, besides the dataset. */
const PROTECTED = ["eval", "fix", "utils", "package.json", "tsconfig.json"].map((name) => join(ROOT, name));
/** Hash of it. */
export const protectedCode = (): string => protectedHash(PROTECTED);

export interface EvaluatorParts {
  dataset: Pick<Benchmark, "sha256">;
  fewShot: FewShotExample[];
  sandbox: Sandbox;
  agentSandbox: AgentSandbox;
  priced: PricedModel;
  timeoutMs: number;
}

/** What the options say of one attempt at a task. @throws UserError for a value that cannot be used */
const readAttempts = (args: MetaArguments) => ({
  maxIterations: args.count("max-iterations", 1) ?? 12,
  seed: args.count("seed", 0, Number.MAX_SAFE_INTEGER) ?? 0,
  searchSteps: args.count("search-steps", 1),
});

/** What they say of the loop itself. @throws UserError for a value that cannot be used */
const readLoop = (args: MetaArguments) => ({
  iterations: args.count("iterations", 0) ?? 5,
  select: args.choice("select", SELECTIONS) ?? ("argmax" as const),
  alpha: args.number("alpha", { min: 1e-9, max: 0.5 }) ?? 0.05,
  family: args.count("family", 1),
  step: {
    maxIterations: args.count("step-turns", 3) ?? 60,
    timeoutMs: (args.number("step-minutes", { min: 0.1, max: MOST_HOURS * 60 }) ?? 30) * 60_000,
    caps: { tokens: args.count("step-tokens", 1), costUsd: args.number("step-cost", { min: 0 }) },
    contextTokens: args.count("context", LEAST_CONTEXT) ?? null,
  },
  costCapUsd: args.number("cost-cap", { min: 1e-9 }) ?? PAPER_UTILITY.costCapUsd,
  timeCapSeconds: args.number("time-cap", { min: 1e-9 }) ?? PAPER_UTILITY.timeCapSeconds,
});

/**
 * Reads each option whose value may be wrong, before anything is opened or looked for.
 * @throws UserError for the first that cannot be used
 */
export function requireUsable(args: MetaArguments): void {
  readLoop(args);
  readAttempts(args);
  readLimits(args);
  readShares(args.text("split"));
  modelSettings(args);
  editorSpec(args);
  for (const option of ["price", "meta-price"] as const) {
    const stated = args.text(option);
    if (stated !== undefined) parsePrices(stated, option);
  }
  args.count("num", 3);
  readFewShot(args);
  if (args.choice("protocol", PROTOCOL_NAMES) === "tests")
    throw new UserError("--protocol tests shows the hidden tests, which no agent here may see.");
  chosenLayer(args);
  readingOptions(args);
  runFolder(args.text("run") ?? "meta");
  requireSeed(args.text("seed-agent") ?? null);
}

/** How answers are scored, but for the box they come from. Its hash covers everything that decides a score. */
export function evaluatorOf(args: MetaArguments, parts: EvaluatorParts): Omit<Evaluator, "box"> {
  const { dataset, fewShot, sandbox, agentSandbox, timeoutMs } = parts;
  const { maxIterations, seed, searchSteps } = readAttempts(args);
  const limits = { maxIterations, timeoutMs, graceMs: 10_000 };
  const { layer, pythonVersion } = sandbox.info;
  const decides = [protectedCode(), dataset.sha256, fewShot.map(({ id }) => id), limits, seed, searchSteps ?? null];
  return {
    sandbox,
    agentSandbox,
    priced: parts.priced,
    examples: fewShot,
    limits,
    seed,
    searchSteps,
    hash: JSON.stringify([...decides, layer, pythonVersion]),
  };
}

/** @param folder of the run, which may hold an earlier part of it */
export function loopOptions(args: MetaArguments, models: Models, folder: string): LoopOptions {
  const { iterations, select, alpha, family, step, costCapUsd, timeCapSeconds } = readLoop(args);
  return {
    iterations,
    seedAgent: args.text("seed-agent") ?? null,
    select,
    gates: {
      smokeTasks: 3,
      screenTasks: 16,
      screenLosses: 3,
      alpha,
      family: family ?? familyOf(folder) ?? Math.max(1, iterations),
      protectedPaths: PROTECTED,
    },
    step: {
      ...step,
      meta: models.editor,
      utility: { ...PAPER_UTILITY, costCapUsd, timeCapSeconds },
    },
    onBaseline: () => {},
    onNoise: (noise) => console.error(describeNoise(noise)),
    onJudged: (judged) => {
      printForPrograms(judged);
      const who = judged.agent === null ? "no agent" : `agent ${judged.agent}`;
      console.error(`iteration ${judged.iteration}: ${who}: ${judged.verdict} at ${judged.gate}: ${judged.message}`);
    },
  };
}

/** The size of the family is settled when a run starts: the tests it has made cannot be unmade. */
function familyOf(folder: string): number | undefined {
  const gates = readManifest(folder, MetaManifest)?.decides.gates;
  const family = Array.isArray(gates) ? gates[1] : undefined;
  return typeof family === "number" ? family : undefined;
}
