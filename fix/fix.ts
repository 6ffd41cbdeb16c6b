/** Repairs a user's repository: prepare, several attempts, choose, and say what became of it. */

import type { Model } from "../agent/models/model.ts";
import type { Progress } from "../agent/models/progress.ts";
import type { Step } from "../agent/run/trajectory.ts";
import { UserError } from "../utils/data/errors.ts";
import { readForeignText } from "../utils/files/foreign_file.ts";
import { NO_NETWORK, wantsNetwork } from "../utils/frameworks/test_run.ts";
import { keepPatch } from "../utils/git/changes/keep_patch.ts";
import { requireGit } from "../utils/git/changes/trees.ts";
import { repositoryProject } from "../utils/project/project.ts";
import type { CommandBox } from "../utils/sandbox/command_box.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { firstLines } from "../utils/text/text.ts";
import { checked, choicesIn } from "./outcome/beside.ts";
import { commitToBranch, requireNewBranch } from "./outcome/branch.ts";
import { chosenOf } from "./outcome/choices.ts";
import { type ChosenAttempt, choose } from "./outcome/choose.ts";
import type { FixOutcome } from "./outcome/outcome.ts";
import { writeChanges } from "./outcome/write.ts";
import { renderPatch } from "./patch.ts";
import { type Prepared, type PrepareOptions, prepareRepository } from "./prepare.ts";
import { type Attempt, attemptRepair } from "./run.ts";
import { repositoryChat, type SearchRepairer, searchRepairer } from "./search/chat.ts";
import { type FileEdit, withEdit } from "./search/findings.ts";
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
    doubts: [],
    remarks: [],
    said: "",
    written: null,
  };
  if (baseline.failing.length === 0 && request.issue === "") return outcome;
  for (const { name, message } of baseline.failing.slice(0, MOST_SAID))
    say(`fails: ${name}: ${firstLines(message, 1)}`);
  if (baseline.failing.some(({ message }) => wantsNetwork(message))) say(NO_NETWORK);
  const model = await parts.openModel();
  const time = request.searchSeconds === undefined ? undefined : new SearchTime(request.searchSeconds);
  const search = searchRepairer(prepared, { say, time, onProgress: parts.onProgress });
  const attempts = await runAttempts(prepared, request, parts, model, search);
  const told = { ...outcome, model: model.name, attempts: attempts.map(attemptLine) };
  const isSearch = model.kind.inRepositories === "search_edits";
  if (signal?.aborted) {
    const found = isSearch ? (search?.edits() ?? []) : [];
    return { ...told, outcome: "interrupted", alternatives: found.map((edit) => patchOf(edit, prepared.base)) };
  }
  const choice = await choose(attempts, prepared.base, prepared.suite, signal);
  const validated = choice?.chosen.verdict?.accepted === true;
  const failure = attempts.find(({ trajectory }) => trajectory.error)?.trajectory.error;
  if (!validated && failure) throw new UserError(failure.message);
  if (!choice) return { ...told, outcome: "not_fixed" };
  const edits = isSearch && validated ? (search?.edits() ?? []) : [];
  const choices = choicesIn(choice, edits, prepared);
  const number = request.choose ?? 1;
  const [chosen, others] = chosenOf(choices, validated ? number : 1);
  if (number > 1 && validated) choice.chosen = await checked(chosen, prepared, signal);
  const described = {
    ...told,
    // Who has chosen knows the others.
    ...describeChoice(choice, number > 1 ? [] : others, prepared, isSearch ? (search?.doubt() ?? null) : null),
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

function patchOf(edit: FileEdit, base: string): string {
  const before = readForeignText(base, edit.file);
  return renderPatch([{ file: edit.file, before, after: withEdit(before, edit) }]);
}

async function runAttempts(
  prepared: Prepared,
  { samples, seed, maxIterations, timeoutMs }: FixRequest,
  { openSandbox, say = () => {}, onStep, onProgress, signal }: FixParts,
  model: RepositoryModel,
  search: SearchRepairer | null,
): Promise<Attempt[]> {
  const sandbox = await openSandbox();
  const chat = repositoryChat(model, prepared, search);
  const isAlwaysTheSame = model.deterministic || chat !== model.chat;
  const attempts: Attempt[] = [];
  for (let i = 0; i < samples && !signal?.aborted; i++) {
    if (samples > 1) say(`attempt ${i + 1} of ${samples}`);
    attempts.push(
      await attemptRepair(prepared, {
        id: prepared.root,
        model: { name: model.name, chat },
        sandbox,
        more: (workspace) => (search ? [search.tool(workspace)] : []),
        seed: seed === undefined ? undefined : seed + i,
        maxIterations,
        timeoutMs,
        onStep,
        onProgress,
        signal,
      }),
    );
    if (isAlwaysTheSame) break;
  }
  return attempts;
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
  others: readonly Attempt[],
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
    alternatives: others.map(({ patch: other }) => renderPatch(other.source)),
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
