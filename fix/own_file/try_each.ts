/** Who tries: the model, function after function, and where it finds nothing the fallback; a model that searches searches. */

import { createModel, parseSpec } from "../../agent/models/create.ts";
import type { ModelKind } from "../../agent/models/model.ts";
import { UserError } from "../../utils/data/errors.ts";
import { LANGUAGES, titlesOf } from "../../utils/languages/registry.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { attemptFunction, type FunctionPlace } from "../attempts/attempt_function.ts";
import type { Patch } from "../patch.ts";
import type { Prepared } from "../prepare.ts";
import type { Attempt } from "../run.ts";
import { type Choice, type SearchedPlaces, searchPlaces, type Where } from "../search/search_places.ts";
import type { SearchTime } from "../search_time.ts";
import type { AskedModel, OwnFileParts, OwnFileRequest } from "./request.ts";

/** How the last model that was asked did. */
export interface TriedPlaces extends SearchedPlaces {
  model: AskedModel;
  /** Calls of all models. */
  turns: number;
  /** What was tried, the best first. */
  tried: Patch[];
}

type TryParts = OwnFileParts & { time?: SearchTime | undefined };
type TryRequest = Pick<OwnFileRequest, "fallback" | "tools" | "maxIterations" | "timeoutMs">;

/** @throws UserError where the last model that was asked failed, or cannot repair the language */
export async function tryEach(
  prepared: Prepared,
  where: Where,
  request: TryRequest,
  parts: TryParts,
): Promise<TriedPlaces> {
  const { say = () => {} } = parts;
  const { fallback, timeoutMs } = request;
  const model = await parts.openModel();
  const other = fallback === undefined ? null : parseSpec(fallback).kind;
  for (const { task } of where.places) requireLanguage(task, other ?? model.kind);
  const first = await askModel(prepared, where, request, parts, model);
  const { stop, error, verified } = first.attempt.trajectory;
  if (!other || verified || stop === "aborted") return checked(first);
  const title = other.title.charAt(0).toLowerCase() + other.title.slice(1);
  say(`${model.name} found no repair (${error?.message ?? stop}); ${title} tries now`);
  const asked = await createModel(fallback, { temperature: 0, timeoutMs, maxRetries: 0, log: say });
  const second = await askModel(prepared, where, request, parts, asked);
  return checked({ ...second, turns: first.turns + second.turns, tried: [...second.tried, ...first.tried] });
}

async function askModel(
  prepared: Prepared,
  where: Where,
  request: TryRequest,
  parts: TryParts,
  model: AskedModel,
): Promise<TriedPlaces> {
  const options = { ...request, ...parts, model, sandbox: await parts.openSandbox() };
  const found =
    model.kind.inRepositories === "search_edits"
      ? await searchPlaces(prepared, where, options)
      : await askOfEach(prepared, where.places, options);
  if (!found) throw new Error("a file without functions got here");
  const turns = found.attempts.reduce((sum, { trajectory }) => sum + trajectory.iterations, 0);
  return { ...found, model, turns, tried: found.attempts.flatMap(triedIn) };
}

const triedIn = (attempt: Attempt & { tests?: { tried: Patch[] } }): Patch[] => attempt.tests?.tried ?? [attempt.patch];

async function askOfEach(
  prepared: Prepared,
  places: readonly FunctionPlace[],
  options: Parameters<typeof attemptFunction>[2] & Pick<OwnFileParts, "say">,
): Promise<SearchedPlaces | null> {
  const attempts: Attempt[] = [];
  let last: SearchedPlaces | null = null;
  for (const place of places) {
    if (place.why !== "") options.say?.(`looks at ${place.name} (${place.why})`);
    const attempt = await attemptFunction(prepared, place, options);
    attempts.push(attempt);
    const { verified, stop, error } = attempt.trajectory;
    const choices: Choice[] = verified ? [{ source: attempt.patch.source, gives: {}, input: null }] : [];
    last = { attempt, attempts, place: verified ? place : null, choices, askable: [], doubt: null };
    if (verified || stop === "aborted" || error) break;
  }
  return last;
}

function checked(tried: TriedPlaces): TriedPlaces {
  const { error } = tried.attempt.trajectory;
  if (error) throw new UserError(error.message);
  return tried;
}

/** @throws UserError where the model cannot repair the language */
function requireLanguage({ language, id }: VisibleTask, { title, languages }: ModelKind): void {
  if (languages === null || languages.includes(language)) return;
  throw new UserError(
    `${title} repairs ${titlesOf(languages)} alone, and ${id} is ${LANGUAGES[language].title}: bring a model with --model openai:NAME (a server at OPENAI_BASE_URL) or --model with a hub id or folder.`,
  );
}
