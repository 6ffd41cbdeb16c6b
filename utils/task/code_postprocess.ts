/** What happens to source between a model and the sandbox: find a function, add a test block, make a program. */
import { LANGUAGES } from "../languages/registry.ts";
import { isProgram, type VisibleTask } from "./task.ts";

export { hasDunderMain, injectMainForTesting, stripInjectedMain } from "../languages/python/main_block.ts";
export { extractFunction, type SourceSpan } from "../languages/python/parts.ts";

/**
 * A complete program from what a model answered, in the task's language: the function alone, the whole file, only the
 * body (indented or not), or a class that has the function as a method.
 *
 * Imports, helpers and constants of the declaration and the epilogue stay, each once; where the answer has its own
 * version of one, that version takes its place. Test code after the answer's function is dropped. An answer that is
 * none of these comes back as it is, so that loading it fails with a message about the answer itself. So does an answer
 * that is to be a whole program. Never throws.
 */
export const assembleProgram = (task: VisibleTask, answer: string): string =>
  isProgram(task) ? answer : LANGUAGES[task.language].assemble(task, answer);
