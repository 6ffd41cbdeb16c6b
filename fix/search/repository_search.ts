/** A search for small edits of the likeliest functions in running tests: a tool, and what it has found so far. */

import { z } from "zod";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { listed } from "../../utils/base/text/text.ts";
import { LANGUAGE_NAMES } from "../../utils/languages/language.ts";
import { titlesOf } from "../../utils/languages/registry.ts";
import type { BoxLayer } from "../../utils/sandbox/types.ts";
import { SEARCH_EDITS } from "../../utils/search/moves.ts";
import { onlyRemoves, REMOVES, repeatedCall } from "../../utils/search/result.ts";
import { type AttemptOptions, differentEdits } from "../attempts/attempt.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { placesForAll } from "../places/through.ts";
import { adviceFor, type Baseline, notLoadedLine } from "../project/baseline.ts";
import type { Suite } from "../project/suite.ts";
import {
  describeFindings,
  distinctEdits,
  editLine,
  type FileEdit,
  type FoundEdits,
  isPartial,
  likeliestFirst,
  type SearchFindings,
} from "./findings.ts";
import { FolderEdits } from "./folder_edits.ts";
import { asItIsNow, isForCompiled, likeliestPlaces, limitedToTests, noPlaces, placeAt } from "./likely_places.ts";
import { searchIn } from "./search_in.ts";
import { type Searcher, searcherFor } from "./searchers.ts";

const MOST_NAMES = 4;
/** How many edits of one search are shown as they pass; its findings contain all. */
const MOST_SHOWN = 5;
/** Of a function's time, for a search by some of the failing tests: several of these may come one after the other. */
const SOME_SHARE = 0.4;
/** Of the time that is left, for a search by all failing tests: others may come behind it. */
const FIRST_SHARE = 0.8;

const Input = z.object({
  path: z.string().optional(),
  line: z.coerce.number().int().positive().optional(),
  tests: RUN_TESTS.input.shape.tests.describe("names"),
  take: z.coerce.number().int().positive().optional(),
});
type SearchCall = Omit<z.infer<typeof Input>, "take">;

/** `say` receives a line for each edit as soon as it has passed. */
interface RepositorySearchOptions extends Pick<AttemptOptions, "time" | "say" | "onProgress"> {
  /** Cost of an edit that passes already: what costs far more is not tried. */
  passingCost?: number | undefined;
}

/** Why nothing was tried: in a few words, and in a sentence. */
interface NoSearch {
  status: string;
  output: string;
}

/**
 * The searcher of these tests; null if there is none. It starts programs of this machine, which a container does not
 * have.
 * @param file the one that is meant; default: those of the suspects
 */
const searcherOf = ({ suite: { plan, project }, suspects }: Preparation, file?: string): Searcher | null =>
  project.inside !== undefined
    ? null
    : searcherFor(plan, file === undefined ? suspects.map((one) => one.file) : [file]);

export class RepositorySearch {
  readonly #prepared: Preparation;
  readonly #options: RepositorySearchOptions;
  #findings: SearchFindings | null = null;
  #shown = 0;
  #isStaged = false;
  /** What the last search found; why it tried nothing, in a sentence; null before it. */
  last: SearchFindings | string | null = null;
  /** The likeliest edit so far that makes some of the failing tests pass, with their names; null without one. */
  part: { edit: FileEdit; passing: readonly string[] } | null = null;

  private constructor(prepared: Preparation, options: RepositorySearchOptions) {
    this.#prepared = prepared;
    this.#options = options;
  }

  /** Null where the tests cannot be searched. */
  static of(prepared: Preparation, options: RepositorySearchOptions = {}): RepositorySearch | null {
    const canSearch = searcherOf(prepared) !== null && prepared.baseline.failing.length > 0;
    return canSearch ? new RepositorySearch(prepared, options) : null;
  }

  /** Why what was found is a suggestion and not a repair; null if nothing speaks against it. */
  get doubt(): string | null {
    if (this.#isStaged) return STAGED;
    return this.#findings && doubtOf(this.#findings);
  }

  /** The first edit of each behaviour that has passed so far in the last search, likeliest first. */
  get edits(): readonly FileEdit[] {
    // Those of later stages pass only with what came before them.
    return this.#isStaged ? [] : distinctEdits(this.#findings?.edits ?? []);
  }

  /** `search_edits` in a work folder. */
  tool(workspace: Workspace): Tool {
    const made = new FolderEdits(workspace);
    return defineTool({
      name: SEARCH_EDITS,
      description: "Tries small edits; `take` makes one that passed.",
      input: Input,
      run: async ({ take, ...asked }, signal) => {
        if (take !== undefined) return made.take(take);
        const began = performance.now();
        const found = await this.#search(workspace, asked, signal);
        const durationMs = performance.now() - began;
        if ("status" in found) {
          const { status, output } = found;
          this.last = `${status}: ${output.trim().replace(/\s*\n\s*/g, ": ")}`;
          return { status, output, durationMs };
        }
        this.last = found;
        made.found(found.edits);
        return { ...describeFindings(found), durationMs };
      },
    });
  }

  async #search(
    workspace: Workspace,
    { path: file, line = 1, tests = [] }: SearchCall,
    signal: AbortSignal | undefined,
  ): Promise<SearchFindings | NoSearch> {
    const { time, passingCost, onProgress } = this.#options;
    const searcher = searcherOf(this.#prepared, file);
    if (!searcher) return { status: "nothing was tried", output: "These tests cannot be searched." };
    if (time?.isUp) return { status: "nothing more was tried", output: `${time.explanation}.` };
    const now = await asItIsNow(this.#prepared, workspace, signal);
    const asked = limitedToTests(now, tests);
    const failing = now.baseline.failing.map(({ name }) => name);
    const wanted = asked.baseline.failing.map(({ name }) => name);
    if (wanted.length === 0) {
      const none = `No failing test has the name ${tests.join(", ")}: ${listed(failing, MOST_NAMES)} fail.`;
      return { status: "nothing was tried", output: failing.length === 0 ? "No test fails any more." : none };
    }
    const likely =
      file === undefined
        ? likeliestPlaces(asked, workspace, searcher)
        : placeAt(asked, workspace, searcher, { file, line });
    if (likely.length === 0) {
      const where = file === undefined ? noPlaces(this.#prepared) : `${file} has none there`;
      return { status: "nothing was tried", output: `Here search edits ${searcher.reads}: ${where}.` };
    }
    const isCompiled = isForCompiled(searcher);
    const places = file === undefined ? placesForAll(likely, (place) => place, asked, { isCompiled }) : likely;
    const ranked = (found: FoundEdits): SearchFindings => ({
      ...found,
      edits: likeliestFirst(found.edits, { prose: this.#prepared.issue, places }),
      failing,
      wanted,
    });
    if (places.length === 0) return this.#remember(ranked({ edits: [], functions: [], renewed: 0 }));
    const share = wanted.length < failing.length ? SOME_SHARE : 1;
    const inTime = (one: Searcher): Searcher => ({
      ...one,
      functionSeconds: share * (time ? (FIRST_SHARE * time.left) / places.length : one.functionSeconds),
      ...(one.otherwise && { otherwise: inTime(one.otherwise) }),
    });
    const found = await searchIn(asked, inTime(searcher), workspace, places, {
      onFound: (some) => this.#remember(ranked(some)),
      onGoing: (text) => {
        const left = time ? `, ${Math.round(time.clockLeft)} s left` : "";
        onProgress?.({ type: "searching", text: text + left });
      },
      time,
      passingCost,
      signal,
    });
    return typeof found === "string" ? { status: "no result", output: found } : this.#remember(ranked(found));
  }

  /** Keeps what a search has found so far, each time an edit has passed and at its end, and shows what is new. */
  #remember(findings: SearchFindings): SearchFindings {
    const { edits, wanted, failing } = findings;
    const { say = () => {} } = this.#options;
    const known = this.#findings?.edits ?? [];
    const what = isPartial(findings) ? `${wanted.length} of ${failing.length} failing tests pass with` : "passes";
    if (!edits.some((edit) => known.includes(edit))) this.#shown = 0;
    for (const edit of edits.filter((one) => !known.includes(one))) {
      this.#shown += 1;
      if (this.#shown <= MOST_SHOWN) say(`${what}: ${editLine(edit)}`);
      else if (this.#shown === MOST_SHOWN + 1) say("more edits do the same");
    }
    const [likeliest] = edits;
    if (likeliest && isPartial(findings)) {
      this.#isStaged = true;
      this.part ??= { edit: likeliest, passing: wanted };
    }
    this.#findings = findings;
    return findings;
  }
}

const LANGUAGES_READ = titlesOf(LANGUAGE_NAMES);
const NOT_READ = `The search engine repairs functions in ${LANGUAGES_READ}, and no file that may change contains one`;

const IN_CONTAINER = "The search engine tries edits with programs of this machine, and these tests run in a container";

const NO_TEST_FAILS =
  "The search engine needs a failing test with a name, and none of those it is shown fails (a benchmark shows its " +
  "own with --protocol tests)";

const notLoadedBecause = (why: string, layer: BoxLayer): string =>
  `${notLoadedLine(why)}${adviceFor(why, layer)} The search engine needs tests that run and fail`;

/** Why the engine cannot use the tests, and what the user can do. */
export function notSearched({
  baseline: { failing, notLoaded },
  suite: { layer },
}: {
  baseline: Pick<Baseline, "failing" | "notLoaded">;
  suite: Pick<Suite, "layer">;
}): UserError {
  const unread = layer === "container" ? IN_CONTAINER : NOT_READ;
  const why = notLoaded !== null ? notLoadedBecause(notLoaded, layer) : failing.length === 0 ? NO_TEST_FAILS : unread;
  return new UserError(
    `${why}. Use a language model: --model openai:NAME (a server at OPENAI_BASE_URL), a hub id or a folder.`,
  );
}

const STAGED = "the patch combines edits that were each found with only some of the failing tests: check each of them";

/** Why what passes is a suggestion: others that are about as likely were not tried. */
export const NOT_ALL = "not all edits were tried, so another may pass, too";

interface PassingEdits {
  edits: readonly FileEdit[];
  functions: readonly { untried: number }[];
}

/** Why the first edit is only a suggestion; null if all edits that are about as likely were tried and do the same. */
export function doubtOf({ edits, functions }: PassingEdits): string | null {
  const different = distinctEdits(edits).length;
  if (different > 1) return differentEdits(different);
  const removing = edits.findIndex(({ old, text }) => onlyRemoves(old, text));
  if (removing !== -1) return removing === 0 ? REMOVES : "an edit that only removes code passes, too";
  if (edits[0]?.repeats) return repeatedCall(edits[0].repeats);
  if (functions.some(({ untried }) => untried > 0)) return NOT_ALL;
  return null;
}
