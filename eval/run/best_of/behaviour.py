"""What a function does on inputs like those of its visible tests. Runs in the sandbox; `REQUEST` stands before it.

derive: records the calls that the tests make and varies their arguments. One Python literal a line.
observe: calls the function on each input. One word of behaviour a line, in the order of the inputs.
"""

import ast
import copy
import hashlib
import io
import random
import signal
import sys

MARK = "BEHAVIOUR "
MOST_LINES = 50_000
WATCHDOG_S = 0.5
MOST_CUTS = 3
PRELUDE = """
import math, re, sys, copy, datetime, itertools, collections, heapq, statistics, functools, hashlib, string
from typing import *
from collections import *
"""


class Cut(BaseException):
    """A call ran for too long. Not an Exception, so that programs do not catch it."""


def limited(work):
    """Call `work`; by counted lines, so that the same program is cut at the same place on any machine."""
    left = MOST_LINES

    def on_line(frame, event, _):
        nonlocal left
        left -= 1
        if left < 0:
            raise Cut
        return on_line

    def expire(*_):
        raise Cut

    signal.signal(signal.SIGVTALRM, expire)
    signal.setitimer(signal.ITIMER_VIRTUAL, WATCHDOG_S)
    sys.settrace(on_line)
    try:
        return work()
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def load(program):
    namespace = {"__name__": "candidate"}
    exec(PRELUDE, namespace)
    limited(lambda: exec(compile(program, "<candidate>", "exec"), namespace))
    return namespace


class SoftAsserts(ast.NodeTransformer):
    """An assertion that fails or raises does not keep the ones after it from being run."""

    def visit_Assert(self, node):
        ignore = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
        return ast.Try([ast.Expr(node.test)], [ignore], [], [])


def recorded_calls(program, entry, tests):
    """Arguments of the calls in the tests, each once. Calls that the function makes of itself are none of them."""
    namespace = load(program)
    function, calls = namespace[entry], []

    def record(*arguments, **keywords):
        if not keywords:
            calls.append(copy.deepcopy(arguments))
        return function(*arguments, **keywords)

    scope = dict(namespace)
    scope[entry] = record
    code = ast.fix_missing_locations(SoftAsserts().visit(ast.parse(tests)))

    def run():
        exec(compile(code, "<tests>", "exec"), scope)
        for name, value in list(scope.items()):
            if name.startswith("test") and callable(value) and name not in namespace:
                value()

    try:
        limited(run)
    except (Exception, Cut):
        pass
    return list({repr(call): call for call in calls}.values())


def variants(value):
    """Values of the same type that are near the given one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, -value, 0, value // 2, value + 10, value * 2, value * 3 + 1, 1, 2]
    if isinstance(value, float):
        return [value + 0.5, value - 1.0, -value, 0.0, value * 2]
    if isinstance(value, str):
        middle = len(value) // 2
        parts = [value[::-1], value * 2, value[1:], value[:-1], value[:middle], value[middle:], value[:1]]
        return [*parts, "", value.swapcase(), "".join(sorted(value))]
    if isinstance(value, (list, tuple)):
        kind = type(value)
        items = list(value)
        whole = [items[::-1], items * 2, items[1:], items[:-1], items[:1], []]
        ones = [items[:i] + [new] + items[i + 1 :] for i, item in enumerate(items[:6]) for new in variants(item)[:4]]
        return [kind(new) for new in whole + ones]
    if isinstance(value, dict):
        pairs = list(value.items())
        ones = [{**value, key: new} for key, old in pairs[:4] for new in variants(old)[:3]]
        return [{}, dict(pairs[1:]), dict(pairs[:-1]), *ones]
    if isinstance(value, set):
        items = sorted(value, key=repr)
        return [set(), set(items[1:]), set(items[:-1])]
    return []


def negative(value):
    """Whether a negative number stands anywhere in the value."""
    if isinstance(value, (int, float)):
        return value < 0
    if isinstance(value, dict):
        return any(map(negative, value)) or any(map(negative, value.values()))
    return isinstance(value, (list, tuple, set)) and any(map(negative, value))


def derive(program, entry, tests, limit):
    """The recorded calls first, then calls with one argument varied; signs stay those that the tests use there."""
    calls = recorded_calls(program, entry, tests)
    mixed = []
    for call in calls:
        for i, value in enumerate(call):
            peers = [other[i] for other in calls if len(other) > i]
            signed = any(map(negative, peers))
            for new in variants(value) + peers:
                if signed or not negative(new):
                    mixed.append(call[:i] + (new,) + call[i + 1 :])
    random.Random(0).shuffle(mixed)
    literals = {}
    for call in calls + mixed:
        text = repr(call)
        try:
            if repr(ast.literal_eval(text)) == text and len(text) < 4000:
                literals.setdefault(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return list(literals)[:limit]


def shown(value, depth=0):
    """The value as text; equal values have equal texts, as far as they are plain."""
    if depth > 20:
        return "..."
    if isinstance(value, (bool, int)):
        return str(int(value))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else "%.12g" % value
    if value is None or isinstance(value, (str, bytes, complex)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        inside = ",".join(shown(item, depth + 1) for item in value)
        return "[%s]" % inside if isinstance(value, list) else "(%s)" % inside
    if isinstance(value, dict):
        pairs = sorted(shown(key, depth + 1) + ":" + shown(item, depth + 1) for key, item in value.items())
        return "{%s}" % ",".join(pairs)
    if isinstance(value, (set, frozenset)):
        return "{%s}" % ",".join(sorted(shown(item, depth + 1) for item in value))
    return "<%s>" % type(value).__name__


def behaviour(function, arguments):
    try:
        text = limited(lambda: shown(function(*arguments)))
    except Exception as error:
        return "raises " + type(error).__name__
    except Cut:
        return "runs on"
    return text if len(text) <= 120 else text[:80] + " " + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def main(request):
    out, sys.stdout = sys.stdout, io.StringIO()

    def tell(text):
        out.write(MARK + text.replace("\n", " ") + "\n")
        out.flush()

    if request["do"] == "derive":
        for literal in derive(request["program"], request["entry"], request["tests"], request["limit"]):
            tell(literal)
        return
    function = load(request["program"])[request["entry"]]
    cuts = 0
    for literal in request["inputs"]:
        word = "not tried" if cuts >= MOST_CUTS else behaviour(function, ast.literal_eval(literal))
        cuts += word == "runs on"
        tell(word)


main(REQUEST)  # noqa: F821  whoever runs this text puts it in front
