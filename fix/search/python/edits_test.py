"""Whether functions whose expressions are watched do what they did, and what is seen. Run by edits.test.ts, the
engine on stdin."""

import ast
import importlib.util
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from edits import ENGINE, Kinds, Program, live_functions, own_defaults, put, told

exec(compile(sys.stdin.read(), "engine", "exec"), ENGINE)

MODULE = '''
import asyncio
import contextlib

COUNT = 0


class Base:
    def name(self, more=1):
        return f"base {more!r:>3}"


class Shelf(Base):
    """A shelf."""
    size: int = 3

    def __init__(self, items):
        self.items = items

    def name(self, more=2):
        return super().name(more) + __class__.__name__

    @property
    def total(self):
        return sum(price(item) for item, count in self.items)

    @contextlib.contextmanager
    def opened(self):
        global COUNT
        COUNT += 1
        try:
            yield self.items
        finally:
            COUNT -= 1


def price(item):
    return {"cup": 2.5, "nut": 1}[item]


def counter(start):
    at = start

    def step(*numbers, by=1, **more):
        nonlocal at
        at += by + len(numbers) + len(more)
        return (lambda x: x + at)(0)
    return step


def lazily(limit):
    n = 0
    while (got := n) < limit:
        yield got
        n += 1
    return "end"


async def later(value):
    async with asyncio.Lock():
        return [x async for x in ticks(value)]


async def ticks(value):
    for i in range(value):
        yield i


def sliced(items):
    first, *rest = items
    *_, last = rest
    return items[1:-1], -first if first < last <= 9 else None, not items, {**{"a": last}}, *rest


def f():
    return COUNT
'''
USE = [
    ("name", lambda m: m.Shelf([]).name(), "str"),
    ("total", lambda m: m.Shelf([("cup", 2), ("nut", 1)]).total, "float"),
    ("opened", lambda m: (list(m.Shelf([1]).opened().__enter__()), m.COUNT), "[num]"),
    ("counter", lambda m: m.counter(1)(1, 2, by=3, z=4), "num"),
    ("lazily", lambda m: list(m.lazily(3)), "num"),
    ("later", lambda m: m.asyncio.run(m.later(3)), "num"),
    ("sliced", lambda m: m.sliced([1, 2, 3]), "[num]"),
]
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "made.py")
    with open(path, "w", encoding="utf-8-sig", newline="\r\n") as out:
        out.write(MODULE)
    spec = importlib.util.spec_from_file_location("made", path)
    for name, use, kind in USE:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        before = repr(use(module))
        module.COUNT = 0
        live = live_functions()[os.path.realpath(path)]
        [(where, _)] = [
            (key, functions)
            for key, functions in live.items()
            if key[0] == name and any(f.__globals__ is vars(module) for f in functions)
        ][-1:]
        text = MODULE.split("\n")
        start = next(n for n, line in enumerate(text, 1) if f"def {name}(" in line and n >= where[1])
        while text[start - 2].lstrip().startswith("@"):
            start -= 1
        program, beside = Program(path, start), Program(path, text.index("def f():") + 1)
        seen = Kinds([program, beside], {program.path: live})
        after = repr(use(module))
        assert before == after, (name, before, after)
        kinds, _ = seen.seen()
        assert any(kind in found for found in kinds.values()), (name, kinds)
        asked = program.asked("", kinds, {"failing": [], "ran": []})
        assert asked["places"] and asked["names"], name

# A function inside another one is edited by itself.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "nested.py")
    with open(path, "w", encoding="utf-8") as out:
        out.write("def outer(x):\n    def inner(y):\n        return y * 3\n    return inner(x) + 1\n")
    lines = {n.lineno for n in Program(path, 1).inside if hasattr(n, "lineno")}
    assert lines == {2, 3, 4}, lines
    lines = {n.lineno for n in Program(path, 1, [[2, 3]]).inside if hasattr(n, "lineno")}
    assert lines == {4}, lines
    assert {n.lineno for n in Program(path, 2).inside if hasattr(n, "lineno")} == {3}

# A deleted statement takes its line along, and the edit shows it as it was written.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "deleted.py")
    text = "def f(x):\n    x += 1\n    x += 2\n    return x\n"
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    program = Program(path, 1)
    start, end = program.source.span(program.source.target.body[1])
    gone = told(program, ENGINE["Edit"](((start, end, "pass"),)), 1)
    lines = text.splitlines(True)
    lines[gone["from"] - 1 : gone["to"]] = [gone["text"]]
    assert "".join(lines) == text.replace("    x += 2\n", ""), gone

# A live function forgets the default that all its calls share, until the edit is taken back.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "shared.py")
    with open(path, "w", encoding="utf-8") as out:
        out.write("def f(x, a=[], *, b={}):\n    a.append(x)\n    b[x] = x\n    return len(a) + len(b)\n")
    spec = importlib.util.spec_from_file_location("shared", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program, live = Program(path, 1), live_functions()[os.path.realpath(path)]
    at = program.source.span(program.source.target.body[0])[0]
    edits = [
        ENGINE["Edit"](
            (
                (*program.source.span(node), "None"),
                (at, at, f"if {name} is None:\n        {name} = {ast.unparse(node)}\n    "),
            ),
        )
        for name, node in own_defaults(program.source.target)
    ]
    assert len(edits) == 2, edits
    given = [module.f(1), module.f(2)]
    for edit in edits:
        take_back = put(program.changed(edit), live)
        given += [module.f(3), module.f(4)]
        take_back()
    given.append(module.f(5))
    assert given == [2, 4, 4, 5, 4, 5, 10], given
print("ok")
