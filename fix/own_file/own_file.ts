/** One file of a user's: a function or class of it may change, by the tests that belong to it. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { ModelKind } from "../../agent/models/model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { requireWritable } from "../../utils/base/files/users_file.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import { LANGUAGES, titlesOf } from "../../utils/languages/registry.ts";
import { findProject, runsAsOther } from "../../utils/project/project.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import {
  type Attempt,
  type AttemptOptions,
  type AttemptSummary,
  type FunctionPlace,
  uncomparedChoice,
} from "../attempts/attempt.ts";
import { attemptFunction } from "../attempts/attempt_function.ts";
import { limitedToLines, type Preparation, prepareProject } from "../attempts/prepare.ts";
import { fileTask, type NamedEntry } from "../attempts/task.ts";
import type { RepairRequest, Scope } from "../scope/scope.ts";
import { findEntries, guessTests, testedEntries } from "./check_input.ts";
import { functionsIn, likeliestEntries, withoutAside, withoutTests } from "./likely_entries.ts";
import { assertionsStartedBy, planTests } from "./plan_tests.ts";
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
}

/** @throws UserError where the file, its tests or what is named in it are of no use */
export async function oneFile(asked: OwnFileRequest): Promise<Scope> {
  const { testCommand: typed = "" } = asked;
  const started = asked.tests === undefined ? assertionsStartedBy(typed, asked.file) : null;
  const request = started === null ? asked : { ...asked, tests: started, testCommand: undefined };
  const { file, name, instruction = "", testCommand, testSeconds, evenIfPassing } = request;
  const { target, original, project, entries, tests } = await look(request);
  const path = relative(project.root, target);
  const apart = tests?.path === target ? null : tests;
  const placeOf = (entry: NamedEntry, why = "", shown = ""): FunctionPlace => ({
    ...{ ...entry, file: path, original, why, task: fileTask(file, original, entry, shown, instruction) },
  });
  return {
    name: file,
    file,
    function: entries.length === 1 ? (entries[0]?.name ?? null) : null,
    tests: apart,
    root: () => project.root,
    prepare: async (box, parts) => {
      const shared = { ...project, shared: runsAsOther(box.layer) };
      const prepared = await prepareProject({
        box,
        ...parts,
        project: shared,
        plan: await planTests(shared, tests?.path ?? null, testCommand),
        file: path,
        needed: [path, ...(tests ? [relative(project.root, tests.path)] : [])],
        issue: "",
        environment: {},
        testSeconds,
      });
      const named = name === undefined ? [] : entries.map((entry) => placeOf(entry));
      return named.length === 0 ? prepared : limitedToLines(prepared, functionsIn(named, []));
    },
    isDone: (prepared) => {
      requireRepairable(prepared);
      const { failing, notLoaded } = prepared.baseline;
      return failing.length === 0 && notLoaded === null && !evenIfPassing;
    },
    where: (prepared, kind) => {
      const shown = apart ? withoutAside(apart, prepared) : "";
      const text = plainText(original);
      const meant = name === undefined ? withoutTests(entries, { path, text }, prepared.baseline) : entries;
      const places = likeliestEntries(meant, prepared).map(({ entry, why }) => placeOf(entry, why, shown));
      for (const { task } of places) requireLanguage(task, kind);
      return { places, suspects: functionsIn(places, prepared.suspects) };
    },
    ask: (prepared, { places }, options) => eachFunction(prepared, places, options),
  };
}

/** What can be said of the file before anything runs. */
async function look({ file, name, tests, testCommand, write }: OwnFileRequest) {
  const original = readSource(file);
  if (write) requireWritable(file);
  const target = realpathSync(file);
  const named = tests ?? (testCommand === undefined ? guessTests(file, original) : null);
  const found = named === null ? null : { text: readSource(named), path: realpathSync(named) };
  const project = findProject(found ? [target, found.path] : [target]);
  const inFile = await findEntries(file, original, name, project);
  const entries =
    named === null || !found
      ? inFile.entries
      : await testedEntries({ file: named, ...found }, { file, ...inFile }, project);
  return { target, original, entries, tests: found, project };
}

/** @throws UserError where the models cannot repair the language */
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
  options: AttemptOptions,
): Promise<AttemptSummary | null> {
  const attempts: Attempt[] = [];
  let last: AttemptSummary | null = null;
  for (const place of places) {
    if (place.why !== "") options.say?.(`trying ${place.name} (${place.why})`);
    const attempt = await attemptFunction(prepared, place, options);
    attempts.push(attempt);
    const { verified, stop, error } = attempt.trajectory;
    const choices = verified ? [uncomparedChoice(attempt.patch.source)] : [];
    last = { attempt, attempts, place: verified ? place : undefined, choices };
    if (verified || stop === "aborted" || error) break;
  }
  return last;
}
