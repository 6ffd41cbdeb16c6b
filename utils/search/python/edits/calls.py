"""Expressions made of the names that can be read at a place, those first that mention what is computed and never
used."""

import re
from functools import lru_cache

from edits.slots import expand, one_by_one
from edits.tables import TABLES
from names import offered
from source import is_atomic

MOST_OUTER = 4  # calls of another expression
UNUSED = 0.7  # what an expression costs more for each unused name that it leaves unused
DOUBLED = re.compile(r"\(\(([^(),]*)\)\)")
WORD = re.compile(r"[A-Za-z_]\w*")


def callables(facts, scope):
    """What may be called: unused functions first, then the other ones of the program and what it imports."""
    held = [name for name in scope if "function" in facts.name_types(name)]
    named = dict.fromkeys([*held, *facts.functions, *facts.imported])
    unused = [name for name in named if name in facts.unused]
    inside = [f"{module}.{name}" for module in sorted(facts.modules & facts.unused) for name in offered(module)]
    rest = [name for name in named if name not in facts.unused and name != facts.source.target.name]
    return one_by_one(unused + inside, 0.02) + [(name, 0.6 + extra) for name, extra in one_by_one(rest[:6], 0.05)]


@lru_cache(None)
def nearby(facts, scope, kind):
    """Names that hold a `$kind`, the unused first; of what a name that is never read holds, nothing may be known."""
    names = dict.fromkeys(
        [*(n for n in scope if n in facts.unused), *(n for n in facts.globals if n in facts.unused), *scope]
    )
    wanted = set(TABLES["kinds"].get(kind, [kind]))
    fits = [
        n
        for n in names
        if kind == "any" or facts.name_types(n) & wanted or n in facts.unused and facts.name_types(n) == {"any"}
    ]
    return [(name, extra + 0.15 * (name not in facts.unused)) for name, extra in one_by_one(fits[:7], 0.04)]


def closed(text):
    """An expression as it may stand in another one."""
    return text if is_atomic(text) or re.fullmatch(r"\([^()]*\)", text) else f"({text})"


def made_of(facts, scope, templates, inner=(), more_calls=()):
    """(expression, extra cost) of all ways to fill the templates, some with one of the `inner` expressions."""
    calls = callables(facts, scope) + list(more_calls)
    shown = one_by_one(
        [
            repr(one)
            for one in dict.fromkeys([s for s in facts.strings if len(s) <= 20][:6] + [""] + facts.shown_strings[:4])
        ],
        0.05,
    )
    parts = [c for c in dict.fromkeys("".join([*facts.shown_strings, *facts.strings])) if not c.isalnum()]
    slots = {
        "call": calls[:MOST_OUTER] if inner else calls,
        "shown": shown,
        "fun": calls[:MOST_OUTER],
        "part": one_by_one(map(repr, [*parts[:4], ""]), 0.05),
        "inner": [(closed(text), extra + 0.2) for text, extra in inner],
    }
    return [
        (DOUBLED.sub(r"(\1)", text) if "((" in text else text, extra)
        for text, extra in dict(
            expand(
                facts,
                None,
                scope,
                templates,
                0.08,
                lambda kind: slots[kind] if kind in slots else nearby(facts, scope, kind),
            )
        ).items()
    ]
