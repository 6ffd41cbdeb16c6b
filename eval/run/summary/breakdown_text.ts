/** The breakdown of a run as a few lines for a terminal. */

import { count, dollars, percent, percentWithin, plural, seconds, words } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Result } from "../results.ts";
import { type Behaviour, type Breakdown, breakDown, type Spread } from "./breakdown.ts";
import { type TaskScore, taskScores } from "./task_scores.ts";

const LABEL = 18;
/** How many groups of one kind are listed. */
const MOST_GROUPS = 8;

/** @param results the latest of each sample; @returns nothing where no sample has a score */
export function renderBreakdown(results: readonly Result[]): string {
  const broken = breakDown(results);
  const { bugTypes, stops, iterations, visibleAndHidden, usage, formatErrors, dialects, answeredBy } = broken;
  if (!results.some((result) => "passed" in result)) return "";
  // The reference solutions and the unchanged programs of --gold and --empty were not repaired.
  const isRepaired = results.some((result) => "passed" in result && result.iterations > 0);
  const rows: [string, string[]][] = [
    ["by bug type", bugTypes.length > 1 ? bugTypes.map(bugType) : []],
    ["attempts", consistency(taskScores(results))],
    [
      "stop reason",
      isRepaired
        ? stops.map(({ name, samples, passed }) => `${words(name)}: ${plural(samples, "sample")}, ${passed} solved`)
        : [],
    ],
    ["tests", isRepaired ? visible(visibleAndHidden) : []],
    ["behaviour", broken.behaviour ? behaviour(broken.behaviour) : []],
    ["turns needed", isRepaired ? turns(iterations) : []],
    ["tokens", isRepaired ? tokens(usage) : []],
    ["cost", isRepaired ? [cost(usage)] : []],
    ["time per sample", isRepaired ? [spread(usage.seconds, seconds)] : []],
    [
      "unreadable replies",
      formatErrors.map(({ kind, replies, samples }) => `${words(kind)} ${replies} in ${plural(samples, "sample")}`),
    ],
    ["replies", dialects.map(reply)],
    ["answered by", answeredBy.map(({ kind, replies }) => `${inLine(kind)}: ${plural(replies, "reply", "replies")}`)],
  ];
  return rows
    .flatMap(([label, parts]) => (parts.length === 0 ? [] : `${label.padEnd(LABEL)}  ${list(parts)}`))
    .join("\n");
}

/** How a model wrote what it did, by the reader that understood it. */
const FORMS: Readonly<Record<string, string>> = {
  tool_call: "by tool calls",
  // As version 0.2 counted both.
  native: "in native format",
  strict: "in the form that the prompt asks for",
};

const reply = ({ kind, replies }: Breakdown["dialects"][number]): string =>
  kind === "answer"
    ? plural(replies, "answer without a call", "answers without a call")
    : `${count(replies)} ${FORMS[kind] ?? `in another form (${words(kind)})`}`;

const list = (parts: readonly string[]): string =>
  parts.length > MOST_GROUPS
    ? `${parts.slice(0, MOST_GROUPS).join(" · ")} · ${parts.length - MOST_GROUPS} more`
    : parts.join(" · ");

const bugType = ({ name, passed, samples, estimate }: Breakdown["bugTypes"][number]): string =>
  `${inLine(name)} ${passed}/${samples} ${percentWithin(estimate.value, estimate.interval)}`;

/** For several attempts: how many tasks are always, sometimes, never solved. */
function consistency(tasks: readonly TaskScore[]): string[] {
  const scored = tasks.filter(({ samples }) => samples > 0);
  if (!scored.some(({ samples }) => samples > 1)) return [];
  const always = scored.filter(({ passed, samples }) => passed === samples).length;
  const never = scored.filter(({ passed }) => passed === 0).length;
  return [`${plural(always, "task")} always solved`, `${scored.length - always - never} sometimes`, `${never} never`];
}

function visible({
  bothPass,
  visibleOnly,
  hiddenOnly,
  neither,
  unanswered,
  misled,
}: Breakdown["visibleAndHidden"]): string[] {
  const { value = 0, interval = null } = misled ?? {};
  const share = misled ? ` (${interval ? percentWithin(value, interval) : percent(value)} of all visible passes)` : "";
  return [
    `visible and hidden pass ${bothPass}`,
    `only visible pass ${visibleOnly}${share}`,
    `only hidden pass ${hiddenOnly}`,
    `both fail ${neither}${unanswered > 0 ? ` (${unanswered} without a program that loads)` : ""}`,
  ];
}

const behaviour = ({ alike, overfit, unchecked, unknown, none, repairs, suggestions }: Behaviour): string[] => [
  `same test results as the reference fix ${alike}`,
  `overfit ${overfit}`,
  ...(unchecked > 0 ? [`resolved, not checked ${unchecked}`] : []),
  ...(unknown > 0 ? [`unknown ${unknown}`] : []),
  `not resolved ${none}`,
  ...(repairs.samples > 0 ? [`${repairs.alike} of ${repairs.samples} reported as fixed behave like it`] : []),
  ...(suggestions.samples > 0
    ? [`${suggestions.alike} of ${plural(suggestions.samples, "suggestion")} behave like it`]
    : []),
];

const turns = (iterations: Breakdown["iterations"]): string[] =>
  iterations
    .filter(({ passed }) => passed > 0)
    .map((row) => `within ${row.iterations}: ${percent(row.solvedWithin)} solved`);

function tokens({ inputTokens, cachedInputTokens, outputTokens }: Breakdown["usage"]): string[] {
  if (inputTokens.total === null || outputTokens.total === null) return ["unknown (the server does not count them)"];
  const cached = cachedInputTokens.total ? ` (${count(cachedInputTokens.total)} cached)` : "";
  return [`${count(inputTokens.total)} in${cached}`, `${count(outputTokens.total)} out`];
}

function spread({ median, p90, max }: Spread, show: (value: number) => string): string {
  if (median === null || p90 === null || max === null) return "unknown";
  return `median ${show(median)}, 90% within ${show(p90)}, longest ${show(max)}`;
}

function cost({ costUsd: { total, median }, outputTokens }: Breakdown["usage"]): string {
  if (total === null) return outputTokens.total === null ? "unknown" : "unknown (no price: give --price IN,OUT)";
  return total === 0 ? dollars(0) : `${dollars(total)}, median ${dollars(median)} per sample`;
}
