/** Chooses the patch, classifies the outcome, and writes the files. */

import { relative } from "node:path";
import { addUsage } from "../../agent/run/usage.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { insidePath } from "../../utils/base/files/write_inside.ts";
import { firstLines } from "../../utils/base/text/text.ts";
import { requireNames } from "../../utils/git/changes/names.ts";
import { writeTogether } from "../../utils/git/changes/write_together.ts";
import { keepPatch } from "../../utils/program/keep_patch.ts";
import { alternativesTo, unknown } from "../attempts/alternatives.ts";
import { type Attempt, type Choice, chosenEdit, doubtsAbout, uncomparedChoice } from "../attempts/attempt.ts";
import { partOf, shownBy } from "../attempts/partial_repair.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { type FileChange, renderPatch, sourcePatch } from "../project/patch.ts";
import type { ModelAttempts } from "../scope/models.ts";
import type { Repair, RepairRequest } from "../scope/scope.ts";
import { type CallValue, settle, withValueTests } from "./ask.ts";
import { bestOf } from "./best.ts";
import { commitToBranch } from "./branch.ts";
import { helpFor } from "./help.ts";
import type { Outcome } from "./outcome.ts";
import { changesIn, uncompared } from "./render.ts";

type Verdict = NonNullable<Attempt["verdict"]>;

const diffOf = ({ source }: Pick<Choice, "source">): string => renderPatch(source);

/** @throws UserError where what was found cannot be written */
export async function conclude(tried: ModelAttempts, repair: Repair, outcome: Outcome): Promise<Outcome> {
  const { parts } = repair;
  const { attempt, attempts, model, place } = tried;
  const { stop } = attempt.trajectory;
  const tests = testsInPatch(attempt, repair.request);
  const after: Outcome = {
    ...outcome,
    model: model.name,
    function: place?.name ?? outcome.function,
    turns: attempts.reduce((sum, { trajectory }) => sum + trajectory.iterations, 0),
    attempts: attempts.map(attemptLine),
    why: tried.why ?? "",
    is_compared: model.kind.isSearch === true,
    dropped: [
      ...attempt.patch.dropped.filter(({ file }) => !tests.some((one) => one.file === file)),
      ...(repair.request.keepTests ? [] : attempt.patch.tests.map(({ file }) => ({ file, why: NEW_TEST }))),
    ],
    said: attempt.said,
    usage: attempts.map(({ trajectory }) => trajectory.usage).reduce(addUsage),
  };
  if (parts.signal?.aborted || stop === "aborted") return atInterruption(tried, after);
  try {
    return await decide(tried, after, repair);
  } catch (error) {
    if (parts.signal?.aborted) return atInterruption(tried, after);
    throw error;
  }
}

/** New tests of the model, and old ones that it has updated because they assert what was before. */
function testsInPatch({ patch, verdict }: Attempt, { keepTests = false }: RepairRequest): FileChange[] {
  return keepTests ? [...patch.tests, ...(oldTestsOf(verdict).length > 0 ? patch.updated : [])] : [];
}

/** Names of tests that passed before, fail with the patch and were excused. */
const oldTestsOf = (verdict: Verdict | null): readonly string[] =>
  verdict?.accepted && verdict.excuse && "oldTests" in verdict.excuse ? verdict.excuse.oldTests : [];

const NEW_TEST = "a new test; --keep-tests keeps it in the patch";

/** The likeliest edit that was found until mend was stopped, without its last checks. */
function atInterruption({ choices, part, attempt, prepared: { baseline } }: ModelAttempts, known: Outcome): Outcome {
  const [diff = "", ...others] = choices.map(diffOf);
  const failing = baseline.failing.filter(({ name }) => !part?.passing.includes(name));
  const passing = baseline.passing.length + baseline.failing.length - failing.length;
  return {
    ...known,
    outcome: "interrupted",
    diff,
    doubts: diff === "" ? [] : ["mend was stopped before its last checks"],
    alternatives: others.map(unknown),
    unfinished: diff === "" ? renderPatch(attempt.patch.source) : "",
    best: part ? { passing, of: passing + failing.length, failing, diff: renderPatch(part.source) } : null,
  };
}

async function decide(tried: ModelAttempts, after: Outcome, repair: Repair): Promise<Outcome> {
  const { request, parts } = repair;
  const { attempt, attempts, model, time, prepared } = tried;
  const { stop, verified } = attempt.trajectory;
  const [first, ...rest] = tried.choices;
  if (verified && first) return await takeChoice({ ...tried, choices: [first, ...rest] }, after, repair);
  const best = await bestOf(prepared, attempts, parts.signal);
  const verdict = best && (await partOf(prepared, best, parts.signal));
  if (best && verdict) {
    const choices: [Choice] = [uncomparedChoice(best.patch.source)];
    const part = { ...tried, attempt: { ...attempt, patch: best.patch, verdict }, choices, doubt: PART };
    return await takeChoice(part, after, repair);
  }
  return {
    ...after,
    outcome: "not_fixed",
    unfinished: renderPatch(attempt.patch.source),
    best: best && { passing: best.passing, of: best.of, failing: best.failing, diff: renderPatch(best.patch.source) },
    help: helpFor({ ...after, stop, time }, model.kind, request),
  };
}

const PART = "the edit was found with only some of the failing tests";

type AcceptedAttempts = ModelAttempts & { choices: [Choice, ...Choice[]] };

/** Of what passes one is taken, by its number or by what a person says of it. */
async function takeChoice(
  tried: AcceptedAttempts,
  known: Outcome,
  { scope, request, parts }: Repair,
): Promise<Outcome> {
  const { attempt, choices, prepared } = tried;
  const name = definitionOf(known) ?? "it";
  const shown = (choice: Choice) => changesIn(diffOf(choice)).join("\n");
  // What a call should give is easier to say beside the edits.
  if (parts.ask && tried.askable?.length)
    for (const [at, choice] of choices.entries()) parts.say?.(`patch ${at + 1}:\n${shown(choice)}`);
  const { left, answers } = parts.ask ? await settle(tried, name, parts.ask, shown) : { left: choices, answers: [] };
  const [first, ...rest] = left;
  if (!first) throw new Error("an answer left no edit");
  const number = request.choose ?? 1;
  const isOpen =
    parts.ask !== undefined && number === 1 && rest.length > 0 && (request.write || request.branch !== undefined);
  if (isOpen) parts.say?.("nothing is written, because the question is open: give --choose N --write");
  const [chosen, others] = chosenOf([first, ...rest], number);
  if (chosen.source.length === 0) return known;
  const verdict = chosen === choices[0] ? attempt.verdict : await verdictOn(prepared, chosen, parts.signal);
  // A user who gives a number has seen the others.
  const alternatives = number > 1 ? [] : alternativesTo([chosen, ...others]);
  const isChosen = number > 1 && tried.doubt !== PART;
  const found = isChosen ? [chosenEdit(number, left.length)] : doubtsAbout(tried.doubt ?? null, alternatives.length);
  // With an issue a test that failed before need not pass.
  const mayFail = prepared.issue !== "" && tried.doubt !== PART;
  const isFailing = ({ status }: Verdict["after"][number]) => !["passed", "flaky"].includes(status);
  const isPart = !mayFail && verdict !== null && (verdict.after.some(isFailing) || verdict.unloaded.length > 0);
  const doubts = doubtsOf(prepared, chosen.source, found, verdict);
  const tests = chosen === choices[0] ? testsInPatch(attempt, request) : [];
  const changes = [...chosen.source, ...tests, ...answerTests(prepared, known, answers, { scope, parts })];
  const fixed: Outcome = {
    ...known,
    said: chosen === choices[0] ? known.said : "",
    outcome: isPart ? "partly_fixed" : doubts.length > 0 ? "suggestion" : "fixed",
    diff: renderPatch(changes),
    after: verdict?.after ?? [],
    reproduced: verdict?.reproduced ?? [],
    contradicted: [...oldTestsOf(verdict)],
    remarks: uncompared(tried),
    alternatives,
    doubts,
    told: answers.map(({ input, value }) => `${name}${input} == ${value}`),
  };
  try {
    return { ...fixed, written: isOpen ? null : await put(request, prepared, changes, fixed) };
  } catch (error) {
    // What was found may have cost a lot.
    if (error instanceof UserError) throw new UserError(`${error.message} ${keepPatch(fixed.diff, prepared.root)}`);
    throw error;
  }
}

/**
 * The choice with the number that a person gave.
 * @throws UserError if there are fewer
 */
export function chosenOf<T>(choices: readonly [T, ...T[]], number: number): [chosen: T, others: T[]] {
  const chosen = choices[number - 1];
  if (chosen === undefined)
    throw new UserError(
      `--choose ${number}: ${choices.length === 1 ? "there is one patch" : `there are ${choices.length} patches`}: ` +
        `choose a number from 1 to ${choices.length}. Passing edits that behave alike are shown as one patch.`,
    );
  return [chosen, choices.filter((one) => one !== chosen)];
}

function doubtsOf(
  { baseline }: Preparation,
  source: readonly FileChange[],
  found: readonly string[],
  verdict: Verdict | null,
): string[] {
  const isProven = verdict ? shownBy(verdict).length > 0 : baseline.failing.length > 0 || baseline.notLoaded !== null;
  return [
    ...(verdict?.unloaded ?? []).map((why) => `some tests cannot be loaded, with the patch and without it: ${why}`),
    ...found,
    ...(verdict?.doubts ?? []),
    ...(baseline.run.ending === "timeout" && cutsLoop(source) ? [CUT] : []),
    ...(isProven ? [] : ["no test failed without the patch and passes with it"]),
  ];
}

const CUT = "it ends an endless loop by leaving it or taking it out: check that the loop still does all its work";
const cutsLoop = (source: readonly FileChange[]): boolean =>
  source.some(({ before, after }) => {
    const added = (words: RegExp) => (after?.match(words)?.length ?? 0) - (before?.match(words)?.length ?? 0);
    return added(/\b(?:return|break|raise|throw)\b/g) > 0 || added(/\b(?:while|for|loop|do)\b/g) < 0;
  });

/** What tests call. */
const definitionOf = ({ function: name }: Outcome): string | null => name?.split(".")[0] ?? null;

/** @throws UserError where the tests refuse what a person chose */
async function verdictOn({ verifier }: Preparation, { source }: Choice, signal?: AbortSignal): Promise<Verdict> {
  const verdict = await verifier.check(sourcePatch(source), signal);
  if (!verdict.accepted) throw new UserError(`The patch that you chose does not pass: ${verdict.status}.`);
  return verdict;
}

/** What a person answers, as tests behind those of the file that they named. */
function answerTests(
  { root }: Preparation,
  known: Outcome,
  answers: readonly CallValue[],
  { scope: { tests }, parts: { say = () => {} } }: Pick<Repair, "scope" | "parts">,
): FileChange[] {
  if (answers.length === 0) return [];
  const name = definitionOf(known);
  const after = tests && name !== null ? withValueTests(tests.text, known.framework, name, answers) : null;
  if (after === null) say("mend could not write your answer as a test: add one yourself");
  return tests && after !== null ? [{ file: relative(root, tests.path), before: tests.text, after }] : [];
}

const attemptLine = ({ trajectory, verdict, said }: Attempt) => ({
  stop: trajectory.stop,
  stop_reason: trajectory.stop,
  turns: trajectory.iterations,
  validated: verdict?.accepted === true,
  status: (trajectory.stop === "gave_up" && said) || (verdict?.status ?? "no answer"),
});

const MOST_SUBJECT_CHARS = 72;

/** The subject of a commit: what was said of the patch if that is short, else the files. */
function subjectOf(said: string, changes: readonly FileChange[], label: string): string {
  const files = `change ${changes.map(({ file }) => file).join(", ")}`;
  const fits = (one: string) => one !== "" && label.length + one.length <= MOST_SUBJECT_CHARS;
  const text = label + ([said, files].find(fits) ?? `change ${changes.length} files`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

async function put(
  { write, branch }: RepairRequest,
  { root, base }: Preparation,
  changes: readonly FileChange[],
  { said, after, doubts }: Pick<Outcome, "said" | "after" | "doubts">,
): Promise<Outcome["written"]> {
  if (branch === undefined)
    return write ? { branch: null, commit: null, backups: await writeChanges(root, changes) } : null;
  const failed = after.filter(({ status }) => status === "passed").map(({ name }) => `- ${name}`);
  const tests = failed.length > 0 ? `\n\nTests that failed before and pass now:\n${failed.join("\n")}` : "";
  const title = subjectOf(firstLines(said, 1), changes, doubts.length > 0 ? "Suggestion: " : "");
  const why = doubts.length > 0 ? `\n\nWhy it is a suggestion:\n${doubts.map((one) => `- ${one}`).join("\n")}` : "";
  const message = `${title}${tests}${why}\n`;
  return { branch, commit: commitToBranch(root, branch, { base, changes, message }), backups: [] };
}

/**
 * Applies a patch to the files: to all of them or to none.
 * @returns copies of originals that git does not have
 * @throws UserError where a file changed since it was copied, or cannot be written; then none is changed
 */
async function writeChanges(root: string, changes: readonly FileChange[]): Promise<string[]> {
  requireNames(changes);
  return await writeTogether(
    changes.map(({ file, before, after, mode }) => ({
      path: insidePath(root, file),
      before,
      after,
      executable: mode && mode.before !== mode.after ? mode.after === "100755" : undefined,
    })),
  );
}
