/** The result of `mend repair` and `mend fix`, as data: what `--json` prints. */

import type { Usage } from "../../agent/run/usage.ts";
import type { Alternative } from "../attempts/alternatives.ts";
import type { Preparation } from "../attempts/prepare.ts";

export interface FailingTest {
  name: string;
  message: string;
}

/**
 * How a repair ended. The same word stands in the text, in `--json`, on the page and in `mend mcp`; docs/repair.md
 * explains each and names its exit code.
 */
export const ENDS = ["fixed", "suggestion", "partly_fixed", "not_fixed", "nothing_to_repair", "interrupted"] as const;
export type End = (typeof ENDS)[number];

export interface Outcome {
  outcome: End;
  /** The project's folder. */
  root: string;
  /** The one file that was to be repaired, as the user named it; null where it was any. */
  file: string | null;
  /** The one function, class or method that is repaired, where that is known; else null. */
  function: string | null;
  /** As a person would write it. */
  test_command: string;
  framework: string | null;
  sandbox: string;
  /** The tests as they were. */
  before: {
    /** Names of tests. */
    passing: string[];
    failing: FailingTest[];
    /** Names of those that changed their mind. */
    flaky: string[];
    /** Why no test could be loaded, or that none came to its end; null where they ran. */
    not_loaded: string | null;
  };
  suspects: Pick<Preparation["suspects"][number], "file" | "start" | "end" | "name" | "reasons">[];
  /** What repaired, or tried last; null where nothing was asked. */
  model: string | null;
  /** Calls of models, in all attempts together. */
  turns: number;
  /** `stop` is the name of version 0.2 for `stop_reason`. */
  attempts: { stop: string; stop_reason: string; turns: number; validated: boolean; status: string }[];
  /** Why this patch among those of several attempts; else empty. */
  why: string;
  /**
   * The source part of the patch; empty without one that passes, all tests or its part of them. After an interruption
   * the likeliest that passed in the search.
   */
  diff: string;
  /** How the tests that failed ended with it; `flaky`: it passes, and passed without the patch, too. */
  after: { name: string; status: string }[];
  /** New tests of the model that failed before. */
  reproduced: string[];
  /** Tests that passed before and fail with it: the model says that they assert the old behaviour. */
  contradicted: string[];
  /** What was changed and does not count. */
  dropped: { file: string; why: string }[];
  /** Others that pass, likeliest first, without the one in `diff`. */
  alternatives: Alternative[];
  /** True where other edits were tried beside it. */
  is_compared: boolean;
  /** Why the patch may be wrong though tests pass. A suggestion has at least one reason, a fixed one none. */
  doubts: string[];
  /** What a person may want to look at; it decides nothing. */
  remarks: string[];
  /** What a person said of it, as comparisons; each is a test in `diff` where one could be written. */
  told: string[];
  /** Without a patch that passes: the one with which most tests pass; null where none passes more than there were. */
  best: { passing: number; of: number; failing: FailingTest[]; diff: string } | null;
  /** Without a patch that passes: what the model had changed in the end. Empty where that is nothing. */
  unfinished: string;
  /** Tokens and cost of all calls of models; null where none was asked. */
  usage: Usage | null;
  /** Without a patch that passes: what to bring, one sentence each. */
  help: string[];
  /** What the model said of it, or why it gave up. */
  said: string;
  /** Backups are copies of originals that git does not have. Null where nothing was written. */
  written: { branch: string | null; commit: string | null; backups: string[] } | null;
}

/** Before a model was asked. */
export const noOutcome: Outcome = {
  outcome: "nothing_to_repair",
  root: "",
  file: null,
  function: null,
  test_command: "",
  framework: null,
  sandbox: "",
  before: { passing: [], failing: [], flaky: [], not_loaded: null },
  suspects: [],
  model: null,
  turns: 0,
  attempts: [],
  why: "",
  diff: "",
  after: [],
  reproduced: [],
  contradicted: [],
  dropped: [],
  alternatives: [],
  is_compared: false,
  doubts: [],
  remarks: [],
  told: [],
  best: null,
  unfinished: "",
  usage: null,
  help: [],
  said: "",
  written: null,
};

/** What is known before a model is asked. */
export const knownOf = ({ root, suite: { plan }, baseline, suspects }: Preparation) => ({
  root,
  test_command: plan.command,
  framework: plan.framework?.name ?? null,
  before: {
    passing: baseline.passing.map(({ name }) => name),
    failing: [...baseline.failing, ...baseline.aside].map(({ name, message }) => ({ name, message })),
    flaky: baseline.flaky,
    not_loaded: baseline.notLoaded,
  },
  suspects: suspects.map(({ file, start, end, name, reasons }) => ({ file, start, end, name, reasons })),
});
