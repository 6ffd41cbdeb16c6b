/** What a meta run does and is measured by, from its options. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import type { FewShotExample } from "../../utils/task.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { readManifest } from "../run/manifest.ts";
import { protectedHash } from "./archive/surface.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import type { Evaluator } from "./evaluate.ts";
import { describeNoise } from "./judge/noise.ts";
import { SELECTIONS } from "./judge/select.ts";
import { PAPER_UTILITY } from "./judge/utility.ts";
import type { LoopOptions } from "./loop.ts";
import { MetaManifest } from "./manifest.ts";
import type { Models } from "./models.ts";
import type { MetaArguments } from "./options.ts";
import { DEFAULT_WATCH } from "./overseer/overseer.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What no agent may change, besides the dataset. */
const PROTECTED = ["eval", "utils", "package.json", "tsconfig.json"].map((name) => join(ROOT, name));

export interface EvaluatorParts {
  dataset: Dataset;
  fewShot: FewShotExample[];
  sandbox: Sandbox;
  agentSandbox: AgentSandbox;
  priced: PricedModel;
  timeoutMs: number;
}

/** How answers are scored, but for the box they come from. Its hash covers everything that decides a score. */
export function evaluatorOf(args: MetaArguments, parts: EvaluatorParts): Omit<Evaluator, "box"> {
  const { dataset, fewShot, sandbox, agentSandbox, timeoutMs } = parts;
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
      caps: { tokens: args.count("step-tokens", 1), costUsd: args.number("step-cost", { min: 0 }) },
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
  const gates = readManifest(folder, MetaManifest)?.decides.gates;
  const family = Array.isArray(gates) ? gates[1] : undefined;
  return typeof family === "number" ? family : undefined;
}
