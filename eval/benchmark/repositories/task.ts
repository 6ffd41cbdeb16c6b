/** A task in a repository: its tree, what an agent is given of it, and whether its tests start here. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Preparation, prepareRepository } from "../../../fix/attempts/prepare.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { jsonHash } from "../../../utils/base/data/json_hash.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { cacheFolder, environmentsFolder } from "../../../utils/base/host/cache_folder.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { BenchmarkTask, RepositoryAssignment } from "../benchmark.ts";
import { applyPatch, type Repositories } from "./checkout.ts";
import { addEnvironment } from "./environment/environment.ts";
import { addMissing } from "./environment/trial.ts";
import { meantAmong } from "./named_tests.ts";
import type { RepositoryTask } from "./rows.ts";
import { goldFailure, scorePatch } from "./score_patch.ts";
import { commandOf, startFailure, testSeconds } from "./tests.ts";

/** With `tests` the tests that score are shown, too. */
export const REPOSITORY_PROTOCOLS = ["example", "tests"] as const;
export type RepositoryProtocol = (typeof REPOSITORY_PROTOCOLS)[number];

/** How trees of tasks are made here, and tests are run. */
export interface Place {
  repositories: Repositories;
  protocol: RepositoryProtocol;
  prepare: boolean;
  python?: string | undefined;
  box: CommandBox;
  /** Receives notes on a task's packages, each line once. */
  say: (line: string) => void;
}

/**
 * Why the tests of a task do not start here; null where they do. Packages that nothing names are added with `prepare`.
 * @param isAsked a model is going to be asked, which costs something: the developer's patch has to pass first
 */
export async function failureToStart(
  given: RepositoryTask,
  where: Place,
  { isAsked }: { isAsked: boolean },
): Promise<string | null> {
  try {
    const [row, place] = await located(given, where);
    const started = place.prepare
      ? await onceNull("start", row, place, startFailureOf)
      : await startFailureOf(row, place);
    return started ?? (isAsked ? await onceNull("gold", row, place, goldFailureOf) : null);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Whether packages that tests turn out to miss are installed by mend. */
const isInstalled = ({ language }: RepositoryTask, { python }: Place): boolean => {
  const { installer } = LANGUAGES[language].files;
  return installer === "npm" || (installer === "uv" && python === undefined);
};

/** The same task where its tree comes with programs of its own: these run it, by the command of its repository. */
async function located(row: RepositoryTask, place: Place): Promise<[RepositoryTask, Place]> {
  const box = await place.repositories.boxOf?.(row);
  const { framework, command } = row.image;
  const isOwn = framework !== "" || command !== "";
  return box
    ? [
        isOwn ? { ...row, framework: framework || row.framework, command } : row,
        { ...place, box, prepare: false, python: undefined },
      ]
    : [row, place];
}

async function startFailureOf(row: RepositoryTask, place: Place): Promise<string | null> {
  const options = { ...place, folder: environmentsFolder(), place: () => treeOf(row, place, true) };
  const trial = place.prepare && isInstalled(row, place) ? await addMissing(row, options) : null;
  if (trial !== null && trial.failure !== null) return trial.failure;
  using tree = await treeOf(row, place, true);
  // Before the fix a program may well end what runs its tests. In an image the developer's patch tells.
  const isTried = trial?.hasRun || place.box.inside !== undefined;
  return applyPatch(tree.path, row.patch) ?? (isTried ? null : await startFailure(row, tree.path, place));
}

async function goldFailureOf(row: RepositoryTask, place: Place): Promise<string | null> {
  using tree = await treeOf(row, place, true);
  return await goldFailure(row, { ...place, tree: tree.path });
}

/** That nothing fails is remembered; what fails is asked again, since what it lacked may have been installed. */
async function onceNull(
  what: "gold" | "start",
  row: RepositoryTask,
  place: Place,
  ask: (row: RepositoryTask, place: Place) => Promise<string | null>,
): Promise<string | null> {
  const { box, python = "" } = place;
  const passed = join(cacheFolder(), what, jsonHash([row, box.layer, box.inside?.image, python]));
  if (existsSync(passed)) return null;
  const failure = await ask(row, place);
  if (failure === null) remember(passed);
  return failure;
}

/** Without a folder of ours it is asked again the next time. */
function remember(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  } catch {}
}

export const repositoryTask = (given: RepositoryTask, where: Place): BenchmarkTask<RepositoryAssignment> => ({
  id: given.id,
  kind: given.kind,
  language: given.language,
  assignment: { type: "repository", prepare: (signal) => prepareTask(given, signal, where) },
  reference: (which) => (which === "gold" ? given.patch : null),
  score: async (answer, _, signal) => {
    try {
      const [row, place] = await located(given, where);
      using tree = await treeOf(row, place, true);
      return await scorePatch(row, answer, { ...place, tree: tree.path, signal });
    } catch (error) {
      if (error instanceof UserError) return { error: `the task cannot be run here: ${error.message}` };
      throw error;
    }
  },
});

/** @throws UserError where a patch does not apply or packages are missing */
async function treeOf(
  row: RepositoryTask,
  { repositories, prepare, box, python, say }: Place,
  withTests: boolean,
): Promise<TemporaryFolder> {
  const folder = makeTemporaryFolder("task");
  try {
    await repositories.checkOut(row, folder.path);
    const problem =
      (withTests ? applyPatch(folder.path, row.testPatch) : null) ??
      (box.inside
        ? null
        : await addEnvironment(row, folder.path, {
            ...{ folder: environmentsFolder(), prepare: prepare ? box : null, python, say },
          }));
    if (problem !== null) throw new UserError(problem);
    return folder;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** The caller disposes of it. */
async function prepareTask(given: RepositoryTask, signal: AbortSignal, where: Place): Promise<Preparation> {
  const [row, place] = await located(given, where);
  const { protocol, box, python } = place;
  const withTests = protocol === "tests";
  const tree = await treeOf(row, place, withTests);
  const test = commandOf(row, tree.path, withTests ? "files" : "folder");
  const targets = (failing: readonly TestResult[]) => meantAmong(row.failToPass, failing);
  try {
    const prepared = await prepareRepository({
      box,
      path: tree.path,
      test,
      issue: row.issue,
      python,
      environment: {},
      testSeconds: testSeconds(box),
      targets: withTests ? targets : undefined,
      signal,
    });
    const dispose = () => {
      prepared[Symbol.dispose]();
      tree[Symbol.dispose]();
    };
    return { ...prepared, [Symbol.dispose]: dispose };
  } catch (error) {
    tree[Symbol.dispose]();
    throw error;
  }
}
