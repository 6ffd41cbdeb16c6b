/** What the page of a meta run shows, read from the run's folder. */

import { basename } from "node:path";
import { z } from "zod";
import { tryForeignText } from "../../../utils/base/files/foreign_file.ts";
import { readJsonlTolerant } from "../../../utils/base/files/jsonl.ts";
import { bootstrapMean } from "../../../utils/base/statistics/bootstrap.ts";
import { headAndTail } from "../../../utils/base/text/text.ts";
import { lastThought } from "../../meta/archive/brief.ts";
import { SPLITS, type Split } from "../../meta/gates/splits.ts";
import { meanUtility, PAPER_UTILITY, type Utility, utilityOf } from "../../meta/gates/utility.ts";
import type { AgentAdded, Judgement, MeasuredLine, StepDone } from "../../meta/log.ts";
import { diffFile, editorRecording, RecordedReply, readState, readTrace } from "../../meta/log.ts";
import { MetaManifest, readGoal } from "../../meta/manifest.ts";
import { describeOutcome } from "../../meta/outcome.ts";
import { type LoopProgress, progressOf } from "../../meta/progress.ts";
import { isRunning } from "../../run/lock.ts";
import { readManifest } from "../../run/manifest.ts";

/** A reply that an editor got from its model. */
export interface EditorTurn {
  text: string;
  inputTokens: number | null;
  outputTokens: number | null;
  seconds: number;
}

/** A meta step: finished, or (`done` null) under way. */
export interface StepView {
  done: StepDone | null;
  turns: EditorTurn[];
}

/** How an agent did on a task at its first attempt. */
interface Cell {
  kind: "solved" | "unsolved" | "crashed";
  told: string;
}

/** An agent with everything that was found out about it. */
export interface AgentView {
  agent: AgentAdded;
  verdict: Judgement | null;
  step: StepView | null;
  diff: string;
  cells: Record<string, Cell>;
  /** Tasks of the splits shown that it solves and its parent does not, with what it said last: the edit and its row. */
  won: { task: string; said: string }[];
  /** On dev; null unless all of it was measured. */
  utility: { mean: Utility; interval: [number, number] } | null;
}

export interface MetaData {
  name: string;
  model: string;
  editor: string;
  /** True where the page is served and follows the run. */
  live: boolean;
  /** While the run goes it has progress and no outcome. */
  progress: LoopProgress | null;
  /** How far it was where it ended before its goal: it was stopped, killed, or had used up a budget. */
  stopped: LoopProgress | null;
  outcome: string | null;
  attempts: number;
  spent: { costUsd: number; tokens: number | null };
  champion: number;
  agents: AgentView[];
  /** Verdicts on steps that led to no agent. */
  fruitless: { verdict: Judgement; step: StepView | null }[];
  /** The step under way: who edits, and its replies so far. */
  editing: { iteration: number; round: number; step: StepView } | null;
  splits: Record<Split, string[]>;
  /** Those whose tasks are shown. */
  shown: Split[];
}

const Decides = z.object({
  splits: z.tuple([z.array(z.string()), z.array(z.string()), z.array(z.string())]),
  model: z.tuple([z.string()], z.unknown()),
  metaModel: z.tuple([z.string()], z.unknown()),
  utility: z.tuple([z.number(), z.number()]),
});

/** Replies of one step that are shown, the last ones, and characters of each. */
const MOST_TURNS = 60;
const LONGEST_TURN = 4000;

interface MetaOptions {
  live?: boolean;
  /** Characters of a reply and of a diff that are kept. */
  longestText?: number;
}

/** @throws Error where the folder holds no meta run */
export function metaData(folder: string, { live = false, longestText = LONGEST_TURN }: MetaOptions = {}): MetaData {
  const { splits, model, metaModel, utility } = Decides.parse(readManifest(folder, MetaManifest)?.decides);
  const [dev, validation, sealed] = splits;
  const [costCapUsd, timeCapSeconds] = utility;
  const options = { ...PAPER_UTILITY, costCapUsd, timeCapSeconds };
  const state = readState(folder);
  const stepOf = (at: StepAt): StepView | null => {
    const done = state.steps.find(({ iteration, round }) => iteration === at.iteration && round === at.round) ?? null;
    return done && { done, turns: editorTurns(folder, at, longestText) };
  };
  const firstAttempts = (tree: string) =>
    new Map(
      [...state.measured.values()]
        .filter((one) => one.tree === tree && one.attempt === 0)
        .map((one) => [one.task, one] as const),
    );
  const shown = SPLITS.filter((split) => split !== "sealed" || state.sealed !== null);
  const byTask = { dev, validation, sealed };
  const agents = state.agents.map((agent): AgentView => {
    const scores = firstAttempts(agent.tree);
    const before = agent.parent === null ? scores : firstAttempts(state.agent(agent.parent).tree);
    const measured = dev.flatMap((task) => scores.get(task) ?? []);
    const utilities = measured.map((one) => utilityOf(one, options));
    const mean = measured.length === dev.length ? meanUtility(utilities) : null;
    return {
      agent,
      verdict: state.verdictOn(agent.n),
      step: stepOf(agent),
      diff: readDiff(folder, agent.n, longestText),
      cells: Object.fromEntries([...scores].map(([task, one]) => [task, cellOf(one)])),
      won: shown
        .flatMap((split) => byTask[split])
        .flatMap((task) => {
          const [old, now] = [before.get(task), scores.get(task)];
          const isWon = old !== undefined && now !== undefined && now.score > old.score;
          return isWon ? [{ task, said: lastThought(readTrace(folder, now) ?? "") }] : [];
        }),
      utility: mean && { mean, interval: bootstrapMean(utilities.map(({ value }) => value)) },
    };
  });
  // Only what is served is looked at while it goes; a file is written when the run has stopped.
  const running = live && isRunning(folder);
  const reached = progressOf(state, byTask, readGoal(folder)?.iterations ?? null);
  const progress = running ? reached : null;
  const isShort = reached.total !== null && reached.done < reached.total;
  return {
    name: basename(folder),
    model: model[0],
    editor: metaModel[0],
    live,
    progress,
    stopped: !running && isShort ? reached : null,
    outcome: running ? null : describeOutcome(state).text,
    attempts: state.measured.size,
    spent: state.spent,
    champion: state.champion,
    agents,
    fruitless: state.verdicts
      .filter(({ agent }) => agent === null)
      .map((verdict) => ({ verdict, step: stepOf(verdict) })),
    editing: progress?.editing
      ? { ...progress.editing, step: { done: null, turns: editorTurns(folder, progress.editing, longestText) } }
      : null,
    splits: byTask,
    shown,
  };
}

interface StepAt {
  iteration: number;
  round: number;
}

function editorTurns(folder: string, at: StepAt, longestText: number): EditorTurn[] {
  return readJsonlTolerant(folder, editorRecording(at), RecordedReply)
    .slice(-MOST_TURNS)
    .map(({ reply: { content, toolCalls, usage } }) => {
      const calls = toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
      const { inputTokens, outputTokens, seconds } = usage;
      return {
        text: headAndTail([content, ...calls].filter(Boolean).join("\n"), longestText),
        inputTokens,
        outputTokens,
        seconds,
      };
    });
}

function cellOf({ status, score, outcome, seconds }: MeasuredLine): Cell {
  const kind = status !== "ok" ? "crashed" : score > 0 ? "solved" : "unsolved";
  return { kind, told: `${outcome}, ${seconds.toFixed(1)} s` };
}

/** Longer than replies: a diff is what a step is about. */
const DIFF_TIMES = 25;

function readDiff(folder: string, n: number, longestText: number): string {
  const { text, problem } = tryForeignText(folder, diffFile(n));
  if (problem && !problem.isMissing) throw problem;
  return headAndTail(text ?? "", longestText * DIFF_TIMES);
}
