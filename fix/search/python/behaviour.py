"""What edits that pass do where the tests do not look: with arguments of the tests' own calls, and with others near
those."""

import copy
import hashlib
import inspect
import re
import signal
import sys
import types
from collections.abc import Iterator

MOST_CALLS = 24  # of the tests, with different arguments,
MOST_FAILING = 16  # and of those that failed
CALL_SECONDS = 0.2  # of processor time
MOST_CHARS = 400
MOST_ITEMS = 100  # of an iterator
DEPTH = 4  # of objects in objects
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Cut(BaseException):
    """A call takes too long."""


def cut(number, frame):
    raise Cut


class Calls:
    """Different calls of functions while tests run: (function, its arguments)."""

    def __init__(self, functions):
        self.functions, self.found, self.most = (
            {function.__code__: function for function in functions},
            {},
            MOST_FAILING,
        )

    def enter(self, frame, event, argument):
        code = frame.f_code
        if event != "call" or code not in self.functions or self.is_full():
            return
        try:
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            given = [frame.f_locals[name] for name in names]
            more = [list(frame.f_locals[code.co_varnames[len(names)]])] if code.co_flags & inspect.CO_VARARGS else [[]]
            # Showing an iterator uses it up.
            known = copy.deepcopy(given + more)
            self.found.setdefault((code, Shown().given(copy.deepcopy(known))), (self.functions[code], known))
        except Exception:
            pass  # It cannot be copied or shown.

    def is_full(self):
        return len(self.found) >= self.most

    def __enter__(self):
        sys.setprofile(self.enter)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)


class Hidden(Exception):
    """Nobody can say what it does, or what is in it."""


class Shown:
    """Values as texts, equal for equal ones alone."""

    def __init__(self):
        self.functions = {}  # of arguments, which calls may give back: id -> name

    def given(self, value):
        """The text of arguments, whose functions are known from then on."""
        return self.all(value, lambda function: self.functions.setdefault(id(function), f"given {len(self.functions)}"))

    def made(self, value):
        """The text of what a call gives or leaves. @raises Hidden"""
        return self.all(value, lambda function: self.functions.get(id(function)))

    def all(self, value, name):
        self.name, self.seen = name, {}
        return self.text(value, DEPTH)

    def text(self, value, depth):
        def each(values):
            return ", ".join(self.text(one, depth) for one in values)

        kind = type(value).__name__
        if isinstance(value, (list, tuple)):
            return f"{kind}({each(value)})"
        if isinstance(value, (set, frozenset)):
            return f"{kind}({sorted(self.text(one, depth) for one in value)})"
        if isinstance(value, dict):
            return f"{kind}({each(value)}: {each(value.values())})"
        if isinstance(value, Iterator):
            return f"{kind}({each(one for one, _ in zip(value, range(MOST_ITEMS)))})"
        if isinstance(value, types.FunctionType):
            return known_function(value) or self.name(value) or hidden(value)
        if id(value) in self.seen:
            return f"{kind} {self.seen[id(value)][0]}"
        text, held = repr(value), {} if isinstance(value, (type, types.ModuleType)) else state(value)
        is_named = ADDRESS.search(text) is None or tells_all(value)
        if held and depth > 0 and is_named:
            self.seen[id(value)] = len(self.seen), value  # kept, so that no other one gets its id
            text += "".join(f" {name}={self.text(one, depth - 1)}" for name, one in held.items())
        elif ADDRESS.search(text) and (held or not is_named or type(value).__repr__ is not object.__repr__):
            hidden(value)
        text = ADDRESS.sub("", text)
        return f"{kind} {text if len(text) <= MOST_CHARS else hashlib.sha1(text.encode(errors='replace')).hexdigest()}"


def hidden(value):
    raise Hidden(type(value).__name__)


def known_function(function):
    """The name of a function of a module; None for others."""
    found = vars(sys.modules.get(function.__module__, object)).get(function.__qualname__)
    return f"{function.__module__}.{function.__qualname__}" if found is function else None


def state(value):
    """What an object holds by name."""
    slots = [
        name for kind in type(value).__mro__ for name in kind.__dict__.get("__slots__", ()) if hasattr(value, name)
    ]
    return {**{name: getattr(value, name) for name in slots if name != "__dict__"}, **getattr(value, "__dict__", {})}


def tells_all(value):
    """False for objects of C, which hold what has no name, as `partial` does."""

    def is_python(kind):
        own = vars(kind)
        return isinstance(own.get("__module__"), str) and isinstance(own.get("__new__", staticmethod(id)), staticmethod)

    return isinstance(value, BaseException) or all(map(is_python, type(value).__mro__[:-1]))


def outcome(function, given):
    """What a call gives, and leaves in its arguments."""
    given, texts = copy.deepcopy(given), Shown()
    texts.given(copy.deepcopy(given))
    code = function.__code__
    plain, more = given[: code.co_argcount], given[-1]
    named = dict(zip(code.co_varnames[code.co_argcount :], given[code.co_argcount : -1]))
    signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS)
    try:
        value = function(*plain, *more, **named)
        return f"{texts.made(value)} {texts.made(given)}"
    except Hidden:
        raise
    except Exception:
        return "raised"
    except BaseException:
        return "cut"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def behaviours(functions, failing, passing, put, edits, near):
    """What the calls give, as texts, before and with each edit; none where that cannot be told. `near(inputs)`:
    arguments near others."""
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    with Calls(functions) as calls:
        for most, tests in ((MOST_FAILING, failing), (MOST_CALLS, passing)):
            calls.most = most
            for test in tests:
                if not calls.is_full():
                    test()
    signal.signal(signal.SIGPROF, cut)
    inputs = list(calls.found.values())
    for function in functions:
        inputs += [(function, given) for given in near([given for one, given in inputs if one is function])]
    found = []
    for edit in [None, *edits]:
        old = put(edit) if edit else []
        try:
            found.append([outcome(function, given) for function, given in inputs])
        except Hidden:
            found.append([])
        for function, code in old:
            function.__code__ = code
    return found[0], found[1:]


def differ(a, b):
    return any(x != y and "cut" not in (x, y) for x, y in zip(a, b))


def classes(before, found):
    """For each edit the first one that does the same. To raise is to do something, too. None where nothing is known:
    where no call tells an edit from the program as it was, none comes near what was wrong."""
    known, firsts = [], []
    for place, one in enumerate(found):
        is_known = differ(before, one) and any(text not in ("raised", "cut") for text in one)
        same = next((first for first in firsts if not differ(found[first], one)), None)
        if is_known and same is None:
            firsts.append(place)
        known.append((place if same is None else same) if is_known else None)
    return known
