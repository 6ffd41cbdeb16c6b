/** An outcome in a few lines for a person: what stderr shows beside the patch. */

import { clause, plural } from "../../utils/base/text/format.ts";
import { firstLines, listed } from "../../utils/base/text/text.ts";
import { styled } from "../../utils/program/status.ts";
import { notLoadedLine } from "../project/baseline.ts";
import type { End, Outcome } from "./outcome.ts";

const MOST_LINES = 12;
const MOST_NAMES = 4;
const MOST_OTHERS = 4;

export function renderOutcome(outcome: Outcome): string {
  const goOn = outcome.file === null ? "--issue FILE" : "--even-if-passing";
  const name = outcome.file ?? outcome.root;
  switch (outcome.outcome) {
    case "interrupted":
      return [...otherLines(outcome), ...partLines(outcome), whatWasFound(outcome, name)].join("\n");
    case "nothing_to_repair": {
      const { passing, flaky } = outcome.before;
      const tests = `${outcome.test_command}: ${clause(passing.length, "test", "pass")}${ofFlaky(flaky)}`;
      const more = outcome.model === null ? `; ${goOn} asks the model anyway` : "";
      return `nothing to repair: the tests already pass (${tests})${more}`;
    }
    case "not_fixed":
      return failureLines(outcome, name).join("\n");
    case "fixed":
    case "suggestion":
    case "partly_fixed":
      return [...fixedLines({ ...outcome, outcome: outcome.outcome }), whereItIs(outcome, name)].join("\n");
  }
}

/** A test that fails, with the first line of why, unless its name says that. A line that ends in a colon goes on. */
export function failsLine({ name, message }: { name: string; message: string }): string {
  const [first = "", second = ""] = firstLines(message, 2).split("\n");
  const why = first.endsWith(":") ? `${first} ${second}` : first;
  const isSaid = name.endsWith(why.replace(/^\S+:\d+: /, ""));
  return `${styled("red", "fails:", process.stderr)} ${isSaid ? name : `${name}: ${why}`}`;
}

const ALONE = ", and no other edit that passes behaves differently near the tests' inputs";
const UNCOMPARED = "; the patch was not compared with other edits";

/** The parts of an outcome that say how sure a repair is; after a part of a repair some tests of `after` still fail. */
type Sureness = Pick<Outcome, "after" | "doubts" | "is_compared"> & {
  outcome: "fixed" | "suggestion" | "partly_fixed";
};

/** The reasons for a repair's outcome. */
export function reasonsOf({ outcome, after, doubts, is_compared }: Sureness): readonly string[] {
  switch (outcome) {
    case "fixed": {
      const tests = after.every(({ status }) => status === "passed") ? "all tests pass" : "all other tests pass";
      return [`${tests}${is_compared ? ALONE : UNCOMPARED}`];
    }
    case "suggestion":
      return doubts;
    case "partly_fixed": {
      const passing = after.filter(({ status }) => status === "passed").length;
      const all = plural(after.length, "failing test");
      if (passing === after.length) return doubts;
      const now = `${passing} of ${all} ${passing === 1 ? "passes" : "pass"} now; the others fail as before`;
      return [`no edit makes all tests pass; with this one ${now}`, ...doubts];
    }
  }
}

/** The outcome in words: `partly fixed`. */
export const wordOf = (outcome: End): string => outcome.replaceAll("_", " ");

const MOST_NAMED = 3;

/** Names other functions that may be at fault, if only edits of one function were compared. */
export function uncompared({
  place,
  unsearched = [],
}: {
  place?: { name: string } | undefined;
  unsearched?: readonly string[];
}): string[] {
  if (!place || unsearched.length === 0) return [];
  return [`only edits of ${place.name} were compared, not those of ${listed(unsearched, MOST_NAMED)}`];
}

const whatWasFound = ({ diff }: Outcome, name: string): string =>
  diff === ""
    ? `interrupted before an edit passed; ${name} is unchanged`
    : `interrupted: the tests pass with this patch, which is a suggestion, because mend was stopped before its ` +
      `last checks; ${name} is unchanged`;

const partLines = ({ diff, best }: Outcome): string[] =>
  diff !== "" || best === null
    ? []
    : [`the best edit so far passes ${best.passing} of ${best.of} tests:`, ...changesIn(best.diff).map(indented)];

const indented = (line: string): string => `  ${coloured(line)}`;

function whereItIs({ written, alternatives }: Outcome, name: string): string {
  const other = `--choose ${alternatives.length === 1 ? 2 : "N"} takes another patch`;
  const others = alternatives.length > 0 ? `; ${written === null ? "" : "undo that, and "}${other}` : "";
  if (written === null) return `${name} is unchanged${others}`;
  if (written.branch !== null) return `committed to the branch ${written.branch} (${written.commit?.slice(0, 10)})`;
  const kept = written.backups.length > 0 ? `; originals: ${written.backups.join(", ")}` : "";
  return `written to ${name}${kept}${others}`;
}

function fixedLines(outcome: Outcome & Sureness): string[] {
  const { before, after, reproduced, contradicted, remarks, why, model } = outcome;
  const [reason = "", ...reasons] = reasonsOf(outcome);
  const word = styled(outcome.outcome === "fixed" ? "green" : "yellow", wordOf(outcome.outcome), process.stderr);
  return [
    ...changedTests(outcome),
    ...(before.not_loaded === null
      ? beside({ ...before, passing: before.passing.filter((name) => !contradicted.includes(name)) })
      : after.length === 0
        ? []
        : [`no test came to its end before; now ${after.length} run and pass`]),
    ...reproduced.slice(0, MOST_LINES).map((name) => `${name} (new): failed → passed`),
    ...droppedLines(outcome),
    `${word} by ${model}: ${reason}`,
    ...reasons.map((one) => `  also: ${one}`),
    ...remarks,
    ...(why === "" ? [] : [`why this patch: ${why}`]),
    ...otherLines(outcome),
  ];
}

/** The tests that failed, with how they end now. */
function changedTests({ before: { failing }, after }: Outcome): string[] {
  const now = new Map(after.map(({ name, status }) => [name, status]));
  const line = ({ name }: { name: string }) => {
    const status = now.get(name) ?? "not run";
    if (status === "flaky") return `${name}: flaky, with the patch and without it`;
    if (status === "failed") return `${name}: still fails`;
    const ended = styled(status === "passed" ? "green" : "red", status, process.stderr);
    return `${name}: ${styled("red", "failed", process.stderr)} → ${ended}`;
  };
  return [
    ...failing.slice(0, MOST_LINES).map(line),
    ...(failing.length > MOST_LINES ? [`and ${failing.length - MOST_LINES} more that failed`] : []),
  ];
}

function failureLines(outcome: Outcome, name: string): string[] {
  const { before, best, attempts, model, help, why, is_compared } = outcome;
  const passing = before.passing.length;
  return [
    ...droppedLines(outcome),
    `not fixed: ${model} found no patch that passes; ${name} is unchanged`,
    ...attemptLines(why === "" ? attempts.slice(-1) : attempts, is_compared),
    ...(before.not_loaded === null
      ? [
          `${passing} of ${clause(passing + before.failing.length, "test", "pass")}, as before`,
          ...before.failing.slice(0, 2).map(failsLine),
          ...(before.failing.length > 2
            ? [`also fails: ${names(before.failing.slice(2).map((test) => test.name))}`]
            : []),
        ]
      : [notLoadedLine(before.not_loaded)]),
    best
      ? `best try: ${best.passing} of ${clause(best.of, "test", "pass")}, but not ` +
        names(best.failing.map((test) => test.name))
      : "no try makes another test pass",
    ...(help.length > 0 ? ["what may help:", ...help.map((line) => `  ${line}`)] : []),
  ];
}

const beside = ({ passing, flaky }: Outcome["before"]): string[] =>
  passing.length + flaky.length === 0 ? [] : [`${clause(passing.length, "other test", "pass")}${ofFlaky(flaky)}`];

/** @param isSearch turns of the search are not model calls, and are not shown */
const attemptLines = (attempts: Outcome["attempts"], isSearch: boolean): string[] =>
  attempts.map(({ turns, stop, status }) =>
    isSearch ? `  ${status}` : `  after ${plural(turns, "turn")} (${stop.replaceAll("_", " ")}): ${status}`,
  );

const names = (all: readonly string[]): string => listed(all, MOST_NAMES);

const ofFlaky = (flaky: readonly string[]): string =>
  flaky.length > 0 ? `; ${clause(flaky.length, "flaky test", "do")} not count` : "";

/** Only the changed lines of other patches: they are whole in the JSON, and in the kept run. */
function otherLines({ alternatives, diff, function: name }: Outcome): string[] {
  const shown = alternatives.slice(0, MOST_OTHERS);
  const first = diff === "" ? 1 : 2;
  return [
    ...shown.flatMap(({ diff: one, input, gives, repair_gives }, i) => [
      `patch ${i + first} ${diff === "" ? "passes" : "also passes"}, ${filesIn(one).join(", ")}:`,
      ...(input === "" ? [] : [`  ${name ?? ""}${input} gives ${gives}, with patch 1 ${repair_gives}`]),
      ...changesIn(one).map(indented),
    ]),
    ...(alternatives.length > shown.length ? [`and ${alternatives.length - shown.length} more (--json has them)`] : []),
  ];
}

const coloured = (line: string): string => {
  const sign = line[0];
  return sign === "+" || sign === "-" ? styled(sign === "+" ? "green" : "red", line, process.stderr) : line;
};

const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\+\+\+ "?(?:b\/)?([^\t"\n]*)/gm)].map(([, file = ""]) => file);

const droppedLines = ({ dropped }: Outcome): string[] => dropped.map(({ file, why }) => `left out: ${file} (${why})`);

/** The changed lines of a unified diff, each group with the line where it begins and a line around it. */
export function changesIn(diff: string): string[] {
  const lines = diff.split("\n");
  const isChange = (line = "") => /^[-+](?![-+]{2} )/.test(line);
  const shown: string[] = [];
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (start !== undefined) at = Number(start);
    else if (at > 0 && isChange(line)) {
      if (!isChange(lines[i - 1])) shown.push(`line ${at}:`, ...context(lines[i - 1]));
      shown.push(line);
      if (!isChange(lines[i + 1])) shown.push(...context(lines[i + 1]));
    }
    if (start === undefined && !/^[-\\]/.test(line)) at += 1;
  }
  return shown;
}

const context = (line = ""): string[] => (/^ .*\S/.test(line) ? [line] : []);
