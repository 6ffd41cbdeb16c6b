/** Answers that are edits of the program and not the program: a unified diff or search/replace blocks. */

import { editsIn, type TextEdit } from "../../utils/base/text/edits.ts";
import type { Language } from "../../utils/languages/language.ts";
import type { Fence } from "./fences.ts";

const MARK = /^(?:@@|<{5,9} ?SEARCH$|--- .*\n\+\+\+ | {0,3}`{3,}(?:diff|patch)$)/m;

/** The edits that a text holds; none where their marks stand in a string of a program. */
export function editsOf(text: string, language: Language): TextEdit[] {
  const mark = MARK.exec(text);
  return !mark || language.linesInText(text).has(mark.index) ? [] : editsIn(text);
}

/** Whether a text gives edits, and beside them no whole program. */
export function holdsEdits(text: string, fences: readonly Fence[], language: Language): boolean {
  const isProgram = ({ code, isOwn }: Fence) =>
    isOwn && language.definesSomething(code) && editsOf(code, language).length === 0;
  return editsOf(text, language).length > 0 && !fences.some(isProgram);
}
