"""Pairs of code before and after a fix: planted in functions that are taken to be right, or read from two versions
of a file. Stands behind `rows.py` in the script that the sandbox runs."""

import ast
import copy
from collections import defaultdict
from itertools import combinations

from rows import (
    COMPOUND,
    KNOWN,
    SIMPLE,
    dump,
    expression_rows,
    is_condition,
    label_of,
    own_names,
    parts_of,
    statement_rows,
)

MOST_ITEMS = 4  # of a list of arguments that are left out or exchanged


def rows_planted(function):
    """(label, template, before, after) for every bug that is planted in a function; None is a statement that is not
    there."""
    names, nodes = own_names(function), [n for n in ast.walk(function) if n is not function]
    parent = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    counts = defaultdict(int)
    for node in nodes:
        counts[dump(node)] += isinstance(node, (ast.expr, ast.stmt))
    twice = {text for text, count in counts.items() if count > 1}
    for before, after, place in planted(nodes):
        for label, template in expression_rows(before, after, names, twice, is_asked(place, parent)):
            yield label, template, before, after
    for node in nodes:
        if isinstance(node, COMPOUND) and not isinstance(node, ast.Slice) and dump(node) in twice:
            yield "place", "$copy", ast.Constant(None), node
        if isinstance(node, ast.comprehension) and node.ifs:
            yield "iterated", "{_} if $predicate", node.iter, node.ifs[0]
    yield from statements_planted(function, nodes, names, twice)


def statements_planted(function, nodes, names, twice):
    """The same for statements: missing, run without their condition, or superfluous."""
    statements = [n for n in nodes if isinstance(n, ast.stmt)]
    for owner in [function, *statements]:
        for block in (getattr(owner, "body", ()), getattr(owner, "orelse", ())):
            for one in block if isinstance(block, list) and len(block) > 1 else ():
                yield from ((label, template, None, one) for label, template in statement_rows(one, names, twice))
                if isinstance(one, (ast.Assign, ast.AugAssign, ast.Expr)):
                    if dump(one) in twice:
                        yield "insert", "$statement", None, one
                    yield label_of(one), "pass", one, None
    for one in statements:
        if isinstance(one, ast.If) and len(one.body) == 1 and not one.orelse and isinstance(one.body[0], SIMPLE):
            yield label_of(one.body[0]), "if $predicate: {_}", one.body[0], one


def is_asked(node, parent):
    """Whether what stands there is a condition."""
    up = parent.get(node)
    return (
        isinstance(up, ast.BoolOp)
        or node is getattr(up, "test", None)
        or node in getattr(up, "ifs", ())
        or isinstance(getattr(up, "op", None), ast.Not)
    )


def planted(nodes):
    """(before, after, node in whose place they stand) of every expression that is spoiled."""
    leaves, attributes = defaultdict(dict), {}
    for node in nodes:
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            continue
        if isinstance(node, (ast.Constant, ast.Name)):
            kind = type(node.value) if isinstance(node, ast.Constant) else "known" if node.id in KNOWN else "own"
            leaves[kind].setdefault(dump(node), node)
        if isinstance(node, ast.Attribute):
            other = attributes.setdefault(dump(node.value), node)
            yield from [(other, node, node)] if other.attr != node.attr else []
        if isinstance(node, COMPOUND):
            yield from ((before, after, node) for before, after in planted_in(node))
        if isinstance(node, ast.AugAssign):
            yield ast.Assign([node.target], node.value, lineno=0), node, node
            yield (
                ast.AugAssign(node.target, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.value),
                node,
                node,
            )
    for kind in leaves:
        yield from ((a, b, b) for a, b in combinations(list(leaves[kind].values())[:6], 2))


def planted_in(node):
    """An expression without all but one of its parts, without one of them, with two exchanged, and the other way
    round."""
    for path, part in parts_of(node):
        if path not in ("func", "slice", "lower", "upper", "step") and not isinstance(node, (ast.Tuple, ast.List)):
            yield part, node
            # A value where something was true or false is no bug that anybody makes.
            if not isinstance(node, ast.Compare) and is_condition(node) <= is_condition(part):
                yield node, part
    for field in ("args", "values", "comparators", "elts", "keywords"):
        items = (getattr(node, field, None) or ())[:MOST_ITEMS]
        for a, b in (
            combinations(range(len(items)), 2) if field != "keywords" and not isinstance(node, ast.BoolOp) else ()
        ):
            order = list(getattr(node, field))
            order[a], order[b] = order[b], order[a]
            yield changed(node, field, order), node
        for a in (
            range(len(items)) if field in ("args", "elts", "keywords") or field == "values" and len(items) > 2 else ()
        ):
            other = changed(node, field, [item for i, item in enumerate(getattr(node, field)) if i != a])
            yield other, node
            if field != "keywords" and len(items) > 1:
                yield node, other
    if isinstance(node, ast.Slice):
        bounds = [field for field in ("lower", "upper", "step") if getattr(node, field)]
        for field in bounds if len(bounds) > 1 else ():
            yield changed(node, field, None), node
            yield node, changed(node, field, None)
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body), node
    if isinstance(node, ast.BinOp):
        yield ast.BinOp(node.right, node.op, node.left), node
        yield changed(node, "op", ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()), node
    if isinstance(node, ast.BoolOp):
        yield changed(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()), node


def changed(node, field, value):
    other = copy.copy(node)
    setattr(other, field, value)
    return other


def changes(before, after):
    """The smallest subtrees that differ between two trees, as pairs; a missing statement has None before it."""
    if type(before) is not type(after) or isinstance(
        before, (ast.Constant, ast.Name, ast.operator, ast.cmpop, ast.boolop)
    ):
        return [(before, after)]
    found = []
    for field in before._fields:
        a, b = getattr(before, field, None), getattr(after, field, None)
        if dump(a) == dump(b) if not isinstance(a, list) else False:
            continue
        if isinstance(a, ast.expr) and isinstance(b, ast.expr):
            found += changes(a, b)
        elif isinstance(a, list) and isinstance(b, list):
            found += changes_of_lists(a, b) or ([] if [*map(dump, a)] == [*map(dump, b)] else [(before, after)])
        else:
            return [(before, after)]
    return found


def changes_of_lists(a, b):
    first = next((i for i, (x, y) in enumerate(zip(a, b)) if dump(x) != dump(y)), min(len(a), len(b)))
    if len(a) == len(b) and first < len(a):
        differ = [(x, y) for x, y in zip(a, b) if dump(x) != dump(y)]
        return (
            [one for x, y in differ for one in changes(x, y)]
            if all(isinstance(x, (ast.expr, ast.stmt)) for x, _ in differ)
            else []
        )
    if (
        len(b) == len(a) + 1
        and [*map(dump, a)] == [*map(dump, b[:first] + b[first + 1 :])]
        and isinstance(b[first], ast.stmt)
    ):
        return [(None, b[first])]
    return []


def functions_in(text):
    try:
        return [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError):
        return []
