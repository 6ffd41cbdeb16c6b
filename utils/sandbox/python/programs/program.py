"""The program under test as a module: how it is set up, how its exceptions are reported."""

import linecache
import os
import sys
import traceback
import types

from wire import values

_SERVERS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder that holds all of the sandbox's own modules."""


def hide_ourselves():
    """Take the sandbox's own modules out of reach of imports, so that a program may use their names."""
    sys.path.remove(_SERVERS)
    for name in [name for name, module in sys.modules.items() if _file(module).startswith(_SERVERS + os.sep)]:
        del sys.modules[name]


def _file(module):
    return getattr(module, "__file__", None) or ""


def new_module(names, filename, source, content=None):
    """A module holding `content`, whose tracebacks show `source`, registered as imported under all of `names`."""
    module = types.ModuleType(names[0])
    module.__dict__.update(content or {})
    sys.modules.update((name, module) for name in names)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    return module


def describe(error, filename):
    """An exception as data: its nearest builtin class, its own class, arguments, text and line in `filename`."""
    kind = type(error)
    builtin = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    try:
        message = str(error)[:300]
    except Exception:
        message = ""
    line = None
    if isinstance(error, SyntaxError) and error.filename == filename:
        line, message = error.lineno, str(error.msg)[:300]
    else:
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == filename:
                line = number
    try:
        arguments = values.encode(error.args)
    except Exception:
        arguments = None
    return {
        "builtin": builtin.__name__,
        "type": kind.__name__[:80],
        "args": arguments,
        "message": message,
        "line": line,
    }


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
