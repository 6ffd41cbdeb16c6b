/** An outcome in a few lines for a person: what stderr shows beside the patch. */

import { clause, plural } from "../../utils/base/text/format.ts";
import { firstLines, listed } from "../../utils/base/text/text.ts";
import { styled } from "../../utils/program/status.ts";
import { changesIn } from "./choices.ts";
import type { Outcome } from "./outcome.ts";
import { changedTests, failsLine, type Sureness, sureLines, wordOf } from "./sureness.ts";
import { wordsFor } from "./words.ts";

const MOST_LINES = 12;
const MOST_NAMES = 4;
const MOST_OTHERS = 4;

export function renderOutcome(outcome: Outcome): string {
  const { goOn } = wordsFor(outcome.file);
  const name = outcome.file ?? outcome.root;
  switch (outcome.outcome) {
    case "interrupted":
      return [...otherLines(outcome), ...partLines(outcome), whatWasFound(outcome, name)].join("\n");
    case "nothing_to_repair": {
      const { passing, flaky } = outcome.before;
      const tests = `${outcome.test_command}: ${clause(passing.length, "test", "pass")}${ofFlaky(flaky)}`;
      const more = outcome.model === null ? ` (${goOn} goes on all the same)` : "";
      return `nothing to repair: the tests already pass (${tests}); ${name} is unchanged${more}`;
    }
    case "not_fixed":
      return failureLines(outcome, name).join("\n");
    case "fixed":
    case "suggestion":
    case "partly_fixed":
      return [...fixedLines({ ...outcome, outcome: outcome.outcome }), whatItIs(outcome, name)].join("\n");
  }
}

const whatWasFound = ({ diff }: Outcome, name: string): string =>
  diff === ""
    ? `interrupted before an edit passed; ${name} is unchanged`
    : `interrupted: the tests pass with the patch above, which is a suggestion: mend was stopped before its last ` +
      `checks; ${name} is unchanged`;

const partLines = ({ diff, best }: Outcome): string[] =>
  diff !== "" || best === null
    ? []
    : [`best so far, with which ${best.passing} of ${best.of} tests pass:`, ...changesIn(best.diff).map(indented)];

const indented = (line: string): string => `  ${coloured(line)}`;

function whatItIs({ outcome, model, written }: Outcome, name: string): string {
  const what = `${wordOf(outcome)} by ${model}`;
  if (written === null) return `${what}; ${name} is unchanged`;
  if (written.branch !== null)
    return `${what}; committed to the branch ${written.branch} (${written.commit?.slice(0, 10)})`;
  const kept = written.backups.length > 0 ? `; originals: ${written.backups.join(", ")}` : "";
  return `${what}; written to ${name}${kept}`;
}

function fixedLines(outcome: Outcome & Sureness): string[] {
  const { before, after, reproduced, contradicted, remarks, why } = outcome;
  const now = new Map(after.map(({ name, status }) => [name, status]));
  return [
    ...changedTests(
      before.failing.map(({ name }) => name),
      (name) => now.get(name) ?? "not run",
    ),
    ...(before.not_loaded === null
      ? beside({ ...before, passing: before.passing.filter((name) => !contradicted.includes(name)) })
      : after.length === 0
        ? []
        : [`the tests could not be loaded; now ${after.length} run and pass`]),
    ...reproduced.slice(0, MOST_LINES).map((name) => `${name} (new): failed → passed`),
    ...droppedLines(outcome),
    ...sureLines(outcome),
    ...remarks,
    ...(why === "" ? [] : [`chosen: ${why}`]),
    ...otherLines(outcome),
  ];
}

function failureLines(outcome: Outcome, name: string): string[] {
  const { before, best, attempts, model, help, why, is_compared } = outcome;
  const passing = before.passing.length;
  return [
    ...droppedLines(outcome),
    `not fixed: ${model} found nothing that passes; ${name} is unchanged`,
    ...attemptLines(why === "" ? attempts.slice(-1) : attempts, is_compared),
    ...(before.not_loaded === null
      ? [
          `now ${passing} of ${clause(passing + before.failing.length, "test", "pass")}` +
            (passing > 0 ? `: ${names(before.passing)}` : ""),
          ...before.failing.slice(0, 2).map(failsLine),
          ...(before.failing.length > 2
            ? [`fails too: ${names(before.failing.slice(2).map((test) => test.name))}`]
            : []),
        ]
      : [`now: ${firstLines(before.not_loaded, 1)}`]),
    best
      ? `best candidate: passes ${best.passing} of ${best.of}, and not ${names(best.failing.map((test) => test.name))}`
      : "no candidate passes more tests than there were",
    ...(help.length > 0 ? ["what may help:", ...help.map((line) => `  ${line}`)] : []),
  ];
}

const beside = ({ passing, flaky }: Outcome["before"]): string[] =>
  passing.length + flaky.length === 0 ? [] : [`${clause(passing.length, "other test", "pass")}${ofFlaky(flaky)}`];

/** @param isSearch turns of the search are no model calls, and are not shown */
const attemptLines = (attempts: Outcome["attempts"], isSearch: boolean): string[] =>
  attempts.map(({ turns, stop, status }) =>
    isSearch ? `  ${status}` : `  after ${plural(turns, "turn")} (${stop.replaceAll("_", " ")}): ${status}`,
  );

const names = (all: readonly string[]): string => listed(all, MOST_NAMES);

const ofFlaky = (flaky: readonly string[]): string =>
  flaky.length > 0 ? `; ${clause(flaky.length, "flaky one", "do")} not count` : "";

/** Of others only the changes: each is whole in the JSON, and where it is chosen. */
function otherLines({ alternatives, diff, function: name }: Outcome): string[] {
  const shown = alternatives.slice(0, MOST_OTHERS);
  const [what, first] = diff === "" ? ["a patch that passes", 1] : ["another patch that passes", 2];
  return [
    ...shown.flatMap(({ diff: one, input, gives, repair_gives }, i) => [
      `${what} (${i + first}), ${filesIn(one).join(", ")}:`,
      ...(input === "" ? [] : [`  ${name ?? ""}${input} gives ${gives}, with the patch above ${repair_gives}`]),
      ...changesIn(one).map(indented),
    ]),
    ...(alternatives.length > shown.length ? [`and ${alternatives.length - shown.length} more (--json has them)`] : []),
    ...(diff !== "" && shown.length > 0 ? ["--choose N takes another one, as they are numbered"] : []),
  ];
}

const coloured = (line: string): string => {
  const sign = line[0];
  return sign === "+" || sign === "-" ? styled(sign === "+" ? "green" : "red", line, process.stderr) : line;
};

const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\+\+\+ "?(?:b\/)?([^\t"\n]*)/gm)].map(([, file = ""]) => file);

const droppedLines = ({ dropped }: Outcome): string[] => dropped.map(({ file, why }) => `left out: ${file} (${why})`);
