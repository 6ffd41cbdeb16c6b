/** Which tasks an agent may learn from, which decide about it, and which stay closed to the end. */

import { createHash } from "node:crypto";
import { UserError } from "../../../utils/base/data/errors.ts";

export const SPLITS = ["dev", "validation", "sealed"] as const;
export type Split = (typeof SPLITS)[number];

export type Shares = Record<Split, number>;

/** Sizes for HumanEvalFix's 164 tasks; other sets are cut in the same proportion. */
const SHARES: Shares = { dev: 64, validation: 50, sealed: 50 };

/** `15,55,30`: shares in the order of the splits, in any unit. @throws UserError */
export function readShares(text: string | undefined): Shares {
  if (text === undefined) return SHARES;
  const [dev = 0, validation = 0, sealed = 0, ...more] = text.split(",").map(Number);
  if (more.length > 0 || ![dev, validation, sealed].every((share) => share > 0 && Number.isFinite(share)))
    throw new UserError(`--split ${text}: give three shares above 0, dev,validation,sealed, such as 15,55,30.`);
  return { dev, validation, sealed };
}

/**
 * Splits tasks by a hash of their id: the same set is always cut in the same way, in whatever order it comes. Few-shot
 * examples must have been taken out before. Sizes are rounded by largest remainder, dev first.
 */
export function splitTasks<Item extends { id: string }>(
  tasks: readonly Item[],
  shares = SHARES,
): Record<Split, Item[]> {
  const shuffled = tasks
    .map((task) => ({ task, rank: createHash("sha256").update(`split\0${task.id}`).digest("hex") }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ task }) => task);
  const [dev, validation] = sizes(shuffled.length, shares);
  return {
    dev: shuffled.slice(0, dev),
    validation: shuffled.slice(dev, dev + validation),
    sealed: shuffled.slice(dev + validation),
  };
}

function sizes(total: number, shares: Shares): [dev: number, validation: number] {
  const all = SPLITS.reduce((sum, split) => sum + shares[split], 0);
  const exact = SPLITS.map((split) => (total * shares[split]) / all);
  const counts = exact.map(Math.floor);
  const order = SPLITS.map((_, i) => i).sort((a, b) => rest(exact, b) - rest(exact, a) || a - b);
  let missing = total - counts.reduce((sum, count) => sum + count, 0);
  for (const i of order) {
    if (missing === 0) break;
    counts[i] = (counts[i] ?? 0) + 1;
    missing -= 1;
  }
  return [counts[0] ?? 0, counts[1] ?? 0];
}

const rest = (exact: readonly number[], i: number): number => (exact[i] ?? 0) % 1;
