/** What a search found, and how an Observation tells it. */

import { z } from "zod";
import { clause, plural } from "../../../utils/text/format.ts";
import type { Observation } from "../../tools/tool.ts";

/** An edit that passes: lines of a file and what stands in their place. */
export const FileEdit = z.object({
  file: z.string(),
  from: z.number(),
  to: z.number(),
  old: z.string(),
  text: z.string(),
  operator: z.string(),
  before: z.string(),
  after: z.string(),
  /** True where it only takes something away. */
  deletes: z.boolean(),
  /** The engine's: edits that cost less are likelier. */
  cost: z.number(),
  /** Edits of the same do the same on all that was tried; null where that is not known. */
  behaviour: z.string().nullable().default(null),
});
export type FileEdit = z.infer<typeof FileEdit>;

/** The text of the edit's file with it. */
export function withEdit(program: string, { from, old, text }: FileEdit): string {
  const lines = program.split(/(?<=\n)/);
  const start = lines.slice(0, from - 1).join("").length;
  return program.slice(0, start) + text + program.slice(start + old.length);
}

/** The first edit of each behaviour. */
export const distinctEdits = (edits: readonly FileEdit[]): FileEdit[] =>
  edits.filter(({ behaviour }, i) => behaviour === null || edits.findIndex((one) => one.behaviour === behaviour) === i);

/** What was done in one function. */
export const Searched = z.object({
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
  /** Why nothing was tried. */
  why: z.string().optional(),
});
export type Searched = z.infer<typeof Searched>;

export const SearchFindings = z.object({
  edits: z.array(FileEdit),
  functions: z.array(Searched),
  /** Processes that went on where one had filled its memory. */
  renewed: z.number(),
});
export type SearchFindings = z.infer<typeof SearchFindings>;

export const editLine = ({ file, from, before, after }: FileEdit): string =>
  `${file}, line ${from}: ${before} → ${after}`;

/** One line a function. */
export const searchedLines = ({ functions }: SearchFindings): string[] =>
  functions.map(({ function: name, file, tried, untried, cpu, hung, hungSeconds, why }) => {
    if (why !== undefined) return `${file} ${name}: ${why}`;
    const left = untried > 0 ? `, at least ${untried} left for want of time` : "";
    const ended = hung > 0 ? `, ${hung} ended after ${hungSeconds.toFixed(1)} s at most` : "";
    return `${file} ${name}: ${plural(tried, "edit")} tried in ${Number(cpu.toFixed(2))} s of processor time${left}${ended}`;
  });

export function describeFindings(findings: SearchFindings): Omit<Observation, "durationMs"> {
  const { edits } = findings;
  const list = edits.map((edit, i) => `${i + 1}. ${editLine(edit)}`);
  return {
    status: edits.length === 0 ? "no edit passes" : clause(edits.length, "edit", "pass"),
    output: [...searchedLines(findings), ...list].join("\n"),
    data: findings,
  };
}

/** The findings that an Observation of the tool has beside its text; null for any other data. */
export const readFindings = (data: unknown): SearchFindings | null => SearchFindings.safeParse(data).data ?? null;
