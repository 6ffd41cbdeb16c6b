/** The state of a meta run: a fold of its log, so that a run killed anywhere goes on from what it has on disk. */

import { join } from "node:path";
import { appendJsonl, readJsonlTolerant } from "../../utils/jsonl.ts";
import { type AgentAdded, Event, type Judged, type Measured, type StepDone } from "./events.ts";

/** What is known of a run. */
export class RunState {
  readonly agents: AgentAdded[] = [];
  readonly steps: StepDone[] = [];
  readonly verdicts: Judged[] = [];
  readonly measured = new Map<string, Measured>();
  sealed: Extract<Event, { type: "sealed" }> | null = null;

  add(event: Event): void {
    switch (event.type) {
      case "measured":
        this.measured.set(event.key, event);
        break;
      case "agent":
        this.agents.push(event);
        break;
      case "step":
        this.steps.push(event);
        break;
      case "verdict":
        this.verdicts.push(event);
        break;
      case "sealed":
        this.sealed = event;
    }
  }

  /** @throws Error where the log names an agent that it does not hold */
  agent(n: number): AgentAdded {
    const agent = this.agents.find((candidate) => candidate.n === n);
    if (!agent) throw new Error(`the log has no agent ${n}`);
    return agent;
  }

  /** What the gates said of an agent at last; null where it was not judged (A_0, or not yet). */
  verdictOn(n: number): Judged | null {
    return this.verdicts.findLast(({ agent }) => agent === n) ?? null;
  }

  /** The agent that was accepted last; A_0 before the first. */
  get champion(): number {
    return this.verdicts.findLast(({ verdict }) => verdict === "accepted")?.agent ?? 0;
  }

  /** Children whose fate a test on the validation split decided: each spent a part of the error that is allowed. */
  get testsDone(): number {
    return this.verdicts.filter(({ test }) => test !== null).length;
  }

  /** Everything that was paid for so far. */
  get spent(): { costUsd: number; tokens: number } {
    const paid = [...this.measured.values(), ...this.steps];
    return {
      costUsd: paid.reduce((sum, { costUsd }) => sum + costUsd, 0),
      tokens: paid.reduce((sum, { inputTokens, outputTokens }) => sum + (inputTokens ?? 0) + (outputTokens ?? 0), 0),
    };
  }
}

export interface Log {
  readonly state: RunState;
  /** Appends a line, on disk before it returns, and folds it in. */
  append(event: Event): void;
}

export const logFile = (folder: string): string => join(folder, "log.jsonl");

/** What an agent changed against its parent. */
export const diffFile = (folder: string, n: number): string => join(folder, "diffs", `${n}.diff`);

/** Reads the log of a run's folder; a torn last line is dropped. */
export function openLog(folder: string): Log {
  const file = logFile(folder);
  const state = readState(folder);
  return {
    state,
    append: (event) => {
      appendJsonl(file, event);
      state.add(event);
    },
  };
}

export function readState(folder: string): RunState {
  const state = new RunState();
  for (const event of readJsonlTolerant(logFile(folder), Event)) state.add(event);
  return state;
}
