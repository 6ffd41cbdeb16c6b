/**
 * Programs that try to pass tests in their own process without solving the task. They get the number of checks that the
 * correct program reaches (`@CHECKS@`), which a real one has to guess.
 */

export interface Cheat {
  name: string;
  program: string;
  /** Why it passes, where it does: these are counted in the README of the sandbox. */
  passes?: string;
  /** In place of the task's test. */
  test?: string;
}

export interface CheatedTask {
  entryPoint: string;
  /** What the task declares, wrong as it is. */
  declared: string;
  correct: string;
  test: string;
  cheats: readonly Cheat[];
}

export const OWN_COMPARISON = "the tests ask the program itself whether two of its objects are equal";
