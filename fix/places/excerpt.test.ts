import { expect, test } from "vitest";
import { linesToShow } from "./excerpt.ts";
import type { Evidence } from "./localise.ts";

const NOTHING: Evidence = { issue: "", failure: "", folder: "", failing: [], passing: [] };
const steps = (count: number) => Array.from({ length: count }, (_, i) => `    step_${i + 1}(value)`);
const SOURCE = [
  "def fee(value):",
  '    """What is charged.',
  ...Array.from({ length: 60 }, (_, i) => `    Line ${i} says what a fee is.`),
  '    """',
  ...steps(50),
  "    return rate(value)",
];
const place = { file: "bank/fees.py", name: "fee", start: 1, end: SOURCE.length };
const lineOf = (text: string) => SOURCE.indexOf(text) + 1;

test("a docstring of many lines is left out, a short one is shown", () => {
  const shown = linesToShow(place, SOURCE, NOTHING, 60);
  expect(shown.map((line) => SOURCE[line - 1])).toEqual([SOURCE[0], ...SOURCE.slice(63)]);
  const short = ["def f(x):", '    """Half of x."""', "    return x * 2"];
  expect(linesToShow({ ...place, end: 3 }, short, null, 20)).toEqual([1, 2, 3]);
});

test.each([
  [
    "a failing test runs and passing ones do not",
    "    step_41(value)",
    (line: number): Partial<Evidence> => ({
      failing: [{ test: "a", lines: { "bank/fees.py": [lineOf("    step_3(value)"), line] } }],
      passing: [{ test: "b", lines: { "bank/fees.py": [lineOf("    step_3(value)")] } }],
    }),
  ],
  [
    "a stack trace names",
    "    step_30(value)",
    (line: number): Partial<Evidence> => ({
      failure: `Traceback (most recent call last):\n  File "bank/fees.py", line ${line}, in fee\n`,
    }),
  ],
  ["the issue speaks of", "    return rate(value)", (): Partial<Evidence> => ({ issue: "The `rate` is wrong." })],
] as const)(
  "of a long function the lines that %s are shown, with their surroundings and the signature",
  (_, line, found) => {
    const shown = linesToShow(place, SOURCE, { ...NOTHING, ...found(lineOf(line)) }, 9);
    expect(shown).toHaveLength(9);
    expect(shown).toEqual(expect.arrayContaining([1, lineOf(line) - 1, lineOf(line)]));
  },
);

test("of what stands outside of functions no function is shown", () => {
  const source = ["LIMIT = 3", "", "def f(x):", "    return x", "", "f(LIMIT)"];
  const all = { file: "a.py", name: "(top level)", start: 1, end: source.length };
  expect(linesToShow(all, source, NOTHING, 20)).toEqual([1, 6]);
});
