"""Runs tests of pytest in this process and the project's code in another: `apart.py ROOT ARGUMENTS...`.

Two lines come on stdin: KEY, and the files of the tests from ROOT as a JSON list. What the tests import from other
files under ROOT is loaded by another process (`apart_code.py`), which has no test, no runner and none of their objects
in it. Numbers, texts and collections of them cross as copies; functions, classes and instances as handles that can be
called and asked for their attributes. A test in which something else would have to cross is told as `mixed`. One JSON
line a test on stdout, signed with KEY: nothing that the code's process writes passes for one.
"""

import dis
import hashlib
import hmac
import importlib.abc
import importlib.machinery
import json
import os
import sys
from apart_link import Link, Mixed

del sys.modules["apart_link"]  # a module of the project may have this name
KEY = sys.stdin.readline().strip().encode()
TESTS = set(json.loads(sys.stdin.readline()))
ROOT, ARGUMENTS = os.path.realpath(sys.argv[1]) + os.sep, sys.argv[2:]
# A test that has or names one of these changes or hears more of its process than values.
BESIDE = {
    "capsys",
    "capfd",
    "capsysbinary",
    "capfdbinary",
    "caplog",
    "recwarn",
    "monkeypatch",
    "mocker",
    "patch",
    "environ",
    "putenv",
    "chdir",
    "stdout",
    "stderr",
    "stdin",
    "setlocale",
    "seed",
    "warns",
    "catch_warnings",
    "deprecated_call",
    "setrecursionlimit",
    "vars",
    "dir",
    "getmembers",
    "type",
    "callable",
    "id",
    "getsource",
    "signature",
    "copy",
    "deepcopy",
    "dumps",
}


def shut():
    """No other process of this user may look into this one, or write to it."""
    import ctypes

    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


class Loader(importlib.abc.Loader):
    def __init__(self, link):
        self.link = link

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        handle = self.link.ask(do="import", name=module.__name__)
        names = self.link.ask(do="names", of=object.__getattribute__(handle, "_id"))

        def attribute(name):
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(handle, name)

        module.__getattr__ = attribute
        module.__all__ = names
        module.__class__ = Module


class Module(type(sys)):
    """Another value for a name of the code would have to cross."""

    def __setattr__(self, name, value):
        # A module below it, which the import puts there.
        if isinstance(value, type(sys)) or name.startswith("__"):
            return super().__setattr__(name, value)
        LINK.give_up(f"{name} of a module is replaced")

    def __delattr__(self, name):
        LINK.give_up(f"{name} of a module is deleted")


class Finder(importlib.abc.MetaPathFinder):
    """Modules of the project that are no tests."""

    def find_spec(self, name, path, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        file = spec and spec.origin
        place = os.path.realpath(file) if file else ""
        inside = place[len(ROOT) :] if place.startswith(ROOT) else ""
        if not inside or "site-packages" in inside or inside in TESTS or os.path.basename(inside) == "conftest.py":
            return None
        found = importlib.machinery.ModuleSpec(
            name, Loader(LINK), origin=file, is_package=spec.submodule_search_locations is not None
        )
        if spec.submodule_search_locations is not None:
            found.submodule_search_locations = list(spec.submodule_search_locations)
        return found


def beside(item):
    """Whether a test looks at more than values: at its process, or at which object something is."""
    function = getattr(item, "obj", None)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    names = {*getattr(item, "fixturenames", ()), *(code.co_names if code else ())}
    if names & BESIDE or hasattr(function, "patchings"):
        return True
    before = None
    for one in dis.get_instructions(code) if code else ():
        isSame = one.opname in ("IS_OP", "COMPARE_OP") and (one.opname == "IS_OP" or "is" in str(one.argval))
        if isSame and not (before and before.opname == "LOAD_CONST"):
            return True
        before = one
    return False


def failed_assertion(report):
    message = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))
    return message.startswith(("assert ", "AssertionError"))


class Plugin:
    def __init__(self):
        self.told, self.mixed = {}, None

    def pytest_runtest_logstart(self, nodeid, location):
        LINK.begin()
        self.mixed = None

    def pytest_runtest_call(self, item):
        """Whatever crosses while a failure is described does not matter."""
        yield
        try:
            self.mixed = LINK.end() or ("more than values" if beside(item) else None)
        except Mixed as error:
            self.mixed = str(error)

    def pytest_runtest_logreport(self, report):
        known = self.told.setdefault(report.nodeid, "passed")
        if report.failed or report.skipped:
            isPlain = report.when == "call" and report.failed and not self.mixed and failed_assertion(report)
            self.told[report.nodeid] = "failed" if isPlain and known == "passed" else "mixed"
        elif self.mixed:
            self.told[report.nodeid] = "mixed"


def main():
    import pytest

    global LINK
    Plugin.pytest_runtest_call = pytest.hookimpl(hookwrapper=True, tryfirst=True)(Plugin.pytest_runtest_call)
    shut()
    sys.path[0] = os.getcwd()
    LINK = Link()
    sys.meta_path.insert(0, Finder())
    plugin = Plugin()
    pytest.main(["-p", "no:cacheprovider", "--color=no", "-q", "--assert=plain", *ARGUMENTS], plugins=[plugin])
    LINK.process.kill()
    for name, status in plugin.told.items():
        line = json.dumps({"name": name, "status": status})
        sign = hmac.new(KEY, line.encode(), hashlib.sha256).hexdigest()
        os.write(1, f"\n{sign} {line}\n".encode())


main()
