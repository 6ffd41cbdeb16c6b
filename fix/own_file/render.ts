/** The outcome of a repair in a few lines for a person, and what may help where there is none. */

import type { ModelKind } from "../../agent/models/model.ts";
import { MODEL_KINDS } from "../../agent/models/table.ts";
import { NO_NETWORK, wantsNetwork } from "../../utils/frameworks/test_run.ts";
import { clause, plural } from "../../utils/text/format.ts";
import { firstLines, listed } from "../../utils/text/text.ts";
import { changesIn } from "../outcome/choices.ts";
import { changedTests, failsLine, sureLines } from "../outcome/sureness.ts";
import type { OwnFileOutcome, TestStanding } from "./outcome.ts";

/** What stands on stderr: ten lines at most beside differences. */
export function renderOutcome(outcome: OwnFileOutcome): string {
  const { file, model, written, test_command: command } = outcome;
  switch (outcome.outcome) {
    case "interrupted":
      return `interrupted; ${file} is unchanged`;
    case "nothing_to_repair":
      return `the tests already pass (${command}), nothing to repair; ${file} is unchanged${outcome.model ? "" : " (--even-if-passing goes on all the same)"}`;
    case "not_repaired":
      return renderFailure(outcome);
    case "repaired": {
      const kept = written && written.backups.length > 0 ? `; originals: ${written.backups.join(", ")}` : "";
      const what = written
        ? `${file} ${outcome.is_suggestion ? "has the suggestion of" : "is repaired by"} ${model}${kept}`
        : `${outcome.is_suggestion ? "suggested" : "repaired"} by ${model}; --write applies this to ${file}`;
      const changed = changedTests(
        outcome.before.failing.map(({ name }) => name),
        () => "passed",
      );
      return [...changed, ...renderAlternatives(outcome), what].join("\n");
    }
  }
}

function renderAlternatives(outcome: OwnFileOutcome): string[] {
  const { alternatives, function: name } = outcome;
  const sure = sureLines(outcome, alternatives.length);
  if (alternatives.length === 0) return sure;
  const rows = alternatives.flatMap(({ diff, input, gives, repair_gives }, i) => [
    input === "" ? `${i + 2}.` : `${i + 2}. ${name}${input} gives ${gives}, with the repair above ${repair_gives}:`,
    ...changesIn(diff).map((line) => `  ${line}`),
  ]);
  return [...sure, ...rows, "--choose N takes another one, as they are numbered"];
}

function renderFailure(outcome: OwnFileOutcome): string {
  const { before, best, file, model, turns, why, help } = outcome;
  const lines = [
    `not repaired: ${model} found nothing that passes in ${plural(turns, "turn")}; ${file} is unchanged`,
    ...(why === "" ? [] : [why]),
    ...renderStanding(before),
    ...(best
      ? [`best candidate: passes ${best.passing} of ${best.of}, and not ${names(best.failing.map(({ name }) => name))}`]
      : ["no candidate passes more tests than the file as it is"]),
    ...(help.length > 0 ? ["what may help:", ...help.map((line) => `  ${line}`)] : []),
  ];
  return lines.slice(0, 10).join("\n");
}

function renderStanding({ passing, failing, problem }: TestStanding): string[] {
  if (problem !== null) return [`now: ${firstLines(problem, 1)}`];
  return [
    `now ${passing.length} of ${clause(passing.length + failing.length, "test", "pass")}${passing.length > 0 ? `: ${names(passing)}` : ""}`,
    ...failing.slice(0, 2).map(failsLine),
    ...(failing.length > 2 ? [`fails too: ${names(failing.slice(2).map(({ name }) => name))}`] : []),
  ];
}

const MOST_NAMES = 4;
const names = (all: readonly string[]): string => listed(all, MOST_NAMES);

/** What a user could bring where nothing was found: one sentence each, the likeliest help first. */
export function helpFor(
  { stop, before }: OwnFileOutcome,
  { advice }: ModelKind,
  { maxIterations, timeoutMs }: { maxIterations: number; timeoutMs: number },
): string[] {
  return [
    ...(before.failing.some(({ message }) => wantsNetwork(message)) ? [NO_NETWORK] : []),
    ...(advice ? [advice.instead] : []),
    ...(before.passing.length + before.failing.length < 3
      ? ["more tests, each of one case, say more about what is wrong; --instruction says it in words."]
      : []),
    ...(stop === "budget" ? [`a larger budget: --timeout above ${timeoutMs / 1000} seconds.`] : []),
    ...(stop === "max_iterations" && !advice ? [`more turns: --max-iterations above ${maxIterations}.`] : []),
    ...(advice && stop === "max_iterations" ? [advice.more] : []),
    ...(advice ? [] : MODEL_KINDS.flatMap((kind) => kind.advice?.asFallback ?? [])),
  ].slice(0, 3);
}
