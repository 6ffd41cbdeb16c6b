/** Results of programs on inputs near those of the tests: which programs behave the same, and where others differ. */

/**
 * Results of one program, by the number of the input: a value as source text, behind `OPAQUE` or `SHOWN` where it has
 * none, or how the call ended. Empty if unknown.
 */
export type Behaviour = readonly string[];

/** Before the text of a value that says nothing of what it does, such as a function. */
export const OPAQUE = "(opaque) ";
/** Before the text of a value that can be compared, but not written into a test. */
export const SHOWN = "(shown) ";
const ENDS: readonly string[] = ["raised", "cut", "wrong"];

/** Limits: inputs near those of the tests, characters of an input, characters of a result. */
export const NEAR_INPUTS = 40;
export const MOST_INPUT_CHARS = 300;
export const MOST_GIVEN_CHARS = 400;

export interface Behaviours {
  /** Arguments in parentheses. */
  inputs: readonly string[];
  /** By the number of the version; empty of one that said nothing. */
  of: readonly Behaviour[];
}

const LINE = /^(?:near (\d+) (.*)|gave (\d+) (\d+) (.*))$/gm;

/** What a program of versions prints. Null where not one input was found. @param count of versions */
export function readBehaviours(stdout: string, count: number): Behaviours | null {
  const inputs: string[] = [];
  const of = Array.from({ length: count }, (): string[] => []);
  for (const [, input, text = "", version, at, given = ""] of stdout.matchAll(LINE)) {
    if (input !== undefined) inputs[Number(input)] = text;
    else {
      const known = of[Number(version)];
      if (known) known[Number(at)] = given.startsWith("v ") ? valueText(given.slice(2)) : given;
    }
  }
  return inputs.length === 0 ? null : { inputs, of: of.map((one) => inputs.map((_, at) => one[at] ?? "cut")) };
}

/** A program of versions writes `?` for a part that has no source text. */
const valueText = (text: string): string => (text.includes("?") ? `${OPAQUE}${text}` : text);

export const isSame = (one: Behaviour, other: Behaviour): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at]);

/** True if a result has no source text, so that it cannot be compared with others. */
export const isOpaque = (one: Behaviour): boolean => one.some((text) => text.startsWith(OPAQUE));

const isValue = (text: string | undefined): text is string => text !== undefined && !ENDS.includes(text);

/** The text without the mark before it. */
export const readable = (text: string): string => text.replace(/^\((?:opaque|shown)\) /, "");

const hasSource = (text: string): boolean => !text.includes("…") && text === readable(text);

/** The result on an input as source text; null if it is not a value, or has no source text. */
export function valueOn(one: Behaviour, at: number): string | null {
  const text = one[at];
  return isValue(text) && hasSource(text) ? text : null;
}

/**
 * The shortest input on which both give values that differ; inputs whose results have source text come first. Null if
 * there is none.
 */
export function differingInput(inputs: readonly string[], one: Behaviour, other: Behaviour): number | null {
  const found = inputs.flatMap((_, at) =>
    isValue(one[at]) && isValue(other[at]) && one[at] !== other[at] ? [at] : [],
  );
  const isVague = (at: number) => valueOn(one, at) === null || valueOn(other, at) === null;
  const length = (at: number) => (inputs[at] ?? "").length;
  return found.toSorted((a, b) => Number(isVague(a)) - Number(isVague(b)) || length(a) - length(b))[0] ?? null;
}

/** The shortest arguments for which a program raises an error and did not before; undefined if there are none. */
export function newError(inputs: readonly string[], before: Behaviour, after: Behaviour): string | undefined {
  const raised = inputs.filter((_, at) => after[at] === "raised" && isValue(before[at]));
  const shortest = raised.toSorted((a, b) => a.length - b.length)[0];
  return shortest && readable(shortest);
}
