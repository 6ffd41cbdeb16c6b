"""Statements put in: rows of the table, copies and likenesses of other statements, guards, and `else` branches."""
import ast
from functools import lru_cache
from typing import NamedTuple

from edits.made import fresh
from foresee import Foresight
from edits.operators import operator
from edits.slots import expand, predicates, statements
from source import Edit, blocks
from edits.tables import TABLES

JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)
LOOPS = (ast.For, ast.While, ast.AsyncFor)
LEAVING = ("return", "break", "continue", "raise")
STEP = 4                    # columns by which a block stands in
MOST_ALIKE = 6              # conditions of the same value at every visit that are tried
MOST_ACTIONS, MOST_RESULTS = 20, 6
BARE = 2.5                  # what a `return` costs less where a failing test got nothing


def can_stand(facts, node, text):
    """Whether a statement may stand where `node` does: a jump out of a loop needs one."""
    words = text.split()
    in_loop = any(isinstance(up, LOOPS) for up in facts.source.ancestors(node))
    return in_loop or words[-1] not in ("break", "continue")


def insertions(facts, templates, step=0.12):
    """Edits that insert each expansion of the templates before each statement, and behind the last of a block."""
    for block in blocks(facts.source):
        for node, behind in [(node, False) for node in block] + [(block[-1], True)]:
            if facts.is_relevant(node) and not (behind and isinstance(node, JUMPS)):
                at, newline = facts.source.span(node)[behind], "\n" + facts.source.indent(node)
                for text, extra in expand(facts, node, facts.scope(node), templates, step):
                    written = text.replace("\n", newline)
                    new = newline + written if behind else written + newline
                    if (behind or not text.startswith(LEAVING)) and can_stand(facts, node, text):
                        extra -= BARE * (text.startswith("return") and facts.seen.is_bare)
                        yield Edit(((at, at, new),), "", text, extra + 0.1 * behind + facts.remoteness(node),
                                   asked=node)


for _name, _row in TABLES["insert"].items():
    operator(_name, _row["family"])(
        lambda facts, _node, row=_row: insertions(facts, row["edits"], row.get("step", 0.12)))


@lru_cache(None)
def actions(facts, node):
    """What may be done under a condition: what the function does elsewhere, then what rows of the table say."""
    found = dict.fromkeys(text for text, _ in statements(facts, node) if can_stand(facts, node, text))
    returned = [facts.source.code(one) for one in facts.source.statements if isinstance(one, ast.Return)]
    texts = [text for text in found if text.startswith(LEAVING)] + [text for text in returned if text not in found]
    unused = [text for text, _ in fresh(facts, facts.scope(node))[:MOST_RESULTS]]
    word = "yield" if facts.yields() else "return"
    texts = [f"{word} {text}" for text in unused] + texts
    texts += [text for text, _ in expand(facts, node, facts.scope(node), TABLES["actions"])
              if can_stand(facts, node, text)]
    texts += found
    return list(dict.fromkeys(text for text in texts if "\n" not in text and len(text) < 60))[:MOST_ACTIONS]


class Condition(NamedTuple):
    """A condition that may be asked before a statement, with what is known of it from the program as it is."""
    text: str
    extra: float
    number: int         # the same of those that hold at the same visits
    holds: tuple        # for each failing test whether it holds at some visit
    fails: tuple        # the same, whether it does not hold


@lru_cache(None)
def conditions(facts):
    """For each statement the conditions that are worth asking before it."""
    places = [node for block in blocks(facts.source) for node in block if facts.is_relevant(node)]
    asked = [(node, dict(predicates(facts, facts.scope(node)))) for node in places]
    worths = Foresight(facts).worths([(node, list(texts)) for node, texts in asked]) if asked else None
    found = {}
    for (node, texts), values in zip(asked, worths or ()):
        classes = {}
        for text, extra in texts.items():
            seen = values.get(text)
            if seen and not any(value[:6] == "raised" for _, visits in seen for value in visits):
                alike = classes.setdefault(repr(seen), [])
                holds, fails = (tuple(worth in visits for failed, visits in seen if failed) for worth in ("bool True", "bool False"))
                alike.append(Condition(text, extra + 0.5 * len(alike), len(classes), holds, fails))
        found[node] = [one for alike in classes.values() for one in alike[:MOST_ALIKE]]
    return found


def asked_before(facts, node, side):
    """(condition, extra cost): what never holds (or what always holds, `side`) in a failing test changes nothing there."""
    for one in conditions(facts).get(node, ()):
        tests = getattr(one, side)
        if any(tests) or not tests:
            yield one, one.extra + (0 if all(tests) else 1.5)


@operator("guard", "guard", ast.stmt)
def _(facts, node):
    """Put `if CONDITION: ACTION` before a statement."""
    for one, extra in asked_before(facts, node, "holds"):
        for rank, action in enumerate(actions(facts, node)):
            start, indent = facts.source.span(node)[0], facts.source.indent(node)
            new = f"if {one.text}:\n{indent}{' ' * STEP}{action}\n{indent}"
            leaves = action.startswith(LEAVING) and action != "continue"
            yield Edit(((start, start, new),), "", f"if {one.text}: {action}", extra + 0.1 * rank,
                       alike=("guard", node, one.number, action) if leaves else None,
                       asked=node)


@operator("condition_of_statement", "guard", ast.stmt)
def _(facts, node):
    """Do a statement only where a condition holds."""
    source = facts.source
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue, ast.Raise)):
        for one, extra in asked_before(facts, node, "fails"):
            indent = source.indent(node) + " " * STEP
            new = f"if {one.text}:\n{indent}{source.block_code([node], indent)}"
            yield Edit(((*source.span(node), new),), source.code(node), new, extra)


@operator("else_branch", "guard", ast.If)
def _(facts, node):
    """Give an `if` another branch."""
    source = facts.source
    if node.orelse or not source.stands_alone(node.body[0]):
        return
    end, indent = source.span(node)[1], source.indent(node)
    templates = [template for row in TABLES["insert"].values() for template in row["edits"]] + TABLES["actions"]
    for text, extra in expand(facts, node, facts.scope(node), templates, 0.05):
        if can_stand(facts, node, text):
            new = f"\n{indent}else:\n{indent}{' ' * STEP}{text}"
            yield Edit(((end, end, new),), "", f"else: {text}", extra)
