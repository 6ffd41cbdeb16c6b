/** Repairs a user's own file: look first, then run the tests, and only then ask a model, of one function after the other. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { requireWritable } from "../../utils/files/users_file.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import { findProject, runsAsOther } from "../../utils/project/project.ts";
import type { Layer } from "../../utils/sandbox/types.ts";
import type { FunctionPlace } from "../attempts/attempt_function.ts";
import { failsLine } from "../outcome/sureness.ts";
import { prepareProject } from "../prepare.ts";
import { SearchTime } from "../search_time.ts";
import { findEntries, guessTests, type NamedEntry, testedEntries } from "./check_input.ts";
import { conclude } from "./conclude.ts";
import { type OwnFileOutcome, standing } from "./outcome.ts";
import { planTests } from "./plan_tests.ts";
import { requireRepairable } from "./repairable.ts";
import type { OwnFileParts, OwnFileRequest } from "./request.ts";
import { readSource } from "./source.ts";
import { fileTask, linesOf } from "./task.ts";
import { tryEach } from "./try_each.ts";
import { functionsIn, likeliestEntries } from "./which.ts";

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
  const named = await findEntries(file, original, request.name, project);
  const entries =
    testsFile === undefined || testsPath === null
      ? named.entries
      : await testedEntries({ file: testsFile, text: testsText, path: testsPath }, { file, ...named }, project);
  const box = await parts.openBox();
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  const shared = { ...project, shared: runsAsOther(box.layer) };
  const plan = await planTests(shared, testsPath, request.testCommand);
  const outcome = emptyOutcome(file, entries, { plan, layer: box.layer });
  const path = relative(project.root, target);
  const prepared = await prepareProject({
    box,
    project: shared,
    plan,
    file: path,
    needed: [path, ...(testsPath === null ? [] : [relative(project.root, testsPath)])],
    issue: "",
    environment: {},
    testSeconds: request.testSeconds,
    say,
    signal,
  }).catch((error: unknown) => {
    if (signal?.aborted) return null;
    throw error;
  });
  if (prepared === null) return { ...outcome, outcome: "interrupted" };
  using _prepared = prepared;
  requireRepairable(prepared);
  const before = standing(prepared.baseline);
  const isPassing = before.failing.length === 0 && before.problem === null;
  if (isPassing && !request.evenIfPassing) return { ...outcome, before };
  for (const test of before.failing.slice(0, MOST_SAID)) say(failsLine(test));
  const shownTests = testsPath === target ? "" : testsText;
  const looked = likeliestEntries(entries, prepared);
  const places = looked.map(({ entry, why }): FunctionPlace => {
    const task = fileTask(file, original, entry.name, shownTests, request.instruction ?? "");
    return { ...entry, file: path, original, why, task };
  });
  const suspects = functionsIn(
    { file: path, original },
    places.map((place) => ({ ...place, lines: linesOf(place.task) })),
    prepared.suspects,
  );
  const time = request.searchSeconds === undefined ? undefined : new SearchTime(request.searchSeconds);
  const tried = await tryEach(prepared, { places, suspects }, request, { ...parts, time });
  const start = { ...outcome, before, function: (tried.place ?? { name: outcome.function }).name };
  const own = {
    original,
    tests: testsPath === null || testsPath === target ? null : { path: testsPath, text: testsText },
  };
  return await conclude(prepared, tried, { request, parts, outcome: start, own, time });
}

function emptyOutcome(
  file: string,
  entries: readonly NamedEntry[],
  { plan, layer }: { plan: TestPlan; layer: Layer },
): OwnFileOutcome {
  return {
    outcome: "nothing_to_repair",
    file,
    function: entries.map(({ name }) => name).join(", "),
    test_command: plan.command,
    framework: plan.framework?.name ?? null,
    sandbox: layer,
    before: { passing: [], failing: [], problem: null },
    model: null,
    stop: null,
    turns: 0,
    why: "",
    diff: "",
    alternatives: [],
    is_suggestion: false,
    is_compared: false,
    doubts: [],
    told: [],
    best: null,
    help: [],
    written: null,
  };
}

const MOST_SAID = 6;
