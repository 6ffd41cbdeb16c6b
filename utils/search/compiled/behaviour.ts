/** Results of versions on inputs near those of the tests: which versions behave the same, and where others differ. */

/** Results of one version, by the number of the input: the value as source text, or how the version ended. */
export type Behaviour = readonly string[];

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

/** Null where not one input was found. @param count of versions */
export function readBehaviours(stdout: string, count: number): Behaviours | null {
  const inputs: string[] = [];
  const of = Array.from({ length: count }, (): string[] => []);
  for (const [, input, text = "", version, at, given = ""] of stdout.matchAll(LINE)) {
    if (input !== undefined) inputs[Number(input)] = text;
    else {
      const known = of[Number(version)];
      if (known) known[Number(at)] = given;
    }
  }
  return inputs.length === 0 ? null : { inputs, of: of.map((one) => inputs.map((_, at) => one[at] ?? "cut")) };
}

export const isSame = (one: Behaviour, other: Behaviour): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at]);

/** True if a result has no source text, so that it cannot be compared with others. */
export const isOpaque = (one: Behaviour): boolean => one.some((text) => text.startsWith("v ") && text.includes("?"));

const isValue = (text: string | undefined): text is string => text?.startsWith("v ") === true;

/** The result on an input as readable text; null if it is not a value, or has no source text. */
export const valueOn = (one: Behaviour, at: number): string | null => {
  const text = one[at];
  return isValue(text) && !text.includes("?") ? text.slice(2) : null;
};

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
  return raised.toSorted((a, b) => a.length - b.length)[0];
}
