/** The search in live tests, in the box: that it finds, what a bad candidate costs, and what it does where memory fills. */
// @module-tag deep

import { afterAll, expect, test } from "vitest";
import { SCRIPT_FILES } from "../testing/repositories.ts";
import { limitSearches, PASSES, searchRepository, startSeconds, TEST_SECONDS } from "../testing/search.ts";

afterAll(limitSearches());

const PLAIN = {
  "package.json": '{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }',
  "lib/plain.js": `export function isPlain(text) {
  return text.length > 9 || /^(a+)+$/.test("a".repeat(32) + text);
}
`,
  "test/plain.test.js": `import { expect, it } from "vitest";
import { isPlain } from "../lib/plain.js";
it("is plain", () => expect(isPlain("a longer text")).toBe(false));
`,
};

test("vitest: a candidate that never comes back ends its process alone, soon; the next one goes on behind it", async () => {
  const asBefore = limitSearches({ seconds: 3 });
  const { outcome, searched } = await searchRepository(PLAIN).finally(asBefore);
  expect(outcome.before.failing).toMatchObject([{ name: "is plain" }]);
  const [plain] = searched;
  expect(plain?.hung).toBeGreaterThan(0);
  expect(plain?.hungSeconds).toBeLessThan(TEST_SECONDS / 2);
  expect(plain?.tried).toBeGreaterThan(plain?.hung ?? 0);
});

test("pytest: a candidate that never comes back is ended soon, and many of them do not outlast the function's time", async () => {
  const names = ["a", "b", "c", "d"];
  const loops = names.map((name) => `    while ${name} > 0:\n        ${name} -= 1\n        done += 1\n`).join("");
  const files = {
    "count.py": `def steps(${names.join(", ")}):\n    done = 0\n${loops}    return done - 1\n`,
    "test_count.py":
      "from count import steps\n\n\ndef test_steps():\n    assert [steps(n, n, 1, 2) for n in (0, 3, 8)] == [3, 9, 19]\n",
  };
  const seconds = 4;
  const asBefore = limitSearches({ seconds });
  const { searched } = await searchRepository(files, { test: "pytest" }).finally(asBefore);
  const [steps] = searched;
  expect(steps?.hung).toBeGreaterThan(1);
  expect(steps?.hungSeconds).toBeLessThan(TEST_SECONDS / 2);
  expect(steps?.tried).toBeGreaterThan(steps?.hung ?? 0);
  expect(steps?.cpu).toBeLessThan(seconds + TEST_SECONDS / 2);
});

test("unittest: fixed, and what its tests set up is there", async () => {
  const files = {
    "fares.py": "from modules import RATE\n\n\ndef fare(distance):\n    return distance + RATE\n",
    // One of mend's own files there has this name, too.
    "modules.py": "RATE = 3\n",
    "test_fares.py": `import unittest
from fares import fare


class FareTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.distances = [0, 2, 5]

    def test_fare(self):
        self.assertEqual([fare(one) for one in self.distances], [0, 6, 15])
`,
  };
  const { outcome } = await searchRepository(files, { test: "python3 -m unittest" });
  expect(outcome.outcome).toBe("fixed");
  expect(outcome.diff).toContain("+    return distance * RATE");
});

test("mocha: modules that are never freed do not fill the memory: another process goes on", async () => {
  const asBefore = limitSearches({ edits: 40 });
  const files = {
    ...SCRIPT_FILES,
    "lib/rates.js": `globalThis.kept = [...(globalThis.kept ?? []), Buffer.alloc(4e7, 1)];
exports.isMany = function isMany(amount) {
  return amount > 10;
};
`,
    "test/rates.js": `const assert = require("node:assert");
const { isMany } = require("../lib/rates");
describe("rates", () => {
  it("is many", () => assert.deepStrictEqual([9, 9.5, 9.9, 10, 11].map(isMany), [false, false, false, true, true]));
});
`,
  };
  const { outcome, searched, renewed } = await searchRepository(files, { memoryMb: 900 }).finally(asBefore);
  expect(outcome.outcome).toMatch(PASSES);
  expect(renewed).toBeGreaterThan(0);
  expect(searched[0]?.tried).toBeGreaterThan(30);
});

const TYPED = `import type { Unit } from "./unit.ts";

type Half = {
  value: Unit;
};

export function half(x: Half["value"]): number {
  return x! / 3;
}
`;

const typed = (test: string, imported: string) => ({
  "package.json": JSON.stringify({ name: "half", scripts: { test }, devDependencies: { mocha: "*", vitest: "*" } }),
  "lib/unit.ts": "export type Unit = number;\n",
  "lib/half.ts": TYPED,
  "test/half.test.ts": `import assert from "node:assert";
${imported}
import { half } from "../lib/half.ts";
test("halves", () => assert.deepStrictEqual([2, 6, 8].map((x) => half(x)), [1, 3, 4]));
test("zero", () => assert.strictEqual(half(0), 0));
`,
});

const TYPED_BY = [
  ["node:test", "node --test test/half.test.ts", 'import { test } from "node:test";'],
  ["mocha", "mocha -r tsx/cjs test/half.test.ts", "const test = it;"],
  ["vitest", "vitest run", 'import { test } from "vitest";'],
] as const;

test.each(TYPED_BY)(
  "%s, by %s: TypeScript without its types in one process, an edit for less than the start of one",
  async (name, command, imported) => {
    const asBefore = limitSearches({ edits: 30 });
    const { outcome, searched } = await searchRepository(typed(command, imported)).finally(asBefore);
    expect(outcome).toMatchObject({
      outcome: expect.stringMatching(PASSES),
      framework: name,
      before: { failing: [{ name: "halves" }] },
    });
    expect(outcome.diff).toMatch(/^- {2}return x! \/ 3;\n\+ {2}return x! \/ 2;$/m);
    const [{ tried, cpu } = { tried: 0, cpu: 1 }] = searched;
    expect(tried).toBeGreaterThan(20);
    expect(cpu / tried).toBeLessThan(startSeconds());
  },
);

test("a process for each edit where a program is more than JavaScript with types", async () => {
  const asBefore = limitSearches({ edits: 5 });
  const files = typed("node --test test/half.test.ts", 'import { test } from "node:test";');
  const { outcome, searched } = await searchRepository({
    ...files,
    "lib/half.ts": `${TYPED}\nenum Size {\n  Small,\n}\nexport const small = Size.Small;\n`,
  }).finally(asBefore);
  expect(outcome.diff).toMatch(/^- {2}return x! \/ 3;\n\+ {2}return x! \/ 2;$/m);
  const [{ tried, cpu } = { tried: 0, cpu: 0 }] = searched;
  expect(cpu / tried).toBeGreaterThan(startSeconds());
});

const AGES: Record<string, { test: string; files: (ages: readonly number[]) => Record<string, string> }> = {
  pytest: {
    test: "pytest",
    files: (ages) => ({
      "age.py": "def is_adult(age):\n    return age > 18\n",
      "test_age.py": `from age import is_adult\n\n\ndef test_ages():\n    for age in ${JSON.stringify(ages)}:\n        assert is_adult(age) is (age in range(18, 100))\n`,
    }),
  },
  mocha: {
    test: "mocha test.js",
    files: (ages) => ({
      "package.json": '{ "devDependencies": { "mocha": "*" } }',
      "age.js": "exports.isAdult = function isAdult(age) {\n  return age > 18;\n};\n",
      "test.js": `const { isAdult } = require("./age");\nit("ages", () => {\n  for (const age of ${JSON.stringify(ages)})\n    require("node:assert").strictEqual(isAdult(age), age >= 18);\n});\n`,
    }),
  },
};

const ALIKE = [0, 5, 16, 17, 18, 19, 20, 36, 40];
const DIFFERENT = [17, 18];

const NO_CHOICE = "do the same near the tests' calls are no alternatives";

// All of JavaScript compare what is returned by the same script.
test.each([
  { name: "pytest", ages: ALIKE, what: NO_CHOICE },
  { name: "mocha", ages: ALIKE, what: NO_CHOICE },
  { name: "pytest", ages: DIFFERENT, what: "differ beside these are a suggestion" },
])("$name: edits that pass and $what", async ({ name, ages }) => {
  const { test: command = "", files } = AGES[name] ?? {};
  const { outcome, observations } = await searchRepository(files?.(ages) ?? {}, { test: command });
  const [, count] = /^(\d+) edits? pass/.exec(observations[0] ?? "") ?? [];
  expect(Number(count)).toBeGreaterThan(1);
  // Tests that compute what they expect cannot be given wrong values: what passes them is a suggestion.
  expect(outcome).toMatchObject({ outcome: ages === DIFFERENT ? "suggestion" : expect.stringMatching(PASSES) });
});
