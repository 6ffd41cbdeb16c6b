/** Chooses among edits that pass the visible tests: ranks them, and finds those that behave differently. */

import type { Change } from "../edits/edit.ts";
import type { Priors } from "../knowledge.ts";
import { changedLines, type FoundEdit, type OtherEdit, type Splice } from "../result.ts";
import { withoutAbsurd } from "./absurd.ts";
import { type Behaviour, differingInput, isOpaque, isSame, newError, readable, valueOn } from "./behaviour.ts";
import { scoreOf, sizeOf, type Wording } from "./score.ts";
import { withoutTwins } from "./twins.ts";

/** An edit that passes; offsets of its changes are in UTF-16. */
export interface PassingEdit {
  operator: string;
  cost: number;
  changes: readonly Change[];
  /** The whole program with it. */
  program: string;
  behaviour: Behaviour;
}

/** What edits are compared with. */
export interface Comparison extends Wording {
  program: string;
  priors: Priors;
  /** Arguments near the tests', in parentheses. */
  inputs: readonly string[];
  /** Results of the unchanged program on these. */
  unchanged: Behaviour;
  /** Whether the unchanged program passes the tests: then an edit that changes no result repairs nothing. */
  isPassing: boolean;
  /** Edits that cost more come behind all others. Default: none do. */
  limit?: number;
}

export type RankedEdit<E extends PassingEdit> = E & {
  isUnchanged: boolean;
  /** The less the likelier. */
  score: number;
  /** Arguments for which it raises an error and the program does not. */
  breaks?: string | undefined;
};

/** Extra cost of an edit that leaves a passing program's behaviour unchanged. */
const IDLE = 4;
/** A smaller edit leads if its score is at most this much higher, and inputs near the tests' show no difference. */
const AS_LIKELY = 1.5;
/** Edits to report that behave differently from the first, each with an input. */
const MOST_OTHERS = 4;

/**
 * The likeliest first: of each behaviour one edit, of those that do what the likeliest does and are nearly as likely
 * the smallest; then the rest. Absurd edits are left out beside others.
 */
export function ranked<E extends PassingEdit>(edits: readonly E[], compared: Comparison): RankedEdit<E>[] {
  const { program, inputs, unchanged, limit = Number.POSITIVE_INFINITY, isPassing, prose } = compared;
  const isFar = ({ cost }: E) => Number(cost > limit);
  const textsOf = ({ program: after }: E) => ({ before: program, after });
  const sorted = withoutAbsurd(withoutTwins(edits, textsOf), textsOf, prose)
    .map((edit): RankedEdit<E> => {
      const isUnchanged = inputs.length > 0 && isSame(edit.behaviour, unchanged);
      const score = scoreOf(edit, program, compared, compared.priors, isUnchanged);
      const breaks = raises(edit) ? undefined : newError(inputs, unchanged, edit.behaviour);
      return { ...edit, isUnchanged, breaks, score: score + (isUnchanged && isPassing ? IDLE : 0) };
    })
    .toSorted((a, b) => isFar(a) - isFar(b) || a.score - b.score);
  const [likeliest] = sorted;
  if (!likeliest || inputs.length === 0) return sorted;
  const isLike = ({ behaviour }: E) => isSame(behaviour, likeliest.behaviour);
  const first = smallest(sorted, {
    scoreOf: ({ score }) => score,
    sizeOf: (one) => sizeOf(one, program),
    isLike: (one) => isLike(one) && isFar(one) === isFar(likeliest),
  });
  const rest = sorted.filter((one) => one !== first);
  const isNew = (one: E, at: number) =>
    isFar(one) === 0 && !isLike(one) && rest.findIndex(({ behaviour }) => isSame(behaviour, one.behaviour)) === at;
  return [...(first ? [first] : []), ...rest.filter(isNew), ...rest.filter((one, at) => !isNew(one, at))];
}

/**
 * The smallest of the edits that do what the likeliest does and are nearly as likely.
 * @param sorted the likeliest first
 */
export function smallest<E>(
  sorted: readonly E[],
  of: { scoreOf: (edit: E) => number; sizeOf: (edit: E) => number; isLike: (edit: E) => boolean },
): E | undefined {
  const [likeliest] = sorted;
  if (likeliest === undefined) return undefined;
  const most = of.scoreOf(likeliest) + AS_LIKELY;
  const alike = sorted.filter((one) => one === likeliest || (of.scoreOf(one) <= most && of.isLike(one)));
  return alike.toSorted((a, b) => of.sizeOf(a) - of.sizeOf(b))[0];
}

/** Whether an edit raises an error on purpose. */
const raises = ({ changes }: PassingEdit): boolean =>
  changes.some(({ text }) => /\b(?:raise|throw|panic)\b/.test(text));

/** A ranked edit as a search reports it. */
export function foundEdit(edit: RankedEdit<PassingEdit>, { program, inputs }: Comparison): FoundEdit {
  return {
    splices: splicesOf(program, edit),
    operator: edit.operator,
    cost: edit.cost,
    score: edit.score,
    ...changedLines(program, edit.program),
    // A step of the graph holds the result as JSON, which has no undefined.
    ...(edit.breaks !== undefined && { breaks: edit.breaks }),
    features: {
      // Without a comparison no edit is known to change the behaviour.
      ...((edit.isUnchanged || inputs.length === 0) && { unchanged: 1 }),
      ...(isOpaque(edit.behaviour) && { opaque: 1 }),
    },
  };
}

/** Edits that behave differently from the first and from each other, each with an input that shows it. */
export function otherEdits(
  [first, ...rest]: readonly PassingEdit[],
  { program, inputs }: Pick<Comparison, "program" | "inputs">,
): OtherEdit[] {
  if (!first) return [];
  const found: { one: PassingEdit; at: number }[] = [];
  for (const one of rest) {
    const at = differingInput(inputs, first.behaviour, one.behaviour);
    const isKnown = found.some((other) => isSame(other.one.behaviour, one.behaviour));
    if (at !== null && !isKnown && found.length < MOST_OTHERS) found.push({ one, at });
  }
  const valueText = ({ behaviour }: PassingEdit, at: number) => readable(behaviour[at] ?? "");
  const named = ({ behaviour }: PassingEdit, at: number) =>
    inputs[at] === readable(inputs[at] ?? "") ? valueOn(behaviour, at) : null;
  return found.map(({ one, at }) => ({
    splices: splicesOf(program, one),
    input: readable(inputs[at] ?? ""),
    gives: valueText(one, at),
    best_gives: valueText(first, at),
    on_each: found.map((other): [string | null, string | null] => [named(first, other.at), named(one, other.at)]),
  }));
}

/** In code points, as a result holds them. */
export function splicesOf(program: string, { changes }: Pick<PassingEdit, "changes">): Splice[] {
  const point = (offset: number) => Array.from(program.slice(0, offset)).length;
  return changes
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }): Splice => [point(start), point(end), text]);
}
