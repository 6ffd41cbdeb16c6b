/** Compares two runs task by task, on the tasks that both have a score for. */

import { bootstrapMean, FEW_VALUES, signFlipTest, spanning } from "../../../utils/base/statistics/bootstrap.ts";
import {
  mcnemarExact,
  pairedDifferenceInterval,
  smallestDetectable,
  smallestSignificant,
} from "../../../utils/base/statistics/stats.ts";
import { count } from "../../../utils/base/text/format.ts";
import type { Run } from "../load_run.ts";
import { type Manifest, type SettingDifference, settingsThatDiffer, solverName } from "../manifest.ts";
import { isScored } from "../results.ts";
import { type Breakdown, breakDown } from "../summary/breakdown.ts";
import { type Estimate, estimate, type TaskScore, taskScores } from "../summary/task_scores.ts";

/** One of the two runs, seen on the shared tasks. */
export interface Side {
  name: string;
  model: string;
  score: Estimate;
  passed: number;
  samples: number;
  usage: Breakdown["usage"];
  /** The models that the server says replied, each with its fingerprint. */
  answeredBy: string[];
  /** Samples of the whole run without a score, and those it still has to do. */
  errors: number;
  missing: number;
  /** Tasks of the whole run that could not be scored. */
  leftOut: number;
}

/** A task that the two runs solved differently often. */
export interface Flip {
  taskId: string;
  bugType: string;
  /** Passed and drawn samples. */
  a: [passed: number, samples: number];
  b: [passed: number, samples: number];
}

export interface Comparison {
  a: Side;
  b: Side;
  protocol: string;
  shown: string;
  dataset: string;
  differences: Difference[];
  /** Tasks that both runs scored. */
  shared: number;
  /** Tasks that only one run has a score for. */
  onlyA: string[];
  onlyB: string[];
  /** Score of B minus score of A; null without shared tasks. */
  difference: {
    value: number;
    /** 95%: Newcombe's for pairs; for runs of several attempts a paired bootstrap over tasks, of few tasks both. */
    interval: [number, number];
    p: number;
    test: "exact McNemar" | "exact sign-flip over tasks" | `${string} random sign flips over tasks`;
    significant: boolean;
  } | null;
  gained: Flip[];
  lost: Flip[];
  /** Of McNemar's test; null for runs of several attempts with enough tasks. */
  power: {
    /** Smallest observed difference that could be significant with so many tasks. */
    smallestSignificant: number | null;
    /** Smallest true difference found four times in five, if as many tasks flip as here. */
    smallestDetectable: number | null;
  } | null;
}

const LEVEL = 0.05;

/** @param b the run that is asked about: gains and differences are B against A */
export function compareRuns(a: Run, b: Run): Comparison {
  const pairs = pair(taskScores(a.results), taskScores(b.results));
  const shared = pairs.flatMap((both) => (both.a && both.b ? { a: both.a, b: both.b } : []));
  const moved = shared.filter((both) => rate(both.a) !== rate(both.b));
  const power = powerOf(shared.length, moved.length);
  return {
    a: side(
      a,
      shared.map((both) => both.a),
    ),
    b: side(
      b,
      shared.map((both) => both.b),
    ),
    protocol: b.manifest.decides.protocol,
    shown: b.manifest.decides.shown,
    dataset: b.manifest.decides.dataset.name,
    differences: differences(a.manifest, b.manifest),
    shared: shared.length,
    onlyA: pairs.flatMap((both) => (both.a && !both.b ? both.a.taskId : [])),
    onlyB: pairs.flatMap((both) => (both.b && !both.a ? both.b.taskId : [])),
    difference: difference(shared),
    gained: moved.filter((both) => rate(both.b) > rate(both.a)).map(flip),
    lost: moved.filter((both) => rate(both.b) < rate(both.a)).map(flip),
    // With so few tasks the test of several attempts cannot reach the level either.
    power: shared.every(single) || power.smallestSignificant === null ? power : null,
  };
}

interface Pair {
  a: TaskScore;
  b: TaskScore;
}

/** Tasks by id, each with what the two runs know of it: no score is not known. */
function pair(
  a: readonly TaskScore[],
  b: readonly TaskScore[],
): { a?: TaskScore | undefined; b?: TaskScore | undefined }[] {
  const scored = (tasks: readonly TaskScore[]) =>
    new Map(tasks.filter(({ samples }) => samples > 0).map((task) => [task.taskId, task]));
  const [inA, inB] = [scored(a), scored(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].map((id) => ({ a: inA.get(id), b: inB.get(id) }));
}

const single = ({ a, b }: Pair) => a.samples === 1 && b.samples === 1;

const powerOf = (tasks: number, flips: number) => ({
  smallestSignificant: smallestSignificant(tasks, LEVEL),
  smallestDetectable: smallestDetectable({ tasks, flipped: flips / Math.max(1, tasks), alpha: LEVEL }),
});

const rate = ({ passed, samples }: TaskScore) => passed / samples;

const flip = ({ a, b }: Pair): Flip => ({
  taskId: a.taskId,
  bugType: a.bugType,
  a: [a.passed, a.samples],
  b: [b.passed, b.samples],
});

function difference(shared: readonly Pair[]): Comparison["difference"] {
  if (shared.length === 0) return null;
  const each = shared.map(({ a, b }) => rate(b) - rate(a));
  const gained = each.filter((change) => change > 0).length;
  const lost = each.filter((change) => change < 0).length;
  return {
    value: each.reduce((sum, change) => sum + change, 0) / each.length,
    interval: differenceInterval(shared, each),
    ...(shared.every(single) ? withLevel(mcnemarExact(gained, lost), "exact McNemar") : signFlips(each)),
  };
}

const withLevel = <Test>(p: number, test: Test) => ({ p, test, significant: p <= LEVEL });

function signFlips(each: readonly number[]) {
  const { p, draws } = signFlipTest(each);
  if (draws === null) return withLevel(p, "exact sign-flip over tasks" as const);
  return withLevel(p, `${count(draws)} random sign flips over tasks` as const);
}

function differenceInterval(shared: readonly Pair[], each: readonly number[]): [number, number] {
  const ofPairs = intervalOf(shared);
  // A bootstrap of equal changes has nothing to vary.
  if (shared.every(single) || new Set(each).size === 1) return ofPairs;
  const drawn = bootstrapMean(each);
  return each.length < FEW_VALUES ? spanning(drawn, ofPairs) : drawn;
}

/** Of several attempts at a task, shares count as parts of a task. */
function intervalOf(shared: readonly Pair[]): [number, number] {
  const sum = (part: (a: number, b: number) => number) =>
    shared.reduce((total, { a, b }) => total + part(rate(a), rate(b)), 0);
  return pairedDifferenceInterval({
    both: sum(Math.min),
    onlyFirst: sum((a, b) => Math.max(0, a - b)),
    onlySecond: sum((a, b) => Math.max(0, b - a)),
    neither: sum((a, b) => 1 - Math.max(a, b)),
  });
}

function side(run: Run, tasks: readonly TaskScore[]): Side {
  const ids = new Set(tasks.map(({ taskId }) => taskId));
  const errors = run.results.filter((result) => !isScored(result)).length;
  const { usage, answeredBy } = breakDown(run.results.filter((result) => ids.has(result.task_id)));
  return {
    name: run.name,
    model: solverName(run.manifest),
    score: estimate(tasks),
    passed: tasks.reduce((sum, { passed }) => sum + passed, 0),
    samples: tasks.reduce((sum, { samples }) => sum + samples, 0),
    usage,
    answeredBy: answeredBy.map(({ kind }) => kind).sort(),
    errors,
    missing: run.expected - run.results.length,
    leftOut: run.manifest.decides.dataset.left_out?.length ?? 0,
  };
}

export interface Difference extends SettingDifference {
  /** True where it changes what the models were shown: then the scores do not compare. */
  material: boolean;
}

/** Settings that decide what a model is shown. */
const MATERIAL = /^(protocol|shown|dataset\.sha256|few_shot(\..*)?)$/;
/** Not a setting, or said elsewhere: which samples there are, and the name of a dataset whose content is the same. */
const SILENT = /^(samples|dataset\.name)$/;

/** What differs, what was shown first. */
export function differences(a: Manifest, b: Manifest): Difference[] {
  return settingsThatDiffer(a.decides, b.decides)
    .filter(({ setting }) => !SILENT.test(setting))
    .map((difference) => ({ ...difference, material: MATERIAL.test(difference.setting) }))
    .sort((x, y) => Number(y.material) - Number(x.material));
}
