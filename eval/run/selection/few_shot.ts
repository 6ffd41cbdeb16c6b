/** Which solved tasks a model is shown as examples, and which are left to be scored. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import {
  buggyProgram,
  type FewShotExample,
  hasTests,
  type Task,
  toVisible,
  type VisibleTask,
} from "../../../utils/task/task.ts";

/** Longest example, in characters of instruction, program and tests: every prompt carries all examples. */
const MAX_EXAMPLE_CHARS = 2_000;

interface FewShotOptions {
  /** Number of examples; 0 for none. */
  k: number;
  /** Whether the user asked for them: otherwise a set without a fitting task does without. */
  asked?: boolean;
  /** Where examples come from. Examples from the dataset are not scored. */
  from: "dataset" | "builtin";
  /** The built-in set; used where `from` is `builtin`. */
  builtinTasks: readonly Task[];
  /** Tasks that must be scored, so they never become examples. */
  keep?: readonly Task[];
  /** What is shown of an example; default: all that is visible. */
  visible?: (task: Task) => VisibleTask;
}

/**
 * Takes the first k fitting tasks as examples: with a right body, not too long, not in `keep`, and with a visible test
 * where enough have one. The same input gives the same examples. `scored` is what is left of `tasks`, in order: a task
 * that is an example is never scored.
 * @throws UserError where fewer than k tasks fit
 */
export function splitFewShot(
  tasks: readonly Task[],
  { k: wanted, asked = true, from, builtinTasks, keep = [], visible = toVisible }: FewShotOptions,
): { examples: FewShotExample[]; scored: Task[] } {
  const languages = new Set(tasks.map(({ language }) => LANGUAGES[language].title));
  if (wanted > 0 && languages.size > 1) {
    throw new UserError(
      `The tasks are in ${[...languages].join(" and ")}, and few-shot examples need one language: use --few-shot-k 0.`,
    );
  }
  const fits = (task: Task) =>
    languages.has(LANGUAGES[task.language].title) &&
    task.canonicalCode.trim() !== "" &&
    length(task) <= MAX_EXAMPLE_CHARS &&
    !keep.some((kept) => isSame(kept, task));
  const fitting = (from === "builtin" ? builtinTasks : tasks).filter(fits);
  const tested = fitting.filter(hasTests);
  const showsTests = tasks.some((task) => hasTests(visible(task)));
  // Where a dataset has too few visible tests an example shows what its tasks do: other tests, or none.
  const pool = tested.length >= wanted ? tested : fitting.filter((task) => !showsTests || hasTests(visible(task)));
  const k = pool.length === 0 && !asked ? 0 : wanted;
  if (pool.length < k) {
    throw new UserError(
      `--few-shot-k ${k}${asked ? "" : " (default)"}: only ${plural(pool.length, "task")} in ` +
        `${[...languages].join()} can serve as examples. Give a lower number; 0 scores every task.`,
    );
  }
  const chosen = pool.slice(0, k);
  return {
    examples: chosen.map((task) => ({ ...visible(task), canonicalCode: task.canonicalCode })),
    scored: tasks.filter((task) => !chosen.some((example) => isSame(example, task))),
  };
}

const length = (task: Task): number => task.instruction.length + buggyProgram(task).length + task.exampleTest.length;

/** Compares the content, too: two datasets may use the same ids, and one file may be loaded twice. */
const isSame = (a: Task, b: Task): boolean => a.id === b.id && buggyProgram(a) === buggyProgram(b);
