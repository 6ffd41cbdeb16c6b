/** A meta step: the parent runs on a copy of its own code, within its budget. */

import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../utils/base/data/errors.ts";
import { headAndTail, printable } from "../../utils/base/text/text.ts";
import { PROCESS_PROTOCOL } from "../../utils/task/process_protocol.ts";
import { BudgetReached } from "../run/cost/budget.ts";
import { writeBrief } from "./archive/brief.ts";
import type { Mount } from "./child/box.ts";
import { type ChildEnd, runChild } from "./child/child.ts";
import { openGateway } from "./child/gateway.ts";
import { agentLibraries } from "./child/libraries.ts";
import { type Caps, ModelProxy, type PricedModel } from "./child/model_proxy.ts";
import type { UtilityOptions } from "./gates/utility.ts";
import { type AgentAdded, editorRecording, type StepDone, tokensOf } from "./log.ts";
import type { EditorUse } from "./progress.ts";
import { Trials } from "./trials.ts";
import type { Workbench } from "./workbench.ts";

const UTILS = fileURLToPath(new URL("../../utils", import.meta.url));
const GRACE_MS = 15_000;
/** How much is kept of what an editor says: it goes into the log, the archive and the brief of every later editor. */
const HYPOTHESIS_CHARS = 4_000;
const CHANGES_CHARS = 20_000;
const STOP_CHARS = 100;

export interface StepOptions {
  meta: PricedModel;
  maxIterations: number;
  timeoutMs: number;
  caps: Caps;
  contextTokens: number | null;
  utility: UtilityOptions;
  /** Told after each turn what the step used so far. */
  onTurn?: (used: EditorUse) => void;
}

/** What a step is about: who edits, whose code, and why an earlier round was turned down. */
export interface StepRequest {
  iteration: number;
  round: number;
  editor: AgentAdded;
  /** The code in the workspace: the editor's own, or what the earlier round made of it. */
  base: AgentAdded;
  feedback: string | null;
}

export interface StepOutcome {
  done: StepDone;
  /** What was edited: `agent/` and `prompts/`, and whatever else the editor left there. */
  workspace: string;
  hypothesis: string;
  changes: string;
}

/** Runs the step. Whatever the agent does is in the outcome; it rejects where the harness or the model failed. */
export async function runStep(request: StepRequest, bench: Workbench, options: StepOptions): Promise<StepOutcome> {
  const { folder, archive, evaluator, signal } = bench.parts;
  const { iteration, round, editor, base } = request;
  const workspace = join(folder, "workspace");
  const brief = join(folder, "brief");
  await archive.checkout(base.sha, workspace);
  await writeBrief(bench, { editor, iteration, options: options.utility }, brief);
  const built = await bench.program(editor);
  if ("problem" in built) throw new Error(`agent ${editor.n} does not compile: ${built.problem}`);
  const proxy = new ModelProxy(options.meta, options.caps, join(folder, editorRecording({ iteration, round })));
  let stop = () => {};
  const trials = new Trials(workspace, bench, () => stop());
  await using gateway = await openGateway({ proxy, sandbox: evaluator.agentSandbox, tasks: [], trials });
  using mounts = workspaceMounts(workspace, brief);
  const end = await runChild({
    box: evaluator.box,
    program: built.program,
    mode: "improve",
    mounts: [...agentLibraries(), gateway.mount, ...mounts.all],
    job: {
      v: PROCESS_PROTOCOL,
      type: "improve",
      workspace: evaluator.box.path(mounts.workspace),
      archive: evaluator.box.path(mounts.brief),
      model: { kind: "host", name: options.meta.model.name },
      socket: `${evaluator.box.path(gateway.mount)}/${gateway.socketName}`,
      limits: { maxIterations: options.maxIterations, timeoutMs: options.timeoutMs, maxTokens: options.caps.tokens },
      feedback: request.feedback,
      contextTokens: options.contextTokens,
    },
    timeoutMs: options.timeoutMs + GRACE_MS,
    signal,
    onEvent: (event) => {
      if (event.type === "step") options.onTurn?.(usedBy(proxy));
    },
    onStart: (kill) => {
      stop = kill;
    },
  }).finally(() => trials.settled());
  if (trials.failure) throw trials.failure;
  if (end.status === "ok") await proxy.settled();
  const failure = proxy.meter.failures[0];
  if (failure?.kind === "budget") throw new BudgetReached(bench.parts.budget.reached ?? failure.message);
  if (failure) throw new UserError(`The meta step was not finished: ${failure.message} Run again to go on.`);
  return {
    workspace,
    hypothesis: written(end.result?.hypothesis, HYPOTHESIS_CHARS),
    changes: written(end.result?.answer, CHANGES_CHARS),
    done: doneOf(request, end, proxy),
  };
}

/** What an agent says of itself, as text of a bounded length without control characters. */
const written = (text: string | null | undefined, maxChars: number): string =>
  printable(headAndTail((text ?? "").replaceAll("\r\n", "\n"), maxChars));

/**
 * The surface to write, the helpers to read. The mount point of the latter is gone before anyone looks at the surface.
 */
function workspaceMounts(folder: string, briefFolder: string) {
  const workspace: Mount = { inside: "/workspace", outside: folder, writable: true };
  const utils: Mount = { inside: "/workspace/utils", outside: UTILS };
  const brief: Mount = { inside: "/archive", outside: briefFolder };
  const mountPoint = join(folder, "utils");
  mkdirSync(mountPoint, { recursive: true });
  return {
    workspace,
    brief,
    all: [workspace, utils, brief],
    [Symbol.dispose]: () => {
      try {
        rmdirSync(mountPoint);
      } catch {
        // Something was put there. It stays, for the surface gate to see.
      }
    },
  };
}

function doneOf({ iteration, round, editor }: StepRequest, end: ChildEnd, { meter }: ModelProxy): StepDone {
  const { costUsd } = meter;
  const { inputTokens, outputTokens, modelCalls } = meter.usage;
  if (costUsd === null) throw new UserError("The model of the meta step counts no tokens, so the step has no cost.");
  return {
    type: "step",
    iteration,
    round,
    editor: editor.n,
    stop: written(end.result?.stop ?? end.status, STOP_CHARS),
    problem: problemOf(end),
    modelCalls,
    inputTokens,
    outputTokens,
    costUsd,
    seconds: end.seconds,
    at: new Date().toISOString(),
  };
}

const usedBy = ({ meter: { usage, costUsd } }: ModelProxy): EditorUse => ({
  turns: usage.modelCalls,
  costUsd,
  tokens: tokensOf(usage),
});

/** Why there is nothing to judge; empty where the editor finished. */
function problemOf({ status, result, explanation }: ChildEnd): string {
  if (status !== "ok" || !result) return explanation || status;
  if (result.stop === "answered") return "";
  return written(result.error ?? `it stopped before it finished: ${result.stop.replace("_", " ")}`, CHANGES_CHARS);
}
