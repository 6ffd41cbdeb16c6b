/** Bugs planted in a repository whose tests pass: each makes a test fail that passed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PrepareOptions, prepareRepository } from "../../../fix/attempts/prepare.ts";
import { functionsOf, isSource } from "../../../fix/project/functions.ts";
import { isTestName } from "../../../fix/project/kinds.ts";
import { type FileChange, patched } from "../../../fix/project/patch.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { isFail, isPass } from "../../../utils/frameworks/test_run.ts";
import { bugsIn, type FunctionLines, KINDS, withBugs } from "./bugs.ts";

export interface PlantedBug {
  kind: string;
  function: string;
  /** From the right text to the buggy one. */
  change: FileChange & { before: string; after: string };
  /** Tests that show it. */
  failing: number;
}

interface Place extends FunctionLines {
  name: string;
  covered: ReadonlySet<number>;
}

/** Bugs that are drawn for one that is kept. */
const MOST_DRAWN = 12;
/** Times as long as they take, tests with a bug may take: one that hangs is drawn again. */
const SLOWER = 4;
/** Tests that tell which lines are run. */
const MOST_WATCHED = 150;

/**
 * Draws a kind, a function that a test runs, and a bug of the kind on a line that a test runs. What no test shows, or
 * what keeps tests from being loaded, is drawn again.
 * @param suiteSeconds most processor time that all tests may take
 * @throws UserError where the tests do not run, or take longer
 */
export async function plantBugs(
  options: PrepareOptions,
  { count, seed, suiteSeconds }: { count: number; seed: number; suiteSeconds: number },
): Promise<PlantedBug[]> {
  using prepared = await prepareRepository({ ...options, issue: "" });
  const { base, suite, baseline } = prepared;
  const { cpuSeconds } = baseline.run;
  if (cpuSeconds > suiteSeconds) throw new UserError(`its tests take ${cpuSeconds.toFixed(0)} s`);
  // Evenly from all: watched tests are slow.
  const only = baseline.passing.filter((_, i, { length }) => i % Math.ceil(length / MOST_WATCHED) === 0);
  const { covered } = await suite.run(base, { only, coverage: true });
  const places = placesIn(base, covered);
  const next = randomUint32(seed);
  const draw = <T>(from: readonly T[]): T | undefined => from[next() % Math.max(1, from.length)];
  const passing = new Set(baseline.passing.map(({ name }) => name));
  const found: PlantedBug[] = [];
  for (let drawn = 0; found.length < count && drawn < count * MOST_DRAWN; drawn++) {
    const kind = draw(KINDS) ?? "name";
    const place = draw(places);
    if (!place) break;
    const all = bugsIn(base, place, place.covered).filter((bug) => kind === "two" || bug.kind === kind);
    const first = draw(all);
    const second = kind === "two" ? draw(all) : null;
    if (!first || second === undefined || (second && first.start < second.end && second.start < first.end)) continue;
    const before = readFileSync(join(base, place.file), "utf8");
    const after = withBugs(before, second ? [first, second] : [first]);
    const change = { file: place.file, before, after };
    if (found.some((one) => one.change.after === after)) continue;
    using tree = patched(base, [change]);
    const { tests, fatal } = await suite.run(tree.path, { seconds: SLOWER * cpuSeconds });
    const failing = [...tests.values()].filter((test) => isFail(test) && passing.has(test.name)).length;
    const isShown = failing > 0 && fatal === null && [...tests.values()].some(isPass);
    if (isShown) found.push({ kind, function: place.name, change, failing });
  }
  return found;
}

function placesIn(base: string, covered: readonly { lines: Record<string, number[]> }[]): Place[] {
  const lines = new Map<string, Set<number>>();
  for (const one of covered)
    for (const [file, ran] of Object.entries(one.lines)) {
      const known = lines.get(file) ?? new Set();
      lines.set(file, known);
      for (const line of ran) known.add(line);
    }
  return [...lines]
    .filter(([file]) => isSource(file) && !isTestName(file))
    .flatMap(([file, ran]) => {
      const places = functionsOf(file, readFileSync(join(base, file), "utf8"));
      return places.map(({ name, start, end }) => {
        const inside = [...ran].filter((line) => start < line && line <= end);
        return { file, name, start, end, covered: new Set(inside) };
      });
    })
    .filter((place) => place.covered.size > 0);
}
