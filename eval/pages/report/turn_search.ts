/** Search in the turns of a sample; by the page itself, or by the server that has the trajectories. */

import { holdsWords } from "../browser/fields.ts";
import type { Detail, Turn } from "./detail.ts";

/** By sample, the positions of its turns that match. */
export type Matches = Record<string, number[]>;

/** Positions of the turns that hold every word of the text, in any case. */
export function turnsWith({ turns }: Pick<Detail, "turns">, text: string): number[] {
  return turns.flatMap((turn, i) => (holdsWords(textOf(turn), text) ? i : []));
}

const textOf = ({ label, thought, reasoning, finishReason, parts, observation }: Turn): string =>
  [
    label,
    thought,
    reasoning,
    finishReason,
    ...parts.map(({ text }) => text),
    observation.status,
    observation.output,
  ].join("\n");
