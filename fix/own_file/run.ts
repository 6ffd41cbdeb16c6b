/** Repairs a user's own file: look first, then run the tests, and only then ask a model, of one function after the other. */

import { realpathSync } from "node:fs";
import { requireWritable } from "../../utils/files/users_file.ts";
import { planTests, type TestPlan } from "../../utils/frameworks/test_run.ts";
import { findProject } from "../../utils/project/project.ts";
import { openProjectBox } from "../../utils/project/project_box.ts";
import type { Layer } from "../../utils/sandbox/types.ts";
import { firstLines, listed } from "../../utils/text/text.ts";
import { SearchTime } from "../search_time.ts";
import { findEntries, guessTests, type NamedEntry, testedEntries } from "./check_input.ts";
import { type OwnFileParts, type OwnFileRequest, repairEntry } from "./entry.ts";
import { OwnTests, type Standing } from "./judge.ts";
import { type OwnFileOutcome, standing } from "./outcome.ts";
import { projectsOwnPlan } from "./own_tests.ts";
import { readSource } from "./source.ts";
import { fileTask } from "./task.ts";
import { likeliestEntries } from "./which.ts";

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
  const commandBox = await parts.openBox();
  await using box = await openProjectBox(project, commandBox);
  const isFound = testsPath !== null || request.testCommand !== undefined;
  const plan =
    (isFound ? null : projectsOwnPlan(box.project)) ??
    (await planTests(box.project, testsPath, request.testCommand ?? null));
  for (const warning of box.warnings) say(`sandbox: ${warning}`);
  const shownTests = testsPath === target ? "" : testsText;
  const taskOf = ({ name }: NamedEntry) => fileTask(file, original, name, shownTests, request.instruction ?? "");
  const judge = (entry: NamedEntry, known?: Standing) =>
    new OwnTests({ box, plan, original, task: taskOf(entry), seconds: request.testSeconds, ...(known && { known }) });
  say(`${plan.command} · sandbox ${box.layer}`);
  const outcome = emptyOutcome(file, entries, { plan, layer: box.layer });
  const known = await judge(entries[0])
    .baseline(signal)
    .catch((error: unknown) => {
      if (signal?.aborted) return null;
      throw error;
    });
  if (known === null) return { ...outcome, outcome: "interrupted" };
  const before = standing(known.run);
  if (known.flaky.size > 0) say(`flaky, so it does not count: ${listed([...known.flaky], MOST_SAID)}`);
  if (known.run.passed && !request.evenIfPassing) return { ...outcome, before };
  for (const { name, message } of before.failing.slice(0, MOST_SAID)) say(`fails: ${name}: ${firstLines(message, 1)}`);
  const messages = before.failing.map(({ message }) => message);
  const which = { box: commandBox, plan, entries, messages, seconds: request.testSeconds, signal };
  const places = await placesToRepair(which);
  if (places === null) return { ...outcome, before, outcome: "interrupted" };
  const time = request.searchSeconds === undefined ? undefined : new SearchTime(request.searchSeconds);
  const own = { file: target, text: original };
  const ofTests = testsPath === null || testsPath === target ? null : { file: testsPath, text: testsText };
  const common = { request, parts: opened(parts), plan, box: commandBox, own, ofTests, root: project.root, time };
  let last: OwnFileOutcome | null = null;
  let turns = 0;
  for (const { entry, why } of places) {
    if (places.length > 1) say(`looks at ${entry.name} (${why})`);
    const tests = judge(entry, known);
    const start = { ...outcome, before, function: entry.name };
    const done = await repairEntry({ ...common, entry, tests, task: taskOf(entry), outcome: start });
    turns += done.turns;
    last = { ...done, turns };
    if (done.outcome !== "not_repaired" || time?.isUp) break;
  }
  if (last === null) throw new Error("a file without functions got here");
  return last.outcome === "not_repaired" && places.length > 1
    ? { ...last, function: places.map(({ entry }) => entry.name).join(", ") }
    : last;
}

/** What to look at, the likeliest first; null where the user stopped it. */
async function placesToRepair(options: Parameters<typeof likeliestEntries>[0]) {
  const [first, ...others] = options.entries;
  if (first && others.length === 0) return [{ entry: first, why: "" }];
  return await likeliestEntries(options).catch((error: unknown) => {
    if (options.signal?.aborted) return null;
    throw error;
  });
}

/** With what is opened once for all functions. */
function opened(parts: OwnFileParts): OwnFileParts {
  let model: ReturnType<OwnFileParts["openModel"]> | undefined;
  let sandbox: ReturnType<OwnFileParts["openSandbox"]> | undefined;
  return {
    ...parts,
    openModel: () => (model ??= parts.openModel()),
    openSandbox: () => (sandbox ??= parts.openSandbox()),
  };
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
    doubts: [],
    told: [],
    best: null,
    help: [],
    written: null,
  };
}

const MOST_SAID = 6;
