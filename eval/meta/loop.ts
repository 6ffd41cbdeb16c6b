/**
 * Algorithm 1 of "A Self-Improving Coding Agent" with the guards it lacks. Every piece of work is first looked up in
 * the log, so the same call that starts a run also resumes it.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { largest } from "../../utils/base/data/extremes.ts";
import { removeFolder } from "../../utils/base/files/trees/remove_folder.ts";
import { writeSeed } from "./archive/seeds.ts";
import { problemAtStart } from "./child/child.ts";
import { type Decision, type Gate, type GateOptions, judge, judgeWork, type WorkGate } from "./gates/gates.ts";
import { type Noise, noiseOf } from "./gates/noise.ts";
import { type ParentRule, selectParent } from "./gates/select.ts";
import { levelOf, signTest } from "./gates/sign_test.ts";
import type { AgentAdded, Judgement } from "./log.ts";
import { diffFile } from "./log.ts";
import { BASELINE_ATTEMPTS } from "./progress.ts";
import { runStep, type StepOptions } from "./step.ts";
import type { Workbench } from "./workbench.ts";

export interface LoopOptions {
  iterations: number;
  /** What to start from: a folder, the name of a seed, or null for this project's agent. See `writeSeed`. */
  seedAgent: string | null;
  select: ParentRule;
  gates: GateOptions;
  step: StepOptions;
  /** For tests, which take gates away to see them missed. */
  gateList?: readonly Gate[];
  workGates?: readonly WorkGate[];
  onNoise: (noise: Noise) => void;
  /** Told how many tasks A_0 fails, before it is measured again. Throws where no child could win enough of them. */
  onBaseline: (failed: { dev: number; validation: number }) => void;
  onJudged: (judged: Judgement) => void;
}

/**
 * Runs what is missing, up to the opening of the sealed split. Stops early by throwing `BudgetReached` or `Drained`.
 */
export async function runLoop(bench: Workbench, options: LoopOptions): Promise<void> {
  const { log } = bench.parts;
  const { state } = log;
  if (state.sealed && options.iterations > lastIteration(state.verdicts)) {
    throw new UserError(
      "The sealed split of this run has been opened, so it takes no further children: start another run.",
    );
  }
  const first = state.agents[0] ?? (await addFirst(bench, options.seedAgent));
  await startsOrThrow(first, bench);
  const noise = await measureNoise(first, bench, options);
  if (noise.tasks > 0) options.onNoise(noise);
  for (let iteration = 1; iteration <= options.iterations; iteration += 1) await iterate(iteration, bench, options);
  if (!state.sealed) await openSealed(bench);
}

async function addFirst(bench: Workbench, seedAgent: string | null): Promise<AgentAdded> {
  const copy = join(bench.parts.folder, "seed");
  writeSeed(seedAgent, copy);
  try {
    return await commitAgent(bench, copy, { parent: null, iteration: 0, round: 1, hypothesis: "", changes: "" });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function startsOrThrow(agent: AgentAdded, bench: Workbench): Promise<void> {
  const built = await bench.program(agent);
  if ("problem" in built) throw new UserError(`The agent to start from does not compile:\n${built.problem}`);
  const { evaluator, signal } = bench.parts;
  const problem = await problemAtStart(built.program, { box: evaluator.box, signal });
  if (problem !== null) throw new UserError(`The agent to start from does not start: ${problem}`);
}

async function measureNoise(first: AgentAdded, bench: Workbench, { gates, onBaseline }: LoopOptions): Promise<Noise> {
  const failedOf = async (split: "dev" | "validation") =>
    (await bench.measured(first, bench.samples(split))).filter(({ score }) => score < 1).length;
  onBaseline({ dev: await failedOf("dev"), validation: await failedOf("validation") });
  const attempts = [];
  for (let attempt = 0; attempt < BASELINE_ATTEMPTS; attempt += 1) {
    const samples = [...bench.samples("dev", attempt), ...bench.samples("validation", attempt)];
    attempts.push(await bench.scores(first, samples));
  }
  return noiseOf(attempts, bench.parts.splits.validation.length, levelOf(gates.alpha, gates.family));
}

const MAX_ROUNDS = 2;

/** One child: a first round, and a second where a gate's message can be acted on. */
async function iterate(iteration: number, bench: Workbench, options: LoopOptions): Promise<void> {
  const { state } = bench.parts.log;
  let previous: Judgement | null = null;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const known = state.verdicts.find((judged) => judged.iteration === iteration && judged.round === round);
    const judged: Judgement = known ?? (await makeChild({ iteration, round, previous }, bench, options));
    if (!judged.again) return;
    previous = judged;
  }
}

interface Attempt {
  iteration: number;
  round: number;
  /** Of the earlier round. */
  previous: Judgement | null;
}

async function makeChild(attempt: Attempt, bench: Workbench, options: LoopOptions): Promise<Judgement> {
  const { log } = bench.parts;
  const { iteration, round } = attempt;
  const parent = selectParent(log.state, iteration, {
    by: options.select,
    options: options.step.utility,
    measuredOf: (agent) => bench.known(agent, bench.samples("dev")),
  });
  const isMade = (agent: AgentAdded) => agent.iteration === iteration && agent.round === round;
  const made = log.state.agents.find(isMade) ?? (await propose(attempt, parent, bench, options));
  const agent = "n" in made ? made : null;
  if (agent) bench.requireTime();
  const { mendable, ...ruling } =
    "n" in made ? await judge({ agent: made, parent }, bench, options.gates, options.gateList) : made;
  const again = mendable && round < MAX_ROUNDS;
  const judged: Judgement = { type: "verdict", iteration, round, agent: agent?.n ?? null, ...ruling, again, at: now() };
  log.append(judged);
  options.onJudged(judged);
  return judged;
}

async function propose(
  { iteration, round, previous }: Attempt,
  editor: AgentAdded,
  bench: Workbench,
  options: LoopOptions,
): Promise<AgentAdded | Decision> {
  const { log } = bench.parts;
  bench.requireTime();
  const base = previous?.agent == null ? editor : log.state.agent(previous.agent);
  const feedback = previous?.message ?? null;
  const outcome = await runStep({ iteration, round, editor, base, feedback }, bench, options.step);
  // A kill between these two lines repeats the step, whose replies are replayed from its recording.
  const { done, workspace, hypothesis, changes } = outcome;
  const isLogged = log.state.steps.some((step) => step.iteration === iteration && step.round === round);
  if (!isLogged) log.append(done);
  try {
    const turnedDown = judgeWork({ workspace, problem: done.problem }, options.workGates);
    return (
      turnedDown ?? (await commitAgent(bench, workspace, { parent: editor.n, iteration, round, hypothesis, changes }))
    );
  } finally {
    removeFolder(workspace);
  }
}

async function commitAgent(
  bench: Workbench,
  source: string,
  about: Pick<AgentAdded, "parent" | "iteration" | "round" | "hypothesis" | "changes">,
): Promise<AgentAdded> {
  const { archive, folder, log } = bench.parts;
  const n = log.state.agents.length;
  const parent = about.parent === null ? null : log.state.agent(about.parent).sha;
  const title = n === 0 ? "The agent to start from" : about.hypothesis.split("\n")[0]?.slice(0, 100) || `Agent ${n}`;
  const message = [title, about.hypothesis, about.changes].filter(Boolean).join("\n\n");
  const stored = await archive.commit(source, { parent, message, ordinal: n });
  if (parent !== null) keepDiff(folder, n, await archive.diff(parent, stored.sha));
  const agent: AgentAdded = { type: "agent", n, ...stored, ...about, at: now() };
  log.append(agent);
  return agent;
}

/** For the page: git has it too, but a page is also made where there is no git. */
function keepDiff(folder: string, n: number, diff: string): void {
  const file = join(folder, diffFile(n));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, diff);
}

/** Compares A_0 with the champion on unseen tasks, once. If no child was accepted, the split stays closed. */
async function openSealed(bench: Workbench): Promise<void> {
  const { log } = bench.parts;
  const { state } = log;
  if (state.champion === 0) return;
  const samples = bench.samples("sealed");
  const before = await bench.scores(state.agent(0), samples);
  const after = await bench.scores(state.agent(state.champion), samples);
  const mean = (scores: ReadonlyMap<string, number>) =>
    scores.size === 0 ? null : [...scores.values()].reduce((sum, score) => sum + score, 0) / scores.size;
  const test = signTest(before, after);
  const ends = { first: mean(before), last: mean(after), tasks: samples.length };
  log.append({ type: "sealed", champion: state.champion, ...test, ...ends, at: now() });
}

const lastIteration = (verdicts: readonly Judgement[]): number =>
  largest(
    verdicts.map(({ iteration }) => iteration),
    0,
  );

const now = (): string => new Date().toISOString();
