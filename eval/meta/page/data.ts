/** What the page of a meta run shows, read from the run's folder. */

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { bootstrapMean } from "../../../utils/bootstrap.ts";
import { utilityOfMeasured } from "../evaluate.ts";
import type { AgentAdded, Judged, Measured, StepDone } from "../events.ts";
import { readManifest } from "../manifest.ts";
import type { Split } from "../splits.ts";
import { type RunState, readState } from "../state.ts";
import { meanUtility, PAPER_UTILITY, type Utility } from "../utility.ts";

/** An agent with everything that was found out about it. */
export interface AgentView {
  agent: AgentAdded;
  verdict: Judged | null;
  step: StepDone | null;
  diff: string;
  /** Of the first attempt, by task. */
  scores: Map<string, Measured>;
  /** On dev; null unless all of it was measured. */
  utility: { mean: Utility; interval: [number, number] } | null;
}

export interface RunView {
  name: string;
  model: string;
  editor: string;
  state: RunState;
  agents: AgentView[];
  /** Verdicts on steps that led to no agent. */
  fruitless: { verdict: Judged; step: StepDone | null }[];
  splits: Record<Split, string[]>;
}

const Decides = z.object({
  splits: z.tuple([z.array(z.string()), z.array(z.string()), z.array(z.string())]),
  model: z.tuple([z.string()], z.unknown()),
  metaModel: z.tuple([z.string()], z.unknown()),
  utility: z.tuple([z.number(), z.number()]),
});

/** @throws Error where the folder holds no meta run */
export function readRun(folder: string): RunView {
  const { splits, model, metaModel, utility } = Decides.parse(readManifest(folder)?.decides);
  const [dev, validation, sealed] = splits;
  const [costCapUsd, timeCapSeconds] = utility;
  const options = { ...PAPER_UTILITY, costCapUsd, timeCapSeconds };
  const state = readState(folder);
  const stepOf = ({ iteration, round }: { iteration: number; round: number }) =>
    state.steps.find((step) => step.iteration === iteration && step.round === round) ?? null;
  const agents = state.agents.map((agent): AgentView => {
    const scores = new Map<string, Measured>();
    for (const one of state.measured.values()) {
      if (one.tree === agent.tree && one.attempt === 0) scores.set(one.task, one);
    }
    const measured = dev.flatMap((task) => scores.get(task) ?? []);
    const utilities = measured.map((one) => utilityOfMeasured(one, options));
    const mean = measured.length === dev.length ? meanUtility(utilities) : null;
    return {
      agent,
      verdict: state.verdictOn(agent.n),
      step: stepOf(agent),
      diff: readDiff(folder, agent.n),
      scores,
      utility: mean && { mean, interval: bootstrapMean(utilities.map(({ value }) => value)) },
    };
  });
  const fruitless = state.verdicts.filter(({ agent }) => agent === null);
  return {
    name: basename(folder),
    model: model[0],
    editor: metaModel[0],
    state,
    agents,
    fruitless: fruitless.map((verdict) => ({ verdict, step: stepOf(verdict) })),
    splits: { dev, validation, sealed },
  };
}

export const diffFile = (folder: string, n: number): string => join(folder, "diffs", `${n}.diff`);

const readDiff = (folder: string, n: number): string => {
  const file = diffFile(folder, n);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};
