/**
 * What lies behind a score: by bug type, way of ending, turns, visible against hidden tests, cost, unreadable replies.
 */

import type { Usage } from "../../../agent/run/usage.ts";
import { wilson } from "../../../utils/base/statistics/stats.ts";
import { NO_ANSWER } from "../../benchmark/scorer.ts";
import { isScored, type Result, type ScoredResult } from "../results.ts";
import { type ErrorCause, errorCauses } from "./causes.ts";
import { type Estimate, estimate, taskScores } from "./task_scores.ts";

/** Samples that share something, and how many of them passed. */
export interface Share {
  name: string;
  samples: number;
  passed: number;
}

/** Spread of one figure over the samples where it is known. */
export interface Spread {
  /** Number of samples for which the figure is known. */
  known: number;
  /** Null where the figure is unknown for any sample: without that part the sum would be wrong. */
  total: number | null;
  median: number | null;
  p90: number | null;
  max: number | null;
}

export interface Breakdown {
  bugTypes: (Share & { errors: number; estimate: Estimate })[];
  stops: Share[];
  outcomes: { name: string; samples: number }[];
  /**
   * By turns taken, ascending; `solvedWithin` is the share of all scored samples that passed in at most so many turns.
   */
  iterations: (Omit<Share, "name"> & { iterations: number; solvedWithin: number })[];
  visibleAndHidden: VisibleAndHidden;
  /** Of runs over repositories; null where no sample was set against the developer's program. */
  behaviour: Behaviour | null;
  usage: Record<"inputTokens" | "cachedInputTokens" | "outputTokens" | "costUsd" | "seconds", Spread>;
  formatErrors: ReplyCount[];
  /** Replies by the dialect that read them. */
  dialects: ReplyCount[];
  /** Replies by the model and fingerprint that the server names. */
  answeredBy: ReplyCount[];
  /** Of samples without a score. */
  errors: ErrorCause[];
}

interface ReplyCount {
  kind: string;
  replies: number;
  samples: number;
}

/** Outcome of the visible tests (rows) against that of the hidden ones. */
export interface VisibleAndHidden {
  bothPass: number;
  /** Passed the visible tests and failed the hidden ones. */
  visibleOnly: number;
  hiddenOnly: number;
  neither: number;
  /** Of `neither`, those without a program to test. */
  unanswered: number;
  /**
   * `visibleOnly` among the visible passes, null where there were none. Wilson's interval asks for samples that are
   * independent: it is null where a task has several.
   */
  misled: { value: number; interval: [number, number] | null } | null;
}

/**
 * Answers in repositories against the developer's program, by the whole suite of the fix. Where no test tells them
 * apart they may still differ: only `overfit` is a proof.
 */
export interface Behaviour {
  alike: number;
  overfit: number;
  /** Resolved, no test differs, and a check against forged passes could not be made. */
  unchecked: number;
  /** Resolved, but the suite of the fix cannot tell whether it does the same as the fix. */
  unknown: number;
  /** Not resolved. */
  none: number;
  /**
   * Of the answers that were called repairs, and of those that were called suggestions: how many there are, and are
   * alike.
   */
  repairs: { samples: number; alike: number };
  suggestions: { samples: number; alike: number };
}

/** @param results the latest of each sample */
export function breakDown(results: readonly Result[]): Breakdown {
  const scored = results.filter(isScored);
  // A sample that failed after calls of the model was paid for, too.
  const paid = results.flatMap((result) =>
    result.usage && (isScored(result) || result.usage.modelCalls > 0) ? result.usage : [],
  );
  const usage = (key: keyof Usage) => spread(paid.map((one) => one[key]));
  return {
    bugTypes: byBugType(results),
    stops: shares(scored, ({ stop }) => stop),
    outcomes: shares(scored, ({ outcome }) => outcome).map(({ name, samples }) => ({ name, samples })),
    iterations: byIterations(scored),
    visibleAndHidden: visibleAndHidden(scored),
    behaviour: behaviour(scored),
    usage: {
      inputTokens: usage("inputTokens"),
      cachedInputTokens: usage("cachedInputTokens"),
      outputTokens: usage("outputTokens"),
      costUsd: usage("costUsd"),
      seconds: usage("seconds"),
    },
    formatErrors: replyCounts(scored.map(({ format_errors }) => format_errors)),
    dialects: replyCounts(scored.map(({ dialects = {} }) => dialects)),
    answeredBy: replyCounts(scored.map(({ answered_by = {} }) => answered_by)),
    errors: errorCauses(results),
  };
}

const groupBy = <T>(items: readonly T[], key: (item: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups].sort(([a, x], [b, y]) => y.length - x.length || a.localeCompare(b, "en"));
};

const passes = (scored: readonly ScoredResult[]) => scored.filter(({ passed }) => passed).length;

/** Largest group first. */
const shares = (scored: readonly ScoredResult[], key: (result: ScoredResult) => string): Share[] =>
  groupBy(scored, key).map(([name, group]) => ({ name, samples: group.length, passed: passes(group) }));

function byBugType(results: readonly Result[]): Breakdown["bugTypes"] {
  return groupBy(results, ({ bug_type }) => bug_type).map(([name, group]) => {
    const scored = group.filter(isScored);
    return {
      name,
      samples: scored.length,
      passed: passes(scored),
      errors: group.length - scored.length,
      estimate: estimate(taskScores(group)),
    };
  });
}

function byIterations(scored: readonly ScoredResult[]): Breakdown["iterations"] {
  let solved = 0;
  return shares(scored, ({ iterations }) => String(iterations))
    .map(({ name, ...share }) => ({ iterations: Number(name), ...share }))
    .sort((a, b) => a.iterations - b.iterations)
    .map((share) => {
      solved += share.passed;
      return { ...share, solvedWithin: solved / scored.length };
    });
}

function visibleAndHidden(scored: readonly ScoredResult[]): VisibleAndHidden {
  const count = (visible: boolean, hidden: boolean) =>
    scored.filter(({ verified, passed }) => verified === visible && passed === hidden).length;
  const bothPass = count(true, true);
  const visibleOnly = count(true, false);
  const visible = bothPass + visibleOnly;
  const independent = new Set(scored.map(({ task_id }) => task_id)).size === scored.length;
  const interval = visible > 0 && independent ? wilson(visibleOnly, visible) : null;
  return {
    bothPass,
    visibleOnly,
    hiddenOnly: count(false, true),
    neither: count(false, false),
    unanswered: scored.filter(({ explanation }) => explanation === NO_ANSWER).length,
    misled: visible === 0 ? null : { value: visibleOnly / visible, interval },
  };
}

function behaviour(scored: readonly ScoredResult[]): Behaviour | null {
  if (!scored.some(({ overfit }) => overfit !== undefined)) return null;
  const same = scored.filter(({ overfit }) => overfit === false);
  const alike = same.filter(({ unchecked }) => unchecked === undefined);
  const answers = scored.filter(({ verified }) => verified);
  const among = (samples: readonly ScoredResult[]) => ({
    samples: samples.length,
    alike: samples.filter((one) => alike.includes(one)).length,
  });
  return {
    alike: alike.length,
    overfit: scored.filter(({ overfit }) => overfit === true).length,
    unchecked: same.length - alike.length,
    unknown: scored.filter(({ passed, overfit }) => passed && typeof overfit !== "boolean").length,
    none: scored.filter(({ passed }) => !passed).length,
    repairs: among(answers.filter(({ doubt }) => doubt === undefined)),
    suggestions: among(answers.filter(({ doubt }) => doubt !== undefined)),
  };
}

function spread(values: readonly (number | null)[]): Spread {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const complete = known.length === values.length && known.length > 0;
  return {
    known: known.length,
    total: complete ? known.reduce((sum, value) => sum + value, 0) : null,
    median: quantile(known, 0.5),
    p90: quantile(known, 0.9),
    max: known.at(-1) ?? null,
  };
}

/** Linear between the two nearest values: definition 7 of Hyndman and Fan 1996. */
function quantile(sorted: readonly number[], q: number): number | null {
  const position = (sorted.length - 1) * q;
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  return low === undefined || high === undefined ? null : low + (high - low) * (position % 1);
}

function replyCounts(counts: readonly Record<string, number>[]): ReplyCount[] {
  return groupBy(counts.flatMap(Object.entries<number>), ([kind]) => kind)
    .map(([kind, group]) => ({ kind, replies: group.reduce((sum, [, n]) => sum + n, 0), samples: group.length }))
    .sort((a, b) => b.replies - a.replies);
}
