/** What a search found, and how an Observation tells it. */

import { z } from "zod";
import type { Observation } from "../../agent/dialects/reply.ts";
import { ownKnowledge } from "../../agent/tools/search_edits.ts";
import { clause, plural } from "../../utils/base/text/format.ts";
import { likeOriginal, plainText } from "../../utils/base/text/line_ends.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { withoutAbsurd } from "../../utils/search/choice/absurd.ts";
import { smallest } from "../../utils/search/choice/choose.ts";
import { inWords, type ScoredText, scoreOf, sizeOf } from "../../utils/search/choice/score.ts";
import { withoutTwins } from "../../utils/search/choice/twins.ts";
import { tablesOf } from "../../utils/search/knowledge.ts";
import { changedLines, describeEdit } from "../../utils/search/result.ts";
import type { PlaceInFile } from "../project/functions.ts";

/** An edit that passes: lines of a file and what stands in their place. */
export const FileEdit = z.object({
  file: z.string(),
  from: z.number(),
  to: z.number(),
  old: z.string().transform(plainText),
  text: z.string().transform(plainText),
  operator: z.string(),
  /** A function that it calls once more than the program; what a second call does is unknown. */
  repeats: z.string().nullish(),
  /** The engine's: edits that cost less are likelier. */
  cost: z.number(),
  /** Edits with the same value did the same on all tried inputs; null if unknown. */
  behaviour: z.string().nullable().default(null),
});
export type FileEdit = z.infer<typeof FileEdit>;

/** The text of the edit's file with it, in the form that the file has. */
export function withEdit(program: string, { from, to, text }: FileEdit): string {
  const plain = plainText(program);
  const lines = linesOf(plain);
  const edited = [...lines.slice(0, from - 1), text, ...lines.slice(to)].join("");
  return program === plain ? edited : likeOriginal(program, edited);
}

/** Whether the lines that it replaces stand where it says. */
export const fits = (program: string, { from, to, old }: FileEdit): boolean =>
  linesOf(plainText(program))
    .slice(from - 1, to)
    .join("")
    .trimEnd() === old.trimEnd();

/** What takes it back. */
export const inverse = (edit: FileEdit): FileEdit => ({
  ...edit,
  ...{ to: edit.from + linesOf(edit.text).length - 1, old: edit.text, text: edit.old },
});

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

/** The first edit of each behaviour. */
export const distinctEdits = (edits: readonly FileEdit[]): FileEdit[] =>
  edits.filter(({ behaviour }, i) => behaviour === null || edits.findIndex((one) => one.behaviour === behaviour) === i);

/**
 * Ranks edits as the search with the file alone does; those that call something a second time come last. Of edits that
 * do the same the smallest comes first. An edit's cost says how likely it is within its function, so that in a short
 * function each costs less: what its function's rank says of the bug's place is added.
 * @param prose what the user says
 * @param places functions that were searched, the likeliest first
 */
export function likeliestFirst(
  edits: readonly FileEdit[],
  { prose = "", places = [] }: { prose?: string; places?: readonly PlaceInFile[] } = {},
): FileEdit[] {
  const textsOf = ({ file, from, old, text }: FileEdit) => ({ before: old, after: `${file}:${from}:${text}` });
  const single = withoutAbsurd(withoutTwins(edits, textsOf), textsOf, prose);
  const rankOf = ({ file, from }: FileEdit) =>
    places.findIndex((place) => place.file === file && place.start <= from && from <= place.end);
  const scoreAt = (edit: FileEdit) => {
    const rank = rankOf(edit);
    return scoreIn(edit, `${prose} ${inWords(places[rank]?.name ?? "")}`) + Math.log(1 + Math.max(0, rank));
  };
  const scores = new Map(single.map((edit) => [edit, scoreAt(edit)]));
  const sorted = single.toSorted(
    (a, b) => Number(Boolean(a.repeats)) - Number(Boolean(b.repeats)) || (scores.get(a) ?? 0) - (scores.get(b) ?? 0),
  );
  const first = smallest(sorted, {
    scoreOf: (edit) => scores.get(edit) ?? 0,
    sizeOf: (edit) => sizeOf(ranked(edit), edit.old),
    isLike: ({ behaviour }) => behaviour !== null && behaviour === sorted[0]?.behaviour,
  });
  return [...(first ? [first] : []), ...sorted.filter((edit) => edit !== first)];
}

/** The same score as that of an edit found with its file alone. */
export function scoreIn(edit: FileEdit, prose = ""): number {
  const knowledge = ownKnowledge();
  const language = languageOf(edit.file);
  const askedBy = language ? tablesOf(knowledge, language.name).asked_by : {};
  return scoreOf(ranked(edit), edit.old, { prose: prose.toLowerCase(), askedBy }, knowledge.priors);
}

function ranked({ cost, old, text }: FileEdit): ScoredText {
  const { now, ...place } = changed(old, text);
  return { cost, program: text, changes: [{ ...place, text: now }] };
}

/** What differs: the part of the old text that goes, and the new text in its place. */
function changed(old: string, text: string): { start: number; end: number; now: string } {
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start++;
  let same = 0;
  while (same < most - start && old.at(-1 - same) === text.at(-1 - same)) same++;
  return { start, end: old.length - same, now: text.slice(start, text.length - same) };
}

/** What was done in one function. */
export const FunctionReport = z.object({
  function: z.string(),
  file: z.string(),
  tried: z.number(),
  /** Candidates for which there was no time, without those much less likely than one that passes. */
  untried: z.number().default(0),
  /** Cost of the likeliest of these; null where that is not known. */
  next: z.number().nullable().default(null),
  /** Processor time in seconds. */
  cpu: z.number().default(0),
  /** Candidates that did not come to their end, and the processor time of the dearest of them in seconds. */
  hung: z.number().default(0),
  hungSeconds: z.number().default(0),
  /** Candidates that were not judged: their tests still waited, for a timer or a promise, when their time was up. */
  late: z.number().default(0),
  /** Failing tests that were run with each edit that was tried, and that none makes pass. */
  none: z.array(z.string()).default([]),
  /** Why nothing was tried. */
  why: z.string().optional(),
});
export type FunctionReport = z.infer<typeof FunctionReport>;

export type FoundEdits = {
  edits: FileEdit[];
  functions: FunctionReport[];
  /** Processes that went on where one had filled its memory. */
  renewed: number;
};

export type SearchFindings = FoundEdits & {
  /** Names of the tests that failed before the edits. */
  failing: string[];
  /** Those among them that each edit makes pass. */
  wanted: string[];
};

/** Whether failing tests were left out of what a search had to make pass. */
export const isPartial = ({ wanted, failing }: SearchFindings): boolean => wanted.length < failing.length;

export const editLine = (edit: FileEdit): string => `${edit.file}, ${changeIn(edit)}`;

/** `line 3: return a → return b`. */
export function changeIn({ from, old, text }: FileEdit): string {
  const { line, ...lines } = changedLines(old, text);
  return describeEdit({ ...lines, line: from + line - 1 });
}

/** What several searches did in each function. */
export function together(searches: readonly FoundEdits[]): FunctionReport[] {
  const all = new Map<string, FunctionReport>();
  for (const one of searches.flatMap(({ functions }) => functions)) {
    const key = `${one.file} ${one.function}`;
    const before = all.get(key) ?? { tried: 0, cpu: 0, hung: 0, hungSeconds: 0, late: 0 };
    all.set(key, {
      ...one,
      tried: before.tried + one.tried,
      cpu: before.cpu + one.cpu,
      hung: before.hung + one.hung,
      hungSeconds: Math.max(before.hungSeconds, one.hungSeconds),
      late: before.late + one.late,
    });
  }
  return [...all.values()];
}

/** One line a function. */
export const searchedLines = ({ functions }: Pick<FoundEdits, "functions">): string[] =>
  functions.map(({ function: name, file, tried, untried, cpu, hung, hungSeconds, late, why }) => {
    if (why !== undefined) return `${file} ${name}: ${why}`;
    const left = untried > 0 ? `, at least ${untried} not tried for lack of time` : "";
    const waited = late > 0 ? `, ${late} not judged because their tests did not end in time` : "";
    const ended = hung > 0 ? `, ${hung} stopped after at most ${hungSeconds.toFixed(1)} s` : "";
    return (
      `${file} ${name}: ${plural(tried, "edit")} tried in ${Number(cpu.toFixed(2))} s of processor ` +
      `time${left}${waited}${ended}`
    );
  });

export function describeFindings(findings: SearchFindings): Omit<Observation, "durationMs"> {
  const { edits, functions, wanted, failing } = findings;
  const list = edits.map((edit, i) => `${i + 1}. ${editLine(edit)}`);
  const some = wanted.length < failing.length ? ` ${wanted.length} of the ${failing.length} failing tests` : "";
  return {
    status:
      edits.length > 0
        ? `${clause(edits.length, "edit", "pass")}${some}`
        : functions.length > 0
          ? `no edit passes${some}`
          : `the ${wanted.length} failing tests have no function in common`,
    output: [...searchedLines(findings), ...list].join("\n"),
    data: findings,
  };
}
