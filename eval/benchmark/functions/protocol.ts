/** Protocols: what a model is shown of a task. Scores under different protocols do not compare. */

import { type Task, toVisible, type VisibleTask } from "../../../utils/task/task.ts";

interface ProtocolDefinition {
  /** The name that stands next to the score in every output. */
  shown: string;
  visible(task: Task): VisibleTask;
}

/** The whole instruction where docstring or tests say what is wanted. */
const fixBugs = ({ entryPoint }: Task): string => `Fix bugs in ${entryPoint}.`;

/**
 * `docs` and `tests` are HumanEvalFixDocs and HumanEvalFixTests of the reference harness: the same instruction, with
 * the docstring or with the scoring tests beside the buggy code.
 * Source: Muennighoff et al. 2023, "OctoPack", section 3; bigcode-evaluation-harness, `humanevalpack.py`.
 */
export const PROTOCOLS = {
  example: {
    shown: "instruction, buggy code, example test",
    visible: toVisible,
  },
  docs: {
    shown: "buggy code with docstring, no tests (HumanEvalFixDocs)",
    visible: (task) => ({
      ...toVisible(task),
      instruction: fixBugs(task),
      declaration: task.documentedDeclaration,
      exampleTest: "",
    }),
  },
  tests: {
    shown: "buggy code and the scoring tests (HumanEvalFixTests)",
    visible: (task) => ({
      ...toVisible(task),
      instruction: fixBugs(task),
      exampleTest: task.hiddenTest,
      checks: task.hiddenChecks,
    }),
  },
} satisfies Record<string, ProtocolDefinition>;

export type Protocol = keyof typeof PROTOCOLS;
export const PROTOCOL_NAMES: readonly Protocol[] = ["example", "docs", "tests"];
