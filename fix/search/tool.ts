/** `search_edits` in a repository: small edits of the likeliest functions, tried in live tests. */

import { z } from "zod";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { listed } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { SEARCH_EDITS } from "../../utils/search/moves.ts";
import { isCompiled } from "../../utils/search/tables.ts";
import type { Preparation } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import { endsProgram } from "../places/ends_program.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import { placesForAll } from "../places/through.ts";
import { functionAt, functionsOf } from "../project/functions.ts";
import { patched, readPatch } from "../project/patch.ts";
import {
  describeFindings,
  type FoundEdits,
  likeliestFirst,
  type SearchFindings,
  type SearchPlace,
  untried,
} from "./findings.ts";
import { FUNCTIONS } from "./moves.ts";
import { searchIn } from "./search_in.ts";
import { type Searcher, searcherFor } from "./searchers.ts";
import { TakenEdits } from "./taken.ts";

const MOST_NAMES = 4;
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

/**
 * The searcher of these tests; null if there is none. It starts programs of this machine, which a container does not
 * have.
 * @param file the one that is meant; default: those of the suspects
 */
const searcherOf = ({ suite: { plan, project }, suspects }: Preparation, file?: string): Searcher | null =>
  project.inside !== undefined
    ? null
    : searcherFor(plan, file === undefined ? suspects.map((one) => one.file) : [file]);

const isForCompiled = ({ versions }: Searcher): boolean => versions !== undefined && isCompiled(versions);

export interface SearchToolOptions {
  /** For all searches together. Default: what each function may take. */
  time?: SearchTime | undefined;
  /** Cost of an edit that passes already: what costs far more is not tried. */
  passingCost?: number | undefined;
  /** Receives a line on how far it has come. */
  onGoing?: ((text: string) => void) | undefined;
}

/** Whether the tests are of a kind that can be searched. */
export const canSearch = (prepared: Preparation): boolean =>
  searcherOf(prepared) !== null && prepared.baseline.failing.length > 0;

/**
 * @param found receives what a search has found so far, each time an edit has passed, and at its end
 */
export const repositorySearchTool = (
  prepared: Preparation,
  workspace: Workspace,
  found: (findings: SearchFindings) => void,
  { time, passingCost, onGoing = () => {} }: SearchToolOptions = {},
): Tool => {
  const taken = new TakenEdits(workspace);
  return defineTool({
    name: SEARCH_EDITS,
    description: "Tries small edits of likely functions; `take` makes one that passed.",
    input: Input,
    run: async ({ path: file, line, tests = [], take }, signal) => {
      if (take !== undefined) return taken.take(take);
      const began = performance.now();
      const none = (status: string, output: string) => ({
        ...{ status, output, durationMs: performance.now() - began },
        data: untried(`${status}: ${output.trim().replace(/\s*\n\s*/g, ": ")}`),
      });
      const searcher = searcherOf(prepared, file);
      if (!searcher) return none("nothing was tried", "These tests cannot be searched.");
      if (time?.isUp) return none("nothing more was tried", `${time.explanation}.`);
      const now = await asItIsNow(prepared, workspace, signal);
      const asked = askedFor(now, tests);
      const failing = now.baseline.failing.map(({ name }) => name);
      const wanted = asked.baseline.failing.map(({ name }) => name);
      if (wanted.length === 0) {
        const why =
          failing.length === 0
            ? "No test fails any more."
            : `No failing test has the name ${tests.join(", ")}: ${listed(failing, MOST_NAMES)} fail.`;
        return none("nothing was tried", why);
      }
      const likely =
        file === undefined
          ? likeliest(asked, workspace, searcher)
          : placeAt(asked, workspace, searcher, file, line ?? 1);
      if (likely.length === 0) {
        const where = file === undefined ? noneOf(prepared) : `${file} has none there`;
        return none("nothing was tried", `Here search edits ${searcher.reads}: ${where}.`);
      }
      const places =
        file === undefined
          ? placesForAll(likely, (place) => place, asked, { isCompiled: isForCompiled(searcher) })
          : likely;
      const told = (found: FoundEdits): SearchFindings => ({
        ...found,
        edits: likeliestFirst(found.edits, { prose: prepared.issue, places }),
        failing,
        wanted,
      });
      if (places.length === 0) {
        const findings = told({ edits: [], functions: [], renewed: 0 });
        const status = `no function runs in all ${wanted.length} failing tests`;
        return { ...describeFindings(findings), status, durationMs: performance.now() - began };
      }
      const share = wanted.length < failing.length ? SOME_SHARE : 1;
      const inTime = (one: Searcher): Searcher => ({
        ...one,
        functionSeconds: share * (time ? (FIRST_SHARE * time.left) / places.length : one.functionSeconds),
        ...(one.otherwise && { otherwise: inTime(one.otherwise) }),
      });
      const findings = await searchIn(asked, inTime(searcher), workspace, places, {
        told: (some) => found(told(some)),
        onGoing: (text) => onGoing(time ? `${text}, ${Math.round(time.clockLeft)} s left` : text),
        time,
        passingCost,
        signal,
      });
      if (typeof findings === "string") return none("no result", findings);
      found(told(findings));
      taken.found(told(findings).edits);
      return { ...describeFindings(told(findings)), durationMs: performance.now() - began };
    },
  });
};

function noneOf({ suspects }: Preparation): string {
  const likely = suspects.slice(0, FUNCTIONS).map(({ file, name }) => `${name} of ${file}`);
  return likely.length === 0 ? "no function stands out" : `what is likeliest is none (${likely.join(", ")})`;
}

/** With the tests that fail in the work folder. */
async function asItIsNow(prepared: Preparation, workspace: Workspace, signal?: AbortSignal): Promise<Preparation> {
  const { base, suite, baseline } = prepared;
  const { source } = readPatch(base, workspace.root, workspace.changed, baseline.kinds);
  if (source.length === 0) return prepared;
  using tree = patched(base, source);
  const { tests } = await suite.run(tree.path, { only: baseline.failing, signal });
  const passes = ({ name }: TestResult) => tests.get(name)?.status === "passed";
  const failing = baseline.failing.filter((test) => !passes(test));
  return {
    ...prepared,
    baseline: { ...baseline, failing, passing: [...baseline.passing, ...baseline.failing.filter(passes)] },
  };
}

/** With those of the failing tests that are named, all where none is; and the suspects that run in them. */
function askedFor(prepared: Preparation, tests: readonly string[]): Preparation {
  const { baseline, evidence, suspects } = prepared;
  if (tests.length === 0) return prepared;
  const failing = baseline.failing.filter(({ name }) => tests.includes(name));
  const named = new Set(failing.map(({ name }) => name));
  const covered = evidence?.failing.filter(({ test }) => named.has(test)) ?? [];
  const isRun = ({ file, start, end }: SearchPlace) =>
    covered.some(({ lines }) => lines[file]?.some((line) => start <= line && line <= end));
  return {
    ...prepared,
    baseline: { ...baseline, failing },
    evidence: evidence && { ...evidence, failing: covered },
    suspects: covered.length === 0 ? suspects : suspects.filter(isRun),
  };
}

function likeliest({ suspects, suite }: Preparation, workspace: Workspace, searcher: Searcher): SearchPlace[] {
  const isByExitCode = isForCompiled(searcher) && suite.plan.framework === null;
  const isVerdict = (place: SearchPlace) => isByExitCode && endsProgram(place.name, textOf(workspace, place));
  const places = suspects.filter((one) => searcher.edits(one.file) && one.name !== TOP_LEVEL && !isVerdict(one));
  return places.flatMap((place) => whereNow(workspace, place)).slice(0, FUNCTIONS);
}

function textOf(workspace: Workspace, { file, start, end }: SearchPlace): string {
  const read = workspace.read(file);
  return "problem" in read
    ? ""
    : read.text
        .split("\n")
        .slice(start - 1, end)
        .join("\n");
}

/** A function of a file that was changed stands at other lines now, or nowhere. */
function whereNow(workspace: Workspace, place: SearchPlace): SearchPlace[] {
  const { file, name, start } = place;
  if (!workspace.changed.has(file)) return [place];
  const read = workspace.read(file);
  const named = "problem" in read ? [] : functionsOf(file, read.text).filter((one) => one.name === name);
  const distance = (one: { start: number }) => Math.abs(one.start - start);
  return named
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, 1)
    .map((one) => ({ ...one, file }));
}

function placeAt(
  { baseline }: Preparation,
  workspace: Workspace,
  searcher: Searcher,
  file: string,
  line: number,
): SearchPlace[] {
  const read = workspace.read(file);
  if ("problem" in read || !searcher.edits(file) || baseline.kinds.isTest(file)) return [];
  const place = functionAt(functionsOf(file, read.text), line);
  return place ? [{ file: read.name, ...place }] : [];
}
