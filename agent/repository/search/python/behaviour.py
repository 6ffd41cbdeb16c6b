"""What edits that pass do where the tests do not look: with arguments of the tests' own calls, and with others near those."""
import copy
import inspect
import re
import signal
import sys

MOST_CALLS = 24         # of the tests, with different arguments
CALL_SECONDS = 0.2      # of processor time
MOST_CHARS = 400
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Cut(BaseException):
    """A call takes too long."""


def cut(number, frame):
    raise Cut


class Calls:
    """Different calls of functions while tests run: (function, its arguments)."""

    def __init__(self, functions):
        self.functions, self.found = {function.__code__: function for function in functions}, {}

    def enter(self, frame, event, argument):
        code = frame.f_code
        if event != "call" or code not in self.functions or self.is_full():
            return
        try:
            names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
            given = [frame.f_locals[name] for name in names]
            more = [list(frame.f_locals[code.co_varnames[len(names)]])] if code.co_flags & inspect.CO_VARARGS else [[]]
            self.found.setdefault((code, shown(given + more)), (self.functions[code], copy.deepcopy(given + more)))
        except Exception:
            pass        # It cannot be copied or shown.

    def is_full(self):
        return len(self.found) >= MOST_CALLS

    def __enter__(self):
        sys.setprofile(self.enter)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)


def shown(value, depth=2):
    """A value as text; where an object lives in memory is no behaviour, what it holds is."""
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(shown(one, depth) for one in value)})"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({sorted(map(repr, value))})"
    text = repr(value)
    if ADDRESS.search(text) and depth > 0 and hasattr(value, "__dict__"):
        return f"{type(value).__name__}({[(name, shown(one, depth - 1)) for name, one in vars(value).items()]})"
    return f"{type(value).__name__} {ADDRESS.sub('', text)}"[:MOST_CHARS]


def outcome(function, given):
    """What a call gives, and leaves in its arguments."""
    given = copy.deepcopy(given)
    code = function.__code__
    plain, more = given[:code.co_argcount], given[-1]
    named = dict(zip(code.co_varnames[code.co_argcount:], given[code.co_argcount:-1]))
    signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS)
    try:
        value = function(*plain, *more, **named)
        if inspect.isgenerator(value):
            value = [one for one, _ in zip(value, range(100))]
        return f"{shown(value)} {shown(given)}"
    except Exception:
        return "raised"
    except BaseException:
        return "cut"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def behaviours(functions, tests, put, edits, near):
    """For each edit what the calls give, as texts. `near(inputs)`: arguments near others."""
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    with Calls(functions) as calls:
        for test in tests:
            if not calls.is_full():
                test()
    signal.signal(signal.SIGPROF, cut)
    inputs = list(calls.found.values())
    for function in functions:
        inputs += [(function, given) for given in near([given for one, given in inputs if one is function])]
    found = []
    for edit in edits:
        old = put(edit)
        found.append([outcome(function, given) for function, given in inputs])
        for function, code in old:
            function.__code__ = code
    return found


def classes(found):
    """For each edit the first one that does the same. To raise is to do something, too. None where nothing is known."""
    def differ(a, b):
        return any(x != y and "cut" not in (x, y) for x, y in zip(a, b))
    known, firsts = [], []
    for place, one in enumerate(found):
        is_known = any(text not in ("raised", "cut") for text in one)
        same = next((first for first in firsts if not differ(found[first], one)), None)
        if is_known and same is None:
            firsts.append(place)
        known.append((place if same is None else same) if is_known else None)
    return known
