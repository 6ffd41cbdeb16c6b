/** Regular expressions near one: other numbers of times, escaped dots, other flags, one sign more or less. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import { type Edit, replace } from "./edit.ts";

const COUNT = /(?<!\\)\{(\d+)(?:(,)(\d*))?\}/g;
const CLASSES = ["_", "-", "\\s", "\\d", "\\w", ".", "\\n", "/", ":", " ", "+", "*", "#", "@", "=", ",", "$", "%"];
const FLAGS = "gimus";
const MOST_CHARS = 120;

export function* patterns(facts: Facts, node: Node): Iterable<Edit> {
  if (facts.is(node, "text")) yield* inText(node);
  if (!facts.is(node, "pattern")) return;
  const [, own = "", flags = ""] = /^\/([\s\S]*)\/(\w*)$/.exec(node.text) ?? [];
  for (const [operator, pattern, marks = flags] of others(own, flags))
    if (pattern !== "" && (pattern !== own || marks !== flags) && isPattern(pattern, marks))
      yield { operator, changes: [replace(node, `/${pattern}/${marks}`)], extra: 0 };
}

const READS_PATTERN = /^re\.(?:compile|match|search|fullmatch|findall|finditer|split|subn?)$/;

/** Of a text that a function of the library reads as a pattern: it is written raw where it has a backslash. */
function* inText(node: Node): Iterable<Edit> {
  const call = node.parent?.parent;
  const isFirst = node.parent?.namedChildren[0] === node;
  if (!call || !isFirst || !READS_PATTERN.test(call.childForFieldName("function")?.text ?? "")) return;
  const [, mark = "", quote = "", own = ""] = /^([rR]?)(["'])((?!\2).*)\2$/.exec(node.text) ?? [];
  if (own.includes("\\") && mark === "") return;
  for (const [operator, pattern] of others(own, "")) {
    const raw = mark || (pattern.includes("\\") ? "r" : "");
    const isWritten = pattern !== "" && pattern !== own && !pattern.includes(quote) && !pattern.endsWith("\\");
    if (isWritten && isPattern(pattern.replaceAll("(?P<", "(?<"), ""))
      yield { operator, changes: [replace(node, `${raw}${quote}${pattern}${quote}`)], extra: 0 };
  }
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).flags === [...flags].sort().join("");
  } catch {
    return false;
  }
}

type Other = readonly [operator: string, pattern: string, flags?: string];

/** Of few kinds, so that each costs less than one of all patterns. */
function* others(pattern: string, flags: string): Iterable<Other> {
  for (const one of otherTimes(pattern)) yield ["times", one];
  for (const one of escapedDots(pattern)) yield ["escape", one];
  for (const flag of FLAGS) yield ["pattern", pattern, flags.includes(flag) ? flags.replace(flag, "") : flags + flag];
  const bound = [`^${pattern}`, `${pattern}$`, `^${pattern}$`, pattern.replace(/^\^/, ""), pattern.replace(/\$$/, "")];
  const ended = ["+", "*", "?"].map((sign) => pattern + sign);
  for (const one of [...bound, ...ended, ...otherSigns(pattern)]) yield ["pattern", one];
}

/** Numbers of times near `{first}`, `{first,}` or `{first,last}`: one more or less at each end, from one on, no end. */
function counts(first: string, comma: string | undefined, last: string | undefined): string[] {
  const [low, high] = [Number(first), Number(last || first)];
  const ends = [1, low - 1, low, low + 1].flatMap((from) => [from, high - 1, high, high + 1].map((to) => [from, to]));
  const bounded = ends.flatMap(([from = 0, to = 0]) =>
    from < 0 || to < from ? [] : [from === to ? `{${from}}` : `{${from},${to}}`],
  );
  const open = (comma && !last ? [low - 1, low + 1] : [low]).filter((from) => from >= 0).map((from) => `{${from},}`);
  return [...new Set([...open, ...bounded])];
}

function* otherTimes(pattern: string): Iterable<string> {
  const found = [...pattern.matchAll(COUNT)];
  for (const { 0: text, 1: first = "", 2: comma, 3: last, index } of found)
    for (const other of counts(first, comma, last)) {
      yield pattern.slice(0, index) + other + pattern.slice(index + text.length);
      if (found.filter(([one]) => one === text).length > 1) yield pattern.replaceAll(text, other);
    }
}

/** A dot stands for itself: one that stands for any character, and all. */
function* escapedDots(pattern: string): Iterable<string> {
  const dots = [...pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./g)].flatMap(({ 0: text, index }) =>
    text === "." ? [index] : [],
  );
  const escaped = (chosen: readonly number[]) =>
    [...pattern].map((char, at) => (chosen.includes(at) ? `\\${char}` : char)).join("");
  for (const dot of dots) yield escaped([dot]);
  if (dots.length > 1) yield escaped(dots);
}

function* otherSigns(pattern: string): Iterable<string> {
  const at = (place: number, gone: number, now: string) => pattern.slice(0, place) + now + pattern.slice(place + gone);
  const inClasses = new Set(
    [...pattern.matchAll(/(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]/g)].flatMap(({ 0: text, index }) =>
      Array.from({ length: text.length - 2 }, (_, at) => index + 1 + at),
    ),
  );
  for (let i = 0; i < Math.min(pattern.length, MOST_CHARS); i++) {
    // In brackets signs are none.
    if (inClasses.has(i)) {
      yield at(i, 1, "");
      continue;
    }
    const isSign = /[+*?]/.test(pattern[i] ?? "");
    for (const sign of ["+", "*", "?", ""]) yield at(i, isSign ? 1 : 0, sign);
    yield isSign ? at(i + 1, 0, "?") : at(i, 1, "");
    if (pattern[i] === "]") for (const more of CLASSES) yield at(i, 0, more);
  }
}
