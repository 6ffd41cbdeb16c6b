/** One file of a user's: a function or class of it may change, by the tests that belong to it. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { ModelKind } from "../../agent/models/model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { requireWritable } from "../../utils/base/files/users_file.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import { LANGUAGES, titlesOf } from "../../utils/languages/registry.ts";
import { findProject, type Project, runsAsOther } from "../../utils/project/project.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { uncomparedChoice } from "../attempts/alternatives.ts";
import { attemptFunction, type FunctionPlace } from "../attempts/attempt_function.ts";
import { limitedToLines, type Preparation, prepareProject } from "../attempts/prepare.ts";
import type { Attempt } from "../attempts/run.ts";
import type { AttemptSummary, Where } from "../attempts/summary.ts";
import { fileTask, linesOf, type NamedEntry } from "../attempts/task.ts";
import type { AskOptions, RepairRequest, Scope } from "../scope/scope.ts";
import { findEntries, guessTests, testedEntries } from "./check_input.ts";
import { functionsIn, likeliestEntries, withoutAside, withoutTests } from "./likely_entries.ts";
import { planTests } from "./plan_tests.ts";
import { requireRepairable } from "./repairable.ts";
import { readSource } from "./source.ts";

export interface OwnFileRequest extends RepairRequest {
  file: string;
  /**
   * A top-level function, class or `Class.method`; `Shelf::put` where functions are found in types. Default: those that
   * failing tests point to, one after the other.
   */
  name?: string | undefined;
  /** A file of tests. Default: the one that belongs to the file by its name. */
  tests?: string | undefined;
  /** The user's own command, run in the project's folder. Default: what the tests' framework is started with. */
  testCommand?: string | undefined;
  instruction?: string | undefined;
  evenIfPassing?: boolean;
  /** What a model may use. Default: what is always offered. */
  tools?: readonly string[] | undefined;
}

/** The file with what can be said of it before anything runs. */
interface OwnFile {
  target: string;
  original: string;
  entries: readonly NamedEntry[];
  tests: { path: string; text: string } | null;
  project: Project;
}

/** @throws UserError where the file, its tests or what is named in it are of no use */
export async function oneFile(request: OwnFileRequest): Promise<Scope> {
  const own = await look(request);
  const { target, project, entries, tests } = own;
  const path = relative(project.root, target);
  return {
    name: request.file,
    file: request.file,
    function: entries.length === 1 ? (entries[0]?.name ?? null) : null,
    tests: tests?.path === target ? null : tests,
    root: () => project.root,
    prepare: async (box, parts) => {
      const shared = { ...project, shared: runsAsOther(box.layer) };
      const prepared = await prepareProject({
        box,
        ...parts,
        project: shared,
        plan: await planTests(shared, tests?.path ?? null, request.testCommand),
        file: path,
        needed: [path, ...(tests ? [relative(project.root, tests.path)] : [])],
        issue: "",
        environment: {},
        testSeconds: request.testSeconds,
      });
      return request.name === undefined ? prepared : limitedToNamed(prepared, own);
    },
    isDone: (prepared) => {
      requireRepairable(prepared);
      const { failing, notLoaded } = prepared.baseline;
      return failing.length === 0 && notLoaded === null && !request.evenIfPassing;
    },
    where: (prepared, kind) => whereIn(prepared, own, request, kind),
    ask: (prepared, { places }, options) => eachFunction(prepared, places, { ...options, tools: request.tools }),
  };
}

async function look({ file, name, tests, testCommand, write }: OwnFileRequest): Promise<OwnFile> {
  const original = readSource(file);
  if (write) requireWritable(file);
  const target = realpathSync(file);
  const guessed = tests === undefined && testCommand === undefined ? guessTests(file, original) : null;
  const named = tests ?? guessed;
  const text = named === null ? null : readSource(named);
  const found = named === null || text === null ? null : { path: realpathSync(named), text };
  const project = findProject(found ? [target, found.path] : [target]);
  const inFile = await findEntries(file, original, name, project);
  const entries =
    named === null || !found
      ? inFile.entries
      : await testedEntries({ file: named, ...found }, { file, ...inFile }, project);
  return { target, original, entries, tests: found, project };
}

function limitedToNamed(prepared: Preparation, { target, original, entries }: OwnFile): Preparation {
  const file = relative(prepared.root, target);
  const looked = entries.map((entry) => ({ ...entry, lines: linesOf(fileTask(file, original, entry, "", "")) }));
  return limitedToLines(prepared, functionsIn({ file, original }, looked, []));
}

/** @throws UserError where the models cannot repair the language */
function whereIn(
  prepared: Preparation,
  { target, original, entries, tests }: OwnFile,
  { file, name, instruction = "" }: OwnFileRequest,
  kind: ModelKind,
): Where {
  const path = relative(prepared.root, target);
  const shown = tests === null || tests.path === target ? "" : withoutAside(tests, prepared);
  const text = plainText(original);
  const meant = name === undefined ? withoutTests(entries, { path, text }, prepared.baseline) : entries;
  const places = likeliestEntries(meant, prepared).map(({ entry, why }): FunctionPlace => {
    const task = fileTask(file, original, entry, shown, instruction);
    requireLanguage(task, kind);
    return { ...entry, file: path, original, why, task };
  });
  const looked = places.map((place) => ({ ...place, lines: linesOf(place.task) }));
  return { places, suspects: functionsIn({ file: path, original }, looked, prepared.suspects) };
}

function requireLanguage({ language, id }: VisibleTask, { title, languages }: ModelKind): void {
  if (languages === null || languages.includes(language)) return;
  throw new UserError(
    `${title} repairs only ${titlesOf(languages)}, and ${id} is ${LANGUAGES[language].title}: use a language ` +
      "model, --model openai:NAME (a server at OPENAI_BASE_URL), a hub id or a folder.",
  );
}

/** One function after the other, until one is repaired. */
async function eachFunction(
  prepared: Preparation,
  places: readonly FunctionPlace[],
  options: AskOptions & Pick<OwnFileRequest, "tools">,
): Promise<AttemptSummary | null> {
  const attempts: Attempt[] = [];
  let last: AttemptSummary | null = null;
  for (const place of places) {
    if (place.why !== "") options.say?.(`trying ${place.name} (${place.why})`);
    const attempt = await attemptFunction(prepared, place, options);
    attempts.push(attempt);
    const { verified, stop, error } = attempt.trajectory;
    const choices = verified ? [uncomparedChoice(attempt.patch.source)] : [];
    last = { attempt, attempts, place: verified ? place : null, choices, askable: [], doubt: null, why: "" };
    if (verified || stop === "aborted" || error) break;
  }
  return last;
}
