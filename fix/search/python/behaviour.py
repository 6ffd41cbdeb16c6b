"""What edits that pass do where the tests do not look: with arguments of the tests' own calls, and with others near
those."""

import copy
import inspect
import signal
import sys

from edits import ENGINE

MOST_CALLS = 24  # of the tests, with different arguments,
MOST_FAILING = 16  # and of those that failed
CALL_SECONDS = 0.2  # of processor time


class Cut(BaseException):
    """A call takes too long."""


def cut(number, frame):
    raise Cut


def text_of(given):
    """Of arguments. Showing an iterator uses it up. @raises Hidden"""
    return ENGINE["Texts"]().given(copy.deepcopy(given))


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
            known = copy.deepcopy(given + more)
            self.found.setdefault((code, text_of(known)), (self.functions[code], known))
        except Exception:
            pass  # It cannot be copied or shown.

    def is_full(self):
        return len(self.found) >= self.most

    def __enter__(self):
        sys.setprofile(self.enter)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)


def outcome(function, given):
    """What a call gives, and leaves in its arguments."""
    given, texts = copy.deepcopy(given), ENGINE["Texts"]()
    texts.given(copy.deepcopy(given))
    code = function.__code__
    plain, more = given[: code.co_argcount], given[-1]
    named = dict(zip(code.co_varnames[code.co_argcount :], given[code.co_argcount : -1]))
    signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS)
    try:
        value = function(*plain, *more, **named)
        return f"{texts.made(value)} {texts.made(given)}"
    except ENGINE["Hidden"]:
        raise
    except Exception:
        return "raised"
    except BaseException:
        return "cut"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def behaviours(functions, failing, passing, put, edits, near):
    """What the calls return, as texts, before and with each edit; none if unknown. `near(inputs)`:
    arguments near others."""
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    with Calls(functions) as calls:
        for most, tests in ((MOST_FAILING, failing), (MOST_CALLS, passing)):
            calls.most = most
            for test in tests:
                if not calls.is_full():
                    test()
    signal.signal(signal.SIGPROF, cut)
    inputs, known = list(calls.found.values()), {text for _, text in calls.found}
    for function in functions:
        inputs += [(function, given) for given in near([given for one, given in inputs if one is function])]
    if all(text_of(given) in known for _, given in inputs):
        return [], [[] for _ in edits]  # Nothing but the tests' own calls: there all that pass do the same.
    found = []
    for edit in [None, *edits]:
        take_back = put(edit) if edit else None
        try:
            found.append([outcome(function, given) for function, given in inputs])
        except ENGINE["Hidden"]:
            found.append([])
        if take_back:
            take_back()
    return found[0], found[1:]


def differ(a, b):
    """To raise is to do something, too."""
    return bool(ENGINE["differences"](a, b, unknown=("cut",)))


def classes(before, found):
    """For each edit the first one that does the same. None where nothing is known:
    where no call tells an edit from the program as it was, none comes near what was wrong."""
    known, firsts = [], []
    for place, one in enumerate(found):
        is_known = differ(before, one) and any(text not in ("raised", "cut") for text in one)
        same = next((first for first in firsts if not differ(found[first], one)), None)
        if is_known and same is None:
            firsts.append(place)
        known.append((place if same is None else same) if is_known else None)
    return known
