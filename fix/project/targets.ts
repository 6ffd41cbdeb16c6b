/**
 * Which failing tests a patch has to make pass: the one rule of `mend fix` and of repository tasks. A test that failed
 * before and is no target need not pass; nothing that passed may fail.
 */

import type { TestResult } from "../../utils/frameworks/framework.ts";

/** What says which tests are meant. */
interface TargetOptions {
  issue: string;
  /** The user's test command. */
  command: string;
  /** Names them in place of both. */
  named?: ((failing: readonly TestResult[]) => readonly TestResult[]) | undefined;
}

/**
 * Returns the targets among the failing tests: those that the caller names; else with an issue those that it or the
 * test command names, since others may fail for reasons of their own; else all.
 */
export function targetsOf(
  failing: readonly TestResult[],
  { issue, command, named }: TargetOptions,
): readonly TestResult[] {
  if (named) return named(failing);
  if (issue.trim() === "") return failing;
  return failing.filter(({ name }) => isNamedIn(`${issue}\n${command}`, name));
}

/** Shorter titles and those of one word are ordinary words of an issue. */
const TITLE_CHARS = 10;

/** Whether a text has a test's name, or its last part, as words of their own. */
export function isNamedIn(text: string, name: string): boolean {
  const plain = name.replace(/\[.*\]$/s, "");
  const last = plain.split(/::|\.(?=\w+$)| > | › /).at(-1) ?? plain;
  const isTelling = (title: string) =>
    /^\w+$/.test(title) ? /^test|test$/i.test(title) && !/^tests?$/i.test(title) : title.length >= TITLE_CHARS;
  return [name, plain, last].some((title) => isTelling(title) && hasWord(text, title));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(`${text[at - 1] ?? " "}${text[at + word.length] ?? " "}`)) return true;
  }
  return false;
}
