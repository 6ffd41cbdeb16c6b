/** A task from the plain things a program has at hand. */

import type { LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { VisibleTask } from "./task.ts";

export interface TaskParts {
  /** The program with the function to repair. */
  code: string;
  /** Name of a top-level function or class in it. */
  entryPoint: string;
  /** Assertions that call it. Default: none; then what loads and defines `entryPoint` is an answer, never verified. */
  tests?: string | undefined;
  /** What it should do, in words. Default: what its name, docstring and tests say. */
  instruction?: string | undefined;
  /** Default: Python. */
  language?: LanguageName | undefined;
  id?: string | undefined;
}

/** @throws RangeError where the code has no such function or class at its top level */
export function createTask({
  code,
  entryPoint,
  tests = "",
  instruction,
  language = "python",
  id,
}: TaskParts): VisibleTask {
  const parts = LANGUAGES[language].partsAround(code, entryPoint);
  if (!parts) throw new RangeError(`the code has no top-level function or class "${entryPoint}"`);
  return {
    id: id ?? entryPoint,
    language,
    entryPoint,
    instruction: instruction ?? `Repair \`${entryPoint}\` so that it does what its name, docstring and tests say.`,
    declaration: parts.declaration,
    buggyCode: parts.body,
    epilogue: parts.epilogue,
    exampleTest: tests,
  };
}
