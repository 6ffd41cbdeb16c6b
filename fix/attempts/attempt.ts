/** What an attempt is given, and what one or several of them came to. */

import type { Model } from "../../agent/models/model.ts";
import type { ReserveBudget } from "../../agent/run/allowance.ts";
import type { Progress } from "../../agent/run/progress.ts";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import type { PatchVerdict } from "../guard/verdict.ts";
import type { Suspect } from "../places/localise.ts";
import { type FileChange, type Patch, renderPatch } from "../project/patch.ts";
import type { SearchTime } from "./search_time.ts";
import type { NamedEntry } from "./task.ts";

/** A language model has `chat`; one that searches needs `engine` alone. */
export type RepairModel = Pick<Model, "name" | "kind"> & Partial<Pick<Model, "chat" | "engine" | "deterministic">>;

/** @throws Error for a model that has its engine alone */
export function chatOf({ name, chat }: RepairModel): Model["chat"] {
  if (!chat) throw new Error(`${name} has to be asked by its engine`);
  return chat;
}

export interface AttemptOptions {
  /** Its engine searches in its place, where it has one. */
  model: RepairModel;
  sandbox: AgentSandbox;
  /** For one function: names of what a model may use. Default: what is always offered. */
  tools?: readonly string[] | undefined;
  seed?: number | undefined;
  /** Calls of the model in one attempt. */
  maxIterations: number;
  /** Wall-clock limit of one attempt. */
  timeoutMs: number;
  /** For all searches together; what they use is taken off. Default: as much as they take. */
  time?: SearchTime | undefined;
  /** Called before every model call. Default: every call may be made. */
  reserve?: ReserveBudget | undefined;
  /** One line for a person. */
  say?: ((line: string) => void) | undefined;
  onStep?: ((step: Step) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Gets what the attempt is at, in words, where that may take long. */
  onStage?: ((stage: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Attempt {
  /** `answer` is the source part of the patch as text. */
  trajectory: Trajectory;
  patch: Patch;
  /** Of the patch, or of the last one that was checked; null where none was. */
  verdict: PatchVerdict | null;
  /** Patches that were checked and make failing tests pass, those first with which most do. */
  candidates: Patch[];
  /** What the model said at its end, in words. */
  said: string;
}

export interface Check {
  patch: Patch;
  verdict: PatchVerdict;
}

/** The patch of an attempt as `git apply` takes it; empty where it changed nothing. */
export const patchText = ({ patch }: Attempt): string => renderPatch(patch.source);

/** Of what was checked what is nearest to a repair. */
export function nearestFirst(checked: readonly Check[]): Patch[] {
  const repaired = ({ verdict }: Check) => verdict.after.filter(({ status }) => status === "passed").length;
  const some = checked.filter((one) => repaired(one) > 0);
  return some.toSorted((a, b) => repaired(b) - repaired(a)).map(({ patch }) => patch);
}

/** A function, class or method that may be at fault. */
export interface FunctionPlace extends NamedEntry {
  /** From the root. */
  file: string;
  /** The file as it is. */
  original: string;
  /** Why it is looked at; empty where it is the only one. */
  why: string;
  task: VisibleTask;
}

/** Where something may be at fault. */
export interface Where {
  /** What can be searched with its file alone. */
  places: readonly FunctionPlace[];
  /** What can be searched where the tests run, the likeliest first. */
  suspects: readonly Suspect[];
}

/** An edit that passes the tests, as a patch. The one to propose stands first. */
export interface Choice {
  source: FileChange[];
  /** What it gives by input; only what can be said without running it again. */
  gives: Record<string, string>;
  /** An input on which it differs from the first. */
  input: string | null;
}

/** A patch that was not compared. */
export const uncomparedChoice = (source: FileChange[]): Choice => ({ source, gives: {}, input: null });

export interface AttemptSummary {
  /** The attempt that found something, else the last. */
  attempt: Attempt;
  /** All that were made. */
  attempts: Attempt[];
  /** The patch of `attempt` and others beside it; before the end of an attempt, all that have passed until then. */
  choices: Choice[];
  /** Inputs for which the result of every choice is known, as a value that a test can name. */
  askable?: readonly string[];
  /** What was repaired with its file alone; absent where a repair was found elsewhere, or none. */
  place?: FunctionPlace | undefined;
  /** Why what was found is a suggestion and not a repair; null if only other choices speak against it. */
  doubt?: string | null;
  /** Functions that may be at fault as well, without tried or compared edits. */
  unsearched?: readonly string[];
  /** A change that makes some of the failing tests pass, with their names; reported if the search is interrupted. */
  part?: { source: FileChange[]; passing: readonly string[] } | null;
  /** Why this attempt among several; empty where there was no choice. */
  why?: string;
}

const DIFFERENT = "different edits pass the same tests:";

/** Why what passes is a suggestion: others pass that are not known to do the same. */
export const differentEdits = (count: number): string =>
  `${count} ${DIFFERENT} choose one, or add a test that tells them apart`;

/** Why what passes is a suggestion, in order. @param others that are shown beside it */
export function doubtsAbout(doubt: string | null, others: number): string[] {
  const isSaid = doubt?.includes(DIFFERENT) ?? false;
  return [...(others > 0 && !isSaid ? [differentEdits(others + 1)] : []), ...(doubt === null ? [] : [doubt])];
}

export const chosenEdit = (number: number, count: number): string =>
  `it is number ${number} of ${count} different edits that pass the same tests: add a test that tells them apart`;
