/**
 * What of the suspects can be searched with its file alone: top-level functions and classes, by the tests of one file.
 */

import type { ModelKind } from "../../agent/models/model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import { fileOfMost } from "../project/baseline.ts";
import { isSource } from "../project/functions.ts";
import type { FunctionPlace } from "./attempt.ts";
import type { Preparation } from "./prepare.ts";
import { entryOf, fileTask } from "./task.ts";

/** More are not looked at. */
const MOST = 5;

/** The likeliest first; none where no file of the failing tests is known. */
export function placesAlone(
  { suspects, base, suite, baseline, issue }: Preparation,
  { languages }: Pick<ModelKind, "languages">,
): FunctionPlace[] {
  const tests = fileOfMost(suite, base, baseline.failing);
  if (tests === null) return [];
  const likeliest = suspects.filter(({ file, name }) => isSource(file) && name !== TOP_LEVEL).slice(0, MOST);
  const found = new Map<string, FunctionPlace>();
  for (const { file, reasons, ...suspect } of likeliest) {
    const entry = entryOf(file, suspect);
    const name = entry.line === undefined ? entry.definition : suspect.name;
    const { text } = tryForeignText(base, file);
    const key = `${file} ${entry.line ?? entry.definition}`;
    if (text === null || found.has(key)) continue;
    try {
      const task = fileTask(file, text, { ...entry, name }, tests, issue);
      if (languages !== null && !languages.includes(task.language)) continue;
      found.set(key, { ...entry, name, file, original: text, why: reasons[0] ?? "likeliest", task });
    } catch (error) {
      // It stands in another function.
      if (!(error instanceof UserError)) throw error;
    }
  }
  const [only, ...more] = found.values();
  return only && more.length === 0 ? [{ ...only, why: "" }] : [...found.values()];
}
