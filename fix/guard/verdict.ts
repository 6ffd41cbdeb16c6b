/** The verdict on a patch. */

import type { TestResult } from "../../utils/frameworks/framework.ts";

/**
 * What may be excused in a patch for an issue, as a suggestion: tests that assert the behaviour from before, by name,
 * or a run that ends early with the patch as it does without it.
 */
export type Excuse = { oldTests: readonly string[] } | { noRun: string };

export interface PatchVerdict {
  /** The tests agree, and nothing in the patch or in the results speaks against believing them. */
  accepted: boolean;
  /** A few words. */
  status: string;
  /** What went wrong, for a model and for a person. */
  output: string;
  /** New tests of the model that fail on the repository as it was and pass with the patch. */
  reproduced: string[];
  /** Why an accepted patch is a suggestion and not a repair; empty if nothing speaks against it. */
  doubts: string[];
  /** Why tests cannot be loaded with an accepted patch, as without it: then it repairs only a part. */
  unloaded: string[];
  /** How each test that failed before ended with the patch; `flaky` where it passes by chance. */
  after: { name: string; status: string }[];
  /** What was excused in an accepted patch, or may be excused in a refused one if nothing else speaks against it. */
  excuse: Excuse | null;
}

/** Names or tests in one sentence. */
export const MOST_SHOWN = 8;

export const refusal = (status: string, output: string): PatchVerdict => ({
  accepted: false,
  status,
  output,
  reproduced: [],
  doubts: [],
  unloaded: [],
  after: [],
  excuse: null,
});

export const unique = (tests: readonly TestResult[]): TestResult[] => [
  ...new Map(tests.map((test) => [test.name, test])).values(),
];
