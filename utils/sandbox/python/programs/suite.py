"""Runs the tests of a test source: what its top level asserts, then its test functions and unittest classes."""

import inspect
import io
import linecache
import random
import sys
import types

FILENAME = "tests"


class TestProblem(Exception):
    """The tests cannot be run as written; the program under test is not to blame."""


def compile_tests(source, filename=FILENAME):
    """The compiled source; raises TestProblem with the line of a syntax error."""
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise TestProblem("the %s do not compile: line %s: %s" % (filename, error.lineno, error.msg)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise TestProblem("the %s do not compile: %s" % (filename, error)) from None


def run_helpers(code, namespace):
    """Execute what the tests need to be there; raises TestProblem where that fails."""
    try:
        exec(code, namespace)
    except Exception as error:
        raise TestProblem("the test helpers raised %s: %s" % (type(error).__name__, error)) from None


def run(code, namespace):
    """Execute compiled tests in `namespace`. Returns how many functions and methods were run; raises what they
    raise."""
    # Tests that draw values draw the same ones each time, so that a verdict can be had again.
    random.seed(0)
    before = dict(namespace)
    exec(code, namespace)
    own = {name: thing for name, thing in namespace.items() if before.get(name) is not thing}
    # Tests without unittest have no such classes, and it is slow to load.
    unittest = sys.modules.get("unittest")
    count = 0
    for name, thing in own.items():
        if type(thing) is types.FunctionType and name.startswith("test"):
            count += _run_function(name, thing)
        elif unittest and issubclass(type(thing), type) and issubclass(thing, unittest.TestCase):
            count += _run_case(unittest, thing)
    return count


def _run_function(name, function):
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is parameter.empty and parameter.kind < parameter.VAR_POSITIONAL:
            if name.startswith("test_"):
                raise TestProblem("%s needs the argument %s: fixtures are not supported" % (name, parameter.name))
            return 0
    result = function()
    if inspect.iscoroutine(result):
        import asyncio

        asyncio.run(result)
    return 1


def _run_case(unittest, case):
    first = []

    class Recorder(unittest.TestResult):
        """Keeps the first exception itself, where unittest keeps its text."""

        def keep(self, error):
            first.append(error[1])
            self.stop()

        def addError(self, test, err):
            self.keep(err)

        def addFailure(self, test, err):
            self.keep(err)

        def addSubTest(self, test, subtest, err):
            if err is not None:
                self.keep(err)

    recorder = Recorder(stream=io.StringIO())
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(recorder)
    if first:
        raise first[0]
    if recorder.unexpectedSuccesses:
        raise AssertionError("%s: a test expected to fail passed" % case.__name__)
    return recorder.testsRun - len(recorder.skipped)
