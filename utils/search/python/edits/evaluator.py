"""Names as they were wherever the program came by, in a run of it as it is; and expressions by what they are worth
there, so that of thousands those of one worth are tried once."""

import ast
import copy
import sys
from collections import namedtuple
from functools import lru_cache
from itertools import islice

from edits.calls import UNUSED, WORD
from execute import ASKED_LINES, BASE, compile_program, compile_tree
from meter import METERS, NAME, Meter, is_huge
from source import FUNCTIONS, deep, walk

FAILED, PASSED = 3, 2  # checks that are run
MOST_ASKED, MOST_KEPT = (
    6_000,
    5,
)  # expressions of one size for one place; visits of a place in one check that are looked at
END_LINES = 2_000  # that one expression may execute, and one check
PLACES = ("asked", "asked_behind", "asked_else")  # as what the number of a visit stands in a node
MOST_ITEMS = 2_000  # that an iterator gives: going through one that does not end is a step which nothing can cut


def worth(value):
    """A value as text that tells it from others, or None where it is too large."""
    if type(value) in (int, bool, float):
        return f"{type(value).__name__} {value!r}"[:600]
    if isinstance(value, (list, tuple, dict, set, str)) and len(value) > 200:
        return None
    text = sorted(map(repr, value)) if isinstance(value, (set, frozenset)) else repr(value)
    return f"{type(value).__name__} {text}"[:600]


def reported(tree):
    """A tree with a call that reports its number before, behind or beside every numbered statement."""
    for node in walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [part for one in block for part in with_calls(one)])
    return tree


def with_calls(node):
    def call(name):
        number = getattr(node, name, None)
        return [] if number is None else [ast.copy_location(ast.parse(f"_asked({number})").body[0], node)]

    before, behind, other = map(call, PLACES)
    if other:
        node.orelse += other
    return [*before, node, *behind]


def is_moving(value):
    """Whether a value is changed, or gone through, by what asks it."""
    return hasattr(type(value), "__next__") or isinstance(value, (list, dict, set)) and not is_huge(value)


def kept(value):
    """A value as it is now, where it can be copied."""
    try:
        return copy.deepcopy(value) if is_moving(value) or isinstance(value, tuple) else value
    except Exception:
        return value


def bounded(value):
    """A copy of a value that is changed, or gone through, by what asks it; an iterator's ends."""
    return islice(copy.copy(value), MOST_ITEMS) if hasattr(type(value), "__next__") else copy.copy(value)


def visits(facts, places):
    """For each place (a statement, where) [(check, whether it is called once, names and values)]. Runs a few
    failing checks, then passing ones."""
    source, (checks, names, entry) = facts.source, facts.run
    for number, (node, where) in enumerate(places, 1):
        setattr(node, PLACES[where], number)
    tree = copy.deepcopy(source.tree)
    for node, where in places:
        delattr(node, PLACES[where])
    state, calls, found, meter = [[] for _ in places], [0], [[] for _ in places], Meter()

    def visit(number):
        if number == 0:
            calls[0] += 1
        elif len(state[number - 1]) < MOST_KEPT:
            frame = sys._getframe(1)
            METERS.spent += ASKED_LINES * len(frame.f_locals)
            state[number - 1].append(
                {**frame.f_globals, **{name: kept(value) for name, value in frame.f_locals.items()}}
            )

    if isinstance(source.target, FUNCTIONS):
        target = next(
            n
            for n in ast.walk(tree)
            if isinstance(n, FUNCTIONS) and n.name == entry and n.lineno == source.target.lineno
        )
        target.body.insert(0, ast.copy_location(ast.parse("_asked(0)").body[0], target.body[0]))
    namespace, code = dict(BASE, _asked=visit), compile_tree(deep(reported, tree))
    meter.run(lambda: exec(code, namespace), END_LINES)
    namespace.update(dict.fromkeys(names, namespace.get(entry)))
    failed = [c for c in checks if c.judges and c.text in facts.seen.failed][:FAILED]
    passed = [c for c in checks if c.judges and c.text not in facts.seen.failed][:PASSED]
    for check in [c for c in checks if not c.judges] + failed + passed:
        calls[0] = 0
        meter.run(lambda: exec(check.code, namespace), END_LINES)
        for spaces, all_of_them in zip(state, found):
            all_of_them += [(check, calls[0] == 1, space) for space in spaces if check.judges]
            spaces.clear()
    return dict(zip(places, found))


# An expression, what it costs more than others, its values in all spaces, and these as texts: nothing where it raised.
Worth = namedtuple("Worth", "text extra values seen")


@lru_cache(None)
def compile_watched(text):
    """Code object of an expression that is asked as a part of the program: what does not end can be cut; so can what
    is long to be written out."""
    return compile_program(f"_asked(({text}))", "eval", NAME)


class Evaluator:
    """Expressions by what they are worth in each of the spaces of names, until so many lines are used up."""

    def __init__(self, spaces, unused, lines):
        self.unused, self.ends_at, self.meter = {*unused}, METERS.spent + lines, Meter(False)
        self.spaces = [dict(space, _asked=lambda value: (value, worth(value))) for space in spaces]
        self.moving = [{name: value for name, value in space.items() if is_moving(value)} for space in self.spaces]
        self.known, self.found, self.names = set(), [], {*spaces[0]}

    def left_unused(self, text):
        """What a text costs more for the unused names that it leaves unused."""
        return UNUSED * len(self.unused.difference(WORD.findall(text))) if self.unused else 0.0

    def values(self, text):
        """[(value, the same as text that tells it from others)] of an expression in each space, (None, "") where it
        raises; None where it is no expression or does not end."""
        code, values = compile_watched(text), []

        def ask():
            for space, moving in zip(self.spaces, self.moving):
                # What the expression changes, or goes through, is there again for the next one.
                space.update((name, bounded(moving[name])) for name in code.co_names if name in moving)
                try:
                    values.append(eval(code, space))
                except Exception:
                    values.append((None, ""))

        METERS.spent += ASKED_LINES * len(self.spaces)
        return values if code and self.meter.run(ask, END_LINES)[0] == "ok" else None

    def ask(self, texts, most=MOST_ASKED, may_raise=False):
        """New ones among [(expression, extra cost)]. Of those of one worth the cheapest, which leave few names
        unused."""
        new = []
        for text, extra in sorted(
            ((text, extra + self.left_unused(text)) for text, extra in texts), key=lambda one: one[1]
        )[:most]:
            if METERS.spent > self.ends_at:
                break
            values = self.values(text)
            seen = [said for _, said in values or [(None, None)]]
            # What is worth a text that is written in it, like `'a'.format(x)`, says no more than that text.
            told = values and all(
                not said or isinstance(value, str) and repr(value) in text != repr(value) for value, said in values
            )
            if told or None in seen or "" in seen and (not may_raise or not seen[0]):
                continue
            alike = tuple(seen) if " at 0x" not in "".join(seen) else text
            one = Worth(text, extra, [value for value, _ in values], seen)
            if alike not in self.known or text in self.names:
                self.known.add(alike)
                new.append(one)
        self.found += new
        return new
