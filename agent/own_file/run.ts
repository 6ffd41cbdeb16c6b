/** Repairs a function of a user's own file: look first, then run the tests, and only then ask a model. */

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { UserError } from "../../utils/errors.ts";
import { replaceUsersFile, requireWritable } from "../../utils/files/users_file.ts";
import { isFail, isPass, planTests, type TestRun } from "../../utils/frameworks/test_run.ts";
import { LANGUAGES, titlesOf } from "../../utils/languages/registry.ts";
import { findProject } from "../../utils/project/project.ts";
import { openProjectBox } from "../../utils/project/project_box.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { unifiedDiff } from "../../utils/text/diff.ts";
import { firstLines } from "../../utils/text/text.ts";
import { createModel, parseSpec } from "../models/create.ts";
import type { Model, ModelKind } from "../models/model.ts";
import type { Progress } from "../models/progress.ts";
import { repair } from "../repair.ts";
import type { Step, Trajectory } from "../trajectory/trajectory.ts";
import { alternativesTo, choicesIn } from "./alternatives.ts";
import { type Ask, settle, withTold } from "./ask.ts";
import { checkTests, findEntry, guessTests } from "./check_input.ts";
import { OwnTests } from "./judge.ts";
import type { OwnFileOutcome, Standing } from "./outcome.ts";
import { helpFor } from "./render.ts";
import { readSource } from "./source.ts";
import { fileTask } from "./task.ts";

export interface OwnFileRequest {
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
  /** Spec of the model that tries where the first finds nothing. */
  fallback?: string | undefined;
  tools?: readonly string[] | undefined;
  maxIterations: number;
  /** Wall-clock limit of each model's repair in milliseconds. */
  timeoutMs: number;
  /** Limit of one run of the tests, see `BoxRequest`. */
  testSeconds: number;
}

interface OwnFileParts {
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<Pick<Model, "name" | "kind" | "chat">>;
  /** The same for the sandbox of `code_interpreter`. */
  openSandbox: () => Promise<Sandbox>;
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Where several edits pass and do different things: who says which is right. */
  ask?: Ask;
  /** One line for a person. */
  say?: (line: string) => void;
  onStep?: (step: Step) => void;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** @throws UserError where the input is of no use, in one sentence, before any model is asked */
export async function repairOwnFile(request: OwnFileRequest, parts: OwnFileParts): Promise<OwnFileOutcome> {
  const { say = () => {}, signal } = parts;
  const { file } = request;
  const original = readSource(file);
  if (request.write) requireWritable(file);
  const target = realpathSync(file);
  const guessed =
    request.tests === undefined && request.testCommand === undefined ? guessTests(target, original) : null;
  const testsFile = request.tests ?? guessed ?? undefined;
  const testsText = testsFile === undefined ? "" : readSource(testsFile);
  const testsPath = testsFile === undefined ? null : realpathSync(testsFile);
  const project = findProject(testsPath === null ? [target] : [target, testsPath]);
  const { entry, outline } = await findEntry(file, original, request.name, project);
  if (testsFile !== undefined && testsPath !== null) {
    await checkTests({ file: testsFile, text: testsText, path: testsPath }, { file, entry, outline }, project);
  }
  const task = fileTask(file, original, entry.name, testsPath === target ? "" : testsText, request.instruction ?? "");
  await using box = await openProjectBox(project, await parts.openBox());
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
    told: [],
    best: null,
    help: [],
    written: null,
  };
  if (baseline.passed && !request.evenIfPassing) return outcome;
  for (const { name, message } of before.failing.slice(0, MOST_SAID)) say(`fails: ${name}: ${firstLines(message, 1)}`);
  const { trajectory, model, turns } = await askModels(task, tests, request, parts);
  const { stop } = trajectory;
  const why = stop === "gave_up" ? (trajectory.steps.at(-1)?.reply.thought ?? "") : "";
  const after = { ...outcome, model: model.name, stop, turns, why };
  if (stop === "aborted") return { ...after, outcome: "interrupted" };
  const diffOf = (text: string) => unifiedDiff(basename(file), original, text);
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
  const undecided = await choicesIn({ ...trajectory, answer: trajectory.answer }, task, tests);
  const settled = parts.ask
    ? await settle(undecided, entry.definition, parts.ask)
    : { left: undecided.choices, told: [] };
  const text = settled.left[0]?.text ?? tests.textOf(trajectory.answer);
  const added =
    testsFile === undefined || testsPath === target || settled.told.length === 0
      ? null
      : withTold(testsText, outcome.framework, entry.definition, settled.told);
  if (settled.told.length > 0 && added === null) say("no test could be written for what you said: add one yourself");
  const repaired: OwnFileOutcome = {
    ...after,
    outcome: text === original ? "nothing_to_repair" : "repaired",
    diff: diffOf(text) + (added === null ? "" : unifiedDiff(basename(testsFile ?? ""), testsText, added)),
    alternatives: alternativesTo(settled.left, diffOf),
    told: settled.told.map(({ input, value }) => `${entry.definition}${input} == ${value}`),
  };
  if (!request.write || text === original) return repaired;
  // The tests first: where they cannot be written, nothing is.
  if (added !== null && testsFile !== undefined) await replaceUsersFile(testsFile, testsText, added);
  return { ...repaired, written: { backup: await replaceUsersFile(file, original, text) } };
}

const MOST_SAID = 6;

/** How the last model that was asked did. */
interface Asked {
  trajectory: Trajectory;
  model: Pick<Model, "name" | "kind">;
  /** Calls of all models. */
  turns: number;
}

/** The model, and where it finds nothing the fallback. @throws UserError where the last of them failed */
async function askModels(
  task: VisibleTask,
  tests: OwnTests,
  request: OwnFileRequest,
  { openModel, openSandbox, say = () => {}, onStep, onProgress, signal }: OwnFileParts,
): Promise<Asked> {
  const { timeoutMs, maxIterations, tools } = request;
  const model = await openModel();
  const fallback = request.fallback === undefined ? null : parseSpec(request.fallback).kind;
  requireLanguage(task, fallback ?? model.kind);
  const sandbox = await openSandbox();
  const ask = (asked: Pick<Model, "name" | "kind" | "chat">) =>
    repair(task, {
      model: asked,
      sandbox,
      ownTests: tests,
      maxRepeats: 2,
      timeoutMs,
      maxIterations,
      tools: [...(tools ?? []), ...(asked.kind.tools ?? [])],
      onStep,
      onProgress,
      ...(signal ? { signal } : {}),
    });
  const first = await ask(model);
  if (!fallback || first.verified || first.stop === "aborted") return asked(first, model, first.iterations);
  const title = fallback.title.charAt(0).toLowerCase() + fallback.title.slice(1);
  say(`${model.name} found no repair (${first.error?.message ?? first.stop}); ${title} tries now`);
  const other = await createModel(request.fallback, { temperature: 0, timeoutMs, maxRetries: 0, log: say });
  const second = await ask(other);
  return asked(second, other, first.iterations + second.iterations);
}

function asked(trajectory: Trajectory, model: Asked["model"], turns: number): Asked {
  if (trajectory.error) throw new UserError(trajectory.error.message);
  return { trajectory, model, turns };
}

/** @throws UserError where the model cannot repair the language */
function requireLanguage({ language, id }: VisibleTask, { title, languages }: ModelKind): void {
  if (languages === null || languages.includes(language)) return;
  throw new UserError(
    `${title} repairs ${titlesOf(languages)} alone, and ${id} is ${LANGUAGES[language].title}: bring a model with --model openai:NAME (a server at OPENAI_BASE_URL) or --model with a hub id or folder.`,
  );
}

export function standing({ tests, ending, fatal, output }: TestRun): Standing {
  const problem =
    ending === "timeout"
      ? "the tests did not come to an end"
      : ending === "no report"
        ? `the run ended before the tests did: ${firstLines(output, 2)}`
        : fatal;
  const failing = tests.filter(isFail).map(({ name, message }) => ({ name, message }));
  return { passing: tests.filter(isPass).map(({ name }) => name), failing, problem };
}
