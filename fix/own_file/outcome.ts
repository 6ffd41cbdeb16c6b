/** What became of a user's file. */

import type { Stop } from "../../agent/run/trajectory.ts";
import type { Baseline } from "../baseline.ts";
import type { Alternative } from "./alternatives.ts";

interface FailingTest {
  name: string;
  message: string;
}

/** How far the tests came on one text of the file. */
export interface TestStanding {
  /** Names of tests. */
  passing: string[];
  failing: FailingTest[];
  /** What kept tests from being told of by name: a run that did not end, or that could not load them. Else null. */
  problem: string | null;
}

export interface OwnFileOutcome {
  outcome: "nothing_to_repair" | "repaired" | "not_repaired" | "interrupted";
  file: string;
  function: string;
  /** As a person would write it. */
  test_command: string;
  framework: string | null;
  sandbox: string;
  /** The file as it was. */
  before: TestStanding;
  /** What repaired, or tried; null where nothing was asked. */
  model: string | null;
  /** Why the last model ended; null where none was asked. */
  stop: Stop | null;
  /** Calls of models. */
  turns: number;
  /** Why a model gave up, in its own words; else empty. */
  why: string;
  /** Unified; empty without a repair. */
  diff: string;
  /** Other edits that pass and do something else, likeliest first, without the one in `diff`. */
  alternatives: Alternative[];
  /** True where the tests do not say that the repair is right: then it is one to be looked at. */
  is_suggestion: boolean;
  /** True where other edits were tried beside it. */
  is_compared: boolean;
  /** What speaks against it beside the alternatives. */
  doubts: string[];
  /** What a person said of it, as comparisons; each is a test in `diff` where one could be written. */
  told: string[];
  /** Without a repair the candidate that passes most tests; null where none passes more than the file as it is. */
  best: { passing: number; of: number; failing: FailingTest[]; diff: string } | null;
  /** What to bring, one sentence each. */
  help: string[];
  /** Copies of the originals that git does not have. Null where nothing was written. */
  written: { backups: string[] } | null;
}

export const standing = ({ passing, failing, notLoaded, run }: Baseline): TestStanding => ({
  passing: passing.map(({ name }) => name),
  failing: failing.map(({ name, message }) => ({ name, message })),
  problem: notLoaded ?? run.fatal,
});
