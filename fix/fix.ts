/**
 * Repairs what belongs to a user, a repository or one file of it: prepare, let models try, and say what became of it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { createModel, parseSpec } from "../agent/models/table.ts";
import { UserError } from "../utils/base/data/errors.ts";
import { listed } from "../utils/base/text/text.ts";
import { NO_NETWORK, wantsNetwork } from "../utils/frameworks/test_run.ts";
import { keepPatch } from "../utils/git/changes/keep_patch.ts";
import type { RepairModel } from "./attempts/attempt.ts";
import { SearchTime } from "./attempts/search_time.ts";
import { requireNewBranch } from "./outcome/branch.ts";
import { conclude, type ModelAttempts, type Repair } from "./outcome/conclude.ts";
import { knownOf, noOutcome, type Outcome } from "./outcome/outcome.ts";
import { failsLine } from "./outcome/render.ts";
import { type OwnFileRequest, oneFile } from "./own_file/own_file.ts";
import { renderPatch } from "./project/patch.ts";
import { type FixRequest, wholeRepository } from "./scope/repository.ts";
import type { FixParts, RepairRequest, Scope } from "./scope/scope.ts";
import { notSearched } from "./search/repository_search.ts";
import { searchPlaces } from "./search/search_places.ts";

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
  const { cpuSeconds, clockSeconds } = prepared.baseline.run;
  const pace = cpuSeconds > 0 ? clockSeconds / cpuSeconds : undefined;
  const seconds = request.searchSeconds;
  const time = seconds === undefined ? undefined : new SearchTime(seconds, { pace });
  const repair = { scope, request, parts, prepared, outcome, time };
  return await conclude(await tryModels(repair), repair);
}

/**
 * The model tries, and where it finds nothing the fallback; a model that searches searches.
 * @throws UserError where the last model that was asked failed, or cannot repair this
 */
async function tryModels(repair: Repair): Promise<ModelAttempts> {
  const { parts, request } = repair;
  const { say = () => {} } = parts;
  const { fallback, timeoutMs } = request;
  const model = await parts.openModel();
  const other = fallback === undefined ? null : parseSpec(fallback).kind;
  const first = await askModel(repair, model);
  const { stop, error, verified } = first.attempt.trajectory;
  if (!other || verified || stop === "aborted") return checked(first);
  const title = other.title.charAt(0).toLowerCase() + other.title.slice(1);
  say(`${model.name} found no repair (${error?.message ?? stop.replaceAll("_", " ")}); now ${title} tries`);
  const asked = await createModel(fallback, { temperature: 0, timeoutMs, maxRetries: 0, log: say });
  try {
    const second = await askModel(repair, asked);
    return checked({ ...second, attempts: [...first.attempts, ...second.attempts] });
  } finally {
    await asked.close();
  }
}

async function askModel({ scope, request, parts, time, ...known }: Repair, model: RepairModel): Promise<ModelAttempts> {
  const { isSearch } = model.kind;
  const prepared = isSearch ? known.prepared.byTests() : known.prepared;
  const where = scope.where(prepared, model.kind);
  const options = { ...request, ...parts, time, model, sandbox: await parts.openSandbox() };
  const tried = isSearch ? await searchPlaces(prepared, where, options) : await scope.ask(prepared, where, options);
  if (!tried && time?.isUp) throw new UserError(`Nothing was tried: ${time.explanation}.`);
  if (!tried) throw notSearched(prepared);
  parts.onAttempts?.(tried.attempts.map(({ trajectory }) => trajectory));
  return { ...tried, model, prepared };
}

/** A model that failed has no outcome; what it had changed is kept. */
function checked(tried: ModelAttempts): ModelAttempts {
  const { trajectory, patch } = tried.attempt;
  if (!trajectory.error) return tried;
  const text = renderPatch(patch.source);
  const kept = text === "" ? "" : ` ${keepPatch(text)}`;
  throw new UserError(`${trajectory.error.message}${kept}`);
}
