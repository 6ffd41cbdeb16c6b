/** An agent of a self-edit run as the solver of a benchmark: its own code in the box, as the loop measures it. */

import { basename, relative, resolve } from "node:path";
import type { Model } from "../../agent/models/model.ts";
import { firstAction } from "../../agent/prompts.ts";
import { isVerified, type Step, Stop, type Trajectory } from "../../agent/run/trajectory.ts";
import { noUsage, type Usage } from "../../agent/run/usage.ts";
import { verifyRepair } from "../../agent/verify.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { largest } from "../../utils/base/data/extremes.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { FewShotExample, VisibleTask } from "../../utils/task/task.ts";
import type { BenchmarkTask } from "../benchmark/benchmark.ts";
import { FREE, type Prices } from "../run/cost/pricing.ts";
import { runFolder } from "../run/lock.ts";
import { hashOf, readManifest } from "../run/manifest.ts";
import type { RepairParts, Solver } from "../run/solve/solver.ts";
import { openArchive } from "./archive/archive.ts";
import { type AgentBox, openBox } from "./child/box.ts";
import { openBuilder } from "./child/build.ts";
import { problemAtStart } from "./child/child.ts";
import { type AttemptFailure, type AttemptResult, attempt, type ChildTask, scoreAnswer } from "./evaluate.ts";
import { type AgentAdded, readState } from "./log.ts";
import { MetaManifest } from "./manifest.ts";
import { protectedCode } from "./settings.ts";

/** An agent that can be started. Disposed of, its program is gone. */
export interface EvolvedAgent extends Disposable {
  /** What decides its results beside the model; `host` is a hash of what the box offers it. */
  decides: { name: string; tree: string; host: string };
  /** @throws UserError for a task that is no function */
  requireFunctions(tasks: readonly BenchmarkTask[]): void;
  /** What works on tasks with it; to be closed before the agent. */
  solver(parts: SolverParts): Promise<Solver & AsyncDisposable>;
}

/** Of the process that an agent does not end by itself. */
const GRACE_MS = 10_000;
/** What stands between an agent and its score. */
const HOST = ["eval/meta/child/", "eval/meta/evaluate.ts", "eval/meta/evolved.ts"];

/**
 * Builds an agent of a self-edit run, in the box.
 * @param asked `RUN#N`, or `RUN` for its champion
 * @throws UserError where there is no such agent, it does not compile or start, or bubblewrap does not work here
 */
export async function openEvolved(asked: string): Promise<EvolvedAgent> {
  const { signal } = new AbortController();
  const { folder, agent } = findAgent(asked);
  const name = `${basename(folder)}#${agent.n}`;
  const box = await openBox({ unsafe: false });
  using source = makeTemporaryFolder("agent");
  const archive = await openArchive(folder);
  await archive.checkout(agent.sha, source.path);
  // Whatever the log says: it may be somebody else's.
  const tree = await archive.treeOf(source.path);
  if (tree !== agent.tree) throw new UserError(`Agent ${name} holds other files than its run's log says.`);
  const builds = makeTemporaryFolder("builds");
  try {
    const built = await openBuilder(box, builds.path).build(source.path, tree, signal);
    if ("problem" in built) throw new UserError(`Agent ${name} does not compile here:\n${built.problem}`);
    const problem = await problemAtStart(built.program, { box, signal });
    if (problem !== null) throw new UserError(`Agent ${name} does not start here: ${problem}`);
    const decides = { name, tree, host: hashOf(HOST) };
    const isOfThisCode = isMadeByThisCode(folder);
    if (!isOfThisCode)
      console.error(`agent ${name}: made by other code of mend than this; where its process crashes, that is no fail`);
    return {
      decides,
      requireFunctions: (tasks) => {
        const other = tasks.find((task) => !isFunction(task));
        if (other) throw notFunction(other);
      },
      solver: (parts) => solverWith({ name, program: built.program, isOfThisCode }, box, parts),
      [Symbol.dispose]: builds[Symbol.dispose],
    };
  } catch (error) {
    builds[Symbol.dispose]();
    throw error;
  }
}

function findAgent(asked: string): { folder: string; agent: AgentAdded } {
  const [, run = "", number] = /^([^#]+)(?:#(\d+))?$/.exec(asked) ?? [];
  if (!/^[\w.-]+$/.test(run)) throw new UserError(`--agent takes RUN#N, or RUN for its champion, not "${asked}".`);
  const folder = resolve(runFolder(run));
  const state = readState(folder);
  const last = state.agents.length - 1;
  if (last < 0)
    throw new UserError(`${relative(".", folder)} holds no agents: --agent takes a run of \`mend improve\`.`);
  const n = number === undefined ? state.champion : Number(number);
  const agent = state.agents.find((one) => one.n === n);
  if (!agent) throw new UserError(`Run ${run} has the agents 0 to ${last}, and no ${n}.`);
  if (![agent.sha, agent.tree].every((hash) => /^[0-9a-f]{40,64}$/.test(hash)))
    throw new UserError(`The log of run ${run} names no commit for agent ${n}.`);
  return { folder, agent };
}

/**
 * Whether what an agent calls in `utils/` is what its run had. Of a run without a manifest, which no loop makes, it is
 * taken for granted.
 */
function isMadeByThisCode(folder: string): boolean {
  const evaluator = readManifest(folder, MetaManifest)?.decides.evaluator;
  return typeof evaluator !== "string" || evaluator.includes(protectedCode());
}

/** An agent that is built. */
interface BuiltAgent {
  name: string;
  program: string;
  isOfThisCode: boolean;
}

interface SolverParts {
  model: Model;
  prices: Prices | null;
  fewShot: readonly FewShotExample[];
  searchSteps?: number | undefined;
  /** Where answers are judged. */
  sandbox: Sandbox;
  concurrency: number;
}

/** Works on tasks with the agent. Its own reports are shown; cost, time and verdicts are the host's. */
async function solverWith(
  { name, program, isOfThisCode }: BuiltAgent,
  box: AgentBox,
  { model, prices, fewShot, searchSteps, sandbox, concurrency }: SolverParts,
): Promise<Solver & AsyncDisposable> {
  // Of agents alone: nothing is judged in it.
  const agentSandbox = await openSandbox({ layer: sandbox.info.layer, concurrency });
  const run = (task: ChildTask, { seed, limits, reserve, signal }: RepairParts) =>
    attempt(
      { program },
      { task, attempt: 0 },
      {
        box,
        agentSandbox,
        priced: {
          model,
          prices: prices ?? FREE,
          // No reply is recorded, so nothing is paid for that was paid before.
          ...(reserve && {
            budget: { reserve: ({ inputTokens }, stop = signal) => reserve(inputTokens, stop), add: () => {} },
          }),
        },
        examples: fewShot,
        limits: { ...limits, graceMs: GRACE_MS },
        // Of an engine in the agent itself; seeds only break ties there.
        seed: seed ?? 0,
        searchSteps,
        modelSeed: seed,
      },
      { recording: null, signal },
    );
  const outcomeOf = async (
    attempted: AttemptResult | AttemptFailure | null,
    { assignment: { visible } }: ChildTask,
    signal: AbortSignal,
  ): Promise<Partial<Trajectory>> => {
    if (attempted === null) return { stop: "aborted" };
    if ("failure" in attempted) return ofFailure(attempted);
    const turns = ofAttempt(attempted, visible);
    if (!isOfThisCode && attempted.end.status === "crashed") return { ...turns, ...crashed(name) };
    const answer = answerOf(attempted);
    const verified = answer !== null && isVerified(await verifyRepair(visible, answer, { sandbox }, signal));
    return { ...turns, answer, verified };
  };
  return {
    repair: async (task, parts) => {
      if (!isFunction(task)) throw notFunction(task);
      const started = performance.now();
      const attempted = await run(task, parts).catch((error: unknown) => {
        if (parts.signal.aborted) return null;
        throw error;
      });
      const seconds = (performance.now() - started) / 1000;
      const trajectory = { ...emptyTrajectory(task, model), ...(await outcomeOf(attempted, task, parts.signal)) };
      return { ...trajectory, usage: { ...trajectory.usage, seconds }, seconds };
    },
    score: async (task, answer, signal) => scoreAnswer(task, answer, sandbox, signal),
    [Symbol.asyncDispose]: () => agentSandbox.close(),
  };
}

const isFunction = (task: BenchmarkTask): task is ChildTask => task.assignment.type === "solve";

const notFunction = ({ id }: Pick<BenchmarkTask, "id">): UserError =>
  new UserError(`--agent works on functions, and ${id} is none.`);

const emptyTrajectory = ({ id }: BenchmarkTask, { name }: Model): Trajectory => ({
  ...{ taskId: id, model: name, stop: "gave_up", answer: null, verified: false },
  ...{ iterations: 0, steps: [], messages: [], usage: noUsage(), seconds: 0 },
});

const ofFailure = ({ failure, meter: { usage } }: AttemptFailure): Partial<Trajectory> => ({
  ...{ stop: "error", error: failure, usage, iterations: usage.modelCalls },
});

/** The agent may be right, and the code under it another one. */
const crashed = (name: string): Pick<Trajectory, "stop" | "error"> => {
  const message = `the process of ${name} crashed, on other code than the one that it was made by: nothing is known`;
  return { stop: "error", error: { kind: "unknown", message, fatal: false } };
};

/** An agent that gives up without a failing model has failed itself. */
const answerOf = ({ end: { status, result } }: AttemptResult): string | null =>
  status === "ok" && result && result.stop !== "error" ? result.answer : null;

function ofAttempt({ end, status, meter, ...attempted }: AttemptResult, visible: VisibleTask): Partial<Trajectory> {
  const steps = attempted.steps.map((event) => stepOf(event, visible));
  const usage: Usage = {
    ...(meter?.usage ?? noUsage()),
    toolCalls: steps.filter(({ iteration }) => iteration > 0).length,
  };
  const claimed = Stop.exclude(["error", "aborted"]).safeParse(end.result?.stop).data ?? "gave_up";
  const turns = largest(
    steps.map(({ iteration }) => iteration),
    0,
  );
  return {
    stop: status === "timeout" ? "budget" : claimed,
    steps: end.explanation === "" ? steps : [...steps, lastWord(end, turns)],
    iterations: meter ? meter.usage.modelCalls : turns,
    usage,
  };
}

/** A turn as the agent reported it: its text says what it did. The first is known to be the task's own action. */
const stepOf = (
  { iteration, action, status, text, seconds }: AttemptResult["steps"][number],
  visible: VisibleTask,
): Step => ({
  iteration,
  reply:
    iteration === 0 ? firstAction(visible) : { kind: "act", tool: action.split(" ")[0] ?? "", input: {}, thought: "" },
  observation: { status, output: text, durationMs: 0 },
  usage: null,
  seconds,
});

/** What became of the process. */
const lastWord = ({ status, explanation }: AttemptResult["end"], iteration: number): Step => ({
  iteration,
  reply: { kind: "answer", text: "", thought: "" },
  observation: { status, output: explanation, durationMs: 0 },
  usage: null,
  seconds: 0,
});
