/**
 * What a search does next, from what its earlier turns came to: it searches, and answers with one program after the
 * other until one is accepted; then it searches on from where it stopped.
 */

import { z } from "zod";
import { doing, plural } from "../base/text/format.ts";
import { describeEdit, type FoundEdit, RankedEdits } from "./result.ts";
import type { SearchOptions } from "./search.ts";

/** The tool that searches. */
export const SEARCH_EDITS = "search_edits";

/** A turn of a search: a call of the tool, or an answer. */
export type Move =
  | { kind: "act"; tool: string; input: Record<string, unknown>; thought: string }
  | {
      kind: "answer";
      text: string;
      thought: string;
      /** True where nothing is left to try: each further answer would be the same. */
      isLast?: boolean;
    }
  /** The engine itself failed, which says nothing about the task. */
  | { kind: "failed"; why: string };

/** An earlier turn. */
export interface PastTurn {
  /** The data of its Observation. */
  data: unknown;
  /** Turns since. */
  later: number;
}

/** Decides from the past alone. */
export type NextMove = (past: readonly PastTurn[]) => Move;

/** How the engine searches one function. */
export interface Engine extends Pick<SearchOptions, "seed" | "off" | "priors" | "shown"> {
  /** Candidates to try in one call. */
  steps: number;
  /** Processor time of all calls together. Default: what each call may use. */
  cpuSeconds?: number | undefined;
}

export const DEFAULT_STEPS = 8000;
/** A call needs as much to try anything, in seconds. */
const LEAST_SECONDS = 1;

/** The data of an Observation where the engine gave no result: why, in one sentence. */
const Failed = z.object({ failed: z.string() });
export type Failed = z.infer<typeof Failed>;

/** Processor time of searches, in seconds. */
export const secondsOf = (searches: readonly { cpu?: number | undefined }[]): number => sum(searches, "cpu");

type Numbers = "tried" | "passing" | "cpu";
const sum = (searches: readonly Partial<Record<Numbers, number>>[], what: Numbers): number =>
  searches.reduce((all, search) => all + (search[what] ?? 0), 0);

/** Says so wherever what follows rests on a search that did not come to its end. */
const CUT_OFF = "The search was cut off before its end: it used up its CPU time or was blocked.";

/** Searches one function. */
export const searchFunction =
  (engine: Engine): NextMove =>
  (past) => {
    const failure = Failed.safeParse(past.at(-1)?.data).data;
    if (failure) return { kind: "failed", why: failure.failed };
    const searches = past.flatMap(({ data, later }) => {
      const found = RankedEdits.safeParse(data).data;
      return found ? [{ ...found, later }] : [];
    });
    const last = searches.at(-1);
    if (!last) return searching(engine, [], "I try small edits, the likeliest first, and keep those that pass.");
    const [program, edit] = [last.programs[last.later], last.best[last.later]];
    if (program !== undefined && edit) return { kind: "answer", text: program, thought: reasonFor(edit, searches) };
    const left = (engine.cpuSeconds ?? Number.POSITIVE_INFINITY) - secondsOf(searches);
    if (last.status === "exhausted" || last.status === "unreadable" || left < LEAST_SECONDS)
      return nothingFound(searches);
    const refused = last.later > 0 ? "That was not it. " : "";
    const cut = last.cutOff ? `${CUT_OFF} ` : "";
    const all = plural(sum(searches, "tried"), "candidate");
    return searching(engine, searches, `${refused}${cut}After ${all} I go on with the next ones.`);
  };

function searching(engine: Engine, searches: readonly RankedEdits[], thought: string): Move {
  const { steps, seed = 0, off = [], cpuSeconds, priors, shown } = engine;
  const last = searches.at(-1);
  const left = cpuSeconds === undefined ? undefined : cpuSeconds - secondsOf(searches);
  const input = {
    steps,
    seed,
    ...(off.length > 0 && { off }),
    ...(last && { cursor: last.cursor, rejected: searches.flatMap(({ best }) => best.map((edit) => edit.splices)) }),
    ...(left !== undefined && { cpuSeconds: Math.max(left, LEAST_SECONDS), tellsCpu: true }),
    ...(priors && { priors }),
    ...(shown && { shown }),
  } satisfies SearchOptions;
  return { kind: "act", tool: SEARCH_EDITS, input, thought };
}

function reasonFor(edit: FoundEdit, searches: readonly RankedEdits[]): string {
  const all = plural(sum(searches, "tried"), "edit");
  const last = searches.at(-1);
  const evidence = last?.untested
    ? `No test says which edit is right, so I take the likeliest of ${all}.`
    : `I tried ${all}; ${doing(sum(searches, "passing"), "pass")}. I take the likeliest.`;
  return `${describeEdit(edit)} (${edit.operator}). ${evidence}${last?.cutOff ? ` ${CUT_OFF}` : ""}`;
}

/** Answers with what passes most checks, else with the program unchanged. */
function nothingFound(searches: readonly RankedEdits[]): Move {
  const last = searches.at(-1);
  const reason = last?.explanation ?? `None of ${plural(sum(searches, "tried"), "edit")} passes.`;
  const [best] = searches.filter(({ closest }) => closest).toSorted((a, b) => passes(b) - passes(a));
  const { closest, otherwise = "" } = best ?? last ?? {};
  const said = closest
    ? `The closest passes ${closest.passes} of ${closest.of} checks.`
    : "I return the program unchanged.";
  return { kind: "answer", text: otherwise, thought: `${reason} ${said}`, isLast: true };
}

const passes = ({ closest }: RankedEdits): number => closest?.passes ?? 0;
