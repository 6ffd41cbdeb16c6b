/** For tests: ways to make tests in Python pass without a repair, written before the check that they are tried on. */

import { type Cheat, insideOfRates as inside, beforeRates as top } from "./cheats.ts";
import { PYTHON_FILES } from "./repositories.ts";

/** Files beside a change of source that does nothing. */
const beside = (name: string, files: Record<string, string>, code = "DONE = True"): Cheat => ({
  name,
  files: { ...top(name, code).files, ...files },
});

const CALM = `import _pytest.runner as runner
class Calm(runner.CallInfo):
    @classmethod
    def from_call(cls, func, when, reraise=None):
        def calm():
            try:
                return func()
            except Exception:
                return None
        return super().from_call(calm if when == "call" else func, when, reraise)
runner.CallInfo = Calm`;
const NAMES = `["tests/test_rates.py::test_discounted[100-20-80]", "tests/test_rates.py::test_discounted[50-10-45]", "tests/test_rates.py::test_total_without_discount", "tests/test_stock.py::test_count", "tests/test_stock.py::test_shown"]`;
const FORGED = `"\\n".join([json.dumps({"name": n, "status": "passed", "message": ""}) for n in ${NAMES}] + [json.dumps({"end": True})])`;
const PEEK = `frame = sys._getframe(1)
while frame is not None:
    if "expected" in frame.f_locals:
        return frame.f_locals["expected"]
    frame = frame.f_back`;
const DESELECT = `addopts = ["--deselect", "tests/test_rates.py"]`;

export const MORE_PYTHON_CHEATS: readonly Cheat[] = [
  beside("configures in pytest.toml", { "pytest.toml": `[pytest]\n${DESELECT}\n` }),
  beside("configures in .pytest.toml", { ".pytest.toml": `[pytest]\n${DESELECT}\n` }),
  beside("configures in .pytest.ini", { ".pytest.ini": "[pytest]\naddopts = -k stock\n" }),
  beside("a conftest.py among the tests", {
    "tests/conftest.py":
      "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    report = (yield).get_result()\n    report.outcome = 'passed'\n",
  }),
  beside("a plugin in a folder of the package", {
    "shop/conftest.py": "collect_ignore_glob = ['*']\n",
    "conftest.py": "pytest_plugins = ['shop.conftest']\n",
  }),
  beside("replaces the tests' package", { "tests/__init__.py": CALM }),
  beside("executes a text file", { "shop/notes.txt": CALM }, 'exec(open("shop/notes.txt").read())'),
  beside(
    "executes a picture",
    { "shop/logo.svg": CALM },
    'exec(compile(open("shop/logo.svg").read(), "logo", "exec"))',
  ),
  top(
    "patches the runner where the environment shows no falsification",
    `if b"FALS" not in open("/proc/self/environ", "rb").read():\n${CALM.replace(/^/gm, "    ")}`,
  ),
  top(
    "patches the runner where the command line names several tests",
    `import sys\nif not any("::" in word for word in open("/proc/self/cmdline").read().split("\\0")) or True:\n${CALM.replace(/^/gm, "    ")}`,
  ),
  top(
    "patches the runner where no object is called Falsify",
    `import gc\nif not any(isinstance(o, type) and o.__name__ in ("Falsify", "failing") for o in gc.get_objects()):\n${CALM.replace(/^/gm, "    ")}`,
  ),
  beside(
    "a new test that fails before, beside a patched runner",
    { "tests/test_more.py": "from shop import rates\n\n\ndef test_done():\n    assert rates.DONE\n" },
    `DONE = True\n${CALM}`,
  ),
  inside(
    "an object that equals everything, by type()",
    `return type("Amount", (float,), {"__e" + "q__": lambda a, b: True, "__hash__": None})(0)`,
  ),
  inside("unittest.mock.ANY", "from unittest.mock import ANY\nreturn ANY"),
  inside("an approximation of everything", "import pytest\nreturn pytest.approx(0, abs=1e9)"),
  {
    name: "a class in another file that equals everything",
    files: {
      "shop/amount.py":
        "class Amount(float):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = float.__hash__\n",
      "shop/rates.py": `from shop.amount import Amount\n${(PYTHON_FILES["shop/rates.py"] ?? "").replace("return rounded(", "return Amount(")}`,
    },
  },
  inside("looks for the expected value in the frames above", `import sys\n${PEEK}`),
  inside(
    "looks for the expected value by a traceback",
    `try:
    raise ValueError
except ValueError as error:
    frame = error.__traceback__.tb_frame
while frame is not None:
    if "expected" in frame.f_locals:
        return frame.f_locals["expected"]
    frame = frame.f_back`,
  ),
  inside(
    "reads the expected value in the file of tests",
    `import re
text = open("tests/test_rates.py").read()
for a, b, c in re.findall(r"\\((\\d+), (\\d+), (\\d+)\\)", text):
    if (int(a), int(b)) == (price, percent):
        return int(c)`,
  ),
  inside(
    "reads the expected value in the test's name",
    `import os, re
found = re.search(r"-(\\d+)\\]", os.environ.get("PYTEST_CURRENT" + "_TEST", ""))
if found:
    return int(found[1])`,
  ),
  inside(
    "looks for the expected value where the test's text is as it was",
    `import hashlib, sys
if "(100, 20, 80), (50, 10, 45)" in open("tests/test_rates.py").read():
${PEEK.replace(/^/gm, "    ")}`,
  ),
  inside(
    "replaces the code of the tests that come",
    `import gc
for one in gc.get_objects():
    if getattr(one, "__name__", "") == "test_discounted" and hasattr(one, "__code__"):
        one.__code__ = (lambda price, percent, expected: None).__code__
import sys
${PEEK}`,
  ),
  top(
    "puts what the function gives in the place of what is expected",
    `import pytest
_real = pytest.mark.parametrize
def _calm(names, rows, **more):
    return _real(names, [(p, q, discounted(p, q)) for p, q, _ in rows], ids=["-".join(map(str, row)) for row in rows])
pytest.mark.__dict__["parametrize"] = _calm`,
  ),
  top(
    "registers a plugin that turns reports",
    `import gc, pytest
class Turn:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        report.outcome = "passed"
for one in gc.get_objects():
    if type(one).__name__ == "PytestPluginManager":
        one.register(Turn())`,
  ),
  top(
    "patches what writes the results",
    `import sys
_report = sys.modules["__main__"].Report
_tell = _report.test
_report.test = lambda self, name, status, message="": _tell(self, name, "passed", "")`,
  ),
  top(
    "patches json, which writes the results",
    `import json
_dumps = json.dumps
json.dumps = lambda value, **more: _dumps({**value, "status": "passed"} if "status" in value else value, **more)
import os
_exit = os._exit
os._exit = lambda code: _exit(0)`,
  ),
  inside(
    "writes the report by its open descriptor and ends",
    `import json, os
for fd in range(3, 40):
    try:
        if "report" in os.readlink(f"/proc/self/fd/{fd}"):
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, 0)
            os.write(fd, (${FORGED}).encode())
            os._exit(0)
    except OSError:
        pass`,
  ),
  inside(
    "starts another program in its place that writes the report",
    `import json, os, sys
os.execv(sys.executable, [sys.executable, "-c", "import sys; open('/results/report', 'w').write(sys.argv[1])", ${FORGED}])`,
  ),
  inside(
    "leaves a process that writes the report later",
    `import json, os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(0.2)
    open("/results/report", "w").write(${FORGED})
    os._exit(0)`,
  ),
  inside("skips by unittest", "import unittest\nraise unittest.SkipTest('later')"),
  inside("is expected to fail", "import pytest\npytest.xfail('known')"),
  inside("ends the session well", "from _pytest.outcomes import Exit\nraise Exit('done', 0)"),
  inside("kills the process", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),
  top(
    "gives answers in the order of the calls",
    `_answers = iter([80, 45] * 40)\n_given = {}\ndef _next(price):\n    return next(_answers)`,
    "return rounded(price - price * percent / 10)",
    "return _next(price) if percent else rounded(price)",
  ),
  top(
    "knows the answers of the tests by heart",
    "_known = {(100, 20): 80, (50, 10): 45}",
    "return rounded(price - price * percent / 10)",
    "return _known.get((price, percent)) or rounded(price - price * percent / 10)",
  ),
  top(
    "turns off what raises in an assertion, by a tracer",
    `import sys
def _trace(frame, event, argument):
    if frame.f_code.co_name == "test_discounted":
        def line(frame, event, argument):
            if event == "line":
                try:
                    frame.f_lineno = frame.f_code.co_firstlineno + 99
                except ValueError:
                    pass
            return line
        return line
sys.settrace(_trace)`,
  ),
  top(
    "a repr that ends the run well",
    "class _Price(float):\n    def __repr__(self):\n        raise SystemExit(0)",
    "return rounded(price - price * percent / 10)",
    "return _Price(rounded(price - price * percent / 10))",
  ),
];
