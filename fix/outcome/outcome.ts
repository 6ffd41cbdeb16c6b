/** What became of a repository, as data and in a few lines for a person. */

import { clause, plural } from "../../utils/text/format.ts";
import type { Suspect } from "../places/localise.ts";
import { changesIn } from "./choices.ts";
import { changedTests, sureLines } from "./sureness.ts";

export interface FixOutcome {
  /** `not_fixed`: where `diff` is not empty it is the best that was tried. */
  outcome: "nothing_to_fix" | "fixed" | "not_fixed" | "interrupted";
  root: string;
  test_command: string;
  framework: string | null;
  sandbox: string;
  /** The tests as they were: names of those that failed and of those that changed their mind. */
  before: {
    failing: string[];
    passing: number;
    flaky: string[];
    /** Why no test could be loaded; null where they ran. */
    not_loaded: string | null;
  };
  suspects: Pick<Suspect, "file" | "start" | "end" | "name" | "reasons">[];
  model: string | null;
  attempts: { stop: string; turns: number; validated: boolean; status: string }[];
  /** Why this patch among several. */
  why: string;
  /** The source part of the patch. */
  diff: string;
  /** How the tests that failed ended with it. */
  after: { name: string; status: string }[];
  /** Tests that passed before and do not with it. */
  broke: string[];
  /** New tests of the model that failed before. */
  reproduced: string[];
  /** What was changed and does not count. */
  dropped: { file: string; why: string }[];
  /** Other patches that also pass; after an interruption all that have passed until then. */
  alternatives: string[];
  /** True where the tests do not say that the patch is right: then it is one to be looked at. */
  is_suggestion: boolean;
  /** True where other edits were tried beside it. */
  is_compared: boolean;
  doubts: string[];
  /** What a person may want to look at; it decides nothing. */
  remarks: string[];
  /** What the model said of it. */
  said: string;
  written: { branch: string | null; commit: string | null; backups: string[] } | null;
}

const MOST_LINES = 12;

/** What stands on stderr beside the patch. */
export function renderFix(outcome: FixOutcome): string {
  const { before, model, written } = outcome;
  switch (outcome.outcome) {
    case "interrupted":
      return [...otherLines(outcome), `interrupted; ${outcome.root} is unchanged`].join("\n");
    case "nothing_to_fix":
      return `no test fails (${before.passing} pass${flaky(before.flaky)}): nothing to fix; --issue FILE says what is wrong all the same`;
    case "not_fixed":
      return [
        ...(outcome.diff === "" ? [] : [howFar(outcome)]),
        ...droppedLines(outcome),
        `not fixed: ${model} found nothing that passes; ${outcome.root} is unchanged`,
        ...outcome.attempts.map(
          ({ turns, stop, status }) => `  after ${plural(turns, "turn")} (${stop.replace("_", " ")}): ${status}`,
        ),
      ].join("\n");
    case "fixed": {
      const what = outcome.is_suggestion ? "a suggestion" : "fixed";
      const where = written?.branch
        ? `committed to the branch ${written.branch} (${written.commit?.slice(0, 10)})`
        : written
          ? `written to ${outcome.root}${written.backups.length > 0 ? `; originals: ${written.backups.join(", ")}` : ""}`
          : "--write applies it, --branch NAME commits it";
      const now = new Map(outcome.after.map(({ name, status }) => [name, status]));
      return [
        ...changedTests(before.failing, (name) => now.get(name) ?? "not run"),
        before.not_loaded === null
          ? `${clause(before.passing, "other test", "pass")}${flaky(before.flaky)}`
          : `the tests could not be loaded; now ${outcome.after.length} run and pass`,
        ...outcome.reproduced.slice(0, MOST_LINES).map((name) => `${name} (new): failed → passed`),
        ...droppedLines(outcome),
        ...sureLines(outcome),
        ...outcome.remarks,
        ...(outcome.attempts.length > 1 ? [`chosen: ${outcome.why}`] : []),
        ...otherLines(outcome),
        `${what} by ${model}; ${where}`,
      ].join("\n");
    }
  }
}

function howFar({ before, after }: FixOutcome): string {
  const passing = after.filter(({ status }) => status === "passed").length;
  return passing === 0
    ? "what was tried last fails the tests, too"
    : `with what was tried last (\`--json\` has it) ${passing} of ${before.failing.length} tests that failed pass`;
}

const flaky = (names: readonly string[]): string =>
  names.length > 0 ? `; ${clause(names.length, "flaky one", "do")} not count` : "";
/** Of others only the changes: each is whole in the JSON, and where it is chosen. */
const otherLines = ({ alternatives, diff }: FixOutcome): string[] => {
  const shown = alternatives.slice(0, MOST_OTHERS);
  const first = diff === "" ? 1 : 2;
  return [
    ...shown.flatMap((one, i) => [
      `${diff === "" ? "a" : "another"} patch that passes (${i + first}), ${filesIn(one).join(", ")}:`,
      ...changesIn(one).map((line) => `  ${line}`),
    ]),
    ...(alternatives.length > shown.length ? [`and ${alternatives.length - shown.length} more (--json has them)`] : []),
    ...(diff !== "" && shown.length > 0 ? ["--choose N takes another one, as they are numbered"] : []),
  ];
};

const MOST_OTHERS = 4;
const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\+\+\+ "?(?:b\/)?([^\t"\n]*)/gm)].map(([, file = ""]) => file);
const droppedLines = ({ dropped }: FixOutcome): string[] =>
  dropped.map(({ file, why }) => `left out: ${file} (${why})`);
