/** What a user could bring where nothing was found. */

import type { OwnFileOutcome } from "./outcome.ts";

/** One sentence each, the likeliest help first. */
export function helpFor(
  { model, stop, before }: OwnFileOutcome,
  { maxIterations, timeoutMs }: { maxIterations: number; timeoutMs: number },
): string[] {
  const search = model === "search";
  return [
    ...(search
      ? ["search tries small edits alone: a language model can do more, --model openai:NAME or a hub id."]
      : []),
    ...(before.passing.length + before.failing.length < 3
      ? ["more tests, each of one case, say more about what is wrong; --instruction says it in words."]
      : []),
    ...(stop === "budget" ? [`a larger budget: --timeout above ${timeoutMs / 1000} seconds.`] : []),
    ...(stop === "max_iterations" && !search ? [`more turns: --max-iterations above ${maxIterations}.`] : []),
    ...(search && stop !== "budget" ? ["more edits: --search-steps N, --max-iterations N."] : []),
    ...(search ? [] : ["--fallback search, which tries small edits (Python)."]),
  ].slice(0, 3);
}
