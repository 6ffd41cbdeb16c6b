/**
 * The search, for both commands: first each function with its file alone, in the sandbox, which is quick and knows
 * inputs on which edits differ; then, where that finds nothing, the functions together where the user's tests run.
 */

import type { Progress } from "../../agent/run/progress.ts";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import { plainName } from "../../utils/languages/places.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { canBeTakenApart } from "../../utils/search/compiled/search.ts";
import { secondsOf } from "../../utils/search/moves.ts";
import { applyEdit, type FoundEdit, searchIn, warningOf } from "../../utils/search/result.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { choicesIn } from "../attempts/alternatives.ts";
import {
  type Attempt,
  type AttemptOptions,
  type AttemptSummary,
  type Choice,
  type FunctionPlace,
  uncomparedChoice,
  type Where,
} from "../attempts/attempt.ts";
import { attemptFunction, type FunctionAttempt } from "../attempts/attempt_function.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { attemptRepair } from "../attempts/run.ts";
import { SearchTime } from "../attempts/search_time.ts";
import { linesOf } from "../attempts/task.ts";
import { type Suspect, TOP_LEVEL } from "../places/localise.ts";
import { type Lines, placesForAll, testsThrough } from "../places/through.ts";
import { functionsOf } from "../project/functions.ts";
import { type FileChange, normalised } from "../project/patch.ts";
import { addedValue } from "./added_value.ts";
import { type FileEdit, scoreIn, withEdit } from "./findings.ts";
import { FUNCTIONS } from "./likely_places.ts";
import { NOT_ALL, RepositorySearch } from "./repository_search.ts";
import { searchInStages, searchOnce } from "./stages.ts";

/**
 * Turns without which nothing that was found is shown: a search and an answer; where tests run, the edit between them.
 */
const LEAST_TURNS = { alone: 2, inTests: 3 };
/** Of the time, for files alone: the rest is for where the tests run. */
const FILE_SHARE = 0.3;
/** Patches that a person chooses from. */
const MOST_SHOWN = 3;
const REFUTED = "your tests refused a likelier edit, so this one may pass by chance, too";
const CLOSEST = "it passes only some of the tests outside of your project, so it may pass by chance";

/** @returns null where neither can be searched */
export async function searchPlaces(
  prepared: Preparation,
  where: Where,
  options: AttemptOptions,
): Promise<AttemptSummary | null> {
  const tried = await searchBoth(prepared, where, options);
  if (!tried || !isFound(tried.attempt)) return tried;
  return { ...tried, doubt: tried.doubt ?? addedValue(tried.attempt.patch.source) };
}

/** Where files alone give nothing that is sure, the running tests are searched. */
async function searchBoth(
  prepared: Preparation,
  { places, suspects }: Where,
  options: AttemptOptions,
): Promise<AttemptSummary | null> {
  const { time, say = () => {}, signal } = options;
  time?.start();
  if (time) say(time.announcement);
  const search = RepositorySearch.of({ ...prepared, suspects: [...suspects] }, options);
  const able = placesForAll(suspects, (one) => one, prepared).filter((one) => isReached(one, places, prepared));
  // With its file alone each edit has to make all failing tests pass, and nothing tells edits apart without tests.
  const isSearchable = await Promise.all(places.map(({ task }) => canBeTakenApart(task)));
  const shown = places.filter(
    (place, i) => search === null || (place.task.exampleTest !== "" && isOnlyOne(place) && isSearchable[i]),
  );
  const forAll = placesForAll(shown, linesIn, prepared);
  // Where the tests do not fail as they do in the project, the time is for where they run.
  const failures = search === null ? [] : prepared.baseline.failing.map(({ message }) => message);
  const alone = await searchAlone(prepared, forAll, { ...options, shown: failures.join("\n") });
  const found = bestIn(alone);
  if (found && isSure(found)) return await withOtherFunctions(prepared, { found, alone, able }, options);
  if (found && isEnded(found)) return await ofFile(found, alone, able);
  const doubtful = alone.map(({ trajectory }) => doubtIn(trajectory)).find((doubt) => doubt !== null);
  if (time?.isUp) return await ofFile(found, alone, able);
  if (search === null || (places.length > 0 && suspects.length === 0)) {
    const inside = `search cannot try edits inside ${prepared.suite.plan.command}`;
    const why = suspects.length === 0 ? "there is no function to edit" : inside;
    if (places.length > 0) say(`${whyOn(forAll.length, doubtful)}, and ${why}`);
    return await ofFile(found, alone, able);
  }
  if (shown.length > 0) say(`${whyOn(forAll.length, doubtful)}; now trying edits inside your test run`);
  const live = await searchInTests(prepared, suspects, search, options);
  if (!isFound(live) && found && isFound(found) && !signal?.aborted) return await ofFile(found, alone, able);
  const { edits, doubt, part } = search;
  return {
    attempt: live,
    attempts: [...alone, live],
    choices: choicesOf(live, edits, prepared),
    doubt,
    part: part && { source: changeOf(part.edit, prepared), passing: part.passing },
  };
}

interface FileFindings {
  found: FunctionAttempt;
  alone: readonly FunctionAttempt[];
  /** Functions with edits that may make all failing tests pass. */
  able: readonly Suspect[];
}

/**
 * Compares what passes in one function with what passes in the others that all failing tests run: in the running tests,
 * edits that are about as likely.
 */
async function withOtherFunctions(
  prepared: Preparation,
  { found, alone, able }: FileFindings,
  options: AttemptOptions,
): Promise<AttemptSummary | null> {
  const ofFound = await ofFile(found, alone, able);
  const others = able
    .filter((one) => !isAmong(alone, one) && testsThrough([one], prepared).through.length > 0)
    .slice(0, FUNCTIONS);
  if (!ofFound || others.length === 0) return ofFound;
  const unsure = { ...ofFound, doubt: ofFound.doubt ?? NOT_ALL };
  if (options.time?.isUp || options.signal?.aborted) return unsure;
  const time = options.time && new SearchTime(Math.min(options.time.left, LIVE_SECONDS));
  const passingCost = editOf(found)?.cost;
  const search = RepositorySearch.of({ ...prepared, suspects: others }, { ...options, time, passingCost });
  if (!search) return unsure;
  const names = others.map(({ name }) => name).join(", ");
  options.say?.(
    `an edit of ${found.place.name} passes; now trying those of ${names}, which the failing tests run, too`,
  );
  time?.start();
  const live = await searchInTests(prepared, others, search, options, searchOnce(search));
  const attempts = [...alone, live];
  if (!isFound(live)) {
    const isTried = search.last !== null && typeof search.last !== "string";
    const doubt = isTried ? search.doubt : NOT_ALL;
    return { ...ofFound, attempts, unsearched: [], doubt: ofFound.doubt ?? doubt };
  }
  const inTests = choicesOf(live, search.edits, prepared);
  const [likeliest] = search.edits;
  const isLikelier = likeliest !== undefined && scoreIn(likeliest, prepared.issue) < (editOf(found)?.score ?? 0);
  const [first, second] = isLikelier ? [inTests, ofFound.choices] : [ofFound.choices, inTests];
  return {
    ...ofFound,
    ...{ attempts, unsearched: [], askable: [] },
    ...(isLikelier && { attempt: live, place: undefined, doubt: search.doubt }),
    choices: [...first.slice(0, MOST_SHOWN - 1), ...second].slice(0, MOST_SHOWN),
  };
}

function whyOn(searched: number, doubtful: string | undefined): string {
  if (searched === 0) return "the failing tests have no function in common";
  if (doubtful === REFUTED) return "your tests refuse the likeliest edit";
  return doubtful === CLOSEST ? "no edit passes all tests outside of your project" : "no edit of the file alone passes";
}

/** An engine finds a function by its name: of several of one name it would take the last. */
const isOnlyOne = ({ file, original, task }: FunctionPlace): boolean =>
  !LANGUAGES[task.language].runtime?.compiled ||
  functionsOf(file, original).filter(({ name }) => plainName(name) === task.entryPoint).length === 1;

const linesIn = ({ file, task }: FunctionPlace): Lines => ({ file, ...linesOf(task) });

/** One function after the other. What passes in one is compared with what passes in the others. */
async function searchAlone(
  prepared: Preparation,
  places: readonly FunctionPlace[],
  { shown, ...options }: AttemptOptions & { shown: string },
): Promise<FunctionAttempt[]> {
  const { model, time, say = () => {}, onStep, onProgress } = options;
  const maxIterations = Math.max(options.maxIterations, LEAST_TURNS.alone);
  const hangs = prepared.baseline.run.ending === "timeout";
  const ends = time === undefined ? 0 : (1 - FILE_SHARE) * time.left;
  const done: FunctionAttempt[] = [];
  let most = Number.POSITIVE_INFINITY;
  for (const [i, place] of places.entries()) {
    if (time && (time.isUp || time.left - ends < LEAST_SECONDS)) break;
    if (place.why !== "") say(`trying ${place.name} (${place.why})`);
    // Each of the functions that are left gets the same share; what one does not use the next ones have.
    const share = time && Math.max(LEAST_SECONDS, Math.min(most, (time.left - ends) / (places.length - i)));
    const left = time ? `, ${Math.round(time.clockLeft)} s left` : "";
    // Its first turn is the search, the others run the tests.
    let going: Progress | null = { type: "searching", text: `trying edits of ${place.name}${left}` };
    const begin = (progress: Progress) => {
      onProgress?.(progress.type === "replied" && going ? going : progress);
      if (progress.type === "replied") going = null;
    };
    const steps: Step[] = [];
    const attempt = await attemptFunction(prepared, place, {
      ...options,
      // Checks of edits that leave an endless loop count: they take longer than the search.
      timeoutMs: hangs && time ? Math.min(options.timeoutMs, 1000 * time.clockLeft) : options.timeoutMs,
      maxIterations,
      model: { ...model, ...(model.engine && { engine: { ...model.engine, cpuSeconds: share, shown } }) },
      onProgress: begin,
      onStep: places.length === 1 ? onStep : (step) => steps.push(step),
    });
    // With several functions, only the steps of one with findings are passed on.
    if (isFound(attempt)) for (const step of steps) onStep?.(step);
    if (attempt.trajectory.error) say(attempt.trajectory.error.message);
    const spent = secondsOf(searchesOf(attempt.trajectory));
    time?.spend(spent);
    done.push(attempt);
    if (isEnded(attempt) || (isFound(attempt) && !isSure(attempt))) break;
    if (isSure(attempt)) most = Math.min(most, Math.max(COMPARED_SECONDS, spent));
  }
  return done;
}

const LEAST_SECONDS = 1;
/** For each further function once an edit passes, at least; more if finding that edit took longer. */
const COMPARED_SECONDS = 2;
/** For other functions where the tests run, whose start takes seconds. */
const LIVE_SECONDS = 10;

const searchesOf = ({ steps }: Pick<Trajectory, "steps">) =>
  steps.flatMap(({ observation }) => searchIn(observation.data) ?? []);

/** Of those with a sure edit the likeliest, else the last. */
const bestIn = (alone: readonly FunctionAttempt[]): FunctionAttempt | undefined =>
  alone.filter(isSure).toSorted((a, b) => (editOf(a)?.score ?? 0) - (editOf(b)?.score ?? 0))[0] ?? alone.at(-1);

/** With the other edits that pass in its function, then those of other functions. */
async function ofFile(
  best: FunctionAttempt | undefined,
  alone: readonly FunctionAttempt[],
  able: readonly Suspect[],
): Promise<AttemptSummary | null> {
  if (!best) return null;
  const { trajectory, place, tests } = best;
  const { answer } = trajectory;
  const common = { attempt: best, attempts: [...alone], place };
  if (!isFound(best) || answer === null) {
    const choices = isEnded(best) ? foundIn(best).map(uncomparedChoice) : [];
    return { ...common, choices };
  }
  const { choices, askable } = await choicesIn({ ...trajectory, answer }, place.task, tests);
  const elsewhere = alone.filter((one) => one !== best && isFound(one)).map(({ patch }) => patch.source);
  return {
    ...common,
    choices: [...choices, ...elsewhere.map(uncomparedChoice)].slice(0, MOST_SHOWN),
    askable: elsewhere.length === 0 ? askable : [],
    unsearched: able.filter((one) => !isAmong(alone, one)).map(({ name }) => name),
    doubt: doubtAlone(place.task, trajectory),
  };
}

/** Whether failing tests run a function, or they or another function name it. */
function isReached(one: Suspect, places: readonly FunctionPlace[], prepared: Preparation): boolean {
  if (testsThrough([one], prepared).through.length > 0) return true;
  const others = places.filter(({ name }) => name !== one.name).map(({ task }) => task.buggyCode);
  const texts = [...prepared.baseline.failing.flatMap(({ name, message }) => [name, message]), ...others];
  return texts.some((text) => text.includes(plainName(one.name)));
}

/** The edits that pass with the file alone. */
const foundIn = ({ trajectory, place, tests }: FunctionAttempt): FileChange[][] =>
  searchesOf(trajectory)
    .flatMap(({ best }) => best)
    .map(({ splices }) => tests.patchOf(applyEdit(buggyProgram(place.task).trimEnd(), splices)));

/** Whether its edits were tried: all that are about as likely, or until one passed. */
const isAmong = (alone: readonly FunctionAttempt[], { file, name, start }: Suspect): boolean =>
  name === TOP_LEVEL ||
  alone.some((one) => one.place.file === file && holds(linesIn(one.place), start) && hasTried(one));

/** Nothing is tried where no test runs with the file alone, too little where the time was up. */
const hasTried = (one: FunctionAttempt): boolean =>
  isSure(one) || searchesOf(one.trajectory).some(({ tried, cutOff }) => tried > 0 && !cutOff);

/** A class is searched with its methods. */
const holds = ({ start, end }: Lines, line: number): boolean => start <= line && line <= end;

/** The functions together, in a work folder. */
const searchInTests = (
  prepared: Preparation,
  suspects: readonly Suspect[],
  search: RepositorySearch,
  options: AttemptOptions,
  moves = searchInStages(search),
): Promise<Attempt> => {
  const maxIterations = Math.max(options.maxIterations, LEAST_TURNS.inTests);
  return attemptRepair({ ...prepared, suspects: [...suspects] }, { ...options, maxIterations, moves, search });
};

function changeOf(edit: FileEdit, { base }: Preparation): FileChange[] {
  const before = readForeignText(base, edit.file);
  return [{ file: edit.file, before, after: withEdit(before, edit) }];
}

/** What passed in the tests, each patch once; on which inputs they differ is not known. */
function choicesOf({ patch, trajectory }: Attempt, edits: readonly FileEdit[], prepared: Preparation): Choice[] {
  const found = edits.map((edit) => changeOf(edit, prepared));
  const seen = new Set<string>();
  const all = trajectory.verified ? [patch.source, ...found] : found;
  const distinct = all.filter((source) => {
    const key = normalised(source);
    return seen.has(key) ? false : seen.add(key);
  });
  return distinct.map(uncomparedChoice);
}

/** Why an answer that was found with the file alone is a suggestion; null where nothing speaks against it. */
export function doubtAlone(task: VisibleTask, trajectory: Trajectory): string | null {
  const program = buggyProgram(task).trimEnd();
  const answer = trajectory.answer?.trim();
  const edits = searchesOf(trajectory).flatMap(({ best }) => best);
  const made = edits.find(({ splices }) => applyEdit(program, splices).trim() === answer);
  return doubtIn(trajectory) ?? (made ? warningOf(made, program) : null);
}

/** Whether its edit passes the tests, and was the likeliest. */
const isSure = (attempt: Attempt): boolean => isFound(attempt) && doubtIn(attempt.trajectory) === null;

/** What its search found likeliest. */
const editOf = ({ trajectory }: FunctionAttempt): FoundEdit | undefined =>
  searchesOf(trajectory).flatMap(({ best }) => best.slice(0, 1))[0];

const isFound = ({ trajectory }: Attempt): boolean => trajectory.verified;
const isEnded = ({ trajectory }: Attempt): boolean => trajectory.stop === "aborted";

/** Why what passes with the file alone is not enough; null where it is. */
function doubtIn(trajectory: Trajectory): string | null {
  const { verified, steps } = trajectory;
  if (!verified) return null;
  if (steps.some(({ verification }) => verification?.accepted === false)) return REFUTED;
  const searches = searchesOf(trajectory);
  return searches.length > 0 && searches.every(({ best }) => best.length === 0) ? CLOSEST : null;
}
