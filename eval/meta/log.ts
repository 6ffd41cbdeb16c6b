/**
 * The log of a meta run: every line is something that happened and will not be done again. Its fold is the state of the
 * run, so that one that was killed anywhere goes on from what it has on disk.
 */

import { join } from "node:path";
import { z } from "zod";
import { Usage } from "../../agent/run/usage.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { appendJsonl, readJsonlTolerant } from "../../utils/base/files/jsonl.ts";
import { ChatReply } from "../../utils/task/process_protocol.ts";

/** Two agents on the same tasks, one-sided: how often one that is no better would win this often. */
export const PairedTest = z.object({ wins: z.number(), losses: z.number(), p: z.number() });
export type PairedTest = z.infer<typeof PairedTest>;

export const VERDICTS = ["accepted", "inconclusive", "regressed", "broken", "tampered"] as const;

/** The decision on a child: the verdict, the gate, the reason, and the evidence if it was measured. */
export const Ruling = z.object({
  verdict: z.enum(VERDICTS),
  /** The gate that decided. */
  gate: z.string(),
  message: z.string(),
  /** On validation against the champion, where it came to that. */
  test: PairedTest.extend({ alpha: z.number(), against: z.number().int() }).nullable(),
});
export type Ruling = z.infer<typeof Ruling>;

/** What one check has against a child. */
export type Finding = Pick<Ruling, "verdict" | "message"> & Partial<Pick<Ruling, "test">>;

const at = z.string();

/** One attempt of one agent at one task. It has a score: what could not be measured is not in the log. */
export const MeasuredLine = z.object({
  type: z.literal("measured"),
  /** Hash of tree, task, attempt, model with its parameters, and evaluator. */
  key: z.string(),
  tree: z.string(),
  task: z.string(),
  split: z.string(),
  attempt: z.number().int(),
  /** From 0 to 1. */
  score: z.number().min(0).max(1),
  /** `passed`, `failed`, `timeout` … of the judge, or what became of the process. */
  outcome: z.string(),
  status: z.enum(["ok", "timeout", "crashed", "protocol", "flooded"]),
  costUsd: Usage.shape.costUsd.unwrap(),
  inputTokens: Usage.shape.inputTokens,
  outputTokens: Usage.shape.outputTokens,
  modelCalls: Usage.shape.modelCalls,
  seconds: Usage.shape.seconds,
  at,
});
export type MeasuredLine = z.infer<typeof MeasuredLine>;

/** An agent that was committed. */
export const AgentAdded = z.object({
  type: z.literal("agent"),
  /** Position in the archive; A_0 is 0. */
  n: z.number().int(),
  sha: z.string(),
  tree: z.string(),
  parent: z.number().int().nullable(),
  iteration: z.number().int(),
  /** 1, or 2 for one that was made again after a gate turned the first down. */
  round: z.number().int(),
  hypothesis: z.string(),
  changes: z.string(),
  at,
});
export type AgentAdded = z.infer<typeof AgentAdded>;

/** A meta step: an agent edited a copy of itself. */
export const StepDone = z.object({
  type: z.literal("step"),
  iteration: z.number().int(),
  round: z.number().int(),
  /** Which agent edited. */
  editor: z.number().int(),
  stop: z.string(),
  /** Empty where it ended as it should. */
  problem: z.string(),
  modelCalls: z.number(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number(),
  seconds: z.number(),
  at,
});
export type StepDone = z.infer<typeof StepDone>;

/** A ruling on a child, or on a step that led to none. */
export const Judgement = Ruling.extend({
  type: z.literal("verdict"),
  iteration: z.number().int(),
  round: z.number().int(),
  /** Null where there was nothing to commit. */
  agent: z.number().int().nullable(),
  /** True where the gate's message goes back to the editor for another round. */
  again: z.boolean(),
  at,
});
export type Judgement = z.infer<typeof Judgement>;

/** The sealed split was opened. */
const SealedComparison = PairedTest.extend({
  type: z.literal("sealed"),
  champion: z.number().int(),
  first: z.number().nullable(),
  last: z.number().nullable(),
  tasks: z.number().int(),
  at,
});

export const Event = z.discriminatedUnion("type", [MeasuredLine, AgentAdded, StepDone, Judgement, SealedComparison]);
export type Event = z.infer<typeof Event>;

/** What is known of a run. */
export class RunState {
  readonly agents: AgentAdded[] = [];
  readonly steps: StepDone[] = [];
  readonly verdicts: Judgement[] = [];
  readonly measured = new Map<string, MeasuredLine>();
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
  verdictOn(n: number): Judgement | null {
    return this.verdicts.findLast(({ agent }) => agent === n) ?? null;
  }

  /** The agent that was accepted last; A_0 before the first. */
  get champion(): number {
    return this.verdicts.findLast(({ verdict }) => verdict === "accepted")?.agent ?? 0;
  }

  /** The last word on each child, and on each step that led to none. */
  get settled(): Judgement[] {
    return this.verdicts.filter(({ again }) => !again);
  }

  /** For each child whose fate a test on the validation split decided, whether it was accepted. */
  get tests(): boolean[] {
    return this.verdicts.filter(({ test }) => test !== null).map(({ verdict }) => verdict === "accepted");
  }

  /** Everything that was used so far. The number of tokens is unknown as soon as any were not counted. */
  get spent(): { costUsd: number; tokens: number | null } {
    const paid = [...this.measured.values(), ...this.steps];
    return {
      costUsd: paid.reduce((sum, { costUsd }) => sum + costUsd, 0),
      tokens: paid.reduce<number | null>((sum, used) => {
        const more = tokensOf(used);
        return sum === null || more === null ? null : sum + more;
      }, 0),
    };
  }
}

/** Input and output together; null where either was not counted. */
export const tokensOf = ({ inputTokens, outputTokens }: Pick<MeasuredLine, "inputTokens" | "outputTokens">) =>
  inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;

export interface Log {
  readonly state: RunState;
  /** Appends a line, on disk before it returns, and folds it in. */
  append(event: Event): void;
}

const LOG_FILE = "log.jsonl";
export const logFile = (folder: string): string => join(folder, LOG_FILE);

/** What an agent changed against its parent: a file of the run. */
export const diffFile = (n: number): string => join("diffs", `${n}.diff`);

/** Reads the log of a run's folder; a torn last line is dropped. @param onAppend told after each line */
export function openLog(folder: string, onAppend: (state: RunState) => void = () => {}): Log {
  const file = logFile(folder);
  const state = readState(folder);
  return {
    state,
    append: (event) => {
      appendJsonl(file, event);
      state.add(event);
      onAppend(state);
    },
  };
}

export function readState(folder: string): RunState {
  const state = new RunState();
  for (const event of readJsonlTolerant(folder, LOG_FILE, Event)) state.add(event);
  return state;
}

/** How much is kept of an agent's report on an attempt: the end of it. */
export const TRACE_CHARS = 60_000;

/** Where a run keeps an agent's report on an attempt, by the key of its measurement. */
export const traceFile = (key: string): string => join("traces", `${key.slice(0, 32)}.txt`);

/** An agent's report on an attempt in a run; null if none was kept, or it cannot be read. */
export function readTrace(folder: string, { key }: Pick<MeasuredLine, "key">): string | null {
  return tryForeignText(folder, traceFile(key)).text;
}

/** A reply of a model that is kept, so that a killed run pays for no call twice. */
export const RecordedReply = z.object({ key: z.string(), reply: ChatReply });
export type RecordedReply = z.infer<typeof RecordedReply>;

/** The replies that the editor of a step got: a file of the run. */
export const editorRecording = ({ iteration, round }: { iteration: number; round: number }): string =>
  join("recordings", `step-${iteration}-${round}.jsonl`);
