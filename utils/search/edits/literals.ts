/** Literals of an instruction that edits may use. */

export interface Literals {
  /** As written in the instruction. */
  numbers: readonly string[];
  texts: readonly string[];
  /** Numbers and texts in double quotes that failing checks expect. */
  expected?: readonly string[];
}

const MOST = 12;
const MOST_EXPECTED = 4;
const VALUE = String.raw`("[^"\n]{1,40}"|-?\d+(?:\.\d+)?)`;
/** `expected: <none> but was`, `want "none"`, `assertEquals("none", f())` and `assert_eq!(f(), "none");`. */
const EXPECTED = [
  /\b[Ee]xpected:? <([^>\n]{1,40})>/g,
  new RegExp(`\\b(?:expected|wanted|want|right)\\b[ :=]{1,4}${VALUE}`, "gi"),
  new RegExp(`\\b(?:assert|expect|check|require)\\w*!? *\\( *${VALUE} *,`, "gi"),
  new RegExp(`\\b(?:assert|expect|check|require)\\w*!?\\b.*(?:,|==|\\.to\\w+\\() *${VALUE} *\\) *;?$`, "gim"),
  new RegExp(`\\bassert\\b.*== *${VALUE}$`, "gm"),
];

/** @param shown what says which values are expected: tests, or how they fail */
export function literalsIn(instruction: string, shown = instruction): Literals {
  const numbers = new Set([...instruction.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)/g)].map(([text]) => text));
  const texts = new Set(
    [...instruction.matchAll(/"([^"\n]{0,20})"|'([^'\n]{1,20})'/g)].map(([, a, b]) => a ?? b ?? ""),
  );
  const expected = EXPECTED.flatMap((one) => [...shown.matchAll(one)].map(([, value = ""]) => quoted(value)));
  return {
    numbers: [...numbers].slice(0, MOST),
    texts: [...texts].slice(0, MOST),
    expected: [...new Set(expected)].slice(0, MOST_EXPECTED),
  };
}

const quoted = (value: string): string => (/^(?:".*"|-?[\d.]+)$/.test(value) ? value : JSON.stringify(value));
