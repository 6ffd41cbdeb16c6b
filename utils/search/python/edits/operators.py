"""The table of edit operators: each row names the operator, its family, the nodes it looks at, and yields edits."""

import ast
import re
from collections import namedtuple
from functools import lru_cache

from facts import type_name
from edits.parts import fill
from edits.slots import expand, sign_of
from source import Draft, name_of
from edits.tables import TABLES


# `nodes`: node types it is tried on; () = asked once for the whole function. `edits`: (facts, node) -> iterable of
# Edit.
# `labels`: each of the nodes has one of these; None = any.
Operator = namedtuple("Operator", "name family nodes edits labels")
OPERATORS = {}


def operator(name, family, *nodes, labels=None):
    """Decorator that adds a row to the table."""

    def add(edits):
        OPERATORS[name] = Operator(name, family, nodes, edits, labels)
        return edits

    return add


@lru_cache(None)
def labels(facts, node):
    """What rows of `expressions` may call a node: its kind, also with a number of parts (`Compare(1)`), the type of a
    constant (`Constant(int)`) or a name (`Attribute(days)`), what it calls (`range()`, `range(2)`), its sign, and where
    another expression may stand `place`, its role and the types of its values; `float()` in front of a sign that
    compares what is or may be floats."""
    kinds = [type(node).__name__, *([name_of(node.func)] if isinstance(node, ast.Call) else [])]
    more = [
        len(part)
        for part in map(vars(node).get, ("args", "ops", "values", "targets", "elts"))
        if isinstance(part, list)
    ]
    more += [type_name(node.value)] if isinstance(node, ast.Constant) else []
    more += [node.attr] if isinstance(node, ast.Attribute) else []
    more += [name_of(node.value.func)] if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else []
    found = {kind + detail for kind in kinds for detail in ["", "()", *(f"({detail})" for detail in more)]}
    if isinstance(node, ast.expr) and facts.is_place(node):
        found |= {"place", facts.role(node)} | facts.types(node)
    signs = {sign_of(part) for part in ast.iter_child_nodes(node)}
    if isinstance(node, ast.Compare):
        types = facts.types(node.left) | facts.types(node.comparators[0])
        signs |= {"float()" + sign for sign in signs} if "float" in types or types == {"any"} else set()
    return found | signs


def row_edits(facts, node, row):
    """The edits of a row of `expressions`: templates for the nodes that it names by their labels, `~` where not."""
    known = labels(facts, node)
    for wanted, unwanted, templates in row["cases"]:
        if not wanted.isdisjoint(known) and unwanted.isdisjoint(known):
            filled = [fill(facts.source, node, template, "bare" in row) for template in templates]
            for new, extra in expand(facts, node, facts.scope(node), filled, row.get("step", 0.1)):
                if "math." not in new or "math" in facts.modules:
                    more = row.get("extra", 0.0) + (UNLIKELY if is_unlikely(facts, node, new) else 0.0)
                    yield Draft(node, new, extra + more, "bare" in row)


UNLIKELY = 1.5  # added to the cost of an edit that a person would hardly write
SUM = re.compile(r"\s*(?:[-+*%]|//?)\s*(\S.*)", re.DOTALL)
OTHER_SIGN = {"<": "-", "<=": "+", ">": "+", ">=": "-"}  # on the left; on the right the other one


def is_unlikely(facts, node, new):
    """Whether a sum stands where another comparison would do, or begins with what an object has or a call of it
    gives, `self.now() % 10`; or a name keeps a value that nothing reads."""
    if isinstance(node, ast.Expr):
        (_, end), (_, last) = facts.source.span(node), facts.source.span(facts.source.target)
        kept = new.partition(" = ")[0]
        return kept.isidentifier() and not re.search(rf"\b{kept}\b", facts.source.text[end:last])
    code = facts.source.atom(node) if isinstance(node, ast.expr) else ""
    added = SUM.fullmatch(new[len(code) :]) if code and new.startswith(code) else None
    if not added:
        return False
    what = node.func if isinstance(node, ast.Call) else node
    if (
        isinstance(what, ast.Attribute)
        and name_of(what.value) == "self"
        and (node is not what or added.group(1) != "1")
    ):
        return True
    up = facts.source.parent[node]
    if not (isinstance(up, ast.Compare) and len(up.ops) == 1 and added.group(1) == "1"):
        return False
    is_left, sign = node is up.left, OTHER_SIGN.get(sign_of(up.ops[0]))
    return sign is not None and (added.group().strip()[0] == sign) == is_left


def cases(row):
    """The labels that a row asks for, those it does not want, and its templates."""
    for when, templates in row["edits"].items():
        words = when.split()
        yield ({word for word in words if word[0] != "~"}, {word[1:] for word in words if word[0] == "~"}, templates)


for _name, _row in TABLES["expressions"].items():
    _row["cases"] = list(cases(_row))
    operator(
        _name, _row["family"], ast.expr, ast.stmt, labels={label for wanted, _, _ in _row["cases"] for label in wanted}
    )(lambda facts, node, row=_row: row_edits(facts, node, row))
