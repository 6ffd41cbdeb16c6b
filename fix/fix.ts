/** Repairs a user's repository: prepare, several attempts, choose, and say what became of it. */

import type { Model } from "../agent/models/model.ts";
import type { Progress } from "../agent/models/progress.ts";
import type { Step } from "../agent/run/trajectory.ts";
import { UserError } from "../utils/data/errors.ts";

import { NO_NETWORK, wantsNetwork } from "../utils/frameworks/test_run.ts";
import { keepPatch } from "../utils/git/changes/keep_patch.ts";
import { requireGit } from "../utils/git/changes/trees.ts";
import { repositoryProject } from "../utils/project/project.ts";
import type { CommandBox } from "../utils/sandbox/command_box.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { firstLines } from "../utils/text/text.ts";
import { commitToBranch, requireNewBranch } from "./outcome/branch.ts";
import { chosenOf } from "./outcome/choices.ts";
import { type ChosenAttempt, choose } from "./outcome/choose.ts";
import type { FixOutcome } from "./outcome/outcome.ts";
import { failsLine } from "./outcome/sureness.ts";
import { writeChanges } from "./outcome/write.ts";
import { type FileChange, normalised, type Patch, renderPatch } from "./patch.ts";
import { placesAlone } from "./places/alone.ts";
import { type Prepared, type PrepareOptions, prepareRepository } from "./prepare.ts";
import { type Attempt, attemptRepair } from "./run.ts";
import { differentEdits, notSearched, searchRepairer } from "./search/chat.ts";
import { type SearchedPlaces, searchPlaces } from "./search/search_places.ts";
import { SearchTime } from "./search_time.ts";

export interface FixRequest extends Omit<PrepareOptions, "box" | "say" | "signal"> {
  samples: number;
  write: boolean;
  /** Of several edits that pass and differ the one with this number, from 1. */
  choose?: number | undefined;
  /** Processor time for all searches together. Default: what each function may take. */
  searchSeconds?: number | undefined;
  branch?: string | undefined;
  seed?: number | undefined;
  /** True where nothing is to be searched with its file alone. */
  isInTestsAlone?: boolean | undefined;
  maxIterations: number;
  /** Limit of one attempt. */
  timeoutMs: number;
}

type RepositoryModel = Pick<Model, "kind" | "name" | "chat" | "deterministic">;

export interface FixParts {
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<RepositoryModel>;
  openSandbox: () => Promise<Sandbox>;
  openBox: () => Promise<CommandBox>;
  say?: (line: string) => void;
  onStep?: (step: Step) => void;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** @throws UserError where the input is of no use, in one sentence, before any model is asked */
export async function fixRepository(request: FixRequest, parts: FixParts): Promise<FixOutcome> {
  const { say = () => {}, signal } = parts;
  requireGit();
  const box = await parts.openBox();
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  if (request.branch !== undefined) requireNewBranch(repositoryProject(request.path, box.layer).root, request.branch);
  using prepared = await prepareRepository({ ...request, box, say, signal });
  const { baseline } = prepared;
  const before = {
    failing: baseline.failing.map(({ name }) => name),
    passing: baseline.passing.length,
    flaky: baseline.flaky,
    not_loaded: baseline.notLoaded,
  };
  const outcome: FixOutcome = {
    outcome: "nothing_to_fix",
    root: prepared.root,
    test_command: request.test,
    framework: prepared.suite.plan.framework?.name ?? null,
    sandbox: box.layer,
    before,
    suspects: prepared.suspects.map(({ file, start, end, name, reasons }) => ({ file, start, end, name, reasons })),
    model: null,
    attempts: [],
    why: "",
    diff: "",
    after: [],
    broke: [],
    reproduced: [],
    dropped: [],
    alternatives: [],
    is_suggestion: false,
    is_compared: false,
    doubts: [],
    remarks: [],
    said: "",
    written: null,
  };
  if (baseline.failing.length === 0 && request.issue === "") return outcome;
  for (const test of baseline.failing.slice(0, MOST_SAID)) say(failsLine(test));
  if (baseline.failing.some(({ message }) => wantsNetwork(message))) say(NO_NETWORK);
  const model = await parts.openModel();
  const isCompared = model.kind.inRepositories === "search_edits";
  const found = await (isCompared ? search : ask)(prepared, request, parts, model);
  const { attempts } = found;
  const told = { ...outcome, model: model.name, is_compared: isCompared, attempts: attempts.map(attemptLine) };
  if (signal?.aborted) {
    return { ...told, outcome: "interrupted", alternatives: found.choices.map(({ source }) => renderPatch(source)) };
  }
  const choice = await choose(attempts, prepared.base, prepared.suite, signal);
  const validated = choice?.chosen.verdict?.accepted === true;
  const failure = attempts.find(({ trajectory }) => trajectory.error)?.trajectory.error;
  if (!validated && failure) throw new UserError(failure.message);
  if (!choice) return { ...told, outcome: "not_fixed" };
  const beside = [...choice.others.map(({ patch }) => patch.source), ...found.choices.map(({ source }) => source)];
  const choices = distinctPatches(choice.chosen.patch.source, validated ? beside : []);
  const number = request.choose ?? 1;
  const [chosen, others] = chosenOf(choices, validated ? number : 1);
  if (number > 1 && validated)
    choice.chosen = await checked({ ...choice.chosen, patch: patchOf(chosen) }, prepared, signal);
  const described = {
    ...told,
    // Who has chosen knows the others.
    ...describeChoice(choice, number > 1 ? [] : others, prepared, doubtIn(found, choices.length)),
  };
  if (!validated) return { ...described, outcome: "not_fixed" };
  try {
    return { ...described, outcome: "fixed", written: await put(request, prepared, choice, described) };
  } catch (error) {
    // What was found may have cost a lot.
    if (error instanceof UserError) throw new UserError(`${error.message} ${keepPatch(described.diff)}`);
    throw error;
  }
}

const MOST_SAID = 6;

const patchOf = (source: FileChange[]): Patch => ({ source, tests: [], dropped: [] });

/** Each patch once, the one that is shown first. */
function distinctPatches(first: FileChange[], others: readonly FileChange[][]): [FileChange[], ...FileChange[][]] {
  const seen = new Set([normalised(first)]);
  const distinct = others.filter((source) => {
    const key = normalised(source);
    return seen.has(key) ? false : seen.add(key);
  });
  return [first, ...distinct];
}

/** Why what passes is a suggestion: with a file alone nothing but the edits beside it tells. */
const doubtIn = ({ doubt, place }: Found, passing: number): string | null =>
  doubt ?? (place !== null && passing > 1 ? differentEdits(passing) : null);

const timeOf = ({ searchSeconds }: FixRequest): SearchTime | undefined =>
  searchSeconds === undefined ? undefined : new SearchTime(searchSeconds);

type Found = Pick<SearchedPlaces, "attempts" | "choices" | "doubt" | "place">;
type Asked = (prepared: Prepared, request: FixRequest, parts: FixParts, model: RepositoryModel) => Promise<Found>;

/** @throws UserError where neither files alone nor the tests can be searched */
const search: Asked = async (prepared, request, parts, model) => {
  const time = timeOf(request);
  const places = request.isInTestsAlone ? [] : placesAlone(prepared, model.kind);
  const where = { places, suspects: prepared.suspects };
  const found = await searchPlaces(prepared, where, {
    ...request,
    ...parts,
    model,
    sandbox: await parts.openSandbox(),
    time,
  });
  if (!found) throw notSearched(prepared);
  return { ...found, attempts: [found.attempt] };
};

/** Several attempts of a model, where it is not always the same. */
const ask: Asked = async (prepared, request, parts, model) => {
  const { samples, seed, maxIterations, timeoutMs } = request;
  const { say = () => {}, onStep, onProgress, signal } = parts;
  const sandbox = await parts.openSandbox();
  const searcher = searchRepairer(prepared, { say, time: timeOf(request), onProgress });
  const attempts: Attempt[] = [];
  for (let i = 0; i < samples && !signal?.aborted; i++) {
    if (samples > 1) say(`attempt ${i + 1} of ${samples}`);
    attempts.push(
      await attemptRepair(prepared, {
        id: prepared.root,
        model: { name: model.name, chat: model.chat },
        sandbox,
        more: (workspace) => (searcher ? [searcher.tool(workspace)] : []),
        seed: seed === undefined ? undefined : seed + i,
        maxIterations,
        timeoutMs,
        onStep,
        onProgress,
        signal,
      }),
    );
    if (model.deterministic) break;
  }
  return { attempts, choices: [], doubt: null, place: null };
};

/** @throws UserError where the tests refuse what a person chose */
async function checked(attempt: Attempt, { verifier }: Prepared, signal?: AbortSignal): Promise<Attempt> {
  const verdict = await verifier.check(attempt.patch, signal);
  if (!verdict.accepted) throw new UserError(`The patch that was chosen does not pass: ${verdict.status}.`);
  return { ...attempt, verdict };
}

const attemptLine = ({ trajectory, verdict }: Attempt) => ({
  stop: trajectory.stop,
  turns: trajectory.iterations,
  validated: verdict?.accepted === true,
  status: (trajectory.stop === "gave_up" && saidLast(trajectory)) || (verdict?.status ?? "no answer"),
});

/** The last Final Answer; empty where there is none. */
function saidLast({ steps }: Attempt["trajectory"]): string {
  const last = steps.findLast(({ reply }) => reply.kind === "answer")?.reply;
  return last?.kind === "answer" ? last.text : "";
}

function describeChoice(
  { chosen, why }: ChosenAttempt,
  others: readonly FileChange[][],
  { baseline }: Prepared,
  doubt: string | null,
) {
  const { patch, verdict, trajectory } = chosen;
  const isSeen = baseline.failing.length > 0 || baseline.notLoaded !== null;
  const isUnproven = !isSeen && (verdict?.reproduced.length ?? 0) === 0;
  return {
    why,
    diff: renderPatch(patch.source),
    after: verdict?.after ?? [],
    broke: [],
    reproduced: verdict?.reproduced ?? [],
    dropped: [...patch.dropped, ...patch.tests.map(({ file }) => ({ file, why: "it is a new test" }))],
    alternatives: others.map(renderPatch),
    is_suggestion: doubt !== null || isUnproven,
    doubts: [
      ...(doubt === null ? [] : [doubt]),
      ...(isUnproven ? ["no test fails before the change and passes after it"] : []),
    ],
    remarks: verdict?.remarks ?? [],
    said: saidLast(trajectory) || (verdict?.output ?? ""),
  };
}

async function put(
  { write, branch }: FixRequest,
  { root, base }: Prepared,
  { chosen }: ChosenAttempt,
  { said, before, is_suggestion }: Pick<FixOutcome, "said" | "before" | "is_suggestion">,
): Promise<FixOutcome["written"]> {
  const { source } = chosen.patch;
  if (branch !== undefined) {
    const tests =
      before.failing.length > 0
        ? `\n\nTests that failed before and pass now:\n${before.failing.map((name) => `- ${name}`).join("\n")}`
        : "";
    const title = firstLines(said, 1).slice(0, 72) || `Change ${source.map(({ file }) => file).join(", ")}`;
    return {
      branch,
      commit: commitToBranch(root, branch, {
        base,
        changes: source,
        message: `${is_suggestion ? "Suggestion: " : ""}${title}${tests}\n`,
      }),
      backups: [],
    };
  }
  return write ? { branch: null, commit: null, backups: await writeChanges(root, source) } : null;
}
