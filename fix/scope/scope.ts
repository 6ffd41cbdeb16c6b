/** What is to be repaired, a repository or one place of it, and what its repair is asked and given. */

import type { ModelKind } from "../../agent/models/model.ts";
import type { Trajectory } from "../../agent/run/trajectory.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { AttemptOptions, AttemptSummary, RepairModel, Where } from "../attempts/attempt.ts";
import type { Preparation } from "../attempts/prepare.ts";

/** What to do with a patch, how long to try, and which model tries next. */
export interface RepairRequest extends Pick<AttemptOptions, "tools" | "seed" | "maxIterations" | "timeoutMs"> {
  /** Processor time of one run of the tests, in seconds. */
  testSeconds: number;
  /** Time for all searches together, see `SearchTime`. Default: what each function may take. */
  searchSeconds?: number | undefined;
  /** Spec of the model that tries where the first finds nothing. */
  fallback?: string | undefined;
  /** Apply the patch to the user's files. */
  write?: boolean | undefined;
  /** Commit it to a new branch. */
  branch?: string | undefined;
  /** Leave new tests of the model in the patch. */
  keepTests?: boolean | undefined;
  /** Of several edits that pass and differ the one with this number, from 1. */
  choose?: number | undefined;
}

export interface Question {
  /** One sentence with a question mark. */
  text: string;
  /** What can be answered, the proposed edit's first. */
  values: readonly string[];
}

/** The place of the right value among `values`; null where the person leaves it open. */
export type Ask = (question: Question) => Promise<number | null>;

export interface FixParts extends Pick<AttemptOptions, "say" | "onStep" | "onProgress" | "signal"> {
  /** Called before any test runs. @throws UserError where the model cannot be used */
  checkModel?: (() => Promise<void>) | undefined;
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<RepairModel>;
  /** The sandbox of the search and of `code_interpreter`, the same at each call. First called before the tests run. */
  openSandbox: () => Promise<AgentSandbox>;
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Asks a person which edit is right if several pass and behave differently. */
  ask?: Ask | undefined;
  /** Receives the attempts that have ended, also if their model failed, once for each model that was asked. */
  onAttempts?: ((attempts: readonly Trajectory[]) => void) | undefined;
}

export interface Scope {
  /** What stays as it is without a repair, as it is shown to the user. */
  name: string;
  /** The one file that may change, as the user named it; null: any source. */
  file: string | null;
  /** The one function, class or method that may change; null: any. */
  function: string | null;
  /** A file of tests that may get new tests of the user's answers. Null if the user named none. */
  tests: { path: string; text: string } | null;
  /** The project's folder. @throws UserError where there is none */
  root(box: CommandBox): string;
  /** @throws UserError if the input is of no use, in one sentence; the reason of `signal` */
  prepare(box: CommandBox, parts: Pick<FixParts, "say" | "signal">): Promise<Preparation>;
  /** Whether there is nothing to repair. @throws UserError if no edit can make the tests pass */
  isDone(prepared: Preparation): boolean;
  /** Where something may be at fault. @param kind of models that is to search there */
  where(prepared: Preparation, kind: ModelKind): Where;
  /** What a model does that replies by itself. */
  ask(prepared: Preparation, where: Where, options: AttemptOptions): Promise<AttemptSummary | null>;
}

/** What is to be repaired, as it is asked, and what is known of it before a model is. */
export interface Repair {
  scope: Scope;
  request: RepairRequest;
  parts: FixParts;
  prepared: Preparation;
}
