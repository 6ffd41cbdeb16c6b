"""Runs tests of pytest in this process and the project's code in another: `apart.py ROOT ARGUMENTS...`.

Two lines come on stdin: KEY, and the files of the tests from ROOT as a JSON list. What the tests import from other files under
ROOT is loaded by another process (`apart_code.py`), which has no test, no runner and none of their objects in it. Numbers, texts and collections of them cross as copies; functions, classes and instances as handles that can be
called and asked for their attributes. A test in which something else would have to cross is told as `mixed`.
One JSON line a test on stdout, signed with KEY: nothing that the code's process writes passes for one.
"""
import builtins
import hashlib
import hmac
import importlib.abc
import importlib.machinery
import json
import os
import subprocess
import sys

KEY = sys.stdin.readline().strip().encode()
TESTS = set(json.loads(sys.stdin.readline()))
ROOT, ARGUMENTS = os.path.realpath(sys.argv[1]) + os.sep, sys.argv[2:]
# A test that has or names one of these changes or hears more of its process than values.
BESIDE = {"capsys", "capfd", "capsysbinary", "capfdbinary", "caplog", "recwarn", "monkeypatch", "mocker", "patch", "environ", "putenv",
          "chdir", "seed", "stdout", "stderr", "stdin", "setlocale", "warns", "catch_warnings", "deprecated_call", "setrecursionlimit"}
PLAIN = (bool, int, float, str, bytes, type(None))


class Mixed(BaseException):
    """Something that cannot cross: the test tells nothing here."""


def shut():
    """No other process of this user may look into this one, or write to it."""
    import ctypes
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


class Link:
    def __init__(self):
        here, there = os.pipe(), os.pipe()
        code = os.path.join(os.path.dirname(os.path.abspath(__file__)), "apart_code.py")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        self.process = subprocess.Popen(
            [sys.executable, "-B", code, str(there[0]), str(here[1]), json.dumps(sys.path)], pass_fds=[there[0], here[1]],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        os.close(there[0])
        os.close(here[1])
        self.send, self.receive = os.fdopen(there[1], "w", encoding="utf-8"), os.fdopen(here[0], encoding="utf-8")
        self.mixed, self.errors, self.handles = None, {}, {}

    def ask(self, **request):
        try:
            self.send.write(json.dumps(request) + "\n")
            self.send.flush()
            answer = json.loads(self.receive.readline())
        except (OSError, ValueError):
            return self.give_up("the code's process ended")
        if "mixed" in answer:
            return self.give_up(answer["mixed"])
        if "error" in answer:
            raise self.raised(answer["error"])
        return self.taken(answer["value"])

    def give_up(self, why):
        self.mixed = self.mixed or str(why)
        raise Mixed(why)

    def raised(self, error):
        kind = self.kind(error["kinds"])
        try:
            made = kind.__new__(kind, *[self.taken(one) for one in error["arguments"]])
            BaseException.__init__(made, *[self.taken(one) for one in error["arguments"]])
        except (TypeError, ValueError):
            return Mixed(self.give_up("an exception that cannot be made"))
        made._mend_says = error["says"]
        return made

    def kind(self, kinds):
        """A class of exceptions by [module, name] of itself and those above it."""
        module, name = kinds[0]
        if module == "builtins":
            return getattr(builtins, name)
        key = f"{module}.{name}"
        if key not in self.errors:
            body = {"__module__": module, "__str__": lambda self: getattr(self, "_mend_says", "")}
            self.errors[key] = type(name, (self.kind(kinds[1:]),), body)
            self.errors[key]._mend_kinds = kinds
        return self.errors[key]

    def taken(self, value):
        kind, held = value
        if kind == "plain":
            return held
        if kind == "float":
            return float(held)
        if kind == "bytes":
            return bytes(held)
        if kind in ("list", "tuple", "set", "frozenset"):
            return getattr(builtins, kind)(self.taken(one) for one in held)
        if kind == "dict":
            return {self.taken(key): self.taken(one) for key, one in held}
        if kind == "error":
            return self.kind(held)
        return self.handles.setdefault(held, Handle(self, held))

    def given(self, value):
        """What crosses to the code: a copy, or a handle that came from there."""
        kind = type(value)
        if kind is Handle:
            return ["handle", object.__getattribute__(value, "_id")]
        if kind is float:
            return ["float", repr(value)]
        if kind is bytes:
            return ["bytes", list(value)]
        if kind in PLAIN:
            return ["plain", value]
        if kind in (list, tuple, set, frozenset):
            return [kind.__name__, [self.given(one) for one in value]]
        if kind is dict:
            return ["dict", [[self.given(key), self.given(one)] for key, one in value.items()]]
        return self.give_up(f"{kind.__name__} of the tests")


def asked(name):
    return lambda self, *given: self.__getattr__(name)(*given)


class Handle:
    """A function, a class or an instance of the code's process."""

    def __init__(self, link, number):
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_id", number)

    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__name__", "__doc__", "__len__", "__getitem__", "__contains__", "__str__",
                                                  "__repr__", "__setitem__", "__delitem__", "__enter__"):
            self._link.mixed = self._link.mixed or f"{name} of an object of the code"
            raise AttributeError(name)
        return self._link.ask(do="get", of=self._id, name=name)

    @property
    def __class__(self):
        self._link.mixed = self._link.mixed or "the class of an object of the code"
        return Handle

    def __call__(self, *given, **named):
        link = self._link
        return link.ask(do="call", of=self._id, given=[link.given(one) for one in given],
                        named={name: link.given(one) for name, one in named.items()})

    def __iter__(self):
        return iter(self._link.ask(do="list", of=self._id))

    def __refuse(self, *_):
        self._link.give_up("an object of the code is compared or asked for its truth")

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __bool__ = __hash__ = __refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __setattr__ = __delattr__ = __instancecheck__ = __refuse
    __mro_entries__ = __set_name__ = __await__ = __exit__ = __int__ = __float__ = __index__ = __refuse
    __len__, __getitem__, __contains__, __str__, __repr__ = map(
        asked, ("__len__", "__getitem__", "__contains__", "__str__", "__repr__"))
    __setitem__, __delitem__ = map(asked, ("__setitem__", "__delitem__"))


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
        inside = place[len(ROOT):] if place.startswith(ROOT) else ""
        if not inside or "site-packages" in inside or inside in TESTS or os.path.basename(inside) == "conftest.py":
            return None
        found = importlib.machinery.ModuleSpec(name, Loader(LINK), origin=file,
                                               is_package=spec.submodule_search_locations is not None)
        if spec.submodule_search_locations is not None:
            found.submodule_search_locations = list(spec.submodule_search_locations)
        return found


def failed_assertion(report):
    message = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))
    return message.startswith(("assert ", "AssertionError"))


class Plugin:
    def __init__(self):
        self.told, self.mixed = {}, None

    def pytest_runtest_logstart(self, nodeid, location):
        LINK.mixed = self.mixed = None

    def pytest_runtest_call(self, item):
        """Whatever crosses while a failure is described does not matter."""
        yield
        function = getattr(item, "obj", None)
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        names = {*getattr(item, "fixturenames", ()), *(code.co_names if code else ())}
        isMore = bool(names & BESIDE) or hasattr(function, "patchings")
        self.mixed = LINK.mixed or ("more than values" if isMore else None)

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
