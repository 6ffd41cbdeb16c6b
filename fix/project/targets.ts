/**
 * Which failing tests a patch has to make pass: the one rule of `mend fix` and of repository tasks. A test that failed
 * before and is no target need not pass; nothing that passed may fail.
 */

import type { TestResult } from "../../utils/frameworks/framework.ts";

/**
 * Returns the targets among the failing tests: those that the caller names; else with an issue those that it names,
 * since others may fail for reasons of their own; else all.
 */
export function targetsOf(
  failing: readonly TestResult[],
  { issue, named }: { issue: string; named?: ((failing: readonly TestResult[]) => readonly TestResult[]) | undefined },
): readonly TestResult[] {
  if (named) return named(failing);
  return issue.trim() === "" ? failing : failing.filter((test) => isNamedIn(issue, test));
}

/** Shorter titles and those of one word are ordinary words of an issue. */
const TITLE_CHARS = 10;

/** Whether a text has the test's name, its last part, or its file as words of their own. */
export function isNamedIn(text: string, { name, file }: Pick<TestResult, "name" | "file">): boolean {
  const plain = name.replace(/\[.*\]$/s, "");
  const last = plain.split(/::|\.(?=\w+$)| > | › /).at(-1) ?? plain;
  const isTelling = (title: string) =>
    /^\w+$/.test(title) ? /^test|test$/i.test(title) && !/^tests?$/i.test(title) : title.length >= TITLE_CHARS;
  const titles = [name, plain, last].filter(isTelling);
  const files = [file, name.includes("::") ? name.slice(0, name.indexOf("::")) : undefined].filter(
    (one) => one !== undefined && one !== "",
  );
  return [...titles, ...files].some((one) => one !== undefined && hasWord(text, one));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + word.length] ?? " "}`;
    if (!/[\w/]/.test(around)) return true;
  }
  return false;
}
