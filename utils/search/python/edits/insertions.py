"""Statements put in: rows of the table, copies and likenesses of other statements; statements put under a condition."""

import ast
from collections import defaultdict
from functools import lru_cache

from foresee import Foresight
from edits.operators import operator
from edits.slots import expand, predicates, statements
from edits.statements import blocks
from source import JUMPS, Edit
from edits.tables import TABLES

LOOPS = (ast.For, ast.While, ast.AsyncFor)
LEAVING = ("return", "break", "continue", "raise")
STEP = 4  # columns by which a block stands in
MOST_ALIKE = 6  # conditions of the same value at every visit that are tried
MOST_ACTIONS = 20
BARE = 2.5  # what a `return` costs less where a failing test got nothing


def can_stand(facts, node, text):
    """Whether a statement may stand where `node` does: a jump out of a loop needs one."""
    ends = text.endswith(("break", "continue")) and text.split()[-1] in ("break", "continue")
    return not ends or any(isinstance(up, LOOPS) for up in facts.source.ancestors(node))


BEFORE, BEHIND, ELSE = 0, 1, 2  # where a statement is put: beside another one, or where its condition does not hold


def places(facts):
    """Where a statement may be put in: (statement, where), before each and behind the last of a block."""
    for block in blocks(facts.source):
        for node, where in [(node, BEFORE) for node in block] + [(block[-1], BEHIND)]:
            if facts.is_relevant(node) and not (where and isinstance(node, JUMPS)):
                yield node, where


def put_in(facts, node, where, text, extra):
    """The edit that puts a statement there."""
    at, newline = facts.source.span(node)[where > BEFORE], "\n" + facts.source.indent(node)
    if where == ELSE:
        text = "else:\n" + " " * STEP + text.replace("\n", "\n" + " " * STEP)
    written = text.replace("\n", newline)
    return Edit(((at, at, newline + written if where else written + newline),), "", text, extra, asked=node)


def insertions(facts, templates, step=0.12):
    """Edits that insert each expansion of the templates at each place."""
    for node, behind in places(facts):
        remote = facts.remoteness(node)
        for text, extra in expand(facts, node, facts.scope(node), templates, step):
            if (behind or not text.startswith(LEAVING)) and can_stand(facts, node, text):
                extra -= BARE * (text.startswith("return") and facts.seen.is_bare)
                # The first `yield` makes what is called another kind of function, wherever it stands.
                extra = extra + 0.1 * behind + remote * (text[:5] != "yield" or facts.yields())
                yield put_in(facts, node, behind, text, extra)


for _name, _row in TABLES["insert"].items():
    operator(_name, _row["family"])(
        lambda facts, _node, row=_row: insertions(facts, row["edits"], row.get("step", 0.12))
    )


@lru_cache(None)
def actions(facts, node):
    """What may be done under a condition: what the function does elsewhere, then what rows of the table say."""
    found = [text for text, _ in statements(facts, node)]
    texts = [text for text in found if text.startswith(LEAVING)] + [
        text for text, _ in expand(facts, node, facts.scope(node), TABLES["actions"])
    ]
    return list(dict.fromkeys(text for text in texts + found if len(text) < 60 and can_stand(facts, node, text)))[
        :MOST_ACTIONS
    ]


@lru_cache(None)
def conditions(facts):
    """For each statement (condition, extra cost) of those that fail to hold at some visit of a failing test, of
    those of the same value at every visit some; more where it is not so in each of these tests."""
    asked = [
        (node, dict(predicates(facts, facts.scope(node))))
        for block in blocks(facts.source)
        for node in block
        if facts.is_relevant(node)
    ]
    worths = Foresight(facts).worths([(node, list(texts)) for node, texts in asked]) if asked else None
    found = {}
    for (node, texts), values in zip(asked, worths or ()):
        alike = defaultdict(int)
        for text, extra in texts.items():
            seen = values.get(text)
            fails = ["bool False" in visits for failed, visits in seen or () if failed]
            raised = seen and any(value[:6] == "raised" for _, visits in seen for value in visits)
            if seen and not raised and alike[repr(seen)] < MOST_ALIKE and (any(fails) or not fails):
                found.setdefault(node, []).append((text, extra + 0.5 * alike[repr(seen)] + (0 if all(fails) else 1.5)))
                alike[repr(seen)] += 1
    return found


@operator("condition_of_statement", "guard", ast.stmt)
def _(facts, node):
    """Do a statement only where a condition holds."""
    source = facts.source
    for condition, extra in (
        conditions(facts).get(node, ()) if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, *JUMPS)) else ()
    ):
        indent = source.indent(node) + " " * STEP
        new = f"if {condition}:\n{indent}{source.block_code([node], indent)}"
        yield Edit(((*source.span(node), new),), source.code(node), new, extra, asked=node)


@operator("leftover", "guard", *LOOPS)
def _(facts, node):
    """Do behind a loop once more what it does with a name that it gives new values, where something is left in it."""
    source = facts.source
    if not facts.is_relevant(node):
        return
    inside = list(ast.walk(node))
    given = {one.id for up in inside if isinstance(up, ast.Assign) for one in up.targets if isinstance(one, ast.Name)}
    for done in inside:
        code = source.code(done) if isinstance(done, (ast.Expr, ast.AugAssign)) else "\n"
        if "\n" in code or "await" in code:
            continue
        # What it calls is not handed over.
        parts = done.value.args if isinstance(done.value, ast.Call) else [done.value]
        handed = [one.id for part in parts for one in ast.walk(part) if isinstance(one, ast.Name)]
        for name in dict.fromkeys(one for one in handed if one in given):
            yield put_in(facts, node, BEHIND, f"if {name}:\n{' ' * STEP}{code}", 0.0)
