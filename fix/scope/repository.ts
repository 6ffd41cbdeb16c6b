/** A repository as a whole: any of its source may change, and its own command says what is right. */

import type { ModelKind } from "../../agent/models/model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { requireGit } from "../../utils/git/changes/trees.ts";
import { repositoryProject } from "../../utils/project/project.ts";
import {
  type Attempt,
  type AttemptOptions,
  type AttemptSummary,
  type FunctionPlace,
  uncomparedChoice,
} from "../attempts/attempt.ts";
import { choose } from "../attempts/choose.ts";
import { type Preparation, type PrepareOptions, prepareRepository } from "../attempts/prepare.ts";
import { attemptRepair } from "../attempts/run.ts";
import { entryOf, fileTask } from "../attempts/task.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import { fileOfMost } from "../project/baseline.ts";
import { isSource } from "../project/functions.ts";
import { RepositorySearch } from "../search/repository_search.ts";
import type { RepairRequest, Scope } from "./scope.ts";

export interface FixRequest extends RepairRequest, Omit<PrepareOptions, "box" | "say" | "signal"> {
  /** Number of attempts; the best one is chosen. */
  samples: number;
  /** True to search only with the whole project, never a function with its file alone. */
  isInTestsAlone?: boolean | undefined;
}

/** @throws UserError where there is no git */
export function wholeRepository(request: FixRequest): Scope {
  requireGit();
  const { path, issue } = request;
  return {
    name: path,
    file: null,
    function: null,
    tests: null,
    root: (box) => repositoryProject(path, box).root,
    prepare: (box, parts) => prepareRepository({ ...request, box, ...parts }),
    isDone: ({ baseline }) => baseline.failing.length === 0 && issue === "",
    where: (prepared, kind) => ({
      places: request.isInTestsAlone ? [] : placesAlone(prepared, kind),
      suspects: prepared.suspects,
    }),
    ask: (prepared, _, options) => severalAttempts(prepared, request, options),
  };
}

/** More suspects are not searched with their file alone. */
const MOST_ALONE = 5;

/**
 * What of the suspects can be searched with its file alone: top-level functions and classes, by the tests of one file.
 * The likeliest first; none where no file of the failing tests is known.
 */
function placesAlone(
  { suspects, base, suite, baseline, issue }: Preparation,
  { languages }: Pick<ModelKind, "languages">,
): FunctionPlace[] {
  const tests = fileOfMost(suite, base, baseline.failing);
  if (tests === null) return [];
  const likeliest = suspects.filter(({ file, name }) => isSource(file) && name !== TOP_LEVEL).slice(0, MOST_ALONE);
  const found = new Map<string, FunctionPlace>();
  for (const { file, reasons, ...suspect } of likeliest) {
    const entry = entryOf(file, suspect);
    const name = entry.line === undefined ? entry.definition : suspect.name;
    const { text } = tryForeignText(base, file);
    const key = `${file} ${entry.line ?? entry.definition}`;
    if (text === null || found.has(key)) continue;
    try {
      const task = fileTask(file, text, { ...entry, name }, tests, issue);
      if (languages !== null && !languages.includes(task.language)) continue;
      found.set(key, { ...entry, name, file, original: text, why: reasons[0] ?? "likeliest", task });
    } catch (error) {
      // It stands in another function.
      if (!(error instanceof UserError)) throw error;
    }
  }
  const [only, ...more] = found.values();
  return only && more.length === 0 ? [{ ...only, why: "" }] : [...found.values()];
}

/** Several attempts of a model, where it is not always the same, and which of them is the best. */
async function severalAttempts(
  prepared: Preparation,
  { samples, seed }: Pick<FixRequest, "samples" | "seed">,
  options: AttemptOptions,
): Promise<AttemptSummary | null> {
  const { model, say = () => {}, signal } = options;
  const search = RepositorySearch.of(prepared, options);
  const attempts: Attempt[] = [];
  for (let i = 0; i < samples && !signal?.aborted; i++) {
    if (samples > 1) say(`attempt ${i + 1} of ${samples}`);
    const own = seed === undefined ? undefined : seed + i;
    attempts.push(await attemptRepair(prepared, { ...options, search, seed: own }));
    if (model.deterministic) break;
  }
  const best = await choose(attempts, prepared.base, prepared.suite, signal);
  const attempt = best?.chosen ?? attempts.at(-1);
  if (!attempt) return null;
  const passing = best?.chosen.verdict?.accepted ? [best.chosen, ...best.others] : [];
  return {
    attempt,
    attempts,
    choices: passing.map(({ patch }) => uncomparedChoice(patch.source)),
    why: attempts.length > 1 ? (best?.why ?? "no attempt changed source code.") : "",
  };
}
