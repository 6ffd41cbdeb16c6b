/**
 * Watches a meta step from outside: warns an editor that goes in circles, and cancels it if that does not help.
 * Slowness alone is no fault. It belongs to the host, since an agent must not change what watches it.
 */

import { type AgentEvent, type Control, PROCESS_PROTOCOL } from "../../../utils/task/process_protocol.ts";
import type { StepDone } from "../log.ts";

/** Repetitions of an action with the same outcome among the last turns that are a circle. */
const REPEATS = 3;
const WINDOW = 6;
/** Turns in a row that all ended in the same failure. */
const SAME_FAILURES = 4;
/** Turns after which an edit is expected. */
const TURNS_WITHOUT_EDIT = 20;
/** Turns between two looks. */
const EVERY_TURNS = 6;
/** Time that the editor has to end after it was cancelled, until its process is killed. */
const GRACE_MS = 15_000;

const FAILURES = /^(refused|failed|bad input|malformed|unknown tool|not yet|the checks fail)/;
const EDIT = /^(edit|create|undo) /;

type Turn = Extract<AgentEvent, { type: "step" }>;

export class Overseer {
  readonly notes: StepDone["overseer"] = [];
  readonly #turns: Turn[] = [];
  readonly #everyTurns: number;
  readonly #started = performance.now();
  /** Turns that the editor had taken when it got its notice; null without one. */
  #warnedAt: number | null = null;
  #child: { control: (message: Control) => void; kill: () => void } | null = null;
  #killer: NodeJS.Timeout | undefined;

  constructor(everyTurns = EVERY_TURNS) {
    this.#everyTurns = everyTurns;
  }

  /** Gives it a way to reach the agent, see `runChild`. */
  attach(child: { control: (message: Control) => void; kill: () => void }): void {
    this.#child = child;
  }

  observe(event: AgentEvent): void {
    if (event.type !== "step") return;
    this.#turns.push(event);
    if (this.#turns.length % this.#everyTurns === 0) this.#look();
  }

  /** Call it when the step is over. */
  stop(): void {
    this.#child = null;
    clearTimeout(this.#killer);
  }

  /** An editor that repeats itself gets a notice; one that still does after further turns is cancelled. */
  #look(): void {
    const problem = problemOf(this.#turns);
    if (problem === null) this.#warnedAt = null;
    else if (this.#warnedAt === null) {
      this.#warnedAt = this.#turns.length;
      const text = `${problem} Change your approach, or you will be stopped.`;
      this.#note("notice", text);
      this.#child?.control({ v: PROCESS_PROTOCOL, type: "notice", text });
    } else if (this.#turns.length >= this.#warnedAt + REPEATS) {
      this.#note("cancel", problem);
      this.#child?.control({ v: PROCESS_PROTOCOL, type: "cancel" });
      this.#killer ??= setTimeout(() => this.#child?.kill(), GRACE_MS);
    }
  }

  #note(kind: "notice" | "cancel", text: string): void {
    this.notes.push({ kind, text, seconds: (performance.now() - this.#started) / 1000 });
  }
}

/** Whether a turn changed files: by an edit, or by a command. */
const isChange = ({ action, status, text }: Turn): boolean =>
  action.startsWith("run ") ? text.includes("(changed: ") : EDIT.test(action) && status === "ok";

/** In one sentence what the last turns of an editor show; null where they show nothing. */
export function problemOf(turns: readonly Turn[]): string | null {
  const last = turns.slice(-WINDOW);
  const newest = last.at(-1);
  if (!newest) return null;
  // The same check or try after another change is not a circle.
  const since = isChange(newest) ? last : last.slice(last.findLastIndex(isChange) + 1);
  const same = since.filter(({ action, status }) => action === newest.action && status === newest.status);
  if (same.length >= REPEATS)
    return `You did the same thing ${same.length} times with the same outcome (${newest.status}).`;
  const failed = turns.slice(-SAME_FAILURES);
  const isSame = ({ status }: Turn) => status === newest.status && FAILURES.test(status);
  if (failed.length === SAME_FAILURES && failed.every(isSame))
    return `Your last ${SAME_FAILURES} turns all ended with "${newest.status}".`;
  const hasEdited = turns.some((turn) => EDIT.test(turn.action) || isChange(turn));
  return turns.length >= TURNS_WITHOUT_EDIT && !hasEdited ? `You have changed nothing in ${turns.length} turns.` : null;
}
