/** Which of several candidate programs to submit: those that do the same are one vote together. Pure: no I/O. */

import { diffChars } from "diff";
import { largest } from "../../../utils/base/data/extremes.ts";
import type { LanguageName } from "../../../utils/languages/language.ts";

/** Languages whose programs can be compared alone. */
export const COMPARED: readonly LanguageName[] = ["python"];

export interface Option {
  /** Number of the candidate. */
  candidate: number;
  program: string;
  /** What it does on each input; shorter where it did not come to the end of them. */
  outcomes: readonly string[];
  /** Size of its edit, see `editSize`. */
  edit: number;
}

export interface ChosenCandidate {
  chosen: number;
  /** Candidates that do the same, largest group first; of equal ones that with the shortest edit. */
  groups: number[][];
  /** Inputs that were compared: those on which most candidates return something. */
  compared: number;
  /** One sentence. */
  why: string;
}

/**
 * The shortest edit of the largest group. Programs are in one group where they do the same on every compared input; an
 * input on which most of them raise is taken to lie outside of what the function is for. Ties: the shorter edit, then
 * the earlier candidate.
 * Source: Xia et al. 2024, "Agentless", patch validation (a majority vote over the patches that pass the tests); votes
 * by behaviour instead of by text as in Li et al. 2022, "AlphaCode", clustering.
 * @param options at least one
 */
export function choose(options: readonly Option[]): ChosenCandidate {
  const inputs = largest(options.map(({ outcomes }) => outcomes.length));
  const compared = Array.from({ length: inputs }, (_, i) => i).filter((i) => isInDomain(options, i));
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const key = inputs === 0 ? option.program.trim() : JSON.stringify(compared.map((i) => option.outcomes[i] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  const ranked = [...groups.values()]
    .map((group) => group.toSorted((a, b) => a.edit - b.edit || a.candidate - b.candidate))
    .sort((a, b) => b.length - a.length || shortest(a) - shortest(b) || first(a) - first(b));
  const chosen = first(ranked[0] ?? []);
  return {
    chosen,
    groups: ranked.map((group) => group.map(({ candidate }) => candidate)),
    compared: compared.length,
    why: explain(ranked, compared.length),
  };
}

const shortest = ([best]: readonly Option[]): number => best?.edit ?? Infinity;
const first = ([best]: readonly Option[]): number => best?.candidate ?? -1;

const isInDomain = (options: readonly Option[], i: number): boolean =>
  options.filter(({ outcomes }) => outcomes[i] === "raised").length * 2 <= options.length;

function explain(ranked: readonly (readonly Option[])[], compared: number): string {
  const [winners = []] = ranked;
  const total = ranked.flat().length;
  const on = compared === 0 ? "(no inputs could be derived: equal programs)" : `on ${compared} inputs`;
  if (total === 1) return "The only candidate left.";
  const tie = ranked.filter((group) => group.length === winners.length).length > 1 ? ", tied by size" : "";
  const group =
    `${winners.length} of ${total} candidates do the same ${on}, the largest of ${ranked.length} ` + `groups${tie}`;
  return `${group}; its shortest edit changes ${shortest(winners)} characters.`;
}

/** Characters that are removed or added on the way from one program to the other; comments and spaces count. */
export function editSize(before: string, after: string): number {
  const parts = diffChars(before.trim(), after.trim(), { maxEditLength: MOST_EDITS });
  if (!parts) return before.length + after.length;
  return parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0);
}

/** Beyond that a diff costs more time than it tells. */
const MOST_EDITS = 2000;
