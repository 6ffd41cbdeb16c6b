"""Places for statements that are made by what they do, and what may be done under a condition."""

import ast
from functools import lru_cache

from edits.slots import expand, statements
from edits.tables import TABLES
from source import JUMPS, Edit, is_docstring

LOOPS = (ast.For, ast.While, ast.AsyncFor)
LEAVING = ("return", "break", "continue", "raise")
STEP = 4  # columns by which a block stands in
MOST_ACTIONS = 20


def blocks(source):
    """Every block of statements of the function that stands on lines of its own."""
    for owner in [source.target, *source.owners]:
        for field in ("body", "orelse", "finalbody") if not isinstance(owner, ast.ClassDef) else ():
            block = [s for s in getattr(owner, field, []) if not is_docstring(s)]
            if block and source.stands_alone(block[0]) and not source.is_elif(block[0]):
                yield block


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
    return Edit(((at, at, newline + written if where else written + newline),), "", text, extra)


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
