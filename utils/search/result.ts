/** The result of a search, as an Observation holds it: edits, and where to continue. */

import { z } from "zod";

/** Replaces the characters from start to end (in code points) of the program by a text. */
export const Splice = z.tuple([z.number().int(), z.number().int(), z.string()]);
export type Splice = z.infer<typeof Splice>;

export const FoundEdit = z.looseObject({
  splices: z.array(Splice),
  operator: z.string(),
  /** By itself; less is likelier. */
  cost: z.number().optional(),
  /** Cost and what else speaks for or against it. */
  score: z.number().optional(),
  /** 1-based line of the program where the edit starts, and what it changes, see `changedLines`. */
  line: z.number().int(),
  old: z.string(),
  new: z.string(),
  /** A function that it calls once more than the program did; the second call may have effects. */
  repeats: z.string().optional(),
  /** Arguments near the tests', in parentheses, for which it raises an error and the program did not. */
  breaks: z.string().optional(),
  /**
   * `unchanged` is 1 if it behaves like the program on all inputs near the tests', or there are none; `opaque` is 1 if
   * a result cannot be compared, such as a function.
   */
  features: z.looseObject({ unchanged: z.number().optional(), opaque: z.number().optional() }).optional(),
});
export type FoundEdit = z.infer<typeof FoundEdit>;

/** A passing edit that behaves differently from the first of `best` on `input`. */
const OtherEdit = z.looseObject({
  splices: z.array(Splice),
  /** The arguments, in parentheses. */
  input: z.string(),
  gives: z.string(),
  best_gives: z.string(),
  /** Results of the best edit and of this one on the input of each other edit; null if a test cannot name them. */
  on_each: z.array(z.tuple([z.string().nullable(), z.string().nullable()])).optional(),
});

export type OtherEdit = z.infer<typeof OtherEdit>;

export const SearchResult = z.looseObject({
  /**
   * `found`: `best` holds edits that pass. `none`: budget used up. `exhausted`: nothing is left to try. `asks`:
   * the list of edits is needed.
   */
  status: z.enum(["found", "none", "exhausted", "running", "unreadable", "asks"]),
  tried: z.number().int(),
  passing: z.number().int(),
  /** Lines of candidates that were executed. */
  lines: z.number().int(),
  /** Processor time in seconds, where that was asked for: it differs from run to run. */
  cpu: z.number().optional(),
  /** Likeliest first. */
  best: z.array(FoundEdit),
  /** With different behaviour, likeliest first. */
  others: z.array(OtherEdit).optional(),
  /** If nothing passes: the edit that passes most checks, if that is more than the program passes. */
  closest: z.object({ splices: z.array(Splice), passes: z.number().int(), of: z.number().int() }).nullish(),
  /** Opaque: given to the next call to go on from here. */
  cursor: z.unknown(),
  /** The search used up its CPU time, or candidates kept blocking it: it may have missed edits. */
  cutOff: z.boolean().optional(),
  explanation: z.string().optional(),
  /** There were no visible tests: edits that pass only load. */
  untested: z.boolean().optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** A result with its programs, so that a reader needs nothing else. */
export const RankedEdits = SearchResult.extend({
  /** The program with each edit of `best`. */
  programs: z.array(z.string()),
  /** The answer if none of these is right: the program with the edit of `closest`, else unchanged. */
  otherwise: z.string(),
});
export type RankedEdits = z.infer<typeof RankedEdits>;

/**
 * Passing edits that could not be compared with the best one: neither changes a result that was seen, or a result is
 * opaque.
 */
export const uncompared = ({ best: [first, ...rest], others = [], cutOff }: SearchResult): FoundEdit[] =>
  others.length > 0
    ? []
    : rest.filter((one) => cutOff || (isUnseen(first) && isUnseen(one)) || isOpaque(first) || isOpaque(one));

const isUnseen = (edit: FoundEdit | undefined): boolean => edit?.features?.unchanged === 1;
const isOpaque = (edit: FoundEdit | undefined): boolean => edit?.features?.opaque === 1;

export const repeatedCall = (name: string): string =>
  `it calls ${name} once more: look at what that does a second time`;

export const REMOVES = "it only removes code";

/** Fewer tokens are a slip: a sign, or a number beside one. */
const LEAST_REMOVED = 3;
const TOKEN = /\w+|[^\w\s;]/g;

/** Whether an edit takes away a statement or a call and writes nothing. */
export function onlyRemoves(before: string, after: string): boolean {
  const tokensOf = (text: string) => (text.match(TOKEN) ?? []).filter((token) => token !== "pass");
  const left = tokensOf(after);
  const old = tokensOf(before);
  let kept = 0;
  for (const token of old) if (token === left[kept]) kept++;
  const isLine = left.length < old.length && after.trim().split("\n").length < before.trim().split("\n").length;
  return kept === left.length && (isLine || old.length - left.length >= LEAST_REMOVED);
}

/** Why an edit is only a suggestion, even if no other passes; null if nothing speaks against it. */
export function warningOf({ splices, repeats, breaks }: FoundEdit, program: string): string | null {
  if (onlyRemoves(program, applyEdit(program, splices))) return REMOVES;
  if (repeats !== undefined) return repeatedCall(repeats);
  return breaks === undefined ? null : `it raises an error for the arguments ${breaks}, and the program before did not`;
}

/** The search result in the data of an Observation; null for any other data. */
export const searchIn = (data: unknown): SearchResult | null => SearchResult.safeParse(data).data ?? null;

/** The program with an edit's splices applied. */
export function applyEdit(program: string, splices: readonly Splice[]): string {
  const characters = Array.from(program);
  let result = "";
  let at = 0;
  for (const [start, end, text] of [...splices].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    result += characters.slice(at, start).join("") + text;
    at = end;
  }
  return result + characters.slice(at).join("");
}

/** An edit in one line, e.g. `line 4: if x < 0: → if x > 0:` or `line 4: adds return 0`. */
export function describeEdit({ line, old, new: now }: Pick<FoundEdit, "line" | "old" | "new">): string {
  if (old === "") return `line ${line}: adds ${now}`;
  return `line ${line}: ${now === "" ? `removes ${old}` : `${old} → ${now}`}`;
}

const MOST_SHOWN = 60;
/** Of what stays in front of a change in a long line. */
const MOST_BEFORE = 20;

/** The lines that differ between two texts, as a reader sees an edit, and the number of the first. */
export function changedLines(before: string, after: string): { line: number; old: string; new: string } {
  let [old, now] = [before.split("\n"), after.split("\n")];
  const first = sameItems(old, now);
  [old, now] = [old.slice(first), now.slice(first)];
  const last = sameItems(old.toReversed(), now.toReversed());
  [old, now] = [old.slice(0, old.length - last), now.slice(0, now.length - last)];
  const isPaired = old.length === now.length;
  const [gone, come] = [old, now].map((lines) =>
    lines.filter((_, at) => !isPaired || old[at] !== now[at]).map((line) => line.trim()),
  ) as [string[], string[]];
  const between = isPaired ? " … " : " ";
  return { line: first + 1, ...shortened(gone.join(between).trim(), come.join(between).trim()) };
}

/** How many items two lists begin with that are the same. */
function sameItems(one: ArrayLike<string>, other: ArrayLike<string>): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

/** Of long lines the part that differs. */
function shortened(old: string, now: string): { old: string; new: string } {
  const same = Math.max(old.length, now.length) > MOST_SHOWN ? Math.max(0, sameItems(old, now) - MOST_BEFORE) : 0;
  const from = old.lastIndexOf(" ", same) + 1;
  const cut = (text: string) => {
    const part = (from > 0 ? "…" : "") + text.slice(from);
    return part.length > MOST_SHOWN ? `${part.slice(0, MOST_SHOWN - 3)}…` : part;
  };
  return { old: cut(old), new: cut(now) };
}
