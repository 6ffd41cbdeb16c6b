/** Repairs a function of a user's own file: look first, then run the tests, and only then ask a model. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { UserError } from "../../utils/data/errors.ts";
import { keepPatch } from "../../utils/files/changes/keep_patch.ts";
import { writeTogether } from "../../utils/files/changes/write_together.ts";
import { requireWritable } from "../../utils/files/users_file.ts";
import { isFail, isPass, planTests, type TestRun } from "../../utils/frameworks/test_run.ts";
import { findProject } from "../../utils/project/project.ts";
import { openProjectBox } from "../../utils/project/project_box.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { unifiedDiff } from "../../utils/text/diff.ts";
import { firstLines } from "../../utils/text/text.ts";
import { alternativesTo, choicesIn } from "./alternatives.ts";
import { type Ask, settle, withTold } from "./ask.ts";
import { type AttemptParts, type AttemptRequest, attempt } from "./attempts.ts";
import { checkTests, findEntry, guessTests } from "./check_input.ts";
import { OwnTests } from "./judge.ts";
import { openLiveSearch } from "./live_search.ts";
import type { OwnFileOutcome, TestStanding } from "./outcome.ts";
import { helpFor } from "./render.ts";
import { readSource } from "./source.ts";
import { fileTask } from "./task.ts";

export interface OwnFileRequest extends AttemptRequest {
  file: string;
  /** A top-level function, class or `Class.method`. Default: the only definition of the file. */
  name?: string | undefined;
  /** A file of tests. Default: the one that belongs to the file by its name. */
  tests?: string | undefined;
  /** The user's own command, run in the project's folder. Default: what the tests' framework is started with. */
  testCommand?: string | undefined;
  instruction?: string | undefined;
  evenIfPassing?: boolean;
  write?: boolean;
  /** Limit of one run of the tests, see `BoxRequest`. */
  testSeconds: number;
}

interface OwnFileParts extends AttemptParts {
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Where several edits pass and do different things: who says which is right. */
  ask?: Ask;
}

/** @throws UserError where the input is of no use, in one sentence, before any model is asked */
export async function repairOwnFile(request: OwnFileRequest, parts: OwnFileParts): Promise<OwnFileOutcome> {
  const { say = () => {}, signal } = parts;
  const { file } = request;
  const original = readSource(file);
  if (request.write) requireWritable(file);
  const target = realpathSync(file);
  const guessed = request.tests === undefined && request.testCommand === undefined ? guessTests(file, original) : null;
  const testsFile = request.tests ?? guessed ?? undefined;
  const testsText = testsFile === undefined ? "" : readSource(testsFile);
  const testsPath = testsFile === undefined ? null : realpathSync(testsFile);
  const project = findProject(testsPath === null ? [target] : [target, testsPath]);
  const { entry, outline } = await findEntry(file, original, request.name, project);
  if (testsFile !== undefined && testsPath !== null) {
    await checkTests({ file: testsFile, text: testsText, path: testsPath }, { file, entry, outline }, project);
  }
  const task = fileTask(file, original, entry.name, testsPath === target ? "" : testsText, request.instruction ?? "");
  const commandBox = await parts.openBox();
  await using box = await openProjectBox(project, commandBox);
  const plan = await planTests(box.project, testsPath, request.testCommand ?? null);
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  const tests = new OwnTests({ box, plan, original, task, seconds: request.testSeconds });
  say(`${plan.command} · sandbox ${box.layer}`);
  const baseline = await tests.baseline(signal);
  const before = standing(baseline);
  const outcome: OwnFileOutcome = {
    outcome: "nothing_to_repair",
    file,
    function: entry.name,
    test_command: plan.command,
    framework: plan.framework?.name ?? null,
    sandbox: box.layer,
    before,
    model: null,
    stop: null,
    turns: 0,
    why: "",
    diff: "",
    alternatives: [],
    is_suggestion: false,
    doubts: [],
    told: [],
    best: null,
    help: [],
    written: null,
  };
  if (baseline.passed && !request.evenIfPassing) return outcome;
  for (const { name, message } of before.failing.slice(0, MOST_SAID)) say(`fails: ${name}: ${firstLines(message, 1)}`);
  const openLive = (sandbox: Sandbox) =>
    openLiveSearch({
      box: commandBox,
      sandbox,
      plan,
      original,
      task,
      entry,
      seconds: request.testSeconds,
      say,
      signal,
    });
  const { trajectory, model, turns, passing, doubt } = await attempt(task, tests, request, { ...parts, openLive });
  const { stop } = trajectory;
  const why = stop === "gave_up" ? (trajectory.steps.at(-1)?.reply.thought ?? "") : "";
  const after = { ...outcome, model: model.name, stop, turns, why };
  if (stop === "aborted") return { ...after, outcome: "interrupted" };
  // As `git apply` and `patch -p1` want it in the project's root.
  const diffOf = (text: string) => unifiedDiff(relative(project.root, target), original, text);
  if (!trajectory.verified || trajectory.answer === null) {
    const { best } = tests;
    const failed: OwnFileOutcome = {
      ...after,
      outcome: "not_repaired",
      best: best && {
        passing: best.run.tests.filter(isPass).length,
        of: best.run.tests.length,
        failing: standing(best.run).failing,
        diff: diffOf(best.text),
      },
    };
    return { ...failed, help: helpFor(failed, model.kind, request) };
  }
  const undecided = await choicesIn({ ...trajectory, answer: trajectory.answer }, task, tests, passing);
  const settled = parts.ask
    ? await settle(undecided, entry.definition, parts.ask)
    : { left: undecided.choices, told: [] };
  const text = settled.left[0]?.text ?? tests.textOf(trajectory.answer);
  const added =
    testsFile === undefined || testsPath === target || settled.told.length === 0
      ? null
      : withTold(testsText, outcome.framework, entry.definition, settled.told);
  if (settled.told.length > 0 && added === null) say("no test could be written for what you said: add one yourself");
  const alternatives = alternativesTo(settled.left, diffOf);
  const repaired: OwnFileOutcome = {
    ...after,
    outcome: text === original ? "nothing_to_repair" : "repaired",
    diff: diffOf(text) + (added === null ? "" : unifiedDiff(relative(project.root, testsPath ?? ""), testsText, added)),
    alternatives,
    is_suggestion: alternatives.length > 0 || doubt !== null,
    doubts: doubt === null ? [] : [doubt],
    told: settled.told.map(({ input, value }) => `${entry.definition}${input} == ${value}`),
  };
  if (!request.write || text === original) return repaired;
  const ofTests = added === null || testsPath === null ? [] : [{ path: testsPath, before: testsText, after: added }];
  try {
    const backups = await writeTogether([{ path: target, before: original, after: text }, ...ofTests]);
    return { ...repaired, written: { backups } };
  } catch (error) {
    // What was found may have cost a lot.
    if (error instanceof UserError) throw new UserError(`${error.message} ${keepPatch(repaired.diff)}`);
    throw error;
  }
}

const MOST_SAID = 6;

export function standing({ tests, ending, fatal, output }: TestRun): TestStanding {
  const problem =
    ending === "timeout"
      ? "the tests did not come to an end"
      : ending === "no report"
        ? `the run ended before the tests did: ${firstLines(output, 2)}`
        : fatal;
  const failing = tests.filter(isFail).map(({ name, message }) => ({ name, message }));
  return { passing: tests.filter(isPass).map(({ name }) => name), failing, problem };
}
