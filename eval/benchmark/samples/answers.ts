/** From what a file holds to what is scored: code out of Markdown, and a body with its declaration. */

import { bestFence, type Fence, fenceAt } from "../../../agent/dialects/fences.ts";
import { LANGUAGE_NAMES, type Language } from "../../../utils/languages/language.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { BenchmarkTask } from "../benchmark.ts";
import type { Answer } from "./format.ts";

/**
 * What may be done to answers before they are scored.
 * - `body` (default): a program that does not load and is the body of the function is joined with its declaration
 * - `code`: also, what stands in Markdown fences is taken
 * - `none`: nothing
 */
export const EXTRACT = ["body", "code", "none"] as const;
export type Extract = (typeof EXTRACT)[number];

const OPENING = /(?<![^\n])([^\S\n]*)(?:`{3,}|~{3,})/g;

/** Whether a text has a code fence of Markdown. */
export const looksLikeMarkdown = (text: string): boolean => text.search(OPENING) !== -1;

/** What the fence of a text holds that answers the task; null if it has none. */
export function codeInFences(text: string, { language }: Pick<BenchmarkTask, "language">, kind: Answer["kind"]) {
  const reader = LANGUAGES[language ?? LANGUAGE_NAMES[0]];
  const fences = fencesIn(text, reader);
  if (kind !== "patch") return bestFence(fences, reader)?.code ?? null;
  const patch = fences.findLast(({ code }) => /^(diff --git |--- |\+\+\+ )/m.test(code));
  return patch ? `${patch.code.replace(/\n$/, "")}\n` : null;
}

function fencesIn(text: string, language: Language): Fence[] {
  const fences: Fence[] = [];
  const budget = { left: 10 * text.length };
  const opening = new RegExp(OPENING);
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const width = found[1]?.length ?? 0;
    const fence = fenceAt(text, found.index + width, width, language, budget);
    if (!fence) continue;
    fences.push(fence);
    opening.lastIndex = Math.max(opening.lastIndex, fence.end);
  }
  return fences;
}

/** The program that a body is the rest of; null if the answer is not a body of the task's function. */
export function programOfBody(text: string, { complete, function: task }: BenchmarkTask): string | null {
  if (!complete || !task || text.trim() === "" || looksLikeMarkdown(text)) return null;
  const { language, entryPoint } = task;
  if (LANGUAGES[language].definitions(text).includes(entryPoint)) return null;
  const program = complete(text);
  return program === text ? null : program;
}
