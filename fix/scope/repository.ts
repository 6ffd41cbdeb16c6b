/** A repository as a whole: any of its source may change, and its own command says what is right. */

import { requireGit } from "../../utils/git/changes/trees.ts";
import { repositoryProject } from "../../utils/project/project.ts";
import { type Attempt, type AttemptOptions, type AttemptSummary, uncomparedChoice } from "../attempts/attempt.ts";
import { choose } from "../attempts/choose.ts";
import { placesAlone } from "../attempts/file_places.ts";
import { type Preparation, type PrepareOptions, prepareRepository } from "../attempts/prepare.ts";
import { attemptRepair } from "../attempts/run.ts";
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
