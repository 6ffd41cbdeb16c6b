import { expect, test } from "vitest";
import { assertionsHold } from "./assertions.ts";

test.each([
  ["assert f(1) == 2, 'told'\nassert f(2) == 3\n", "2 assertions hold."],
  ["def check(f):\n    assert(f(1))\n    self.assertEqual(f(2), 3)\ncheck(f)\n", "2 assertions hold."],
  ["console.assert(f(1) === 2);\nassert.deepEqual(f(2), [3]);\nexpect(f(3)).toBe(4);\n", "3 assertions hold."],
  ["    assert_eq!(f(1), 2);\n", "1 assertion holds."],
  ["# assert nothing\nprint(f(1))\nassertion = 1\n", ""],
])("%j: %s", (tests, said) => {
  expect(assertionsHold(tests)).toBe(said);
});
