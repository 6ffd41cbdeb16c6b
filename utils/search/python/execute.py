"""Running candidates in this process: what they are compiled to, and the built-ins and modules that they have."""

import ast
import builtins
import collections
import copy
import importlib
import itertools
import re
import sys
import time
import zlib

from meter import BUILT_IN, HUGE_BITS, HUGE_LENGTH, METERS, NAME, Cut, Meter
from source import COUNTED, deep, is_docstring, walk

# What else takes time counts as lines too: so many characters that are compiled; each expression asked, each line
# watched,
# and each edit made, as so many lines.
COMPILED_A_LINE, ASKED_LINES, WATCHED_LINES, MADE_LINES = 3, 6, 16, 20
LONG = (
    itertools.count,
    itertools.cycle,
    itertools.repeat,
    itertools.product,
    itertools.permutations,
    itertools.combinations,
)
CODE = type(compile("0", NAME, "eval"))
ONE_TURN = ast.parse("_turn()", mode="eval").body
MODULES, RARE = (
    "math re sys copy itertools collections heapq functools".split(),
    "datetime statistics hashlib string".split(),
)
OF_TYPING = re.compile(r"\b(?!True|False|None)[A-Z]\w")  # how names begin that are offered by `typing`


def short_range(*bounds):
    """`range`, but cut if it is huge: a built-in could run through it in a single step."""
    if len(range(*bounds)) > HUGE_LENGTH:
        raise Cut
    return range(*bounds)


def power(base, exponent, *modulo):
    """`pow`, but cut if the result would be huge: that is a single step."""
    if isinstance(base, int) and isinstance(exponent, int) and not modulo and base.bit_length() * exponent > HUGE_BITS:
        raise Cut
    return pow(base, exponent, *modulo)


def metered(kind):
    """An iterator that counts its items as lines: built-ins run through it in a single step, and it may be endless."""

    def following(self):
        Meter.count_item()
        return kind.__next__(self)

    return type(kind.__name__, (kind,), {"__next__": following})


def meter_iterators():
    """Gives candidates such iterators in the modules that they import, and makes candidates a module themselves."""
    sys.modules["candidate"] = sys.modules.get(
        "typing", collections
    )  # dataclasses look there for what annotations mean
    for kind in LONG:
        setattr(itertools, kind.__name__, metered(kind))


def iterate(*given):
    """`iter`, with items counted: built-ins could call its function endlessly in a single step."""

    def called(function, last):
        while (value := function()) != last:
            Meter.count_item()
            yield value

    return called(*given) if len(given) == 2 else iter(*given)


def evaluate(text, *scopes):
    """`eval` of its caller's names, with the same guards."""
    frame, code = sys._getframe(1), isinstance(text, str) and compile_program(text, "eval")
    return eval(code or text, *(scopes or (frame.f_globals, frame.f_locals)))


def become_call(node, name, *arguments):
    """Makes an expression the call of a name, where it stands."""
    place = {key: value for key, value in vars(node).items() if key in node._attributes}
    node.__class__ = ast.Call
    vars(node).clear()
    vars(node).update(place, func=ast.Name(name, ast.Load(), **place), args=list(arguments), keywords=[])


def report(node, name, number):
    """Makes an expression the argument of a call that gets a number with it."""
    become_call(node, name, ast.copy_location(ast.Constant(number), node), copy.copy(node))


def guarded(tree):
    """A tree with `power` in place of every `a ** b`, and a `_turn()` at the beginning of each turn of a loop and of
    each call."""
    for node in walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            become_call(node, "_power", node.left, node.right)
        elif isinstance(node, COUNTED):
            node.body.insert(
                is_docstring(node.body[0]) and len(node.body) > 1, ast.copy_location(ast.Expr(ONE_TURN), node.body[0])
            )
        elif isinstance(node, ast.comprehension):
            node.ifs.insert(0, ONE_TURN)
        elif isinstance(node, ast.Lambda):
            node.body = ast.copy_location(ast.BoolOp(ast.And(), [ONE_TURN, node.body]), node.body)
    return tree


class SetKind(type):
    """Every set is one of `Shuffled`, too."""

    def __instancecheck__(cls, value):
        return isinstance(value, builtins.set)


class Shuffled(builtins.set, metaclass=SetKind):
    """`set` with an arbitrary order of its strings that is the same in every process."""

    def __iter__(self):
        items = list(super().__iter__())
        known = all(type(item) in (int, float, bool) for item in items)
        return iter(items if known else sorted(items, key=lambda item: zlib.crc32(repr(item).encode())))

    def pop(self):
        for item in self:
            self.remove(item)
            return item
        return super().pop()

    def __repr__(self):
        return f"{{{', '.join(map(repr, self))}}}" if self else "set()"


Shuffled.__name__ = Shuffled.__qualname__ = "set"
time.sleep = lambda seconds: None  # candidates that sleep would keep the search waiting
BASE = {name: importlib.import_module(name) for name in MODULES}
BASE.update((name, getattr(collections, name)) for name in collections.__all__)
BUILT_IN.update(range=short_range, pow=power, set=Shuffled, iter=iterate, eval=evaluate, input=None)
BASE.update(__name__="candidate", __builtins__=BUILT_IN, _power=power)


def offer(text):
    """Gives candidates, as names, what else a program may mean that lacks an import: to import all of it takes as
    long as a short search."""
    BASE.update((name, importlib.import_module(name)) for name in RARE if name in text)
    if OF_TYPING.search(text):
        typing = importlib.import_module("typing")
        BASE.update((name, getattr(typing, name)) for name in typing.__all__)


def compile_tree(tree):
    """Code object of a syntax tree of the program."""
    return deep(compile, guarded(tree), NAME, "exec")


def compile_program(text, mode="exec", name=NAME):
    """Code object of a candidate, or None where it does not compile. Bare handlers must let `Cut` through."""
    METERS.spent += len(text) // COMPILED_A_LINE
    if "except" in text:
        text = re.sub(r"except\s*(BaseException\b|(?=:))", "except Exception", text)
    try:
        is_plain = mode == "eval" and "**" not in text  # an expression takes no turns that count
        return deep(lambda: compile(text if is_plain else guarded(ast.parse(text, mode=mode)), name, mode))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def code_key(code):
    """Equal for programs that do the same by construction: same instructions, constants and names."""
    constants = tuple([code_key(c) if type(c) is CODE else (type(c), repr(c)) for c in code.co_consts])
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
        getattr(code, "co_exceptiontable", b""),
    )
