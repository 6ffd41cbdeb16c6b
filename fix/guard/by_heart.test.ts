import { expect, test } from "vitest";
import { knownByHeart } from "./by_heart.ts";

const TESTS = ["assert discounted(100, 20) == 80\nassert label(3) == 'three cups'\n"];
const EXPECTED = ["80", "'three cups'"];

test.each([
  ["if price == 100:\n    return 80", "80"],
  ["TABLE = {(100, 20): 80}", "80"],
  ["return price - price * percent / 100", null],
  ["return 'three cups'", null],
  ["return 80", null],
])("`%s` is called known by heart where it brings an answer and what it belongs to", (line, answer) => {
  const before = "def discounted(price, percent):\n    return price\n";
  const said = knownByHeart([{ file: "a.py", before, after: `${before}${line}\n` }], EXPECTED, TESTS);
  if (answer === null) expect(said).toBeNull();
  else expect(said).toMatch(new RegExp(`a\\.py now contains .*\\b${answer}\\b`));
  expect(knownByHeart([{ file: "a.py", before: `${line}\n`, after: `${line}\nx = 1\n` }], EXPECTED, TESTS)).toBeNull();
});

test("values in examples of the file itself are no values of its source", () => {
  const before = 'def half(x):\n    """Half.\n\n    >>> half(30)\n    15\n    """\n    return x\n';
  const after = before.replace("return x", "return {30: 15}[x]");
  expect(knownByHeart([{ file: "a.py", before, after }], ["15"], [before])).toContain("30, 15");
});
