import { join } from "node:path";
import { expect, test } from "vitest";
import { outline } from "../../utils/project/outline.ts";
import { findProject } from "../../utils/project/project.ts";
import { temporaryFolder, writeFiles } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { findEntries, guessTests, testedEntries } from "./check_input.ts";
import { makeProject } from "./testing/project.ts";

const PYTHON =
  "LIMIT = 3\n\n\ndef inner(x):\n    return x\n\n\ndef outer(x):\n    return inner(x)\n\n\nclass Shelf:\n    def put(self, x):\n        return x\n\n    async def take(self):\n        pass\n";
const TYPED =
  "export abstract class Shelf<T> {\n  #items: T[] = [];\n  put(item: T): void {\n    this.#items.push(item);\n  }\n  static of<T>(): Shelf<T> | null {\n    return null;\n  }\n}\nexport const size = (items: readonly unknown[]): number => items.length;\nexport default async function main() {}\nenum Kind { A }\n";

/** The result for a target, a function's name and tests. */
async function said(
  target: string,
  text: string,
  name: string | undefined,
  tests?: string,
  others: Record<string, string> = {},
) {
  const testsName = `test_it${target.slice(target.indexOf("."))}`;
  using folder = makeProject({
    files: { [target]: text, ...(tests === undefined ? {} : { [testsName]: tests }), ...others },
  });
  const project = findProject([folder.at(target)]);
  try {
    const found = await findEntries(target, text, name, project);
    const entries =
      tests === undefined
        ? found.entries
        : await testedEntries(
            { file: testsName, text: tests, path: folder.at(testsName) },
            { file: target, ...found },
            project,
          );
    return entries.length === 1 ? entries[0] : entries.map((entry) => entry.name);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

test("a function that is not there: those that are, methods too", async () => {
  expect(await said("a.py", PYTHON, "absent")).toBe(
    'a.py has no top-level function, class or method "absent". It has inner, outer, Shelf, Shelf.put, Shelf.take.',
  );
  expect(await said("a.ts", TYPED, "Shelf.pop")).toBe(
    'a.ts has no top-level function, class or method "Shelf.pop". It has Shelf, Shelf.put, Shelf.of, size, main.',
  );
  expect(await said("a.py", PYTHON, undefined)).toEqual(["inner", "outer", "Shelf"]);
});

test("methods of compiled languages are named with their type, or by a part of that name", async () => {
  const go = "package p\n\nfunc Len() int { return 0 }\nfunc (a A) Len() int { return 1 }\nfunc (a A) Put() {}\n";
  expect(await said("a.go", go, "A.Len")).toEqual({ name: "A.Len", definition: "Len", line: 4 });
  expect(await said("a.go", go, "Len")).toEqual({ name: "Len", definition: "Len", line: 3 });
  expect(await said("a.go", go, "Put")).toMatchObject({ name: "A.Put" });
  expect(await said("a.go", go, "A")).toEqual(["A.Len", "A.Put"]);
  expect(await said("a.go", go, "B")).toMatch(/It has Len, A\.Len, A\.Put\.$/);
  const cpp = "namespace shop {\nint Shelf::len() { return 1; }\nint len(int x) { return x; }\n}\n";
  expect(await said("a.cpp", cpp, "Shelf::len")).toMatchObject({ name: "shop::Shelf::len", line: 2 });
});

test("functions, classes and methods in any kind of file", async () => {
  expect(await said("a.py", PYTHON, "Shelf.put")).toEqual({ name: "Shelf.put", definition: "Shelf" });
  expect(await said("a.ts", TYPED, "size")).toEqual({ name: "size", definition: "size" });
  expect(await said("a.cjs", "exports.f = (x) => x;\n", undefined)).toEqual({ name: "f", definition: "f" });
  expect(await said("a.rb", "def f\nend\n", "f")).toContain('not ".rb"');
  expect(await said("a.py", "X = 1\n", "f")).toContain("no top-level function or class");
});

test("syntax errors of target and tests, with their line", async () => {
  expect(await said("a.py", "def f(:\n    pass\n", "f")).toMatch(/^a\.py has a syntax error in line 1: /);
  expect(await said("a.mjs", "export function f() {\n  return 1 +;\n}\n", "f")).toMatch(
    /^a\.mjs has a syntax error in line 2: /,
  );
  expect(await said("a.py", PYTHON, "inner", "def test(:\n")).toMatch(/^test_it\.py has a syntax error in line 1: /);
});

test("tests that never come to the function", DEEP, async () => {
  const never =
    "test_it.py never calls inner, so its tests cannot tell whether a repair is right. Name others with --tests.";
  expect(
    await said("a.py", PYTHON, "inner", "from a import inner, Shelf\n\ndef test():\n    assert Shelf().put(1) == 1\n"),
  ).toBe(never);
  const ways = [
    "from a import inner as i\nassert i(1) == 1\n",
    "import a\nassert a.outer(1) == 1\n",
    "import subprocess\nsubprocess.run(['python', 'a.py'])\n",
    "import a, pytest\n\n@pytest.mark.parametrize('name', ['inner'])\ndef test(name):\n    assert getattr(a, name)(1) == 1\n",
  ];
  for (const tests of ways) expect(await said("a.py", PYTHON, "inner", tests)).toMatchObject({ name: "inner" });
  const helped = { "conftest.py": "import pytest, a\n\n@pytest.fixture\ndef made():\n    return a.inner(1)\n" };
  expect(await said("a.py", PYTHON, "inner", "def test(made):\n    assert made == 1\n", helped)).toMatchObject({
    name: "inner",
  });
  expect(
    await said("a.py", PYTHON, undefined, "from a import Shelf\n\ndef test():\n    assert Shelf().put(1) == 1\n"),
    "those that the tests come to",
  ).toEqual({ name: "Shelf", definition: "Shelf" });
  expect(
    await said("a.js", "function f() {}\nmodule.exports = { f };\n", "f", 'const { f } = require("./a.js");\n'),
  ).toContain("never calls f");
});

test.each([
  ["src/half.py", "tests/test_half.py", "tests/test_half.py"],
  ["half.py", "tests/test_half.py", "tests/test_half.py"],
  ["tools/half.py", "tests/test_half.py", null],
])("tests that belong to %s, where %s is and no settings are: %s", (file, tests, found) => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { [file]: "def half(x): pass\n", [tests]: "" });
  expect(guessTests(join(folder.path, file), "")).toBe(found && join(folder.path, found));
});

test("an outline tells methods from calls in initialisers", async () => {
  using folder = makeProject({ files: { "a.js": "" } });
  const text =
    "class A {\n  x = make(1);\n  static y = new Map();\n  get size() { return f(2); }\n  async *[Symbol.iterator]() {}\n  b(){ if (1) g(); }\n}\n";
  const { definitions } = await outline("a.js", text, findProject([folder.at("a.js")]));
  expect(definitions[0]?.methods).toEqual(["size", "b"]);
});
