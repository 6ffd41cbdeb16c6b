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
  const forgeable = forgeableOf(state);
  const parts = [
    children,
    champion === 0 ? UNCHANGED : `Champion: agent ${champion}.`,
    ...(sealed ? [describeSealed(sealed)] : []),
    ...(forgeable ? [describeForgeable(forgeable)] : []),
  ];
  const used = { cost_usd: spent.costUsd, tokens: spent.tokens };
  return { line: { children: settled.length, verdicts, champion, sealed, forgeable, ...used }, text: parts.join(" ") };
}

interface Forgeable {
  tasks: number;
  /** Mean scores of A_0 and of the champion. */
  first: number;
  champion: number | null;
}

/** What was measured on tasks that decide nothing; null where there are none. */
function forgeableOf(state: RunState): Forgeable | null {
  const scores = (n: number) => {
    const tree = state.agents[n]?.tree;
    const own = [...state.measured.values()].filter((one) => one.split === "forgeable" && one.tree === tree);
    return own.map(({ score }) => score);
  };
  const mean = (all: readonly number[]) => all.reduce((sum, score) => sum + score, 0) / all.length;
  const [first, last] = [scores(0), scores(state.champion)];
  if (first.length === 0) return null;
  return { tasks: first.length, first: mean(first), champion: last.length === first.length ? mean(last) : null };
}

const describeForgeable = ({ tasks, first, champion }: Forgeable): string =>
  `On ${plural(tasks, "task")} that an agent could forge, which decided nothing: A_0 ` +
  `${percent(first, 1)}, champion ${champion === null ? "not measured" : percent(champion, 1)}.`;

const UNCHANGED = "No child was shown to be better, so A_0 stays the champion and the sealed split stays closed.";

function describeSealed({ first, last, tasks, wins, losses, p }: NonNullable<RunState["sealed"]>): string {
  return (
    `On the ${tasks} sealed tasks: A_0 ${percent(first, 1)}, champion ${percent(last, 1)} (${wins} won, ` +
    `${losses} lost, one-sided p = ${p.toPrecision(2)}).`
  );
}
