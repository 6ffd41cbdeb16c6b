"""Runs tests in the candidate's own interpreter, for tests that need callables, its classes or printed text.

Weaker than a judge: a hostile candidate shares this process and can forge what it reports. It is for a user's own code.
"""

import functools
import inspect
import os

from confinement.confine import CHANNEL
from programs import explain, program, suite
from wire import frames


class _Calls:
    """Counts calls into the entry point and remembers the last one."""

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.last = ""

    def wrap(self, function):
        @functools.wraps(function)
        def counted(*arguments, **keywords):
            self.count += 1
            shown = "the last call " + explain.show_call(self.name, arguments, keywords)
            self.last = shown + " did not return"
            try:
                result = function(*arguments, **keywords)
            except BaseException as error:
                self.last = shown + " raised " + (explain.name_and_text(error) or type(error).__name__)
                raise
            self.last = shown + " returned " + explain.show(result)
            return result

        return counted


def run_tests(job):
    """Load the program, run the tests, report once with the nonce. Never returns."""
    calls = _Calls(job["entryPoint"])
    outcome, explanation, loaded = _verdict(job, calls)
    program.flush()
    frames.send(
        CHANNEL,
        {
            "nonce": job["nonce"],
            "outcome": outcome,
            "explanation": explanation,
            "loaded": loaded,
            "calls": calls.count,
        },
    )
    os._exit(0)


def _verdict(job, calls):
    source, entry, test = job["program"], job["entryPoint"], job["test"]
    names = ["solution", *job["moduleNames"]]
    try:
        helper_code = suite.compile_tests(job["helpers"], "test helpers")
        test_code = suite.compile_tests(test)
    except suite.TestProblem as problem:
        return "sandbox_error", str(problem), False
    module = program.new_module(names, "solution.py", source)
    try:
        exec(compile(source, "solution.py", "exec", dont_inherit=True), module.__dict__)
    except SystemExit as stop:
        return "crashed", "the program exited (%s) while it was loaded" % stop.code, False
    except BaseException as error:
        line = program.describe(error, "solution.py")["line"]
        where = " (line %d of the program)" % line if line else ""
        return "failed", "the program does not load: %s%s" % (explain.name_and_text(error), where), False
    thing = module.__dict__.get(entry)
    if not callable(thing):
        return "failed", "the program does not define a function `%s`" % entry, False
    if not test.strip():
        return "passed", "", True
    counted = inspect.isroutine(thing)
    if counted:
        module.__dict__[entry] = calls.wrap(thing)
    outcome, explanation = _run(helper_code, test_code, test, module, calls, counted)
    return outcome, explanation, True


def _run(helper_code, test_code, test, module, calls, counted):
    namespace = {name: thing for name, thing in module.__dict__.items() if not name.startswith("__")}
    namespace["__name__"] = "tests"
    try:
        suite.run_helpers(helper_code, namespace)
        tests_run = suite.run(test_code, namespace)
    except suite.TestProblem as problem:
        return "sandbox_error", str(problem)
    except SystemExit as stop:
        return "crashed", explain.join("the program exited (%s)" % stop.code, calls.last)
    except BaseException as error:
        return "failed", explain.failure(error, suite.FILENAME, test, calls.last)
    if counted and calls.count == 0:
        return "failed", "the tests never called `%s`" % calls.name
    if not counted and tests_run == 0 and "assert" not in test:
        return "failed", "the tests check nothing"
    return "passed", ""
