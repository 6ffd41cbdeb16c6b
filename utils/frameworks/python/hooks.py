"""What run_tests.py does beside running tests, where its environment asks for it.

MEND_COVERAGE: a file that gets one JSON line a test, {"test", "lines": {file: [numbers]}}: the lines that ran, of files
under MEND_ROOT.
"""

import json
import os
import sys

_coverage = os.environ.pop("MEND_COVERAGE", None)
_root = os.environ.pop("MEND_ROOT", ".")


class _Lines:
    """The lines that run while it is on."""

    def __init__(self):
        self.root = os.path.realpath(_root) + os.sep
        self.names = {}  # file of a code object -> its name under the root, or None
        self.hits = set()
        self.out = open(_coverage, "w", encoding="utf-8")

    def name(self, file):
        if file not in self.names:
            path = os.path.realpath(file)
            inside = os.path.isabs(file) and path.startswith(self.root) and "site-packages" not in path
            self.names[file] = path[len(self.root) :] if inside else None
        return self.names[file]

    def enter(self, frame, event, argument):
        name = self.name(frame.f_code.co_filename)
        if name is None:
            return None
        hits = self.hits
        hits.add((name, frame.f_lineno))

        def line(frame, event, argument):
            if event == "line":
                hits.add((name, frame.f_lineno))
            return line

        return line

    def begin(self):
        self.hits = set()
        sys.settrace(self.enter)

    def tell(self, test):
        """The lines since `begin`, as those of a test."""
        sys.settrace(None)
        found = {}
        for name, number in self.hits:
            found.setdefault(name, []).append(number)
        lines = {name: sorted(numbers) for name, numbers in found.items()}
        self.out.write(json.dumps({"test": test, "lines": lines}) + "\n")
        self.out.flush()


def coverage():
    """Records the lines that run; None if MEND_COVERAGE is not set."""
    return _Lines() if _coverage else None


def pytest_plugins():
    """The plugins that the environment asks for."""
    import pytest

    class Coverage:
        lines = coverage()

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_protocol(self, item):
            self.lines.begin()
            yield
            self.lines.tell(item.nodeid)

    return [Coverage()] if _coverage else []
