/** What a user could bring where nothing was found. */

import type { ModelKind } from "../models/model.ts";
import { MODEL_KINDS } from "../models/table.ts";
import type { OwnFileOutcome } from "./outcome.ts";

/** One sentence each, the likeliest help first. */
export function helpFor(
  { stop, before }: OwnFileOutcome,
  { advice }: ModelKind,
  { maxIterations, timeoutMs }: { maxIterations: number; timeoutMs: number },
): string[] {
  return [
    ...(advice ? [advice.instead] : []),
    ...(before.passing.length + before.failing.length < 3
      ? ["more tests, each of one case, say more about what is wrong; --instruction says it in words."]
      : []),
    ...(stop === "budget" ? [`a larger budget: --timeout above ${timeoutMs / 1000} seconds.`] : []),
    ...(stop === "max_iterations" && !advice ? [`more turns: --max-iterations above ${maxIterations}.`] : []),
    ...(advice && stop !== "budget" ? [advice.more] : []),
    ...(advice ? [] : MODEL_KINDS.flatMap((kind) => kind.advice?.asFallback ?? [])),
  ].slice(0, 3);
}
