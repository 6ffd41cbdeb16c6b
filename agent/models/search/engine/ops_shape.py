"""Operators that change the shape of an expression: exchange, drop and regroup operands, unwrap calls."""
import ast
from itertools import combinations

from facts import NUMBERS
from operators import is_read, operator
from ops_tokens import ARITHMETIC
from source import Edit

MAIN_ORDER = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


@operator("swap_operands", "swap", ast.Compare, ast.BinOp)
def _(facts, node):
    source = facts.source
    if isinstance(node, ast.Compare):
        if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            yield source.swap(node.left, node.comparators[0])
    elif isinstance(node.op, MAIN_ORDER) or not facts.types(node) <= NUMBERS:
        yield source.swap(node.left, node.right)
        if type(node.op) in ARITHMETIC:
            sign = ARITHMETIC[type(node.op)]
            yield source.replace(node, f"{source.atom(node.right)} {sign} {source.atom(node.left)}", 0.1)


@operator("drop_operand", "drop", ast.BinOp, ast.UnaryOp)
def _(facts, node):
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.operand,)
    for side in sides:
        yield facts.source.replace(node, facts.source.code(side))


def flat(source, node):
    """The operands and operators of a chain like a + b * c as it reads."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not source.code(node).startswith("("):
        left, right = flat(source, node.left), flat(source, node.right)
        return left[0] + right[0], left[1] + [ARITHMETIC[type(node.op)]] + right[1]
    return [source.atom(node)], []


def joined(terms, signs):
    return terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:]))


def exchanged(items, i, j):
    items = list(items)
    items[i], items[j] = items[j], items[i]
    return items


@operator("regroup", "regroup", ast.BinOp)
def _(facts, node):
    """Permute and parenthesize a chain of three to five operands, or drop one of them."""
    source = facts.source
    terms, signs = flat(source, node)
    if isinstance(source.parent[node], ast.BinOp) or not 3 <= len(terms) <= 5:
        return
    for i, j in combinations(range(len(signs)), 2):
        changed = exchanged(signs, i, j)
        yield source.replace(node, joined(exchanged(terms, i + 1, j + 1), changed))
        yield source.replace(node, joined(terms, changed), 0.2)
    for i, j in combinations(range(len(terms)), 2):
        yield source.replace(node, joined(exchanged(terms, i, j), signs), 0.3)
        if j - i + 1 < len(terms):
            group = "(" + joined(terms[i:j + 1], signs[i:j]) + ")"
            yield source.replace(node, joined(terms[:i] + [group] + terms[j + 1:], signs[:i] + signs[j:]), 0.1)
    for i in range(len(terms)):
        kept = signs[:max(i - 1, 0)] + signs[max(i, 1):]
        yield source.replace(node, joined(terms[:i] + terms[i + 1:], kept), 0.3)


@operator("unwrap", "unwrap", ast.Call, ast.Subscript)
def _(facts, node):
    """`f(x)` -> `x`, `x.f()` -> `x`, `x[i]` -> `x` or `i`."""
    source = facts.source
    if isinstance(node, ast.Subscript):
        yield source.replace(node, source.code(node.value))
        if not isinstance(node.slice, ast.Slice) and is_read(node):
            yield source.replace(node, source.code(node.slice), 0.2)
    elif not isinstance(source.parent[node], ast.Expr):
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp):
                yield source.replace(node, "[" + source.code(argument).strip("()") + "]", 0.3)
            elif not isinstance(argument, ast.Starred):
                yield source.replace(node, source.code(argument), 0.1 * (len(node.args) > 1))
        if isinstance(node.func, ast.Attribute) and not facts.is_library(node.func.value):
            yield source.replace(node, source.code(node.func.value))


@operator("swap_branches", "swap", ast.IfExp)
def _(facts, node):
    yield facts.source.swap(node.body, node.orelse)
    yield facts.source.replace(node, facts.source.code(node.body), 0.5)
    yield facts.source.replace(node, facts.source.code(node.orelse), 0.5)
