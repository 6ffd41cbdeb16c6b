import { describe, expect, test } from "vitest";
import { openForTests } from "./testing/open.ts";
import type { JudgeJob, Verdict } from "./types.ts";

const sandbox = await openForTests();
const judge = (job: Partial<JudgeJob> & Pick<JudgeJob, "program" | "test">): Promise<Verdict> =>
  sandbox.judge({ entryPoint: "f", timeoutMs: 5000, ...job });

test.each([
  [
    "what a match was made with",
    "import re\ndef f():\n    return re.match('a', 'a')\n",
    "assert f().re.pattern == 'a'",
  ],
  [
    "an object of a class that the task does not declare as its entry",
    "class f:\n    def top(self):\n        return 3\n",
    "assert f().top() == 3",
  ],
  ["an asynchronous generator", "async def f():\n    yield 1\n", "assert f().ag_running is False"],
])("%s does not cross, and the verdict names it", async (_, program, test) => {
  const { outcome, explanation } = await judge({ program, test });
  expect(outcome).toBe("failed");
  expect(explanation).toMatch(/: its `\w+` is not known here/);
});

test("of a class that the task declares as its entry, objects have attributes and methods", async () => {
  const program =
    "class f:\n    def __init__(self, *xs):\n        self.xs = list(xs)\n    def top(self):\n        return self.xs[-1]\n    def other(self):\n        return f(*self.xs, 9)\n    def add(self, other):\n        self.xs += other.xs\n";
  const helpers = "class f:\n    pass\n";
  const right =
    "a = f(1, 2)\nassert a.top() == 2 and a.xs == [1, 2]\nb = a.other()\nassert b.top() == 9\na.add(b)\nassert a.xs == [1, 2, 1, 2, 9]";
  expect((await judge({ program, helpers, test: right })).explanation).toBe("");
  expect(await judge({ program, helpers, test: "assert f(1).top() == 2" })).toMatchObject({ outcome: "failed" });
  expect(await judge({ program, helpers, test: "f(1).low()" })).toMatchObject({
    outcome: "failed",
    explanation: expect.stringContaining("AttributeError: 'f' object has no attribute 'low'"),
  });
});

test("a function that the program returns can be called", async () => {
  const program = "def f(n):\n    return lambda x: x + n\n";
  expect((await judge({ program, test: "add = f(3)\nassert add(4) == 7 and f(1)(1) == 2" })).explanation).toBe("");
  expect(await judge({ program, test: "assert f(3)(4) == 8" })).toMatchObject({ outcome: "failed" });
});

test("values of the standard library are passed to the program, and changed by it", async () => {
  const program = "def f(a, path, number):\n    a.append(4)\n    return [path.suffix, number.int]\n";
  const test = [
    "import array, pathlib, uuid",
    "a = array.array('i', [1])",
    "assert f(a, pathlib.Path('x.py'), uuid.UUID(int=5)) == ['.py', 5]",
    "assert a == array.array('i', [1, 4])",
  ].join("\n");
  expect((await judge({ program, test })).explanation).toBe("");
});

describe("values cross as they are", () => {
  test.each([
    "None",
    "True",
    "0",
    "-1",
    "2 ** 64",
    "-(1 << 9999)",
    "1.5",
    "1e300",
    "float('inf')",
    "'text'",
    "'\\ud800 \\x00 é'",
    "'\\ud83d' + '\\ude00'",
    "b'\\x00\\xff'",
    "[]",
    "[1, [2, [3]]]",
    "(1,)",
    "()",
    "{'b': 1, 'a': 2}",
    "{(1, 2): [3]}",
    "{1, 2}",
    "frozenset({1})",
    "1 + 2j",
    "(True, 1, 1.0)",
  ])("%s", async (value) => {
    const test = `value = ${value}\nresult = f(value)\nassert repr(result) == repr(value) and result == value`;
    expect((await judge({ program: "def f(x):\n    return x", test })).explanation).toBe("");
  });

  test.each([
    ["a NaN is not equal to itself", "float('nan')", "r = f(0)\nassert r != r and repr(r) == 'nan'"],
    ["an integer is as long as it likes", "1 << 99999", "assert f(0) == 1 << 99999"],
    ["a negative zero keeps its sign", "-0.0", "assert str(f(0)) == '-0.0'"],
    ["a dict keeps its order", "{'b': 1, 'a': 2}", "assert list(f(0)) == ['b', 'a']"],
    ["a Counter is the dict it holds", "Counter('aab')", "assert f(0) == {'a': 2, 'b': 1}"],
    ["an enum's number is a number", "__import__('enum').IntEnum('E', 'A').A", "assert f(0) == 1"],
  ])("%s", async (_, value, test) => {
    expect((await judge({ program: `def f(x):\n    return ${value}`, test })).explanation).toBe("");
  });

  test.each([
    ["a generator", "(i for i in [1])", "assert f(0) == [1]"],
    ["an object", "object()", "r = f(0)\nassert r == r"],
    ["a list of objects", "[object()]", "assert len(f(0)) == 0"],
    ["an object, as a truth", "object()", "assert f(0)"],
    ["an object, given back", "object()", "assert f(f(0)) == 1"],
  ])("%s is equal to nothing", async (_, value, test) => {
    expect((await judge({ program: `def f(x):\n    return ${value}`, test })).outcome).toBe("failed");
  });
});

describe("exceptions cross by their builtin class", () => {
  test.each([
    ["a builtin", "raise ValueError('too short')", "except ValueError as e: assert str(e) == 'too short'"],
    ["its arguments", "raise KeyError('k')", "except KeyError as e: assert e.args == ('k',)"],
    ["a class derived from one", "raise type('Mine', (LookupError,), {})('x')", "except LookupError: pass"],
    ["a class of its own", "raise type('Mine', (Exception,), {})('x')", "except Exception as e: assert str(e) == 'x'"],
    ["one that Python raises", "return [][1]", "except IndexError: pass"],
  ])("%s", async (_, body, handler) => {
    const test = `try: f(0)\n${handler}\nelse: assert False`;
    expect((await judge({ program: `def f(x):\n    ${body}`, test })).explanation).toBe("");
  });
});

test.each(["isolated", "in_process"] as const)(
  "%s: tests that draw random values draw the same again",
  async (mode) => {
    const test = "import random\nassert f(random.random()) == 0";
    const once = async () => (await judge({ program: "def f(x):\n    return x", test, mode })).explanation;
    const explanation = await once();
    expect(explanation).toMatch(/0\.\d{5}/);
    expect(await once()).toBe(explanation);
  },
);

describe("explanations", () => {
  test.each([
    [
      "a wrong result",
      "return x",
      "def check(g):\n\n    assert g([1], k=2) == (\n        3)\ncheck(lambda v, k: f(v))",
      "line 3: assert g([1], k=2) == ( 3); the last call f([1]) returned [1]",
    ],
    [
      "a message",
      "return x",
      "assert f(1) == 2, 'one and one'",
      "line 1: assert f(1) == 2, 'one and one'; the last call f(1) returned 1",
    ],
    [
      "a computed message",
      "return x",
      "assert f(1) == 2, 'o' + 'ne'",
      "line 1: assert f(1) == 2, 'o' + 'ne'; the last call f(1) returned 1; AssertionError: one",
    ],
    [
      "an exception",
      "return x[5]",
      "assert f([1]) == 2",
      "line 1: assert f([1]) == 2; the last call f([1]) raised IndexError: list index out of range (line 2 of the program)",
    ],
    [
      "an exception of the test",
      "return None",
      "assert abs(f(1)) < 2",
      "line 1: assert abs(f(1)) < 2; the last call f(1) returned None; TypeError: bad operand type for abs(): 'NoneType'",
    ],
    [
      "an argument that changed",
      "x.append(2)",
      "xs = [1]\nf(xs)\nassert xs == [1]",
      "line 3: assert xs == [1]; the last call f([1]) returned None and left its arguments as ([1, 2])",
    ],
    ["no call", "return x", "assert True", "the tests never called `f`"],
    ["an exit", "raise SystemExit(3)", "f(1)", "the program exited (3); the last call f(1) did not return"],
  ])("%s", async (_, body, test, explanation) => {
    expect((await judge({ program: `def f(x):\n    ${body}`, test })).explanation).toBe(explanation);
  });

  test.each([
    [
      "a syntax error",
      "x = 1\ndef f(x) return x",
      /^the program does not load: SyntaxError: .* \(line 2 of the program\)$/,
    ],
    [
      "an error while loading",
      "\n\nboom()",
      /^the program does not load: NameError: .*boom.* \(line 3 of the program\)$/,
    ],
    ["no such function", "def g(x): pass", /^the program does not define a function `f`$/],
  ])("%s", async (_, program, explanation) => {
    const verdict = await judge({ program, test: "assert f(1)" });
    expect(verdict).toMatchObject({ outcome: "failed", loaded: false, calls: 0 });
    expect(verdict.explanation).toMatch(explanation);
  });

  test("the call that did not end is named", async () => {
    const test = "assert f(0) == 0\nassert f(7) == 1";
    const verdict = await judge({ program: "def f(x):\n    while x: pass\n    return x", test, timeoutMs: 300 });
    expect(verdict.outcome).toBe("timeout");
    // On a busy machine it also says how long it waited for the processor.
    expect(verdict.explanation).toMatch(
      /^time limit: not finished within 0\.3 s;.* the last call f\(7\) did not return$/,
    );
  });

  test("they are never long", async () => {
    const program = "def f(x):\n    return ['x' * 1000] * 1000";
    const { explanation } = await judge({ program, test: `assert f(list(range(9999))) == [${"1, ".repeat(999)}]` });
    expect(explanation.length).toBeLessThanOrEqual(600);
  });
});

describe("the tests", () => {
  test("use helpers from their own source, never the program's", async () => {
    const helpers = "def encode(x):\n    return x + 1\n\ndef f(x):\n    return 'not this one'\n";
    const program = "def encode(x):\n    return 0\ndef f(x):\n    return x - 1";
    expect((await judge({ program, helpers, test: "assert f(encode(5)) == 5" })).explanation).toBe("");
  });

  test("and the program find the reference harness's imports, and the program's lines keep their numbers", async () => {
    const program = "def f(x: List[int]) -> Optional[int]:\n    return Counter(x) and math.floor(x[0]) + boom";
    const verdict = await judge({
      program,
      test: "assert f([random_free(1)]) == 1",
      helpers: "def random_free(x): return math.ceil(x)",
    });
    expect(verdict.explanation).toContain("(line 2 of the program)");
    expect(verdict.explanation).toContain("boom");
  });

  test("may be functions and unittest classes", async () => {
    const test = `
import unittest
def test_one():
    assert f(1) == 1
class Test(unittest.TestCase):
    def test_two(self):
        self.assertEqual(f(2), 3)`;
    const verdict = await judge({ program: "def f(x): return x", test });
    expect(verdict).toMatchObject({ outcome: "failed", calls: 2 });
    expect(verdict.explanation).toBe(
      "line 7: self.assertEqual(f(2), 3); the last call f(2) returned 2; AssertionError: 2 != 3",
    );
  });

  test.each([
    ["do not compile", "assert f(1) ==", "", /^the tests do not compile: line 1: /],
    ["need a broken helper", "assert f(1)", "boom()", /^the test helpers raised NameError: /],
    ["pass what cannot cross", "assert f(lambda: 1)", "", /a function object to `f`, not a plain value/],
    ["need a fixture", "def test_x(tmp_path): f(1)", "", /fixtures are not supported/],
  ])("that %s are no verdict on the program", async (_, test, helpers, explanation) => {
    const verdict = await judge({ program: "def f(x): return x", test, helpers });
    expect(verdict).toMatchObject({ outcome: "sandbox_error", passed: false });
    expect(verdict.explanation).toMatch(explanation);
  });

  test("that swallow everything do not hide that the program died", async () => {
    const program = "import os\ndef f(x):\n    os._exit(0)";
    const test = "for _ in range(3):\n    try: f(1)\n    except BaseException: pass";
    expect(await judge({ program, test })).toMatchObject({ outcome: "crashed", calls: 1 });
  });

  test("when there are none, the program must load and define the function", async () => {
    expect(await judge({ program: "def f(x): return x", test: "" })).toMatchObject({ outcome: "passed", calls: 0 });
    expect(await judge({ program: "f = 3", test: "" })).toMatchObject({ outcome: "failed", loaded: false });
  });

  test("leave nothing behind for the next", async () => {
    const program = "def f(x): return x";
    await judge({
      program,
      test: "import builtins, math, random\nrandom.seed(1)\nmath.floor = len\nbuiltins.leak = 1\nf(1)",
    });
    const test = "import builtins, math\nassert not hasattr(builtins, 'leak') and math.floor(1.5) == 1\nf(1)";
    expect((await judge({ program, test })).explanation).toBe("");
  });

  test("what the program prints comes back with the verdict", async () => {
    const verdict = await judge({ program: "print('load')\ndef f(x): print('call', x)", test: "f(1)" });
    expect(verdict).toMatchObject({ outcome: "passed", stdout: "load\ncall 1\n" });
  });
});

describe("a process is as a fresh interpreter would be, though the server has judged a program of its own", () => {
  test("the reference harness's names are there for program and tests", async () => {
    const program = "def f(x: List[int]) -> str:\n    return hashlib.md5(str(math.prod(x)).encode()).hexdigest()";
    const test = "assert f([2, 3]) == hashlib.md5(b'6').hexdigest() == '1679091c5a880faf6fb5e6087eb1b2dc'";
    expect((await judge({ program, test })).explanation).toBe("");
  });

  test("no module, no source and no random numbers are left", async () => {
    const left = "import linecache, sys\nleft = 'solution' in sys.modules, sorted(linecache.cache)";
    const test = `${left}\nassert (left, f()) == ((False, ['test helpers', 'tests']), False)`;
    const program =
      "import random\nfirst = random.random()\nrandom.seed(0)\ndef f():\n    random.seed(0)\n    return first == random.random()";
    expect((await judge({ program, test })).explanation).toBe("");
  });
});
