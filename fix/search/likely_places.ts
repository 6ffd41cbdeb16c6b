/** The functions that a search tries, and the tests that it tries them by, as a work folder is now. */

import type { Workspace } from "../../agent/tools/workspace.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isCompiled } from "../../utils/search/tables.ts";
import { limitedTo, type Preparation } from "../attempts/prepare.ts";
import { endsProgram } from "../places/ends_program.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import { functionAt, functionsOf, type PlaceInFile } from "../project/functions.ts";
import { patched, readPatch } from "../project/patch.ts";
import type { Searcher } from "./searchers.ts";

/** Functions that are searched at a time. */
export const FUNCTIONS = 5;

export const isForCompiled = ({ by }: Searcher): boolean => typeof by === "string" && isCompiled(by);

/** With the tests that fail in the work folder. */
export async function asItIsNow(
  prepared: Preparation,
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<Preparation> {
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
export function limitedToTests(prepared: Preparation, tests: readonly string[]): Preparation {
  if (tests.length === 0) return prepared;
  const limited = limitedTo(
    prepared,
    prepared.baseline.failing.filter(({ name }) => tests.includes(name)),
  );
  const covered = limited.evidence?.failing ?? [];
  const isRun = ({ file, start, end }: PlaceInFile) =>
    covered.some(({ lines }) => lines[file]?.some((line) => start <= line && line <= end));
  return covered.length === 0 ? limited : { ...limited, suspects: limited.suspects.filter(isRun) };
}

/** The likeliest that can be edited, without a program's own checks where its exit code is the only test. */
export function likeliestPlaces(
  { suspects, suite }: Preparation,
  workspace: Workspace,
  searcher: Searcher,
): PlaceInFile[] {
  const isByExitCode = isForCompiled(searcher) && suite.plan.framework === null;
  const isVerdict = (place: PlaceInFile) => isByExitCode && endsProgram(place.name, textOf(workspace, place));
  const places = suspects.filter((one) => searcher.edits(one.file) && one.name !== TOP_LEVEL && !isVerdict(one));
  return places.flatMap((place) => whereNow(workspace, place)).slice(0, FUNCTIONS);
}

/** Why there is none among them. */
export function noPlaces({ suspects }: Preparation): string {
  const likely = suspects.slice(0, FUNCTIONS).map(({ file, name }) => `${name} of ${file}`);
  return likely.length === 0 ? "no function stands out" : `what is likeliest is none (${likely.join(", ")})`;
}

function textOf(workspace: Workspace, { file, start, end }: PlaceInFile): string {
  const read = workspace.read(file);
  return "problem" in read
    ? ""
    : read.text
        .split("\n")
        .slice(start - 1, end)
        .join("\n");
}

/** A function of a file that was changed stands at other lines now, or nowhere. */
function whereNow(workspace: Workspace, place: PlaceInFile): PlaceInFile[] {
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

export function placeAt(
  { baseline }: Preparation,
  workspace: Workspace,
  searcher: Searcher,
  { file, line }: { file: string; line: number },
): PlaceInFile[] {
  const read = workspace.read(file);
  if ("problem" in read || !searcher.edits(file) || baseline.kinds.isTest(file)) return [];
  const place = functionAt(functionsOf(file, read.text), line);
  return place ? [{ file: read.name, ...place }] : [];
}
