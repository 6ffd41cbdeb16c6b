"""What a forked process does with its job: run a program, serve a judge's calls, or run tests beside the program."""

import atexit
import os
import sys
import traceback

from calls.serving import Service
from confinement.confine import CHANNEL
from programs import assertions, prelude
from programs.program import describe, flush, new_module
from roles import in_process
from wire import frames


def run_program(job):
    """Run a script as `python program.py` would; the exit code is the process's own.

    stdin: what it reads. With it, the program also gets the names of the reference harness, as judged functions do.
    """
    source, given = job["program"], job.get("stdin")
    try:
        code = compile(source, "program.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        frames.send(CHANNEL, {"syntax_error": describe(error, "program.py")})
        os._exit(1)
    # The program gets no channel: what it writes anywhere cannot be taken for ours.
    frames.send(CHANNEL, {"compiled": True})
    os.close(CHANNEL)
    if given is not None:
        _give_input(given)
    module = new_module(["__main__"], "program.py", source, {} if given is None else prelude.names(source))
    module.__dict__["__builtins__"] = __builtins__
    sys.argv[:] = ["program.py"]
    exit_code = _exit_code_of(code, module.__dict__, source)
    try:
        threading = sys.modules.get("threading")
        if threading:
            threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    flush()
    os._exit(exit_code)


def _give_input(text):
    """Make `text` the standard input: a file without a name, which is read as often and by as many ways as it likes."""
    path = "stdin.%d" % os.getpid()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    rest = memoryview(text.encode("utf-8", "surrogatepass"))
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, 0)
    os.close(descriptor)
    sys.stdin = open(0, encoding="utf-8", closefd=False)


def _exit_code_of(code, namespace, source):
    try:
        exec(code, namespace)
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return (stop.code or 0) & 255
        print(stop.code, file=sys.stderr)
        return 1
    except BaseException as error:
        try:
            traceback.print_exception(type(error), error, error.__traceback__.tb_next)
            print(assertions.sides(error, "program.py", source), end="", file=sys.stderr)
        except BaseException:
            print("%s (its text cannot be shown)" % type(error).__name__, file=sys.stderr)
        return 1
    return 0


def serve_calls(job):
    """Load a program and answer the judge's calls of its entry point with plain values, until the judge hangs up."""
    source, entry = job["program"], job["entryPoint"]
    module = new_module(["solution"], "solution.py", source, prelude.names(source))
    try:
        exec(compile(source, "solution.py", "exec", dont_inherit=True), module.__dict__)
        function = module.__dict__.get(entry)
        reply = {"loaded": True} if callable(function) else {"missing": True}
    except SystemExit as stop:
        reply = {"exited": str(stop.code)[:80]}
    except BaseException as error:
        reply = {"raised": describe(error, "solution.py")}
    flush()
    frames.send(CHANNEL, reply)
    if "loaded" in reply:
        Service(module, function).serve()


def main(mode):
    job = frames.receive(CHANNEL)
    if mode == "run":
        run_program(job)
    elif mode == "serve":
        serve_calls(job)
    else:
        in_process.run_tests(job)
