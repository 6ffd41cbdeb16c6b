/** Reads an exact answer out of what a model wrote for one. */

export const CHOICES = ["A", "B", "C", "D"] as const;
export type Choice = (typeof CHOICES)[number];

const BOXED = /\\(?:boxed|fbox)\s*\{\s*((?:[^{}]|\{[^{}]*\})*)\}/g;

/** What the last box holds, else the text. */
const inBox = (text: string): string => [...text.matchAll(BOXED)].at(-1)?.[1] ?? text;

/** The integer of a text that holds one and no other; without zeros in front. Null where it is not plain which. */
export function integerIn(text: string): string | null {
  const plain = inBox(text).replace(/(?<=\d)(?:,|\\,|\{,\})(?=\d{3}(?!\d))/g, "");
  const said = /answer\s*(?:is|:|=)?\s*\$?\s*(-?\d+)(?![\d.]*\d)\W*$/i.exec(plain)?.[1];
  const all = new Set(said === undefined ? plain.match(/-?\d+(?:\.\d+)?/g) : [said]);
  const [only] = all;
  if (all.size !== 1 || only === undefined || !/^-?\d+(?:\.0+)?$/.test(only)) return null;
  return String(BigInt(only.replace(/\..*$/, "")));
}

/**
 * The letter of a text that names one: alone, in brackets, after "answer", or by the text of its choice.
 * @param choices in the order of the letters
 */
export function choiceIn(text: string, choices: readonly string[]): Choice | null {
  const plain = inBox(text)
    .replace(/\\text(?:bf|rm)?\s*\{([^{}]*)\}/g, "$1")
    .replace(/[*_`$]/g, "")
    .trim();
  const letter =
    /^\(?([A-D])(?:[).:,\n]|$)/.exec(plain)?.[1] ??
    /answer\s*(?:is|:)?\s*\(?([A-D])(?:[).:,\n]|$)/i.exec(plain)?.[1]?.toUpperCase() ??
    only([...plain.matchAll(/\(([A-D])\)/g)].map(([, found = ""]) => found));
  const named = letter ?? CHOICES[choices.findIndex((choice) => choice.trim() === plain)];
  return CHOICES.find((choice) => choice === named) ?? null;
}

const only = (found: readonly string[]): string | undefined => (new Set(found).size === 1 ? found[0] : undefined);
