/**
 * Watches a meta step from outside: warns a run that goes in circles, and cancels it if that does not help. Slowness
 * alone is no fault. It belongs to the host, since an agent must not change what watches it.
 */

import { type AgentEvent, type Control, MAIN_CALL, PROCESS_PROTOCOL } from "../../../utils/task/process_protocol.ts";
import type { CallSummary, StepDone } from "../log.ts";

/** Repetitions of an action with the same outcome among the last turns that are a circle. */
const REPEATS = 3;
const WINDOW = 6;
/** Turns in a row that all ended in the same failure. */
const SAME_FAILURES = 4;
/** Turns of the editor after which an edit is expected. */
const TURNS_WITHOUT_EDIT = 20;
/** Events between two looks. */
const EVERY_EVENTS = 6;
/** Time that the main run has to end after it was cancelled, until its process is killed. */
const GRACE_MS = 15_000;

const FAILURES = /^(refused|failed|bad input|malformed|unknown tool|not yet|the checks fail)/;
const EDIT = /^(edit|create|undo) /;

export class Overseer {
  readonly tree = new CallTree();
  readonly notes: StepDone["overseer"] = [];
  readonly #everyEvents: number;
  readonly #started = performance.now();
  /** Turns that a run had taken when it got its notice. */
  readonly #warned = new Map<string, number>();
  #child: { control: (message: Control) => void; kill: () => void } | null = null;
  #events = 0;
  #killer: NodeJS.Timeout | undefined;

  constructor(everyEvents = EVERY_EVENTS) {
    this.#everyEvents = everyEvents;
  }

  /** Gives it a way to reach the agent, see `runChild`. */
  attach(child: { control: (message: Control) => void; kill: () => void }): void {
    this.#child = child;
  }

  observe(event: AgentEvent): void {
    this.tree.add(event);
    this.#events += 1;
    if (this.#events % this.#everyEvents === 0) this.#look();
  }

  /** Call it when the step is over. */
  stop(): void {
    this.#child = null;
    clearTimeout(this.#killer);
  }

  /** A run that repeats itself gets a notice; one that still does after further turns is cancelled. */
  #look(): void {
    for (const node of this.tree.nodes.values()) {
      const { call, steps, end } = node;
      const problem = end === null ? problemOf(node) : null;
      const since = this.#warned.get(call);
      if (problem === null) this.#warned.delete(call);
      else if (since === undefined) {
        this.#warned.set(call, steps.length);
        const text = `${problem} Change your approach, or you will be stopped.`;
        this.#note("notice", call, text);
        this.#child?.control({ v: PROCESS_PROTOCOL, type: "notice", call, text });
      } else if (steps.length >= since + REPEATS) this.#cancel(call, problem);
    }
  }

  #cancel(call: string, why: string): void {
    this.#note("cancel", call, why);
    this.#child?.control({ v: PROCESS_PROTOCOL, type: "cancel", call });
    if (call === MAIN_CALL) this.#killer ??= setTimeout(() => this.#child?.kill(), GRACE_MS);
  }

  #note(kind: "notice" | "cancel", call: string, text: string): void {
    this.notes.push({ kind, call, text, seconds: (performance.now() - this.#started) / 1000 });
  }
}

/** Whether a turn changed files: by an edit, or by a command. */
const isChange = ({ action, status, text }: CallNode["steps"][number]): boolean =>
  action.startsWith("run ") ? text.includes("(changed: ") : EDIT.test(action) && status === "ok";

/** In one sentence what the last turns of a run show; null where they show nothing. */
export function problemOf({ call, steps }: CallNode): string | null {
  const last = steps.slice(-WINDOW);
  const newest = last.at(-1);
  if (!newest) return null;
  // The same check or try after another change is not a circle.
  const since = isChange(newest) ? last : last.slice(last.findLastIndex(isChange) + 1);
  const same = since.filter(({ action, status }) => action === newest.action && status === newest.status);
  if (same.length >= REPEATS)
    return `You did the same thing ${same.length} times with the same outcome (${newest.status}).`;
  const failed = steps.slice(-SAME_FAILURES);
  const isSame = ({ status }: CallNode["steps"][number]) => status === newest.status && FAILURES.test(status);
  if (failed.length === SAME_FAILURES && failed.every(isSame))
    return `Your last ${SAME_FAILURES} turns all ended with "${newest.status}".`;
  const isEditor = call === MAIN_CALL && steps.length >= TURNS_WITHOUT_EDIT;
  if (isEditor && !steps.some((step) => EDIT.test(step.action) || isChange(step)))
    return `You have changed nothing in ${steps.length} turns.`;
  return null;
}

type StepEvent = Extract<AgentEvent, { type: "step" }>;

interface CallNode {
  call: string;
  agent: string;
  task: string;
  /** Null while it runs. */
  end: Extract<AgentEvent, { type: "call_end" }> | null;
  steps: StepEvent[];
}

/** Far more than an agent needs: all of it is the agent's own claim. */
const MOST_CALLS = 1000;
const NAME_CHARS = 100;

/** The runs of one meta step as a tree, from what the agent reports: who called whom, with how many turns. */
export class CallTree {
  readonly nodes = new Map<string, CallNode>();

  add(event: AgentEvent): void {
    switch (event.type) {
      case "call_start":
        if (this.nodes.size >= MOST_CALLS) break;
        this.nodes.set(event.call, { call: event.call, agent: event.agent, task: event.task, end: null, steps: [] });
        break;
      case "step":
        this.nodes.get(event.call)?.steps.push(event);
        break;
      case "call_end": {
        const node = this.nodes.get(event.call);
        if (node) node.end = event;
        break;
      }
      case "version":
      case "result":
        break;
    }
  }

  /** For the log. A run that never ended stopped with its process. */
  summaries(): CallSummary[] {
    return [...this.nodes.values()].map(({ call, agent, task, end, steps }) => ({
      call: call.slice(0, NAME_CHARS),
      agent: agent.slice(0, NAME_CHARS),
      task: task.slice(0, 300),
      stop: (end?.stop ?? "killed").slice(0, NAME_CHARS),
      iterations: end?.iterations ?? steps.length,
      seconds: end?.seconds ?? steps.reduce((sum, { seconds }) => sum + seconds, 0),
      tokens: end?.tokens ?? { input: null, output: null },
    }));
  }
}
