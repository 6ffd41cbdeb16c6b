/** Scores passing edits: by cost, by what they remove, and by what they add that the instruction mentions. */

import type { Change } from "../edits/edit.ts";
import type { Priors } from "../knowledge.ts";
import type { SearchRequest } from "../request.ts";

const TOKEN = /[A-Za-z_]\w*|\d+(?:\.\d+)?|"[^"\n]*"|'[^'\n]*'|&&|\|\||[*/<>=!+-]=+|\S/g;
/** An edit to rank: its cost, and the edited program. */
export interface ScoredText {
  cost: number;
  changes: readonly Change[];
  program: string;
}

/** Removed tokens beyond this number make no difference. */
const MOST_GONE = 12;
const MOST_ASKED = 2;
/** Cost of each inserted token beyond the first `SHORT`: missing code is seldom long. */
const LONG = 0.04;
const SHORT = 8;
/** Size of an edit that only reorders tokens. */
const EXCHANGED = 2;

function counted(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [token] of text.matchAll(TOKEN)) found.set(token, (found.get(token) ?? 0) + 1);
  return found;
}

const tokensOf = (text: string): string => (text.match(TOKEN) ?? []).join(" ");

const beyond = (some: Map<string, number>, others: Map<string, number>): string[] =>
  [...some].flatMap(([token, count]) => Array<string>(Math.max(0, count - (others.get(token) ?? 0))).fill(token));

/** The longer words of a name such as `isUpper`, `is_upper` or `isupper`, without usual prefixes. */
const wordsOf = (token: string): string[] =>
  [token, ...token.split(/_|(?<=[a-z])(?=[A-Z])/), token.replace(/^(?:is|to|get)/, "")]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 3);

/** What the user says of a program. */
export interface Wording {
  /** The instruction and the function's name, in small letters. */
  prose: string;
  /** Words of an instruction, as a pattern, that ask for a token. Default: none are known. */
  askedBy?: Readonly<Record<string, string>>;
}

/** The instruction without examples, and the words of the function's name, in small letters. */
export const proseOf = ({ instruction, entry }: Pick<SearchRequest, "instruction" | "entry">): string =>
  [...instruction.split("\n").filter((line) => !line.includes(">>>") && !line.includes(`${entry}(`)), inWords(entry)]
    .join("\n")
    .toLowerCase();

/** `Cart most expensive` of `Cart.most_expensive`. */
export const inWords = (name: string): string =>
  name.replace(/[^\p{L}\p{N}]+/gu, " ").replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");

/** Whether the instruction mentions a token: by its name, by a similar word, or as a value. */
function isAsked(token: string, { prose, askedBy = {} }: Wording): boolean {
  if (/^["']/.test(token)) return token.length > 2 && prose.includes(token.slice(1, -1).toLowerCase());
  if (/^\d/.test(token)) return new RegExp(`(?<![\\w.])${token.replace(".", "\\.")}(?!\\w\\w|\\.\\d)`).test(prose);
  const asked = Object.hasOwn(askedBy, token) ? askedBy[token] : undefined;
  if (asked !== undefined && new RegExp(asked).test(prose)) return true;
  return wordsOf(token).some((word) => prose.includes(word.slice(0, 4)));
}

/**
 * Size of an edit in tokens, added up over its places: a replaced token counts once, one that moves to another place
 * twice.
 */
export function sizeOf({ changes }: Pick<ScoredText, "changes">, program: string): number {
  const sizes = changes.map(({ start, end, text }) => {
    const old = program.slice(start, end);
    const [before, now] = [counted(old), counted(text)];
    const size = Math.max(beyond(before, now).length, beyond(now, before).length);
    return size === 0 && tokensOf(old) !== tokensOf(text) ? EXCHANGED : size;
  });
  return sizes.reduce((all, size) => all + size, 0);
}

/** Whether an edit only inserts: its signs and names come from a template, so instructions do not mention them. */
const isPutIn = ({ changes }: ScoredText): boolean => changes.every(({ start, end }) => start === end);

/** The lines of a program in which its edit changes something. @param longer characters that the edit adds */
function around(program: string, { changes }: ScoredText, longer = 0): string {
  const [start, end] = [Math.min(...changes.map((one) => one.start)), Math.max(...changes.map((one) => one.end))];
  const last = program.indexOf("\n", end + longer);
  return program.slice(program.lastIndexOf("\n", start - 1) + 1, last === -1 ? program.length : last);
}

/** Added to the score of an edit that a person would hardly write. */
const ODD = 1.5;
const SIDE = String.raw`[\w.]+(?:\(\))?`;
/** One more or less beside the sign of a comparison, where another sign says the same: `x - 1 < y`, `x < y + 1`. */
const SHIFTED = [
  String.raw`${SIDE} *- *1\)? *(?:<(?![<=])|>=)`,
  String.raw`${SIDE} *\+ *1\)? *(?:<=|>(?![>=]))`,
  String.raw`(?<![-=<>])(?:<(?![<=])|>=) *\(?${SIDE} *\+ *1(?![\w.])`,
  String.raw`(?<![-=<>])(?:<=|>(?![>=])) *\(?${SIDE} *- *1(?![\w.])`,
].map((pattern) => new RegExp(pattern));
/** A loop that begins before zero. */
const EARLY = /\bfor\b[^;]*= *-1\b/;
/** A method in parentheses, which is called. */
const ALOOF = /\([\w.#$]+\.[#\w$]+\)\(/;
const ODD_WORDS = [...SHIFTED, EARLY, ALOOF];

/** Whether an edit puts something in that is written in another way. */
const isOdd = (before: string, after: string): boolean =>
  ODD_WORDS.some((pattern) => pattern.test(after) && !pattern.test(before));

/** Added to the score of an edit that moves a bound by one where another sign says the same of whole numbers. */
const STEPPED = 0.8;
const STEPS: Readonly<Record<string, number>> = { "<": 1, "<=": -1, ">": -1, ">=": 1 };
const FLIPPED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
/** A sign of order and a number on one side of it. */
const BOUND = /(?<![-=<>])([<>]=?) *(-?\d+)(?![\w.])|(?<![\w.])(-?\d+) *([<>]=?)(?![=<>])/g;

const boundsIn = (text: string) =>
  [...text.matchAll(BOUND)].map(([, sign, right, left, flipped = ""]) => ({
    sign: sign ?? FLIPPED[flipped] ?? "",
    number: Number(right ?? left),
  }));

/** Whether it writes `x < 3` for `x < 2`, as one would not who means `x <= 2`. */
function isStepped(before: string, after: string): boolean {
  const [old, now] = [boundsIn(before), boundsIn(after)];
  const changed = now.flatMap(({ sign, number }, at) => {
    const was = old[at];
    return was?.number === number && was.sign === sign
      ? []
      : [was?.sign === sign && number - was.number === STEPS[sign]];
  });
  return old.length === now.length && changed.length === 1 && changed[0] === true;
}

/**
 * The less the likelier.
 * @param unchanged whether it gives what the program gives on all inputs near the tests'
 */
export function scoreOf(
  edit: ScoredText,
  program: string,
  wording: Wording,
  { weights }: Priors,
  unchanged = false,
): number {
  const [before, now] = [counted(program), counted(edit.program)];
  const [gone, come] = [beyond(before, now), beyond(now, before)];
  // That the user speaks of the program's own variables and numbers says nothing of an edit.
  const isOwn = (token: string) => before.has(token) && /^\w/.test(token) && !program.includes(`${token}(`);
  const asked = come.filter(
    (token) => !isOwn(token) && isAsked(token, wording) && !(isPutIn(edit) && /^[01]$/.test(token)),
  ).length;
  const { shorter = 0, replaced = 0, asked_come = 0, unchanged: same = 0 } = weights;
  const lines = [around(program, edit), around(edit.program, edit, edit.program.length - program.length)] as const;
  return (
    edit.cost +
    (isOdd(...lines) ? ODD : 0) +
    (isStepped(...lines) ? STEPPED : 0) +
    (isPutIn(edit) ? LONG * Math.max(0, come.length - SHORT) : 0) +
    (unchanged ? same : 0) +
    shorter * Math.min(MOST_GONE, Math.max(0, gone.length - come.length)) +
    replaced * Math.min(MOST_GONE, gone.length, come.length) -
    asked_come * Math.min(MOST_ASKED, asked)
  );
}
