"""The tests of each framework, collected once: {name: what runs it and says whether it passes}, handed to `go`."""

import os

from modules import load  # these two beside run_tests.py
from plain_tests import doctests, outcomes


def pytest_suite(arguments, go):
    import pytest

    class Tests:
        failed = False

        def pytest_runtest_logreport(self, report):
            self.failed = self.failed or report.failed

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session):
            def run(item):
                self.failed = False
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                return not self.failed

            go({item.nodeid: lambda item=item: run(item) for item in session.items})
            return True

    # Pytest's description of a failure takes ten times as long as the failing test.
    silent = ["--tb=native", "--assert=plain"]
    own = ["-p", "no:cacheprovider", "--color=no", "--continue-on-collection-errors", "-q"]
    return int(pytest.main([*own, *arguments, *silent], plugins=[Tests()]))


def unittest_suite(arguments, go):
    import unittest

    def each(tests):
        for test in tests:
            yield from each(test) if isinstance(test, unittest.TestSuite) else [test]

    def run(test):
        result = unittest.TestResult()
        unittest.TestSuite([test]).run(result)
        return result.wasSuccessful()

    class Runner:
        @staticmethod
        def run(tests):
            go({test.id(): lambda test=test: run(test) for test in each(tests)})
            return unittest.TestResult()

    if arguments and all(map(os.path.isabs, arguments)):
        Runner.run([unittest.defaultTestLoader.loadTestsFromModule(load(path)) for path in arguments])
    else:
        unittest.main(module=None, argv=["unittest", *arguments], testRunner=Runner, exit=False)


def doctest_suite(arguments, go):
    tests = [test for path in arguments for test in doctests(path)]
    go({name: lambda run=run: not run(lambda text: None) for name, run in tests})


def asserts_suite(arguments, go):
    """The whole file runs for each test: one may need what another has done."""

    def passes(path, wanted):
        return next((error is None for label, error in outcomes(path) if label == wanted), False)

    labels = [(path, label) for path in arguments for label, _ in outcomes(path)]
    go({label: lambda path=path, label=label: passes(path, label) for path, label in labels})


SUITES = {"pytest": pytest_suite, "unittest": unittest_suite, "doctest": doctest_suite, "asserts": asserts_suite}
