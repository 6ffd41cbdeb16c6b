/** What a meta run came to, for a program and in one sentence for a person. */

import { percent, plural } from "../../utils/base/text/format.ts";
import type { RunState } from "./log.ts";

/** @returns the line for a program, the sentence for a person */
export function describeOutcome(state: RunState): { line: Record<string, unknown>; text: string } {
  const { champion, sealed, spent, settled } = state;
  const verdicts: Record<string, number> = {};
  for (const { verdict } of settled) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const count = Object.entries(verdicts).map(([verdict, times]) => `${times} ${verdict}`);
  const children = `${plural(settled.length, "child", "children")}: ${count.join(", ") || "none judged"}.`;
  const parts = [
    children,
    champion === 0 ? UNCHANGED : `Champion: agent ${champion}.`,
    ...(sealed ? [describeSealed(sealed)] : []),
  ];
  const used = { cost_usd: spent.costUsd, tokens: spent.tokens };
  return { line: { children: settled.length, verdicts, champion, sealed, ...used }, text: parts.join(" ") };
}

const UNCHANGED =
  "No child was shown to be better, so the first agent stays the champion and the sealed split stays closed.";

function describeSealed({ first, last, tasks, wins, losses, p }: NonNullable<RunState["sealed"]>): string {
  return (
    `On the ${tasks} sealed tasks: first agent ${percent(first, 1)}, champion ${percent(last, 1)} (${wins} won, ` +
    `${losses} lost, one-sided p = ${p.toPrecision(2)}).`
  );
}
