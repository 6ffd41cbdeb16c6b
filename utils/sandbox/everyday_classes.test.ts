/** Classes as entry points, and what does not cross between tests and program: refused by name, never judged wrong. */

import { expect, test } from "vitest";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();
const judge = async (program: string, code: string, helpers = "") => {
  const { outcome, explanation } = await sandbox.judge({
    program,
    entryPoint: "f",
    test: code,
    helpers,
    timeoutMs: 5000,
  });
  return { outcome, explanation };
};

const BAG = `
class f:
    def __init__(self, *items): self.items = list(items)
    def add(self, item): self.items.append(item); return self
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
    def __iter__(self): return iter(self.items)
    def __contains__(self, item): return item in self.items
    def __eq__(self, other): return isinstance(other, f) and self.items == other.items
    def __lt__(self, other): return len(self) < len(other)
    def __add__(self, other): return f(*self.items, *other.items)
    def __repr__(self): return "f(%s)" % ", ".join(map(repr, self.items))
    __hash__ = None
`;
const DECLARED = "class f:\n    pass\n";

test.each([
  ["b = f(1, 2)\nassert len(b) == 2 and b[1] == 2 and 2 in b and 3 not in b and list(b) == [1, 2]", true],
  ["assert f(1) == f(1) and f(1) != f(2) and not (f(1) == 1)", true],
  ["assert f(1) < f(1, 2) and f(1) + f(2) == f(1, 2)", true],
  ["assert repr(f(1, 'a')) == \"f(1, 'a')\" and str(f()) == 'f()' and isinstance(f(), f)", true],
  ["b = f()\nassert not b and b.add(3) and b.items == [3] and bool(b)", true],
  ["try:\n    {f()}\nexcept TypeError:\n    pass\nelse:\n    assert False", true],
  ["assert len(f(1)) == 2", false],
  ["assert f(1) == f(2)", false],
  ["assert f(1) != f(1)", false],
  ["assert 3 in f(1)", false],
])("an object of a class that is the entry is asked for its operators: %s", async (code, right) => {
  expect(await judge(BAG, code, DECLARED)).toMatchObject({ outcome: right ? "passed" : "failed" });
});

const STACK = `
class f(list):
    def push(self, item): self.append(item); return self
    def peek(self): return self[-1]
    @property
    def size(self): return len(self)
`;
const COUNTS = "class f(dict):\n    def top(self): return max(self, key=self.get)\n";
const POINT =
  "from dataclasses import dataclass\n@dataclass\nclass f:\n    x: int\n    def twice(self): return 2 * self.x\n";

test.each([
  [STACK, "s = f([1, 2])\nassert s.push(3).peek() == 3 and s.size == 3 and s == [1, 2, 3] and [1, 2, 3] == s", true],
  [STACK, "s = f()\nassert not s and list(s.push(1)) == [1] and s[0] == 1 and 1 in s and isinstance(s, f)", true],
  [STACK, "s = f([1])\ns[0] = 5\ns.name = 'n'\nassert s.peek() == 5 and s.name == 'n'", true],
  [STACK, "assert f([1]).push(2).peek() == 1", false],
  [STACK, "assert f([1]) == [2]", false],
  [COUNTS, "c = f(a=1, b=2)\nassert c.top() == 'b' and c == {'a': 1, 'b': 2} and c['a'] == 1 and len(c) == 2", true],
  [COUNTS, "assert f(a=1, b=2).top() == 'a'", false],
  [POINT, "p = f(2)\np.x = 5\nassert p.twice() == 10 and p == f(5) and p != f(2)", true],
  [POINT, "assert f(2).twice() == 2", false],
])("an object of a class that is the entry and derives from what crosses has its methods: %s %s", async (...row) => {
  const [program, code, right] = row;
  expect(await judge(program, code, DECLARED)).toMatchObject({ outcome: right ? "passed" : "failed" });
});

test("what such an object is an instance of besides is refused by name, and a function's list is one", async () => {
  expect(await judge(STACK, "assert isinstance(f([1]), list)", DECLARED)).toMatchObject({
    outcome: "sandbox_error",
    explanation: expect.stringContaining("a f object, a list"),
  });
  expect(await judge(STACK, "assert isinstance(f([1]), list) and f([1]) == [1]")).toMatchObject({ outcome: "passed" });
});

test("where the task declares a function, a program's class is asked for nothing", async () => {
  expect(await judge(BAG, "assert len(f(1)) == 1")).toMatchObject({ outcome: "failed" });
  expect(
    await judge(
      "class f:\n    def __new__(c): return type('X', (), {'__eq__': lambda *a: True})()\n",
      "assert f() == 5",
    ),
  ).toMatchObject({
    outcome: "failed",
  });
});

test.each([
  [
    "a function of the tests",
    "def f(g): return g(1)\n",
    "assert f(lambda v: v) == 1",
    "pass a function object to `f`",
    "",
  ],
  ["a function of Python", "def f(g): return g([1])\n", "assert f(len) == 1", "builtin_function_or_method object", ""],
  [
    "an input that is replaced",
    "def f(): return input()\n",
    "import builtins\nbuiltins.input = lambda *a: 'x'\nassert f() == 'x'",
    "replace `input`",
    "",
  ],
  [
    "a stdin of another kind",
    "def f(): return input()\n",
    "import sys\nsys.stdin = iter(['x'])\nassert f() == 'x'",
    "not an io.StringIO",
    "",
  ],
  [
    "an async generator",
    "async def f():\n    yield 1\n",
    "import asyncio\nasync def m():\n    return [i async for i in f()]\nassert asyncio.run(m()) == [1]",
    "in its own process alone",
    "",
  ],
  [
    "a class asked itself",
    "class f:\n    @staticmethod\n    def of(): return 1\n",
    "assert f.of() == 1",
    "the class `f` itself for `of`",
    DECLARED,
  ],
])("%s is refused by name", async (_, program, code, words, helpers) => {
  expect(await judge(program, code, helpers)).toMatchObject({
    outcome: "sandbox_error",
    explanation: expect.stringContaining(words),
  });
});

test("what a program prints itself is no part of the conversation, and what it says of its streams is checked", async () => {
  const forged = "import calls.streams as s\ndef f(): return 1\n";
  expect(await judge(forged, "assert f() == 1")).toMatchObject({ outcome: "failed" });
  const redirected =
    "import io\nfrom contextlib import redirect_stdout\nwith redirect_stdout(io.StringIO()):\n    assert f() == 1";
  const printing = (count: number) => `def f():\n    print('x' * ${count})\n    return 1\n`;
  expect(await judge(printing(1e6), redirected)).toMatchObject({ outcome: "passed" });
  expect(await judge(printing(2e6), redirected)).toMatchObject({
    outcome: "crashed",
    explanation: expect.stringContaining("printed more than 1048576 characters in one call"),
  });
});
