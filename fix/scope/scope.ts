/** What is to be repaired: a repository, or one place of it. All else of a repair is the same. */

import type { ModelKind } from "../../agent/models/model.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { Preparation } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import type { AttemptSummary, Where } from "../attempts/summary.ts";
import type { FixParts, RepairModel, RepairRequest } from "./request.ts";

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
  ask(prepared: Preparation, where: Where, options: AskOptions): Promise<AttemptSummary | null>;
}

export interface AskOptions
  extends Pick<RepairRequest, "maxIterations" | "timeoutMs">,
    Pick<FixParts, "say" | "onStep" | "onProgress" | "signal"> {
  model: RepairModel;
  sandbox: AgentSandbox;
  time: SearchTime | undefined;
}
