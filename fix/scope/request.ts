/** What a repair of what belongs to a user is asked, whatever it is limited to, and what it is given. */

import type { Model } from "../../agent/models/model.ts";
import type { Progress } from "../../agent/run/progress.ts";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";

/** What is done with a patch. */
export interface PatchRequest {
  /** Apply it to the user's files. */
  write?: boolean | undefined;
  /** Commit it to a new branch. */
  branch?: string | undefined;
  /** Leave new tests of the model in the patch. */
  keepTests?: boolean | undefined;
  /** Of several edits that pass and differ the one with this number, from 1. */
  choose?: number | undefined;
}

/** How long is tried, and by whom where nothing was found. */
export interface RepairLimits {
  /** Processor time of one run of the tests, in seconds. */
  testSeconds: number;
  /** Time for all searches together, see `SearchTime`. Default: what each function may take. */
  searchSeconds?: number | undefined;
  /** Calls of the model in one attempt. */
  maxIterations: number;
  /** Wall-clock limit of one attempt. */
  timeoutMs: number;
  /** Spec of the model that tries where the first finds nothing. */
  fallback?: string | undefined;
}

export type RepairRequest = PatchRequest & RepairLimits;

export type RepairModel = Pick<Model, "name" | "kind" | "chat" | "engine"> & Partial<Pick<Model, "deterministic">>;

export interface Question {
  /** One sentence with a question mark. */
  text: string;
  /** What can be answered, the proposed edit's first. */
  values: readonly string[];
}

/** The place of the right value among `values`; null where the person leaves it open. */
export type Ask = (question: Question) => Promise<number | null>;

export interface FixParts {
  /** Called before any test runs. @throws UserError where the model cannot be used */
  checkModel?: (() => Promise<void>) | undefined;
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<RepairModel>;
  /** The same for the sandbox of `code_interpreter`. */
  openSandbox: () => Promise<AgentSandbox>;
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Asks a person which edit is right if several pass and behave differently. */
  ask?: Ask | undefined;
  /** One line for a person. */
  say?: ((line: string) => void) | undefined;
  onStep?: ((step: Step) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives the attempts that have ended, also if their model failed, once for each model that was asked. */
  onAttempts?: ((attempts: readonly Trajectory[]) => void) | undefined;
  signal?: AbortSignal | undefined;
}
