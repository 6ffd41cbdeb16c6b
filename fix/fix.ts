/**
 * Repairs what belongs to a user, a repository or one file of it: prepare, let models try, and say what became of it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { listed } from "../utils/base/text/text.ts";
import { NO_NETWORK, wantsNetwork } from "../utils/frameworks/test_run.ts";
import { requireNewBranch } from "./outcome/branch.ts";
import { conclude } from "./outcome/conclude.ts";
import { knownOf, noOutcome, type Outcome } from "./outcome/outcome.ts";
import { failsLine } from "./outcome/render.ts";
import { type OwnFileRequest, oneFile } from "./own_file/own_file.ts";
import { tryModels } from "./scope/models.ts";
import { type FixRequest, wholeRepository } from "./scope/repository.ts";
import type { FixParts, RepairRequest, Scope } from "./scope/scope.ts";

export type { FixRequest, OwnFileRequest };

/** @throws UserError where the input is of no use, in one sentence, before any model is asked */
export const fixRepository = (request: FixRequest, parts: FixParts): Promise<Outcome> =>
  fix(async () => wholeRepository(request), request, parts);

/** The same, limited to one file. @throws UserError as `fixRepository` */
export const repairOwnFile = (request: OwnFileRequest, parts: FixParts): Promise<Outcome> =>
  fix(() => oneFile(request), request, parts);

const MOST_SAID = 6;

/** Ctrl-C in a terminal ends what was started as well, and that may be seen before mend's own signal is. */
async function stops(signal: AbortSignal): Promise<boolean> {
  await sleep(signal.aborted ? 0 : 200, undefined, { signal }).catch(() => {});
  return signal.aborted;
}

async function fix(look: () => Promise<Scope>, request: RepairRequest, parts: FixParts): Promise<Outcome> {
  const { say = () => {}, signal } = parts;
  const scope = await look();
  await parts.checkModel?.();
  const box = await parts.openBox();
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  if (request.branch !== undefined) requireNewBranch(scope.root(box), request.branch);
  const { name: root, file, function: name } = scope;
  const unknown: Outcome = { ...noOutcome, root, file, function: name, sandbox: box.layer };
  // It starts while the tests run. If it cannot, that matters only to a model.
  parts.openSandbox().catch(() => {});
  using prepared = await scope.prepare(box, { say, signal }).catch(async (error: unknown) => {
    if (signal && (await stops(signal))) return null;
    throw error;
  });
  if (prepared === null) return { ...unknown, outcome: "interrupted" };
  const outcome: Outcome = { ...unknown, ...knownOf(prepared) };
  if (scope.isDone(prepared)) return outcome;
  const { failing, aside } = prepared.baseline;
  for (const test of failing.slice(0, MOST_SAID)) say(failsLine(test));
  const asideNames = listed(
    aside.map(({ name }) => name),
    MOST_SAID,
  );
  const why = prepared.issue === "" ? `does not run ${scope.function}` : "is not named in the issue";
  if (aside.length > 0) say(`also fails, but ${why}: ${asideNames}`);
  if (failing.some(({ message }) => wantsNetwork(message))) say(NO_NETWORK);
  const repair = { scope, request, parts, prepared };
  return await conclude(await tryModels(repair), repair, outcome);
}
