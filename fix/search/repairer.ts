/** One search of a repository: its tool, and what it has found so far. */

import type { Progress } from "../../agent/run/progress.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { LANGUAGE_NAMES } from "../../utils/languages/language.ts";
import { titlesOf } from "../../utils/languages/registry.ts";
import type { BoxLayer } from "../../utils/sandbox/types.ts";
import { onlyRemoves, REMOVES, repeatedCall } from "../../utils/search/result.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { differentEdits } from "../attempts/summary.ts";
import { adviceFor, type Baseline, lastWords } from "../project/baseline.ts";
import type { Suite } from "../project/suite.ts";
import { distinctEdits, editLine, type FileEdit, type SearchFindings } from "./findings.ts";
import { isPartial } from "./moves.ts";
import { canSearch, repositorySearchTool, type SearchToolOptions } from "./tool.ts";

export interface SearchRepairer {
  tool: (workspace: Workspace) => Tool;
  /** Why what was found is a suggestion and not a repair; null if nothing speaks against it. */
  doubt: () => string | null;
  /** The first edit of each behaviour that has passed so far in the last search, likeliest first. */
  edits: () => readonly FileEdit[];
  /** The likeliest edit so far that makes some of the failing tests pass, with their names; null without one. */
  part: () => { edit: FileEdit; passing: readonly string[] } | null;
}

interface RepairerOptions extends Pick<SearchToolOptions, "time" | "passingCost"> {
  /** Receives a line for each edit as soon as it has passed. */
  say?: ((line: string) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How many edits of one search are shown as they pass; its findings contain all. */
const MOST_TOLD = 5;

/** Null where the tests cannot be searched. */
export function searchRepairer(
  prepared: Preparation,
  { say = () => {}, time, passingCost, onProgress }: RepairerOptions = {},
): SearchRepairer | null {
  if (!canSearch(prepared)) return null;
  let told = 0;
  let last: SearchFindings | null = null;
  let isStaged = false;
  let part: ReturnType<SearchRepairer["part"]> = null;
  const remember = (findings: SearchFindings) => {
    const { edits, wanted, failing } = findings;
    const what = isPartial(findings) ? `makes ${wanted.length} of ${failing.length} failing tests pass` : "passes";
    if (!edits.some((edit) => last?.edits.includes(edit))) told = 0;
    for (const edit of edits) {
      if (last?.edits.includes(edit)) continue;
      told += 1;
      if (told <= MOST_TOLD) say(`${what}: ${editLine(edit)}`);
      else if (told === MOST_TOLD + 1) say("more edits pass");
    }
    isStaged ||= isPartial(findings) && edits.length > 0;
    const [likeliest] = edits;
    if (likeliest && isPartial(findings)) part ??= { edit: likeliest, passing: wanted };
    last = findings;
  };
  return {
    tool: (workspace) =>
      repositorySearchTool(prepared, workspace, remember, {
        time,
        passingCost,
        onGoing: (text) => onProgress?.({ type: "searching", text }),
      }),
    doubt: () => (isStaged ? STAGED : last ? doubtOf(last) : null),
    part: () => part,
    // Those of later stages pass only with what came before them.
    edits: () => (isStaged ? [] : distinctEdits(last?.edits ?? [])),
  };
}

const LANGUAGES_READ = titlesOf(LANGUAGE_NAMES);
const NOT_READ = `The search engine repairs functions in ${LANGUAGES_READ}, and no file that may change contains one`;

const NO_TEST_FAILS =
  "The search engine needs a failing test with a name, and none of those it is shown fails (a benchmark shows its " +
  "own with --protocol tests)";

const notLoadedBecause = (why: string, layer: BoxLayer): string =>
  `The tests cannot be loaded: ${lastWords(why)}${adviceFor(why, layer)} ` +
  "The search engine needs tests that run and fail";

/** Why the engine cannot use the tests, and what the user can do. */
export function notSearched({
  baseline: { failing, notLoaded },
  suite: { layer },
}: {
  baseline: Pick<Baseline, "failing" | "notLoaded">;
  suite: Pick<Suite, "layer">;
}): UserError {
  const why = notLoaded !== null ? notLoadedBecause(notLoaded, layer) : failing.length === 0 ? NO_TEST_FAILS : NOT_READ;
  return new UserError(
    `${why}. Use a language model: --model openai:NAME (a server at OPENAI_BASE_URL), a hub id or a folder.`,
  );
}

const STAGED = "the patch combines edits that were each found with only some of the failing tests: check each of them";

/** Why what passes is a suggestion: others that are about as likely were not tried. */
export const NOT_ALL = "not all edits were tried, so another may pass, too";

/**
 * The tests have to single one behaviour out, and all that is about as likely has to be tried, before one is believed.
 */
function doubtOf({ edits, functions }: SearchFindings): string | null {
  const different = distinctEdits(edits).length;
  if (different > 1) return differentEdits(different);
  // The others do the same as one that does.
  if (edits.some(({ old, text }) => onlyRemoves(old, text))) return REMOVES;
  if (edits[0]?.repeats) return repeatedCall(edits[0].repeats);
  if (functions.some(({ untried }) => untried > 0)) return NOT_ALL;
  return null;
}
