"""Pairs of code before and after a fix: planted in functions that are taken to be right, or read from two versions of a file.
Stands behind `rows.py` in the script that the sandbox runs."""
import ast
import copy
from collections import defaultdict
from itertools import combinations

from rows import COMPOUND, KNOWN, SIMPLE, dump, parts_of


def planted(function):
    """(before, after) of every bug that is planted in a function: expressions, or None before a missing statement."""
    leaves = defaultdict(dict)
    for node in ast.walk(function):
        if isinstance(node, (ast.Constant, ast.Name)) and not isinstance(getattr(node, "ctx", None), ast.Store):
            kind = type(node.value) if isinstance(node, ast.Constant) else "known" if node.id in KNOWN else "own"
            leaves[kind].setdefault(dump(node), node)
    for kind in leaves:
        yield from combinations(list(leaves[kind].values())[:6], 2)
    for parent in ast.walk(function):
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, COMPOUND) and not isinstance(parent, ast.Expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                yield from planted_in(node)
        for field in ("body", "orelse"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and len(block) > 1:
                yield from ((None, statement) for statement in block if isinstance(statement, SIMPLE))


def planted_in(node):
    """An expression without all but one of its parts, the reverse, and with two parts exchanged."""
    parts = [part for path, part in parts_of(node) if path not in ("func", "slice")]
    for part in parts:
        yield part, node
        yield node, part
    for field in ("args", "values", "comparators"):
        for a, b in combinations(range(len(getattr(node, field, None) or ())), 2):
            other = copy.deepcopy(node)
            items = getattr(other, field)
            items[a], items[b] = items[b], items[a]
            yield other, node
    if isinstance(node, ast.BinOp):
        yield ast.BinOp(node.right, node.op, node.left), node
        others = [op for op in (ast.Add(), ast.Sub(), ast.Mult()) if type(op) is not type(node.op)]
        yield from ((ast.BinOp(node.left, op, node.right), node) for op in others[:1])
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values), node


def changes(before, after):
    """The smallest subtrees that differ between two trees, as pairs; a missing statement has None before it."""
    if type(before) is not type(after) or isinstance(before, (ast.Constant, ast.Name, ast.operator, ast.cmpop, ast.boolop)):
        return [(before, after)]
    found = []
    for field in before._fields:
        a, b = getattr(before, field, None), getattr(after, field, None)
        if dump(a) == dump(b) and not isinstance(a, list):
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
        return [one for x, y in differ for one in changes(x, y)] if all(isinstance(x, (ast.expr, ast.stmt)) for x, _ in differ) else []
    if len(b) == len(a) + 1 and [*map(dump, a)] == [*map(dump, b[:first] + b[first + 1:])] and isinstance(b[first], ast.stmt):
        return [(None, b[first])]
    return []


def functions_in(text):
    try:
        return [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError):
        return []
