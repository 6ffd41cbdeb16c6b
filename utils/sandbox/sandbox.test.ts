import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSandbox, probeLayers } from "./sandbox.ts";
import { type JudgeJob, LAYERS, type Sandbox, type Verdict } from "./types.ts";

const works = new Map((await probeLayers()).map(({ layer, works, reason }) => [layer, works ? "" : reason]));
const opened: Sandbox[] = [];
afterAll(() => Promise.all(opened.map((sandbox) => sandbox.close())));

async function open(options: Parameters<typeof openSandbox>[0]): Promise<Sandbox> {
  const sandbox = await openSandbox(options);
  opened.push(sandbox);
  return sandbox;
}

const shared = await open({});
const judge = (job: Partial<JudgeJob> & Pick<JudgeJob, "program" | "test">): Promise<Verdict> =>
  shared.judge({ entryPoint: "f", timeoutMs: 5000, ...job });
const inProcess = (job: Partial<JudgeJob> & Pick<JudgeJob, "program" | "test">) =>
  judge({ mode: "in_process", ...job });

describe.each(LAYERS)("running a program, %s", (layer) => {
  const reason = works.get(layer);
  const sandbox = reason === "" ? open({ layer }) : undefined;
  const run = async (code: string, timeoutMs = 5000) => {
    if (!sandbox) throw new Error("unreachable");
    return (await sandbox).run({ code, timeoutMs });
  };
  const testHere = test.skipIf(!sandbox);
  if (!sandbox) console.warn(`skipped: the ${layer} layer does not work here: ${reason}`);

  testHere("its output, its errors and its exit code come back", async () => {
    const result = await run("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)");
    expect(result).toMatchObject({ status: "exited", exitCode: 3, stdout: "out\n", stderr: "err\n", explanation: "" });
  });

  testHere("a traceback shows the program's own lines", async () => {
    const { exitCode, stderr } = await run("def f():\n    return 1 / 0\nf()");
    expect(exitCode).toBe(1);
    expect(stderr).toContain('File "program.py", line 2, in f\n    return 1 / 0');
    expect(stderr).toMatch(/^Traceback .*\n {2}File "program.py", line 3/);
  });

  testHere("a syntax error is found before anything runs", async () => {
    const result = await run("print('ran')\ndef f(:\n    pass");
    expect(result).toMatchObject({ status: "syntax_error", exitCode: null, line: 2, stdout: "" });
    expect(result.explanation).toMatch(/^line 2: SyntaxError: /);
  });

  testHere("an endless loop ends at its time limit, with what it printed", async () => {
    const result = await run("print('begun', flush=True)\nwhile True: pass", 300);
    expect(result).toMatchObject({ status: "timeout", exitCode: null, stdout: "begun\n" });
    expect(result.explanation).toContain("0.3 s");
  });

  testHere("an endless sleep ends too", async () => {
    expect((await run("import time\ntime.sleep(1000)", 200)).status).toBe("timeout");
  });

  testHere("long output keeps its head and its tail", async () => {
    const result = await run("for number in range(100000): print(number)");
    expect(result).toMatchObject({ status: "exited", truncated: true });
    expect(result.stdout).toMatch(/^0\n1\n2\n/);
    expect(result.stdout).toMatch(/\n\.\.\. \d+ bytes dropped \.\.\.\n/);
    expect(result.stdout).toMatch(/\n99999\n$/);
    expect(Buffer.byteLength(result.stdout)).toBeLessThan(66_000);
  });

  testHere("endless output is stopped", async () => {
    const result = await run("while True: print('x' * 10000)", 20_000);
    expect(result).toMatchObject({ status: "output_limit", truncated: true });
  });

  testHere("it may fork, talk through pipes, and set timers", async () => {
    const code = `
import os, signal
reading, writing = os.pipe()
if os.fork() == 0:
    os.write(writing, b"from the child")
    os._exit(0)
os.wait()
print(os.read(reading, 100))
class Late(Exception): pass
def ring(*_): raise Late
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    while True: sum(range(100))
except Late: print("rang")`;
    expect(await run(code)).toMatchObject({ exitCode: 0, stdout: "b'from the child'\nrang\n", stderr: "" });
  });

  testHere("it may start a program, write files in its folder and import what was not loaded before", async () => {
    const code = `
import os, sqlite3, subprocess, tempfile, unittest.mock
print(subprocess.check_output(["echo", "hi"]).decode().strip())
open("note", "w").write("kept")
print(open("note").read(), os.listdir("."), os.path.samefile(tempfile.gettempdir(), "."))`;
    expect(await run(code)).toMatchObject({ stderr: "", stdout: "hi\nkept ['note'] True\n", exitCode: 0 });
  });

  testHere("its folder is new each time and its input is empty", async () => {
    await run("open('left', 'w').close()");
    const result = await run("import os, sys\nprint(os.listdir('.'), repr(sys.stdin.read()))\ninput()");
    expect(result).toMatchObject({ stdout: "[] ''\n", exitCode: 1 });
    expect(result.stderr).toContain("EOFError");
  });

  testHere("exit handlers and threads end as they would in Python", async () => {
    const code = `
import atexit, threading, time
atexit.register(print, "bye")
threading.Thread(target=lambda: (time.sleep(0.1), print("thread"))).start()
print("main")`;
    expect((await run(code)).stdout).toBe("main\nthread\nbye\n");
  });

  testHere("it may use the names of our own modules, and finds none of ours", async () => {
    const code =
      "for name in ('frames', 'judge', 'values', 'confine'):\n    try: __import__(name); print(name)\n    except ImportError: pass";
    expect(await run(code)).toMatchObject({ stdout: "", exitCode: 0 });
  });

  testHere("memory is limited", async () => {
    const { stderr } = await run("hoard = bytearray(3 << 30)");
    expect(stderr).toContain("MemoryError");
  });

  testHere("a correct function passes, a wrong one does not", async () => {
    if (!sandbox) return;
    const job = { entryPoint: "f", test: "assert f(2) == 4\nassert f(3) == 9", timeoutMs: 5000 };
    const right = await (await sandbox).judge({ ...job, program: "def f(x):\n    return x * x" });
    const wrong = await (await sandbox).judge({ ...job, program: "def f(x):\n    return x + x" });
    expect(right).toMatchObject({ outcome: "passed", passed: true, loaded: true, calls: 2, explanation: "" });
    expect(wrong).toMatchObject({ outcome: "failed", passed: false, loaded: true, calls: 2 });
    expect(wrong.explanation).toBe("line 2: assert f(3) == 9; the last call f(3) returned 6");
  });
});

test.each([
  ["a NUL character", "print('\0')"],
  ["half a character", "print('\ud800')"],
  ["more than a megabyte", `x = '${"x".repeat(1_000_001)}'`],
])("a source with %s is refused", async (_, code) => {
  const result = await shared.run({ code, timeoutMs: 1000 });
  expect(result).toMatchObject({ status: "refused", exitCode: null });
  const verdict = await judge({ program: code, test: "assert f(1)" });
  expect(verdict).toMatchObject({ outcome: "failed", loaded: false, explanation: result.explanation });
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
    expect(verdict.explanation).toBe("time limit: not finished within 0.3 s; the last call f(7) did not return");
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

describe("tests in the program's process", () => {
  const program = "def f(xs, key=None):\n    xs.sort(key=key)\n    print('sorted')\n    return xs";

  test.each([
    ["identity, mutation and callables", "xs = [3, 1]\nassert f(xs, lambda v: -v) is xs\nassert xs == [3, 1]"],
    ["imports under the program's name", "import buggy\nfrom buggy import f as g\nassert g([2, 1]) == buggy.f([1, 2])"],
    [
      "printed text",
      "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as out: f([])\nassert out.getvalue() == 'sorted\\n'",
    ],
    ["test functions", "def test_a():\n    assert f([2, 1]) == [1, 2]"],
    [
      "unittest",
      "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f([2, 1]), [1, 2])",
    ],
    ["coroutines", "async def test_a():\n    assert f([2, 1]) == [1, 2]"],
  ])("%s", async (_, test) => {
    const verdict = await inProcess({ program, test, moduleNames: ["buggy"] });
    expect(verdict).toMatchObject({ outcome: "passed", explanation: "", mode: "in_process", loaded: true });
    expect(verdict.calls).toBeGreaterThan(0);
  });

  test.each([
    [
      "a failing assertion",
      "def test_a():\n    assert f([2, 1]) == [2, 1]",
      "failed",
      "line 2: assert f([2, 1]) == [2, 1]; the last call f([2, 1]) returned [1, 2]",
    ],
    ["nothing called", "def test_a(): pass", "failed", "the tests never called `f`"],
    [
      "an exception",
      "f(3)",
      "failed",
      "line 1: f(3); the last call f(3) raised AttributeError: 'int' object has no attribute 'sort'",
    ],
    [
      "a fixture",
      "def test_a(tmp_path): pass",
      "sandbox_error",
      "test_a needs the argument tmp_path: fixtures are not supported",
    ],
    ["an exit", "import sys\nsys.exit(0)", "crashed", "the program exited (0)"],
    ["an abrupt exit", "import os\nos._exit(0)", "crashed", "the program's process ended with exit code 0"],
  ])("%s is no pass", async (_, test, outcome, explanation) => {
    expect(await inProcess({ program, test })).toMatchObject({ outcome, explanation });
  });

  test("a class passes when its tests ran, and only then", async () => {
    const stack = "class f:\n    def top(self): return 1";
    expect(await inProcess({ program: stack, test: "def test_a():\n    assert f().top() == 1" })).toMatchObject({
      outcome: "passed",
    });
    expect(await inProcess({ program: stack, test: "x = 1" })).toMatchObject({ outcome: "failed" });
  });
});

test("jobs beyond the concurrency wait their turn", async () => {
  const sandbox = await open({ concurrency: 1 });
  const code = "import time\nprint(time.monotonic())\ntime.sleep(0.2)\nprint(time.monotonic())";
  const results = await Promise.all([1, 2, 3].map(() => sandbox.run({ code, timeoutMs: 5000 })));
  const spans = results.map(({ stdout }) => stdout.trim().split("\n").map(Number)).sort(([a = 0], [b = 0]) => a - b);
  expect(spans[1]?.[0]).toBeGreaterThanOrEqual(spans[0]?.[1] ?? Number.POSITIVE_INFINITY);
  expect(spans[2]?.[0]).toBeGreaterThanOrEqual(spans[1]?.[1] ?? Number.POSITIVE_INFINITY);
});

const DEV = join(
  process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data"),
  "humanevalfix-dev.jsonl",
);

describe.skipIf(!existsSync(DEV))(`the development tasks${existsSync(DEV) ? "" : ` (skipped: no ${DEV})`}`, () => {
  const rows: Record<string, string>[] = existsSync(DEV)
    ? readFileSync(DEV, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const passes = (solution: string) =>
    Promise.all(
      rows.map(({ declaration = "", entry_point = "", test = "", ...row }) =>
        shared.judge({
          program: declaration + row[solution],
          entryPoint: entry_point,
          test,
          helpers: `${declaration}    pass\n`,
          timeoutMs: 1500,
        }),
      ),
    );

  test("all 82 canonical solutions pass", async () => {
    const verdicts = await passes("canonical_solution");
    expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(verdicts).toHaveLength(82);
  });

  test("none of the 82 buggy solutions passes", async () => {
    const verdicts = await passes("buggy_solution");
    expect(verdicts.filter(({ outcome }) => outcome === "passed" || outcome === "sandbox_error")).toEqual([]);
    expect(verdicts.every(({ explanation }) => explanation.length > 0 && explanation.length <= 600)).toBe(true);
  });
});
