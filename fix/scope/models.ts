/** Who tries: the model, and where it finds nothing the fallback; a model that searches searches. */

import { parseSpec } from "../../agent/models/table.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { keepPatch } from "../../utils/program/keep_patch.ts";
import { type AttemptSummary, patchText, type RepairModel } from "../attempts/attempt.ts";
import { openRepairModel } from "../attempts/open_model.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { SearchTime } from "../attempts/search_time.ts";
import { notSearched } from "../search/repository_search.ts";
import { searchPlaces } from "../search/search_places.ts";
import type { Repair } from "./scope.ts";

/** What the last model that was asked found, with the attempts of all. */
export interface ModelAttempts extends AttemptSummary {
  model: RepairModel;
  /** With the tests that this model had to make pass. */
  prepared: Preparation;
  time: SearchTime | undefined;
}

/** @throws UserError where the last model that was asked failed, or cannot repair this */
export async function tryModels(repair: Repair): Promise<ModelAttempts> {
  const { parts, request, prepared } = repair;
  const { say = () => {} } = parts;
  const { fallback, timeoutMs, searchSeconds } = request;
  const { cpuSeconds, clockSeconds } = prepared.baseline.run;
  const pace = cpuSeconds > 0 ? clockSeconds / cpuSeconds : undefined;
  const time = searchSeconds === undefined ? undefined : new SearchTime(searchSeconds, { pace });
  const model = await parts.openModel();
  const other = fallback === undefined ? null : parseSpec(fallback).kind;
  const first = await askModel(repair, time, model);
  const { stop, error, verified } = first.attempt.trajectory;
  if (!other || verified || stop === "aborted") return checked(first);
  const title = other.title.charAt(0).toLowerCase() + other.title.slice(1);
  say(`${model.name} found no repair (${error?.message ?? stop.replaceAll("_", " ")}); now ${title} tries`);
  const asked = await openRepairModel(fallback, { temperature: 0, timeoutMs, maxRetries: 0, log: say });
  try {
    const second = await askModel(repair, time, asked);
    return checked({ ...second, attempts: [...first.attempts, ...second.attempts] });
  } finally {
    await asked.close();
  }
}

async function askModel(
  { scope, request, parts, ...known }: Repair,
  time: SearchTime | undefined,
  model: RepairModel,
): Promise<ModelAttempts> {
  const { isSearch } = model.kind;
  const prepared = isSearch ? known.prepared.byTests() : known.prepared;
  const where = scope.where(prepared, model.kind);
  const options = { ...request, ...parts, time, model, sandbox: await parts.openSandbox() };
  const tried = isSearch ? await searchPlaces(prepared, where, options) : await scope.ask(prepared, where, options);
  if (!tried && time?.isUp) throw new UserError(`Nothing was tried: ${time.explanation}.`);
  if (!tried) throw notSearched(prepared);
  if (tried.attempt.trajectory.verified && time?.isUp) parts.say?.(time.explanation);
  parts.onAttempts?.(tried.attempts.map(({ trajectory }) => trajectory));
  return { ...tried, model, prepared, time };
}

/** A model that failed has no outcome; what it had changed is kept. */
function checked(tried: ModelAttempts): ModelAttempts {
  const { trajectory } = tried.attempt;
  if (!trajectory.error) return tried;
  const text = patchText(tried.attempt);
  const kept = text === "" ? "" : ` ${keepPatch(text, tried.prepared.root)}`;
  throw new UserError(`${trajectory.error.message}${kept}`);
}
