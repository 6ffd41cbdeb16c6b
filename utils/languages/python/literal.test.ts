import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pythonLiteral } from "./literal.ts";

const evaluate = (pairs: readonly (readonly [string, string])[]): unknown =>
  JSON.parse(
    execFileSync(
      "python3",
      [
        "-c",
        `
import json, sys
for text, source in json.load(sys.stdin):
    expected, found = json.loads(text), eval(source)
    assert repr(found) == repr(expected), (text, source)
print("true")`,
      ],
      { input: JSON.stringify(pairs), encoding: "utf8" },
    ),
  );

test("Python reads from the literal what it reads from the JSON", () => {
  const fixed = [
    "1.0",
    "-0.0",
    "1e5",
    "123456789012345678901234567890",
    '"\\ud83d\\ude00 \\u2028 \\" \\/"',
    "[NaN, -Infinity]",
    "[]",
    "{}",
    ' [ [1] , {"a": [null, true, false]} ] ',
  ];
  const made = fc.sample(fc.json({ maxDepth: 4 }), { numRuns: 200, seed: 1 });
  const pairs = [...fixed, ...made].map((text) => [text, pythonLiteral(text).source] as const);
  expect(evaluate(pairs)).toBe(true);
});

test("items and floats are known", () => {
  const { items } = pythonLiteral("[[1, 2.5], 3]");
  expect(items?.map(({ source }) => source)).toEqual(["[1, 2.5]", "3"]);
  expect(items?.[0]?.items?.map(({ isFloat }) => isFloat)).toEqual([false, true]);
});

test.each(["", "[1", "[1,]", "{1: 2}", "nul", "1 2", "'a'", "[".repeat(500) + "]".repeat(500)])(
  "%s is refused",
  (text) => {
    expect(() => pythonLiteral(text)).toThrow(SyntaxError);
  },
);
