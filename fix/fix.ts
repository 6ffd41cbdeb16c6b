/** Repairs what belongs to a user, a repository or one file of it: prepare, let models try, and say what became of it. */

import { NO_NETWORK, wantsNetwork } from "../utils/frameworks/test_run.ts";
import { tryModels } from "./models.ts";
import { conclude } from "./outcome/conclude.ts";
import { noOutcome, type Outcome, standing } from "./outcome/outcome.ts";
import { failsLine } from "./outcome/sureness.ts";
import { type OwnFileRequest, oneFile } from "./own_file/scope.ts";
import type { Prepared } from "./prepare.ts";
import { type FixRequest, wholeRepository } from "./repository.ts";
import type { FixParts, RepairRequest } from "./request.ts";
import type { Scope } from "./scope.ts";
import { SearchTime } from "./search_time.ts";

export type { FixRequest, OwnFileRequest };

/** @throws UserError where the input is of no use, in one sentence, before any model is asked */
export const fixRepository = (request: FixRequest, parts: FixParts): Promise<Outcome> =>
  fix(async () => wholeRepository(request), request, parts);

/** The same, limited to one file. @throws UserError as `fixRepository` */
export const repairOwnFile = (request: OwnFileRequest, parts: FixParts): Promise<Outcome> =>
  fix(() => oneFile(request), request, parts);

const MOST_SAID = 6;

async function fix(look: () => Promise<Scope>, request: RepairRequest, parts: FixParts): Promise<Outcome> {
  const { say = () => {}, signal } = parts;
  const scope = await look();
  const box = await parts.openBox();
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  const unknown = {
    ...noOutcome,
    root: scope.name,
    file: scope.file,
    function: scope.function,
    test_command: "",
    framework: null,
  };
  using prepared = await scope.prepare(box, { say, signal }).catch((error: unknown) => {
    if (signal?.aborted) return null;
    throw error;
  });
  if (prepared === null) return { ...unknown, sandbox: box.layer, outcome: "interrupted" };
  const outcome: Outcome = { ...unknown, sandbox: box.layer, ...knownOf(prepared) };
  if (scope.isDone(prepared)) return outcome;
  const { failing } = prepared.baseline;
  for (const test of failing.slice(0, MOST_SAID)) say(failsLine(test));
  if (failing.some(({ message }) => wantsNetwork(message))) say(NO_NETWORK);
  const time = request.searchSeconds === undefined ? undefined : new SearchTime(request.searchSeconds);
  const tried = await tryModels(scope, prepared, request, { ...parts, time });
  return await conclude(prepared, tried, { scope, request, parts, outcome, time });
}

const knownOf = ({ root, suite, baseline, suspects }: Prepared) => ({
  root,
  test_command: suite.plan.command,
  framework: suite.plan.framework?.name ?? null,
  before: standing(baseline),
  suspects: suspects.map(({ file, start, end, name, reasons }) => ({ file, start, end, name, reasons })),
});
