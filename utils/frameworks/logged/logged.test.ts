import { expect, test } from "vitest";
import { frameworkStartedBy } from "../registry.ts";
import { words } from "../test_run.ts";
import { LOGGED } from "./logged.ts";

const PYTEST = `
=================================== FAILURES ===================================
_______________________________ test_bad[bad - two] ____________________________
    def test_bad(a):
>       assert a == "good - value"
E       AssertionError: assert 'bad - two' == 'good - value'
------------------------------ Captured log call -------------------------------
ERROR    app:test_many.py:6 it is bad
PASSED nothing
==================================== ERRORS ====================================
_________________ ERROR collecting tests/test_unloaded.py ______________________
E   ModuleNotFoundError: No module named 'no_such_module'
=========================== short test summary info ============================
PASSED tests/test_many.py::test_param[a - b]
PASSED tests/test_many.py::TestA::test_in_class
SKIPPED [1] tests/test_many.py:21: not now
XFAIL tests/test_many.py::test_xfails - known
ERROR tests/test_many.py::test_error - RuntimeError: no fixture
ERROR tests/test_unloaded.py
FAILED tests/test_many.py::test_bad[bad - two] - AssertionError: assert [1] - [2]
==== 1 failed, 3 passed, 1 skipped, 2 errors in 0.36s ====
`;
const CLASSIC = `
tests/test_many.py::test_param[a b] \u001b[32mPASSED\u001b[0m                  [ 50%]
tests/test_many.py::test_bad FAILED                                           [100%]
=== 1 failed, 1 passed in 0.10 seconds ===
`;
const DJANGO = `
  Applying sites.0001_initial... OK
no_such_module (unittest.loader._FailedTest.no_such_module) ... ERROR
test_dates (utils_tests.test_timesince.Tests.test_dates)
Timesince works with dates (#9672). ... ok
test_join07 (filter_tests.test_join.JoinTests) ... FAIL
test_prints (filter_tests.test_join.JoinTests) ... It prints
a line
ok
test_on_oracle (basic.tests.Tests) ... skipped 'Database has feature(s) x'
======================================================================
FAIL: test_join07 (filter_tests.test_join.JoinTests)
----------------------------------------------------------------------
AssertionError: 'ALPHA' != 'alpha'
======================================================================
ERROR: no_such_module (unittest.loader._FailedTest.no_such_module)
----------------------------------------------------------------------
ImportError: Failed to import test module: no_such_module
----------------------------------------------------------------------
Ran 5 tests in 0.100s
`;
const SYMPY = `
sympy/core/tests/test_operations.py[4]
test_planted F
test_error_planted E
test_lattice_simple ok
test_mul_dispatcher ok                                                    [FAIL]

________________________________________________________________________________
____________ sympy/core/tests/test_operations.py:test_error_planted ____________
ValueError: no
________________________________________________________________________________
_______________ sympy/core/tests/test_operations.py:test_planted _______________
AssertionError
============ tests finished: 2 passed, 1 failed, 1 exceptions, in 0.1 seconds ===
DO *NOT* COMMIT!
`;

const read = (name: string, text: string) => LOGGED.find((one) => one.name === name)?.parseResults(text) ?? null;
const statuses = (name: string, text: string) =>
  Object.fromEntries((read(name, text)?.tests ?? []).map((one) => [one.name, one.status]));

test("pytest -rA: names with spaces and dashes, files that cannot be loaded, no lines that tests print", () => {
  const many = "tests/test_many.py::";
  expect(statuses("pytest", PYTEST)).toEqual({
    [`${many}test_param[a - b]`]: "passed",
    [`${many}TestA::test_in_class`]: "passed",
    [`${many}test_xfails`]: "passed",
    [`${many}test_error`]: "error",
    [`${many}test_bad[bad - two]`]: "failed",
  });
  const report = read("pytest", PYTEST);
  expect(report?.fatal).toContain("No module named 'no_such_module'");
  expect(report?.tests.find(({ status }) => status === "failed")?.message).toContain('assert a == "good - value"');
  expect(statuses("pytest", CLASSIC)).toEqual({ [`${many}test_param[a b]`]: "passed", [`${many}test_bad`]: "failed" });
});

test("Django: docstrings are titles, output may come between a test and its end", () => {
  expect(statuses("tests/runtests.py", DJANGO)).toEqual({
    "no_such_module (unittest.loader._FailedTest.no_such_module)": "error",
    "test_dates (utils_tests.test_timesince.Tests.test_dates)": "passed",
    "test_join07 (filter_tests.test_join.JoinTests)": "failed",
    "test_prints (filter_tests.test_join.JoinTests)": "passed",
    "test_on_oracle (basic.tests.Tests)": "skipped",
  });
  const report = read("tests/runtests.py", DJANGO);
  expect(report?.tests.map(({ title }) => title)).toContain("Timesince works with dates (#9672).");
  expect(report?.tests.find(({ status }) => status === "failed")?.message).toBe("AssertionError: 'ALPHA' != 'alpha'");
  expect(report?.fatal).toContain("Failed to import test module");
});

test("SymPy: the last test of a file ends with the file's own result", () => {
  const file = "sympy/core/tests/test_operations.py:";
  expect(statuses("bin/test", SYMPY)).toEqual({
    [`${file}test_planted`]: "failed",
    [`${file}test_error_planted`]: "error",
    [`${file}test_lattice_simple`]: "passed",
    [`${file}test_mul_dispatcher`]: "passed",
  });
  expect(read("bin/test", SYMPY)?.tests.map(({ message }) => message)).toEqual([
    "AssertionError",
    "ValueError: no",
    "",
    "",
  ]);
});

const PRINTED = `
=== RUN   TestHalf
    half_test.go:9: got 4
--- FAIL: TestHalf (0.00s)
    --- PASS: TestHalf/zero (0.00s)
--- SKIP: TestSlow (0.00s)
FAIL\texample.com/half\t0.01s
test rates::half ... ok
test src/lib.rs - half (line 3) ... FAILED
test panics - should panic ... ok
1/3 Test #1: unit one .....................   Passed    0.01 sec
2/3 Test  #2: unit-two ....................***Failed    0.01 sec
[       OK ] Rates.Half (0 ms)
[  FAILED  ] Rates.Third, where GetParam() = 3 (0 ms)
PASS: tests/jqtest
[INFO] Running org.HalfTest
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in org.HalfTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in org.ThirdTest
[INFO] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0
> Task :core:test FAILED
RatesTest > half() PASSED
PASS test/dates.test.js (2.1 s)
  dates
    \u001b[32m✓\u001b[39m begins in January (12 ms)
    ✕ ends in June
  2) counts days
`;

test("what runners of many languages print, a line for each test", () => {
  const tests = read("/home/run.sh", PRINTED)?.tests ?? [];
  const named = (status: string) => tests.filter((one) => one.status === status).map(({ name }) => name);
  expect(named("passed")).toEqual([
    ...["TestHalf/zero", "rates::half", "panics", "unit one", "Rates.Half", "tests/jqtest", "org.HalfTest"],
    ...["RatesTest > half()", "test/dates.test.js", "test/dates.test.js:begins in January"],
  ]);
  expect(named("failed")).toEqual([
    ...["TestHalf", "src/lib.rs - half (line 3)", "unit-two", "Rates.Third", "org.ThirdTest", "core:test"],
    ...["test/dates.test.js:ends in June", "counts days"],
  ]);
  expect(named("skipped")).toEqual(["TestSlow"]);
  expect(read("/home/run.sh", "bash: go: command not found\n")).toBeNull();
});

test.each([
  ["bash /home/run.sh", "bash /home/run.sh"],
  ["go test -run TestA a/b_test.go", "go test -v -run TestA ./a"],
  ["cargo test --workspace -- --nocapture", "cargo test --workspace -- --nocapture"],
  ["pytest -rA tests/a.py", "python -m pytest -rA tests/a.py"],
  ["pytest -vv -o console_output_style=classic a.py", "python -m pytest -vv -o console_output_style=classic -rA a.py"],
  ["tox --current-env -epy39 -v -- tests/a.py", "tox --current-env -epy39 -v -- tests/a.py"],
  ["tox --current-env -epy39 -v -- a.py::test_x", "tox --current-env -epy39 -v -- a.py::test_x"],
  [
    "./tests/runtests.py --verbosity 2 tests/a/b.py tests/c",
    "python tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel=1 a.b c",
  ],
  ["bin/test -C --verbose sympy/core/tests/test_x.py", "python bin/test -C --verbose sympy/core/tests/test_x.py"],
])("%s starts its program with the options that tell names", async (command, expected) => {
  const started = frameworkStartedBy(command, LOGGED);
  const project = { root: "/r", folder: "/r", target: "/r/.", shared: false, inside: "/testbed" };
  const args = words(started?.args ?? "");
  const { argv } = (await started?.framework.command({ project, args, results: "/out" })) ?? { argv: [] };
  expect(argv.slice(4).join(" ")).toBe(expected);
});

test("single tests are named as their runner takes them", () => {
  const select = (name: string, test: string) =>
    LOGGED.find((one) => one.name === name)?.select?.(
      [{ name: test, status: "failed", message: "" }],
      ["-x", "old.py"],
    );
  expect(select("pytest", "a.py::test_x[1 2]")).toEqual(["-x", "a.py::test_x"]);
  expect(select("tox --current-env", "a.py::test_x[1]"), "else the whole folder runs").toEqual(["-x", "a.py::test_x"]);
  expect(select("tests/runtests.py", "test_x (a.b.C)")).toEqual(["-x", "a.b.C.test_x"]);
  expect(select("tests/runtests.py", "test_x (a.b.C.test_x)")).toEqual(["-x", "a.b.C.test_x"]);
  const sympy = (...names: string[]) =>
    names.map((title) => ({ name: `a.py:${title}`, title, file: "a.py", status: "failed" as const, message: "" }));
  const of = (...names: string[]) => LOGGED.find((one) => one.name === "bin/test")?.select?.(sympy(...names), ["-C"]);
  expect(of("test_x")).toEqual(["-C", "a.py", "-k", "test_x"]);
  expect(of("test_x", "test_y"), "it takes one name").toEqual(["-C", "a.py"]);
});
