import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEEP } from "../../utils/testing/repeats.ts";
import { edited } from "../project/edits.ts";
import { Draw } from "./draw.ts";
import type { WrongTests } from "./expectations.ts";
import { wrongText } from "./wrong_text.ts";

async function wrongIn(file: string, text: string, isOwn = false): Promise<WrongTests> {
  const found = await wrongText(file, text, { token: "T0K", isOwn });
  if (!found) throw new Error("nothing is changed");
  return found;
}
const wrongPython = (text: string, isOwn = false) => wrongIn("test_x.py", text, isOwn);
const wrongScript = (text: string) => wrongIn("x.test.js", text);

/** Each copy with other expectations, as `before` with one thing in the place of `@`. */
const filled = (text: string, { wrong }: WrongTests) => wrong.map((edits) => edited(text, edits));

test.each([
  ["assert f(1) == 2", "assert f\\(1\\) == \\d+"],
  ["assert 'é😀a' == f('😀')", "assert 'é😀[b-z]' == f\\('😀'\\)"],
  ["assert f(1) == g(2)", "assert f\\(1\\) == \\(g\\(2\\), 0\\)"],
  ["assert f(1) is None", "assert not \\(f\\(1\\) is None\\)"],
  ["assert f(1) == [] and g(2)", "assert f\\(1\\) == \\[0\\] and not \\(g\\(2\\)\\)"],
  ["assert f(1) == pytest.approx(3)", "assert f\\(1\\) == pytest.approx\\(\\d{4}\\)"],
  ["with pytest.raises(ValueError):\n        f(1)", "with pytest.raises\\([A-Z]\\w+\\):\n        f\\(1\\)"],
  ["self.assertEqual(f(1), {'a': True})", "self.assertEqual\\(f\\(1\\), {'a': False}\\)"],
  ["self.assertIn(1, f(2))", "self.assertNotIn\\(1, f\\(2\\)\\)"],
  ["mock.assert_called_once_with(1)", "mock.assert_called_once_with\\(0, 1\\)"],
])("in Python `%s` expects something else", DEEP, async (before, after) => {
  const text = `def test_it(self):\n    ${before}\n`;
  for (const changed of filled(text, await wrongPython(text))) {
    expect(changed).toMatch(new RegExp(`^def test_it\\(self\\):\n    ${after}\n$`));
    expect(changed).not.toBe(text);
  }
});

test.each(["0", "7", "80", "999", "12345", "0.5", "80.25", "3.14159", "1e-7", "'ab'", "[80, 7]"])(
  "the second copy of a test that expects %s is no longer than the test, so that it can be made shorter",
  DEEP,
  async (value) => {
    const python = `def test_it():\n    assert f(1) == ${value}\n`;
    const script = `it("is", () => assert.equal(f(1), ${value}));\n`;
    for (let i = 0; i < 40; i += 1) {
      const [, inScript = ""] = filled(script, await wrongScript(script));
      expect(inScript).not.toBe(script);
      expect(inScript.length).toBeLessThanOrEqual(script.length);
    }
    const [, inPython = ""] = filled(python, await wrongPython(python));
    expect(inPython).not.toBe(python);
    expect(inPython.length).toBeLessThanOrEqual(python.length);
  },
);

test("parameters that are only compared with are changed where they are given", async () => {
  const text = `@pytest.mark.parametrize("x, wanted", [(1, 2), pytest.param(2, 4)])\ndef test_it(x, wanted):\n    assert f(x) == wanted\n`;
  for (const changed of filled(text, await wrongPython(text))) {
    const [, a, b] = /\[\(1, (\d+)\), pytest\.param\(2, (\d+)\)\]/.exec(changed) ?? [];
    expect([a, b]).toEqual([expect.any(String), expect.any(String)]);
    expect([a === "2", b === "4"]).toEqual([false, false]);
  }
});

test("a variable that is only compared with gets another value before: reading it from the test's frame is no help", async () => {
  const loop = (before: string) =>
    `CASES = [(1, 2)]\n\n\ndef test_it():\n    for x, wanted in CASES:\n${before}        assert f(x) == wanted\n`;
  expect(filled(loop(""), await wrongPython(loop("")))[0]).toBe(loop("        wanted = (wanted, 0)\n"));
});

test("examples of docstrings print something else, and what stands beside them in a file of source stays", async () => {
  const text = `def half(x):\n    """Half.\n\n    >>> half(2)\n    1.0\n    """\n    assert x == 2\n    return x / 2\n\n\nassert half(4) == 2\n`;
  for (const changed of filled(text, await wrongPython(text, true))) {
    expect(changed).not.toContain("    1.0\n");
    expect(changed).toContain("    assert x == 2\n");
    expect(changed).not.toContain("half(4) == 2\n");
  }
});

test("a test can be made to fail where it comes to an expectation, and at its begin", async () => {
  const python = "def test_a():\n    for x in rows():\n        assert f(x) == 1\n    if x: assert g(x)\n    h(x)\n";
  const { reaching, starts } = await wrongPython(python);
  expect(edited(python, reaching)).toBe(
    'def test_a():\n    for x in rows():\n        assert False, "T0K"; assert f(x) == 1\n    if x: assert False, "T0K"; assert g(x)\n    h(x)\n',
  );
  expect(edited(python, starts)).toMatch(/^def test_a\(\):\n {4}assert False, "T0K"\n {4}for x/);
  const script = 'test("a", async () => { for (const x of rows()) await assert.equal(f(x), 1)\n});\n';
  expect(edited(script, (await wrongScript(script)).reaching)).toBe(
    'test("a", async () => { for (const x of rows()) await void (() => { throw new Error("T0K"); })() || assert.equal(f(x), 1)\n});\n',
  );
  expect(edited(script, (await wrongScript(script)).starts)).toContain('async () => { throw new Error("T0K"); for');
});

test.each([
  ["assert.strictEqual(f(1), 2);", /assert\.strictEqual\(f\(1\), \d+\);/],
  ["assert(f(1));", /assert\(!\(f\(1\)\)\);/],
  ["assert.throws(() => f(1), /no/);", /assert\.throws\(\(\) => \{\}, \/no\/\);/],
  ["expect(f(1)).toEqual({ a: ['b'] });", /toEqual\(\{ a: \['[ac-z]'\] \}\);/],
  ["expect(f(1)).toBeCloseTo(3.5);", /toBeCloseTo\(\d{4}(?:\.\d+)?\);/],
  ["expect(f(1)).to.be.true;", /expect\(f\(1\)\)\.to\.be\.false;/],
  ["expect(f(1)).to.deep.equal(g);", /expect\(f\(1\)\)\.to\.deep\.equal\(\[g, 0\]\);/],
  ["expect(() => f(1)).toThrow();", /expect\(\(\) => \{\}\)\.toThrow\(\);/],
  ["f(1).should.equal(null);", /f\(1\)\.should\.equal\(0\);/],
  ["sinon.assert.calledWith(spy, undefined);", /calledWith\(spy, 0\);/],
  ["await expect(f(1)).resolves.toBe(`a`);", /resolves\.toBe\(`[b-z]`\);/],
])("in JavaScript `%s` expects something else", async (before, after) => {
  const text = `it("works", async () => {\n  ${before}\n});\n`;
  for (const changed of filled(text, await wrongScript(text))) {
    expect(changed).toMatch(after);
    expect(changed).not.toBe(text);
  }
});

const ENDINGS: Readonly<Record<string, string>> = { go: "go", rust: "rs", java: "java", cpp: "cpp" };
test.each<[string, string, RegExp]>([
  ["go", "if got := F(1); got != 80 {\n t.Errorf(`no`)\n}", /if got := F\(1\); got != (?!80)\d+ \{/],
  ["go", "if got != want {\n t.Errorf(`no`)\n}", /if !\(got != want\) \{/],
  ["go", "if err != nil {\n t.Fatal(err)\n}", /^if err != nil/],
  ["go", 'assert.Equal(t, "ab", F(1))', /assert\.Equal\(t, "(?!ab")\w\w", F\(1\)\)/],
  ["rust", "assert_eq!(f(1), 80.0);", /assert_eq!\(f\(1\), (?!80\.0)\d+\.\d+\);/],
  ["rust", "assert!(f(1) && g());", /assert!\(!\(f\(1\) && g\(\)\)\);/],
  ["java", "assertEquals(80, f(100), 1e-9);", /assertEquals\(\d{4}, f\(100\), 1e-9\);/],
  ["java", "assertFalse(f(1));", /assertTrue\(f\(1\)\);/],
  ["cpp", "EXPECT_EQ(f(1), 7);", /EXPECT_EQ\(f\(1\), (?!7\b)\d+\);/],
  ["cpp", "assert(f(1) == 7);", /assert\(f\(1\) == (?!7\b)\d+\);/],
])("in %s `%s` expects something else, where that can be seen", async (language, before, after) => {
  const wrong = await wrongText(`test.${ENDINGS[language]}`, before, { token: "T0K", isOwn: false });
  expect(edited(before, wrong?.wrong[0] ?? [])).toMatch(after);
});

test("wrong values are drawn anew, near the right ones and further away, in both directions", () => {
  const draws = (isNear: boolean) => Array.from({ length: 200 }, () => new Draw(isNear).number(80));
  const [near, far] = [draws(true), draws(false)];
  expect(near.every((value) => value !== 80 && Math.abs(value - 80) <= 3)).toBe(true);
  expect(far.every((value) => value >= 0 && Math.abs(value - 80) >= 4 && value < 300)).toBe(true);
  for (const values of [near, far])
    expect([values.some((one) => one > 80), values.some((one) => one < 80)]).toEqual([true, true]);
  expect(new Set(near).size).toBeGreaterThan(3);
  expect(Array.from({ length: 200 }, () => new Draw(true).number(80, true)).every((one) => one > 900)).toBe(true);
});

test("TypeScript, and a function that asserts for others", async () => {
  const text = `const same = (a: number, b: number): void => assert.equal(a, b);
for (const [x, y] of rows as number[][]) test(\`half \${x}\`, () => same(f(x), y));
`;
  expect(filled(text, await wrongScript(text))[0]).toContain("assert.equal(a, [b, 0])");
  expect(edited(text, (await wrongScript(text)).starts)).toContain('{ throw new Error("T0K"); }');
});

test.each([
  ["a.test.js", `x${".true".repeat(70_000)}`],
  ["a.test.js", `x${"()".repeat(150_000)}`],
  ["a.cpp", `void f() {${"if (a) {".repeat(40_000)} abort(); ${"}".repeat(40_000)}}`],
  ["test_a.py", `def test_a(x):\n${"    a = f(1)\n    assert a == x\n".repeat(10_000)}`],
  ["test_a.py", `A = [1]\n${'@p.parametrize("a", A)\ndef test_a(a): assert a == 1\n'.repeat(7_000)}`],
  ["test_a.py", `assert ${"a and ".repeat(60_000)}a`],
])("a text that is made to take long takes seconds of processor time: %s", DEEP, async (file, text) => {
  const before = process.cpuUsage();
  await wrongText(file, text, { token: "T0K", isOwn: false });
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(60);
});

test("each test file of this folder can be read", async () => {
  const own = readFileSync(fileURLToPath(import.meta.url), "utf8");
  expect((await wrongScript(own)).starts.length).toBeGreaterThan(3);
});
