import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { edited, type WrongTests } from "./edits.ts";
import { wrongJavaScript } from "./wrong_javascript.ts";

const SCRIPT = fileURLToPath(new URL("./wrong_python.py", import.meta.url));

function wrongPython(text: string): WrongTests {
  using folder = makeTemporaryFolder("wrong");
  const path = join(folder.path, "test_x.py");
  writeFileSync(path, text);
  return JSON.parse(execFileSync("python3", ["-I", SCRIPT, path], { encoding: "utf8" }));
}

test.each([
  ["assert f(1) == 2", "assert f(1) == 1011"],
  ["assert 'é😀' == f('😀')", "assert 'é😀x' == f('😀')"],
  ["assert f(1) == g(2)", "assert f(1) == (g(2), 0)"],
  ["assert f(1) is None", "assert not (f(1) is None)"],
  ["assert f(1) == [] and g(2)", "assert f(1) == [0] and not (g(2))"],
  ["assert f(1) == -0.5, 'no'", "assert f(1) == -1009.5, 'no'"],
  ["with pytest.raises(ValueError):\n        f(1)", "with pytest.raises(StopAsyncIteration):\n        f(1)"],
  ["self.assertEqual(f(1), {'a': True})", "self.assertEqual(f(1), {'a': False})"],
  ["self.assertIn(1, f(2))", "self.assertNotIn(1, f(2))"],
  ["mock.assert_called_once_with(1)", "mock.assert_called_once_with(0, 1)"],
])("in Python `%s` expects something else", (before, after) => {
  const text = `def test_it(self):\n    ${before}\n`;
  const { wrong, tests } = wrongPython(text);
  expect(edited(text, wrong)).toBe(`def test_it(self):\n    ${after}\n`);
  expect(tests).toEqual({ test_it: true });
});

test("parameters that are only compared with are changed where they are given, and their names with them", () => {
  const rows = (a: string, b: string) =>
    `@pytest.mark.parametrize("x, wanted", [(1, ${a}), pytest.param(2, ${b})])\ndef test_it(x, wanted):\n    assert f(x) == wanted\n`;
  expect(edited(rows("2", "4"), wrongPython(rows("2", "4")).wrong)).toBe(rows("1011", "1013"));
});

test("a variable that is only compared with has another value before: who reads it from the test's frame is wrong, too", () => {
  const loop = (before: string) =>
    `CASES = [(1, 2)]\n\n\ndef test_it():\n    for x, wanted in CASES:\n${before}        assert f(x) == wanted\n`;
  expect(edited(loop(""), wrongPython(loop("")).wrong)).toBe(loop("        wanted = (wanted, 0)\n"));
});

test("what is asserted only sometimes makes no test sure", () => {
  const { tests } = wrongPython(
    "def test_a():\n    for x in rows():\n        assert f(x) == 1\n\n\ndef test_b():\n    same(1, f(1))\n\n\ndef same(a, b):\n    assert a == b\n\n\ndef test_c():\n    f(1)\n",
  );
  expect(tests).toEqual({ test_a: false, test_b: true, test_c: false });
});

test("what is asserted only sometimes can be made to fail where it is reached", () => {
  const python = "def test_a():\n    for x in rows():\n        assert f(x) == 1\n    if x: assert g(x)\n    h(x)\n";
  expect(edited(python, wrongPython(python).reaching)).toBe(
    "def test_a():\n    for x in rows():\n        assert False\n        assert f(x) == 1\n    if x: assert False; assert g(x)\n    h(x)\n",
  );
  const script = 'test("a", async () => { for (const x of rows()) await assert.equal(f(x), 1)\n});\n';
  expect(edited(script, wrongJavaScript(script).reaching)).toBe(
    'test("a", async () => { for (const x of rows()) await void (() => { throw new Error("wrong"); })() || assert.equal(f(x), 1)\n});\n',
  );
});

test("every test of a file can be made to fail at its begin", () => {
  const text =
    'def test_a(): assert f(1)\n\n\nclass TestB:\n    def test_b(self):\n        """Says."""\n        f(2)\n';
  expect(edited(text, wrongPython(text).ending)).toBe(
    'def test_a(): assert False; assert f(1)\n\n\nclass TestB:\n    def test_b(self):\n        assert False\n        """Says."""\n        f(2)\n',
  );
});

test.each([
  ["assert.strictEqual(f(1), 2);", "assert.strictEqual(f(1), 1011);"],
  ["assert(f(1));", "assert(!(f(1)));"],
  ["assert.throws(() => f(1), /no/);", "assert.throws(() => {}, /no/);"],
  ["expect(f(1)).toEqual({ a: ['b'] });", 'expect(f(1)).toEqual({ a: ["bx"] });'],
  ["expect(f(1)).to.be.true;", "expect(f(1)).to.be.false;"],
  ["expect(f(1)).to.deep.equal(g);", "expect(f(1)).to.deep.equal([g, 0]);"],
  ["expect(() => f(1)).toThrow();", "expect(() => {}).toThrow();"],
  ["f(1).should.equal(null);", "f(1).should.equal(0);"],
  ["sinon.assert.calledWith(spy, undefined);", "sinon.assert.calledWith(spy, 0);"],
  ["await expect(f(1)).resolves.toBe(`a`);", 'await expect(f(1)).resolves.toBe("ax");'],
])("in JavaScript `%s` expects something else", (before, after) => {
  const text = `it("works", async () => {\n  ${before}\n});\n`;
  const { wrong, tests } = wrongJavaScript(text);
  expect(edited(text, wrong)).toBe(`it("works", async () => {\n  ${after}\n});\n`);
  expect(tests).toEqual({ works: true });
});

test("TypeScript, a title that is made when the file runs, and a function that asserts for others", () => {
  const text = `const same = (a: number, b: number): void => assert.equal(a, b);
for (const [x, y] of rows as number[][]) test(\`half \${x}\`, () => same(f(x), y));
`;
  const { wrong, ending, tests } = wrongJavaScript(text);
  expect(edited(text, wrong)).toContain("assert.equal(a, [b, 0])");
  expect(edited(text, ending)).toContain('{ throw new Error("wrong"); }');
  expect(tests).toEqual({ "half \u0000": true });
});

test("each test file of this folder can be read", () => {
  const own = readFileSync(fileURLToPath(import.meta.url), "utf8");
  expect(Object.keys(wrongJavaScript(own).tests).length).toBeGreaterThan(3);
});
