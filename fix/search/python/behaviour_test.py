"""Whether pairs of programs do the same where a test calls `f`, and near that. Run by behaviour.test.ts, the engine
on stdin."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from behaviour import behaviours, classes
from edits import ENGINE

exec(compile(sys.stdin.read(), "engine", "exec"), ENGINE)


def near(inputs):
    return [[given[0] + by, *given[1:]] for given in inputs if isinstance(given[0], int) for by in (-1, 1, 2)]


def told(first, second, use, before=None):
    space = {}
    exec(before or first, space)
    own = space["f"]

    def put(code):
        old, own.__code__ = own.__code__, code
        return lambda: setattr(own, "__code__", old)

    def code_of(program):
        other = {}
        exec(program, other)
        return other["f"].__code__

    old, new = behaviours([own], [lambda: exec(use, space)], [], put, [code_of(first), code_of(second)], near)
    return classes(old if before else ["another"] * len(old), new)


ALIKE = [
    ("def f(x): return x * 2", "def f(x): return x + x", "f(2)"),
    ("def f(x): return iter([x, 2])", "def f(x): return iter([x] + [2])", "f(2)"),
    ("def f(x):\n  yield x\n  yield 2", "def f(x):\n  yield from [x, 2]", "f(2)"),
    ("def f(x, g): return g", "def f(x, g): return g or 1", "f(2, lambda: 1)"),
    ("def f(x): return len", "def f(x): return len or 1", "f(2)"),
    (
        "class A: pass\ndef f(x):\n  a = A()\n  a.x = x\n  return a",
        "def f(x):\n  a = A()\n  setattr(a, 'x', x)\n  return a",
        "f(2)",
    ),
]
DIFFERENT = [
    (
        "class A:\n  def __new__(cls, x):\n    return object.__new__(cls)\n  def __init__(self, x): self.x = x\ndef f(x): return A(x)",
        "def f(x): return A(2)",
        "f(2)",
    ),
    ("def f(x): return x > 1", "def f(x): return x == 2", "f(2)"),
    ("def f(x): return iter([x])", "def f(x): return iter([2])", "f(2)"),
    ("def f(x): return (x, iter([x]))", "def f(x): return (x, iter([2]))", "f(2)"),
    ("def f(x): return 'a' * 500 + str(x)", "def f(x): return 'a' * 500 + '2'", "f(2)"),
    ("def f(x, y): return next(y)", "def f(x, y): return [*y][0]", "f(2, iter([1, 2]))"),
    (
        "class A: pass\ndef f(x):\n  a = A()\n  a.x = x\n  return {1: a}",
        "def f(x):\n  a = A()\n  a.x = 2\n  return {1: a}",
        "f(2)",
    ),
    (
        "class A:\n  __slots__ = 'x',\ndef f(x):\n  a = A()\n  a.x = x\n  return a",
        "def f(x):\n  a = A()\n  a.x = 2\n  return a",
        "f(2)",
    ),
]
NOT_COMPARED = [
    ("def f(x): return lambda: x", "f(2)"),
    ("import functools\ndef f(x): return functools.partial(print, lambda: x)", "f(2)"),
    ("def f(x): return [].append", "f(2)"),
    ("def f(x): raise ValueError", "\ntry: f(2)\nexcept ValueError: pass"),
    ("def f(x): return x", ""),
    # Nothing can be varied.
    ("def f(): return 2", "f()"),
]
for first, second, use in ALIKE:
    assert told(first, second, use) == [0, 0], first
for first, second, use in DIFFERENT:
    assert told(first, second, use) == [0, 1], (first, told(first, second, use))
for program, use in NOT_COMPARED:
    assert told(program, program, use) == [None, None], program

above = "def f(x): return %s if x > 90 else x"
assert told(above % 1, above % 2, "f(2)", before=above % 3) == [None, None]
assert told(above % 1, above % 1, "f(91)", before=above % 3) == [0, 0]
