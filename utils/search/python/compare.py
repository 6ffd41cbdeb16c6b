"""Comparing programs: inputs near those of tests, values as texts, and which inputs tell two programs apart."""

import copy
import enum
import marshal
import random
import re
import sys
import types
import zlib
from collections.abc import Iterator
from itertools import islice

from meter import Cut, is_huge

INPUTS = 40  # near those of the tests, on which programs are compared
MOST_CHARS = 400  # of a text; of a longer one its sum stands behind them
MOST_ITERATED = 100  # of an iterator
DEPTH = 4  # of objects in objects
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
SCALARS = {type(None), bool, int, float, complex, str, bytes}
FORMS = {list: "[%s]", tuple: "(%s)", set: "{%s}", frozenset: "frozenset({%s})", dict: "{%s}"}
EMPTY = {set: "set()", frozenset: "frozenset()"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def has_fractions(values):
    return any(
        isinstance(one, float) if is_number(one) else isinstance(one, (list, tuple)) and has_fractions(one)
        for one in values
    )


def is_plain_object(value):
    """Whether it holds values by name, as objects of a program's own classes do."""
    others = (type, types.ModuleType, types.FunctionType, BaseException, enum.Enum)
    return not isinstance(value, others) and bool(getattr(value, "__dict__", None))


def near_object(value, draw, between):
    """The object itself where it cannot be copied."""
    try:
        near, name = copy.copy(value), draw.choice(sorted(vars(value)))
        vars(near)[name] = mutated(vars(value)[name], draw, between)
        return near
    except Exception:
        return value


def mutated(value, draw, between=False):
    """A value near another one, of its type, or an object with one attribute near its own; a fraction too where
    `between` is true."""
    if is_number(value):
        others = [value + 0.5, value - 0.5] if between else []
        return draw.choice([value + 1, value - 1, value + 2, -value, value * 2, type(value)(0), *others])
    if isinstance(value, dict):
        return {k: mutated(v, draw, between) for k, v in value.items() if draw.random() < 0.8}
    if is_plain_object(value):
        return near_object(value, draw, between)
    if not value or not isinstance(value, (list, tuple, str)):
        return draw.random() < 0.5 if isinstance(value, bool) else value
    items, at = list(value), draw.randrange(len(value))
    near = draw.choice(items).swapcase() if isinstance(value, str) else mutated(items[at], draw, between)
    items = draw.choice(
        [
            items[:at] + items[at + 1 :],
            items[:at] + items[:1] + items[at:],
            items[::-1],
            items[:at],
            draw.sample(items, len(items)),
        ]
        + [items[:at] + [near] + items[at + 1 :]] * 4
    )
    return "".join(items) if isinstance(value, str) else type(value)(items)


def mutated_inputs(inputs, seed, numbers=(), measures=()):
    """Arguments near those of the visible tests, and some with the numbers that the program compares with. Where the
    program or a test has a fraction, or at places in `measures`, `> 99` differs from `>= 100`, and some of the numbers
    are fractions."""
    between = has_fractions(numbers) or has_fractions(inputs)
    draw, found, usable = (
        random.Random(seed),
        {},
        [list(given) for given in inputs if given and len(repr(given)) < 2000],
    )
    for given in usable * (INPUTS * 4 // max(1, len(usable))):
        at = draw.randrange(len(given))
        arguments = given[:at] + [mutated(given[at], draw, between)] + given[at + 1 :]
        found.setdefault(repr(arguments), arguments)
    bounds = [n + more for n in numbers[:4] if abs(n) < 1e9 for more in (0, -1, 1, -0.5, 0.5)]
    return list(found.values())[:INPUTS] + [
        one[:at] + [n] + one[at + 1 :]
        for one in usable[:1]
        for at in range(len(one))
        if type(one[at]) in (int, float)
        for n in bounds
        if between or at in measures or n % 1 == 0
    ]


class Hidden(Exception):
    """Raised for a value whose content or behaviour cannot be seen."""


def hidden(value):
    raise Hidden(type(value).__name__)


class Texts:
    """Values as texts, equal for equal ones alone; Python's own as a person writes them."""

    def __init__(self):
        self.functions = {}  # of arguments, which calls may give back: id -> name

    def given(self, value):
        """The text of arguments, whose functions and classes are known from then on."""
        return self.all(value, lambda one: self.functions.setdefault(id(one), f"given {len(self.functions)}"))

    def made(self, value):
        """The text of what a call gives or leaves. @raises Hidden"""
        return self.all(value, lambda one: self.functions.get(id(one)))

    def all(self, value, name):
        self.name, self.seen, self.around = name, {}, set()
        text = self.text(value, DEPTH)
        if len(text) <= MOST_CHARS:
            return text
        return f"{text[:MOST_CHARS]}… {len(text)} {zlib.crc32(text.encode(errors='replace')):08x}"

    def text(self, value, depth):
        kind = type(value)
        if kind in SCALARS or isinstance(value, enum.Enum):
            return repr(value)
        base = next((one for one in FORMS if isinstance(value, one)), None)
        if base:
            return plain_text(value) or self.container(value, base, depth)
        if isinstance(value, Iterator):
            return f"{kind.__name__}({', '.join(self.text(one, depth) for one in islice(value, MOST_ITERATED))})"
        if isinstance(value, (types.FunctionType, type)):
            return known_name(value) or self.name(value) or hidden(value)
        return self.object(value, depth)

    def container(self, value, base, depth):
        """Of a class of its own its name, and what is in it."""
        if id(value) in self.around:
            return "..."
        self.around.add(id(value))
        items = [self.text(one, depth) for one in value]
        self.around.discard(id(value))
        if base is dict:
            items = [f"{key}: {self.text(one, depth)}" for key, one in zip(items, value.values())]
        elif base in EMPTY:
            items.sort()
        text = FORMS[base] % (", ".join(items) + "," * (base is tuple and len(items) == 1))
        text = text if items else EMPTY.get(base, text)
        name = type(value).__name__
        return text if name == base.__name__ else f"{name}({text})"

    def object(self, value, depth):
        name = type(value).__name__
        if id(value) in self.seen:
            return f"{name} {self.seen[id(value)][0]}"
        text, held = repr(value), {} if isinstance(value, types.ModuleType) else state(value)
        is_named = ADDRESS.search(text) is None or tells_all(value)
        if held and depth > 0 and is_named:
            self.seen[id(value)] = len(self.seen), value  # kept, so that no other one gets its id
            text += "".join(f" {key}={self.text(one, depth - 1)}" for key, one in held.items())
        elif ADDRESS.search(text) and (held or not is_named or type(value).__repr__ is not object.__repr__):
            hidden(value)
        text = ADDRESS.sub("", text)
        return text if name in text else f"{name} {text}"


def plain_text(value):
    """What `repr` says where it says all, in an order that is always the same: of lists of Python's own values, which
    are all that `marshal` takes. None for others."""
    if type(value) not in (list, tuple):
        return None
    try:
        marshal.dumps(value)
    except ValueError:
        return None
    text = repr(value)
    return None if "{" in text or "set(" in text or ADDRESS.search(text) else text


def known_name(value):
    """The name of a function or a class by which it is found in its module; None for others."""
    found = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return f"{value.__module__}.{value.__qualname__}" if found is value else None


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


OPAQUE = "(opaque) "  # before the text of a value that says nothing of what it does
SHOWN = "(shown) "  # before the text of a value that can be compared, but not written into a test


def value_text(value):
    try:
        return Texts().made(value)
    except Hidden:
        return OPAQUE + ADDRESS.sub("", repr(value))[:MOST_CHARS]


def behaviour(trial, code, inputs):
    """What a program gives for each input, as `value_text`, or how it ended."""
    namespace, seen = trial.open(code), []

    def call(arguments):
        value = namespace[trial.entry](*arguments)
        if is_huge(value):
            raise Cut
        seen.append(value_text(value))

    for arguments in inputs if namespace else ():
        outcome = trial.meter.run(lambda: call(copy.deepcopy(arguments)), trial.lines)[0]
        seen += [outcome] if outcome != "ok" else []
    return seen


def differences(one, other, unknown=("raised", "cut")):
    """Numbers of the inputs that tell two behaviours apart. `unknown`: what says nothing."""
    return [
        i
        for i, (mine, first) in enumerate(zip(one, other))
        if mine != first and mine not in unknown and first not in unknown
    ]
