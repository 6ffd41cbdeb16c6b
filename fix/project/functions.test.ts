import { expect, test } from "vitest";
import { functionAt, functionsOf, ownersOf } from "./functions.ts";

const named = (file: string, text: string) => functionsOf(file, text).map(({ name, start, end }) => [name, start, end]);

test("Python: methods, nested functions, decorators, brackets and text that look like code", () => {
  const text = `import os

@cache
@other(
    1,
)
def first(a,
          b):
    """def not_one():
    pass"""
    def inner():
        return a
    return inner

class Shelf:
    size = 3

    async def put(self, item):
        text = (
"def neither(): pass"
)
# a comment at the margin
        return text

    def count(self): return 1
`;
  expect(named("a.py", text)).toEqual([
    ["first", 3, 13],
    ["first.inner", 11, 12],
    ["Shelf.put", 18, 23],
    ["Shelf.count", 25, 25],
  ]);
});

test("line ends of Windows and a byte order mark change nothing", () => {
  const text = "class Cart:\n    def add(self):\n        pass\n\n    def total(self):\n        return 0\n";
  const expected = [
    ["Cart.add", 2, 3],
    ["Cart.total", 5, 6],
  ];
  expect(named("a.py", text)).toEqual(expected);
  expect(named("a.py", `\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(expected);
});

test("JavaScript: declarations, values, arrows, methods; calls and conditions are none", () => {
  const text = `function first(a) {
  if (a ? !helper(a) : true) { return helper(() => 1); }
}
exports.second = function (a) {
  return a;
};
const third = async (a, b) =>
  a + b;
class Shelf {
  constructor() { this.items = []; }
  async put(item) {
    while (item) { item = next(item); }
  }
  get size() { return 1; }
}
module.exports = { fourth(a) { return a; }, fifth: a => a };
`;
  expect(named("a.js", text)).toEqual([
    ["first", 1, 3],
    ["second", 4, 6],
    ["third", 7, 8],
    ["constructor", 10, 10],
    ["put", 11, 13],
    ["size", 14, 14],
    ["fourth", 16, 16],
    ["fifth", 16, 16],
  ]);
});

test("TypeScript: types around parameters", () => {
  expect(named("a.ts", "export function f<T>(a: T, b = 1): Map<string, T> {\n  return new Map();\n}\n")).toEqual([
    ["f", 1, 3],
  ]);
});

test("TypeScript: arrows with types of parameters and results, over several lines", () => {
  const text = `export const slug = (title: string): string =>
  title
    .trim()
    .replace(/a/g, "b");
const pick = <T>(x: T): T => x;
const later = async (x: number): Promise<Map<string, number>> => {
  await x;
};
class Box {
  open = (x: number): { a: number } => ({ a: f(x) });
}
const chosen = c ? (a) : b;
`;
  expect(named("a.ts", text)).toEqual([
    ["slug", 1, 4],
    ["pick", 5, 5],
    ["later", 6, 8],
    ["open", 10, 10],
  ]);
});

test("JavaScript without semicolons: an arrow ends with its expression", () => {
  const text = `const a = x =>
  f(x)
    .g(1)
const b = x => x in
  y
const c = (x) => (
  x
)
let d = 1
`;
  expect(named("a.js", text)).toEqual([
    ["a", 1, 3],
    ["b", 4, 5],
    ["c", 6, 8],
  ]);
});

test("the innermost function around a line", () => {
  const functions = functionsOf("a.py", "def a():\n    def b():\n        pass\n    return b\n");
  expect([1, 3, 4, 9].map((line) => functionAt(functions, line)?.name)).toEqual(["a", "a.b", "a", undefined]);
});

test("an empty text and one that is no program have no functions, and nothing throws", () => {
  for (const file of ["a.py", "a.js"])
    for (const text of ["", "def (((", "function {", "'''", "`${"]) functionsOf(file, text);
  expect(functionsOf("a.py", "")).toEqual([]);
});

test("a file's owners of lines are what functionAt finds for each of them", () => {
  const text =
    "const top = 1;\nfunction a() {\n  const b = () => {\n    return 1;\n  };\n  return b;\n}\n\nclass C {\n  d() {}\n}\n";
  const functions = functionsOf("a.ts", text);
  const lines = text.split("\n").length;
  expect(functions.map(({ name }) => name)).toEqual(["a", "b", "d"]);
  expect(ownersOf(functions, lines)).toEqual(Array.from({ length: lines }, (_, i) => functionAt(functions, i + 1)));
});

/** None of them ends within a test's time where each function looks through the rest of its file. */
test.each([
  ["an arrow in an arrow", "x=a=>", 30_000],
  ["types of parameters that never come", "function a<", 0],
  ["calls that never close", "f(", 0],
  ["functions that never close", "function a(){", 30_000],
  ["results without an arrow", "x=(a):b<", 0],
  ["types that end nowhere", "x > (a)=>", 0],
])("%s, 30,000 times", (_, piece, found) => {
  expect(functionsOf("a.ts", piece.repeat(30_000))).toHaveLength(found);
});
