/** A comparison as text for a person. */

import { boundOfNone } from "../../../utils/base/statistics/stats.ts";
import { count, dollars, percentWithin, plural, seconds } from "../../../utils/base/text/format.ts";
import { inLine, listed } from "../../../utils/base/text/text.ts";
import type { Comparison, Flip, Side } from "./comparison.ts";

const COLUMN = 26;

/** The whole table, ending with a sentence that says whether the difference could be chance. */
export function renderComparison(comparison: Comparison): string {
  const { a, b, shared, shown, protocol, dataset } = comparison;
  return [
    `On the ${plural(shared, "task")} of ${dataset} that both runs have scored · ${protocol}: ${shown}`,
    ...missingIn(a, b),
    "",
    row("", `A ${a.name}`, `B ${b.name}`),
    row("model", a.model, b.model),
    row("pass@1 [95%]", percentWithin(a.score.value, a.score.interval), percentWithin(b.score.value, b.score.interval)),
    row("solved", solved(a), solved(b)),
    row("input tokens", count(a.usage.inputTokens.total), count(b.usage.inputTokens.total)),
    row("output tokens", count(a.usage.outputTokens.total), count(b.usage.outputTokens.total)),
    row("cost", dollars(a.usage.costUsd.total), dollars(b.usage.costUsd.total)),
    row("total time", seconds(a.usage.seconds.total), seconds(b.usage.seconds.total)),
    row("median time", seconds(a.usage.seconds.median), seconds(b.usage.seconds.median)),
    ...settings(comparison),
    ...onlyOne(comparison),
    ...flips("B", comparison.gained),
    ...flips("A", comparison.lost),
    "",
    ...conclusion(comparison),
  ].join("\n");
}

const row = (name: string, a: string, b: string) =>
  `${name.padEnd(16)}${column(a).padEnd(COLUMN + 2)}${column(b)}`.trimEnd();
const column = (text: string) => (text.length > COLUMN ? `${text.slice(0, COLUMN - 1)}…` : text);
const solved = ({ passed, samples, score }: Side) =>
  samples === score.tasks ? `${passed}/${samples}` : `${passed}/${samples} samples`;

/** What the runs lack, in sentences. */
function missingIn(a: Side, b: Side): string[] {
  const said = (what: (side: Side) => string | false) =>
    Object.entries({ A: a, B: b }).flatMap(([name, side]) => {
      const text = what(side);
      return text ? `${name} ${text}` : [];
    });
  const incomplete = [
    ...said(({ errors }) => errors > 0 && `ended with an error in ${plural(errors, "sample")}`),
    ...said(({ missing }) => missing > 0 && `did not run ${plural(missing, "sample")}`),
  ];
  const leftOut = said(
    ({ leftOut: tasks }) => tasks > 0 && `left out ${plural(tasks, "task")}, which cannot be scored`,
  );
  return [
    ...(incomplete.length > 0 ? [`INCOMPLETE: ${incomplete.join(", ")}`] : []),
    ...(leftOut.length > 0 ? [leftOut.join(", ")] : []),
  ];
}

function settings({ differences, a: first, b: second }: Comparison): string[] {
  const [one, other] = [first, second].map(({ answeredBy }) => inLine(answeredBy.join("; ")));
  const lines = [
    ...differences.map(
      ({ setting, a, b, material }) => `  ${setting}: ${a} → ${b}${material ? "  (shown to the model)" : ""}`,
    ),
    ...(one && other && one !== other ? [`  models that replied, as the servers say: ${one} → ${other}`] : []),
  ];
  return lines.length === 0 ? ["", "Same settings."] : ["", "Settings that differ, A → B", ...lines];
}

function onlyOne({ onlyA, onlyB }: Comparison): string[] {
  const line = (name: string, ids: string[]) =>
    ids.length === 0 ? [] : [`Not compared, because only ${name} scored them: ${listed(ids, 12)}`];
  return [...line("A", onlyA), ...line("B", onlyB)];
}

function flips(solver: string, tasks: readonly Flip[]): string[] {
  const several = tasks.some(({ a, b }) => a[1] + b[1] > 2);
  const share = ([passed, samples]: [number, number]) => `${passed}/${samples}`;
  const line = ({ taskId, bugType, a, b }: Flip) =>
    `  ${taskId.padEnd(13)} ${bugType}${several ? `  ${share(a)} → ${share(b)}` : ""}`;
  const title = several ? `solved more often by ${solver}` : `solved by ${solver} only`;
  return ["", `${title} (${tasks.length})`, ...tasks.map(line)];
}

/** `+4.9`, `-0.5`, `0.0` */
export function points(value: number): string {
  const text = (value * 100).toFixed(1);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? "0.0" : text;
}

/** Whether the difference could be chance, in sentences. */
export function conclusion({ a, b, shared, difference, gained, lost, power }: Comparison): string[] {
  if (!difference) return ["No task was scored in both runs, so nothing can be compared."];
  const { value, interval, p, test, significant } = difference;
  const [low, high] = interval;
  const figures =
    `B − A = ${points(value)} points [95%: ${points(low)}, ${points(high)}] · ${plural(shared, "shared task")} · ` +
    `p ${pValue(p)} (${test}, ` +
    `${gained.length} gained, ${lost.length} lost)`;
  const better = value > 0 ? b.name : a.name;
  if (significant)
    return [figures, `The difference is larger than chance explains: ${better} is better on these tasks.`];
  const isNone = gained.length + lost.length === 0;
  const isDoubtful = low > 0 || high < 0;
  const approximate = isDoubtful ? ": the interval is only approximate, so go by the p-value" : "";
  const chance = isNone ? [] : [`The difference could be due to chance${approximate}.`];
  return [figures, ...chance, ...caution(shared, gained.length + lost.length, power)];
}

const pValue = (p: number): string => (p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`);

function caution(shared: number, flipped: number, power: Comparison["power"]): string[] {
  if (!power) return [];
  const { smallestSignificant: least, smallestDetectable: detectable } = power;
  if (least === null) return [`With ${plural(shared, "task")}, no difference can be significant.`];
  if (flipped === 0) {
    const bound = (boundOfNone(shared) * 100).toFixed(1);
    return [
      `Both runs solved the same tasks. With ${plural(shared, "task")} they could still differ on up to ${bound}% of ` +
        "such tasks.",
    ];
  }
  const lines = [
    `With ${plural(shared, "task")}, a difference below ${(least * 100).toFixed(1)} points is never significant.`,
  ];
  if (detectable !== null) {
    lines.push(
      `If ${flipped} of ${shared} tasks differ, a true difference below ${(detectable * 100).toFixed(1)} points is ` +
        "missed more than one time in five.",
    );
  }
  return lines;
}
