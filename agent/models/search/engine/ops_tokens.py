"""Operators that exchange one token: comparison, arithmetic and boolean operators, constants, names, attributes."""
import ast
import re

from facts import BUILTINS, COLLECTIONS, NUMBERS
from operators import is_read, operator
from source import Edit
from tables import TABLES

COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
           ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}
ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
              ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}


def siblings(groups, name):
    return list(dict.fromkeys(other for group in groups if name in group for other in group if other != name))


@operator("compare", "comparison", ast.Compare)
def _(facts, node):
    source, items = facts.source, [node.left] + node.comparators
    for left, right, op in zip(items, items[1:], node.ops):
        old = COMPARE[type(op)]
        at = source.token(left, right, re.escape(old).replace(r"\ ", r"\s+"))
        for rank, new in enumerate(TABLES["compare_with"][old] if at else ()):
            spaced = new if not new.isalpha() or source.text[at[0] - 1] == " " else f" {new} "
            yield Edit(((*at, spaced),), old, new, 0.0 if rank < 2 else 0.4 + 0.1 * rank)


@operator("arithmetic", "arithmetic", ast.BinOp)
def _(facts, node):
    source, old = facts.source, ARITHMETIC.get(type(node.op))
    at = old and source.token(node.left, node.right, re.escape(old))
    if not at:
        return
    odd = 0.0 if old in "&|^" or facts.may_be(node.left, NUMBERS) else 1.5
    for rank, new in enumerate(TABLES["arithmetic_with"][old]):
        yield Edit(((*at, new),), old, new, 0.15 * rank + odd)
        yield source.replace(node, f"({source.atom(node.left)} {new} {source.atom(node.right)})", 0.15 * rank + odd + 0.3)


@operator("augmented", "arithmetic", ast.AugAssign)
def _(facts, node):
    old = ARITHMETIC.get(type(node.op))
    at = old and facts.source.token(node.target, node.value, re.escape(old + "="))
    if at:
        yield Edit(((*at, "="),), old + "=", "=", 0.3)
        for rank, new in enumerate(TABLES["arithmetic_with"][old]):
            yield Edit(((*at, new + "="),), old + "=", new + "=", 0.15 * rank)


@operator("accumulate", "arithmetic", ast.Assign)
def _(facts, node):
    at = len(node.targets) == 1 and facts.source.token(node.targets[0], node.value, "=")
    for rank, new in enumerate(("+=", "-=", "*=") if at and not isinstance(node.targets[0], ast.Tuple) else ()):
        yield Edit(((*at, new),), "=", new, 0.1 * rank)


@operator("boolean", "boolean", ast.BoolOp)
def _(facts, node):
    source, old = facts.source, "and" if isinstance(node.op, ast.And) else "or"
    new = "or" if old == "and" else "and"
    tokens = [source.token(a, b, rf"\b{old}\b") for a, b in zip(node.values, node.values[1:])]
    if not all(tokens):
        return
    yield Edit(tuple((*at, new) for at in tokens), old, new)
    for at in tokens if len(tokens) > 1 else ():
        yield Edit(((*at, new),), old, new, 0.4)


@operator("true_false", "constants", ast.Constant)
def _(facts, node):
    if isinstance(node.value, bool):
        yield facts.source.replace(node, str(not node.value))


def signed(facts, node):
    """A number constant with its sign: (node to replace, value)."""
    up = facts.source.parent[node]
    negative = isinstance(up, ast.UnaryOp) and isinstance(up.op, ast.USub)
    return (up, -node.value) if negative else (node, node.value)


@operator("step", "constants", ast.Constant)
def _(facts, node):
    if type(node.value) in (int, float):
        where, value = signed(facts, node)
        for new in (value + 1, value - 1):
            yield facts.source.replace(where, repr(new))


@operator("number", "constants", ast.Constant)
def _(facts, node):
    if type(node.value) not in (int, float):
        return
    where, value = signed(facts, node)
    found = {}
    usual = {0: 0, 1: 0, 2: .1, -1: .2, -value: .2, value + 2: .3, value - 2: .4, 3: .5, 10: .6}
    usual.update({value * 2: .5, value * 10: .7})
    told = {n: 0.2 + 0.02 * i for i, n in enumerate(facts.told_numbers)}
    near = {n + d: 0.9 for n in facts.told_numbers for d in (1, -1)}
    rare = dict.fromkeys((4, 5, 6, 7, 8, 9, 11, 12, 13, 100, 0.5), 1.4)
    sizes = dict.fromkeys(facts.sizes, 0.4)
    for table in (rare, near, sizes, dict.fromkeys(facts.numbers, 0.3), told, usual):
        found.update(table)
    if isinstance(value, int) and value % 2 == 0:
        found[value // 2] = 0.5
    for new, extra in found.items():
        if new not in (value, value + 1, value - 1):
            yield facts.source.replace(where, repr(new), extra)
    for name in facts.in_scope(node, NUMBERS | {"any"}):
        yield facts.source.replace(where, name, 0.3)


@operator("string", "constants", ast.Constant)
def _(facts, node):
    value = node.value
    if not isinstance(value, str):
        return
    found = {"": 0.0, " ": 0.1}
    cases = (value.upper(), value.lower(), value.swapcase())
    for rank, text in enumerate((value[:-1], value[1:], value.strip(), value[::-1]) + cases):
        found.setdefault(text, 0.1 + 0.05 * rank)
    for text in facts.strings + facts.told_strings:
        found.setdefault(text, 0.3)
    for text in [value[:i] + value[i + 1:] for i in range(1, len(value) - 1)][:40]:
        found.setdefault(text, 0.6)
    for text in ["0", "1", ",", ", ", "\n", "-", ".", "_", value + " ", " " + value]:
        found.setdefault(text, 0.9)
    for text, extra in found.items():
        if text != value:
            yield facts.source.replace(node, repr(text), extra)


@operator("variable", "names", ast.Name)
def _(facts, node):
    if facts.is_library(node):
        return
    types = facts.types(node) if is_read(node) else facts.name_types(node.id)
    for name in facts.scope(node):
        if name != node.id:
            apart = 0.0 if facts.alike(types, facts.name_types(name)) else 0.9
            yield facts.source.replace(node, name, apart + (0.0 if is_read(node) else 0.4))


@operator("function", "functions", ast.Name)
def _(facts, node):
    if not facts.is_library(node):
        return
    for rank, name in enumerate(siblings(TABLES["functions"], node.id)):
        yield facts.source.replace(node, name, 0.08 * rank)
    if node.id not in BUILTINS:
        for name in facts.functions:
            if name != node.id:
                yield facts.source.replace(node, name, 0.5)


@operator("attribute", "functions", ast.Attribute)
def _(facts, node):
    end = facts.source.span(node)[1]
    near = siblings(TABLES["methods"], node.attr)
    used = sorted({n.attr for n in facts.source.expressions if isinstance(n, ast.Attribute)} - set(near) - {node.attr})
    for rank, name in enumerate(near + used):
        extra = 0.05 * rank + (0.7 if name in used else 0.0)
        yield Edit(((end - len(node.attr), end, name),), node.attr, name, extra)


@operator("constant_to_length", "constants", ast.Constant)
def _(facts, node):
    if type(node.value) is int:
        for name in facts.in_scope(node, COLLECTIONS):
            yield facts.source.replace(node, f"len({name})")


@operator("exchange_functions", "functions")
def _(facts, _node):
    """Exchange two sibling functions or methods wherever they are called."""
    source = facts.source
    places = [(node, node.id) for node in source.expressions if isinstance(node, ast.Name) and facts.is_library(node)]
    places += [(node, node.attr) for node in source.expressions if isinstance(node, ast.Attribute)]
    names = sorted({name for _, name in places})
    for a in names:
        for b in siblings(TABLES["functions"] + TABLES["methods"], a):
            if a < b and b in names:
                new, splices = {a: b, b: a}, []
                for node, name in places:
                    end = source.span(node)[1]
                    splices += [(end - len(name), end, new[name])] if name in new else []
                yield Edit(tuple(splices), f"{a}, {b}", f"{b}, {a}")
