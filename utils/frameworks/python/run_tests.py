"""Runs a user's tests and reports each: `run_tests.py KIND RESULTS ARGUMENTS...`, in the project's folder.

KIND is `pytest`, `unittest`, `doctest` or `asserts` (plain asserts, `test_*` functions and `Test*` classes, without a
framework). RESULTS gets one JSON line a test: {"name", "status", "message"}, which pytest and unittest announce by
{"begun": name}; {"fatal"} for what could not be collected; {"broken"} where pytest itself, or a plugin of it, did not
come to its end, so that nothing counts; {"end": true} at the end. The exit code is 0 where all tests pass.

Of pytest `--first-alone` runs the first test and no other.
"""

import importlib
import json
import os
import re
import sys
import traceback
import hooks
import modules
from breakdown import Breakdown
from plain_tests import doctests, outcomes

KIND, RESULTS, ARGUMENTS = sys.argv[1], sys.argv[2], sys.argv[3:]
MESSAGE_LINES = 6
# A module of the project may have one of these names.
del sys.modules["breakdown"], sys.modules["hooks"], sys.modules["modules"], sys.modules["plain_tests"]
FIRST_ALONE = "--first-alone"
# What pytest says around the reason why a file cannot be loaded: its hint, frames of its own, marks below a line.
AROUND = re.compile(
    r"^(?:Hint: make sure your test modules.*|Traceback:|\s+[\^~]+|\S*/(?:importlib|_pytest)/\S*: in .*\n    .*)\n",
    re.MULTILINE,
)


def place_of(longrepr, crash):
    """Where a test failed: the last line of the project, as a method of unittest raises in the standard library."""
    entries = getattr(getattr(longrepr, "reprtraceback", None), "reprentries", ())
    places = [entry.reprfileloc for entry in entries if getattr(entry, "reprfileloc", None)]
    paths = [(os.path.relpath(place.path), place.lineno) for place in [*places, crash]]
    own = [pair for pair in paths if not pair[0].startswith("..") and "site-packages" not in pair[0]]
    return "{}:{}".format(*(own or paths)[-1])


class Report:
    """The file of results; the first result of a test counts."""

    def __init__(self):
        self.out = open(RESULTS, "w", encoding="utf-8")
        self.told, self.bad = set(), False

    def write(self, line):
        self.out.write(json.dumps(line) + "\n")
        self.out.flush()

    def test(self, name, status, message=""):
        if name in self.told:
            return
        self.told.add(name)
        self.bad = self.bad or status in ("failed", "error")
        lines = [line for line in str(message).splitlines() if line.strip()]
        self.write({"name": name, "status": status, "message": "\n".join(lines[:MESSAGE_LINES])[:1500]})

    def fatal(self, message):
        self.bad = True
        self.write({"fatal": str(message)[:3000]})

    def broken(self, message):
        self.bad = True
        self.write({"broken": str(message)[:3000]})

    def end(self):
        self.write({"end": True})
        self.out.close()
        return 1 if self.bad else 0


def said(error):
    """The kind of an error, what it says, and the last line of the project that it comes from."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if os.path.abspath(f.filename).startswith(os.getcwd())
    ]
    at = f"{os.path.relpath(frames[-1].filename)}:{frames[-1].lineno}: " if frames else ""
    if isinstance(error, AssertionError) and not str(error) and frames:
        text = frames[-1].line or text
    return at + text


class Plugin:
    def __init__(self, report):
        self.report = report

    def pytest_collectreport(self, report):
        if report.failed:
            self.report.fatal(AROUND.sub("", report.longreprtext))

    def pytest_runtest_logstart(self, nodeid):
        self.report.write({"begun": nodeid})

    def pytest_runtest_logreport(self, report):
        # Told at the end of the test, since a tear-down can still fail; the first phase that is no pass decides.
        if report.failed or report.skipped:
            status = "skipped" if report.skipped else "failed" if report.when == "call" else "error"
            crash = getattr(report.longrepr, "reprcrash", None)
            message = f"{place_of(report.longrepr, crash)}: {crash.message}" if crash else report.longreprtext
            self.report.test(report.nodeid, status, "" if report.skipped else message)
        elif report.when == "teardown":
            self.report.test(report.nodeid, "passed")


class FirstAlone:
    def pytest_collection_modifyitems(self, items):
        del items[1:]


def run_pytest(report):
    import tempfile

    import pytest

    # A log file that the project's settings name could not be written here.
    log = "log_file=" + os.path.join(tempfile.gettempdir(), "pytest.log")
    sys.argv[0] = "pytest"  # as its usage errors begin
    own = [argument for argument in ARGUMENTS if argument != FIRST_ALONE]
    # A file that cannot be loaded keeps no other from being run.
    arguments = ["-p", "no:cacheprovider", "-o", log, "--color=no", "--continue-on-collection-errors", *own]
    breakdown = Breakdown()
    first = [FirstAlone()] if FIRST_ALONE in ARGUMENTS else []
    plugins = [Plugin(report), breakdown, *first, *hooks.pytest_plugins()]
    broken = breakdown.during(lambda: pytest.main(arguments, plugins=plugins))
    if broken:
        report.broken(broken)
    elif breakdown.code not in (0, 1) and not report.bad:
        code = breakdown.code
        report.fatal("pytest found no tests" if code == 5 else f"pytest ended with exit code {code}")


def run_unittest(report):
    import unittest

    lines = hooks.coverage()

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            report.write({"begun": test.id()})
            if lines:
                lines.begin()

        def stopTest(self, test):
            if lines:
                lines.tell(test.id())
            super().stopTest(test)

        def addSuccess(self, test):
            report.test(test.id(), "passed")

        def addSkip(self, test, reason):
            report.test(test.id(), "skipped")

        def addExpectedFailure(self, test, error):
            report.test(test.id(), "passed")

        def addUnexpectedSuccess(self, test):
            report.test(test.id(), "failed", "it was expected to fail")

        def addFailure(self, test, error):
            report.test(test.id(), "failed", said(error[1]))

        def addError(self, test, error):
            if isinstance(test, unittest.TestCase) and not type(test).__name__ == "_FailedTest":
                report.test(test.id(), "error", said(error[1]))
            else:
                report.fatal(said(error[1]))

        def addSubTest(self, test, subtest, error):
            if error is not None:
                report.test(test.id(), "failed", said(error[1]))

    class Runner:
        @staticmethod
        def run(tests):
            tests.run(result := Result())
            return result

    if ARGUMENTS and all(map(os.path.isabs, ARGUMENTS)):
        for path in ARGUMENTS:
            module = load(report, path)
            if module:
                Runner.run(unittest.defaultTestLoader.loadTestsFromModule(module))
    else:
        unittest.main(module=None, argv=["unittest", *ARGUMENTS], testRunner=Runner, exit=False)
    if not report.told and not report.bad:
        report.fatal("unittest found no tests")


def run_doctest(report):
    for path in ARGUMENTS:
        try:
            tests = list(doctests(path))
        except BaseException as error:
            report.fatal(said(error))
            continue
        for name, run in tests:
            said_so = []
            failed = run(said_so.append)
            lines = [line.strip() for line in "".join(said_so).splitlines() if not line.startswith("*")]
            useful = re.sub(r"^(Failed example|Expected|Got):\n", r"\1: ", "\n".join(lines), flags=re.MULTILINE)
            report.test(name, "failed" if failed else "passed", useful)
    if not report.told and not report.bad:
        report.fatal("doctest found no examples")


def load(report, path):
    """The loaded module, or None after reporting why it does not load."""
    try:
        return modules.load(path)
    except BaseException as error:
        report.fatal(said(error))
        return None


def run_asserts(report):
    for path in ARGUMENTS:
        try:
            for label, error in outcomes(path):
                report.test(label, "passed" if error is None else "failed", "" if error is None else said(error))
        except BaseException as error:
            report.fatal(said(error))
    if not report.told and not report.bad:
        report.fatal("the file holds no assert and no test")


def main():
    if KIND == "pytest":
        # Before the project's folder is on the path: no file of it takes their place.
        importlib.import_module("tempfile")
        importlib.import_module("pytest")
    sys.path[0], report = os.getcwd(), Report()  # in place of the folder of this file, as `python -m` has it
    try:
        {"pytest": run_pytest, "unittest": run_unittest, "doctest": run_doctest, "asserts": run_asserts}[KIND](report)
    except BaseException as error:
        report.fatal(said(error))
    sys.stdout.flush()
    os._exit(report.end())  # threads that the tests left behind do not matter any more


main()
