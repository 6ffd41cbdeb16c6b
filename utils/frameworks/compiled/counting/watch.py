"""What the programs of this folder share: they run each test alone, failing tests first, and record the lines it runs.

PROGRAM REPORT COVERAGE ROOT: reads the report of a run, runs the tests again with counting programs, and writes to
COVERAGE one JSON line a test, {"test", "lines": {file: [numbers]}}, for files under ROOT. Tests without a result,
such as one that crashes early, get no line.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile

MOST_FAILED, MOST_PASSED = 20, 100  # as many are asked for
MOST_SECONDS = 60  # of processor time, for all tests and what builds them
EACH_SECONDS = 20
WAIT_S = 120  # of the clock, for a build or a test that waits for what does not come
SAID = 100_000_000


def _spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def is_time():
    return _spent() < MOST_SECONDS


def _limits():
    resource.setrlimit(resource.RLIMIT_CPU, (EACH_SECONDS, EACH_SECONDS))


def run(argv, folder=".", is_test=False, **environment):
    """Output on stdout, and whether it ended well. What takes too long is ended with all that it started."""
    with tempfile.TemporaryFile() as out:
        try:
            started = subprocess.Popen(
                argv,
                cwd=folder,
                env=dict(os.environ, **environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=_limits if is_test else None,
            )
        except OSError:
            return "", False
        try:
            code = started.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()
            return "", False
        out.seek(0)
        return out.read(SAID).decode("utf-8", "replace"), code == 0


def in_turn(tests, failed):
    """The tests to run, in the order of their worth. @param failed whether one did"""
    bad = [test for test in tests if failed(test)][:MOST_FAILED]
    good = [test for test in tests if not failed(test)][:MOST_PASSED]
    for test in bad + good:
        if not is_time():
            return
        yield test


class Lines:
    """The lines of one test."""

    def __init__(self, root):
        self.root = os.path.realpath(root) + os.sep
        self.files = {}

    def add(self, file, first, last):
        path = os.path.realpath(file)
        if path.startswith(self.root):
            self.files.setdefault(path[len(self.root) :], set()).update(range(first, last + 1))

    def tell(self, test, coverage):
        if self.files:
            lines = {file: sorted(numbers) for file, numbers in self.files.items()}
            with open(coverage, "a", encoding="utf-8") as out:
                out.write(json.dumps({"test": test, "lines": lines}) + "\n")


def arguments():
    """(text of the report, file of the coverage, root)"""
    report, coverage, root = sys.argv[1:]
    if not os.path.exists(report):
        sys.exit(0)
    with open(report, encoding="utf-8", errors="replace") as text:
        return text.read(), coverage, root
