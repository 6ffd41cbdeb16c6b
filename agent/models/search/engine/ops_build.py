"""Operators that put another expression in place: from templates, from nearby."""
import ast
import re

from facts import NUMBERS
from operators import is_place, operator
from tables import TABLES
from templates import expand_all


def typed(facts, node, kinds):
    """Extra cost of an operator for this type at a node; None where it cannot fit."""
    types = facts.types(node)
    wanted = {kind for word in kinds.split() for kind in (NUMBERS if word == "num" else {word})}
    return 0.0 if types & wanted else 1.0 if "any" in types else None


def add_rows(rows, family, with_node):
    """One operator for each row of a template table."""
    for name, row in rows.items():
        def edits(facts, node, kinds=row["types"], templates=row["templates"]):
            extra = typed(facts, node, kinds) if is_place(facts, node) else None
            if extra is None or (with_node and isinstance(node, ast.Constant)):
                return
            plain = facts.source.code(node)
            atom = facts.source.atom(node)
            for text, more in expand_all(facts, node, templates):
                if with_node:
                    text = re.sub(r"(^|.)\b_\b",
                                  lambda m: m.group(1) + (plain if m.group(1) in ("(", "[") else atom), text)
                if "math." not in text or "math" in facts.modules:
                    yield facts.source.replace(node, text, extra + more)
        operator(name, family, ast.expr)(edits)


@operator("copy_expression", "copy", ast.expr)
def _(facts, node):
    """An expression from elsewhere in the function."""
    if not is_place(facts, node):
        return
    up = facts.source.parent[node]
    for text, names, types, size in facts.pool():
        if facts.readable(node, names):
            apart = 0.0 if facts.alike(facts.types(node), types) else 1.2
            constant = 0.5 * isinstance(node, ast.Constant) - 0.4 * isinstance(up, ast.Return)
            yield facts.source.replace(node, text, 0.15 * size + apart + constant)


add_rows(TABLES["wrap"], "wrap", True)
add_rows(TABLES["build"], "build", False)
