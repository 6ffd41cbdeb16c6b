"""Operators that are no templates: delete and move statements, exchange returned values, take clauses together in the
other way, make a new list for each call."""

import ast
from itertools import combinations

from edits.operators import operator
from edits.slots import SIMPLE
from source import FUNCTIONS, JUMPS, Edit, is_docstring

CHANGEABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
INDENT = "    "


def blocks(source):
    """Every block of statements of the function that stands on lines of its own."""
    for owner in [source.target, *source.owners]:
        for field in ("body", "orelse", "finalbody") if not isinstance(owner, ast.ClassDef) else ():
            block = [s for s in getattr(owner, field, []) if not is_docstring(s)]
            if block and source.stands_alone(block[0]) and not source.is_elif(block[0]):
                yield block


@operator("delete_statement", "delete", ast.stmt)
def _(facts, node):
    """Delete a statement; of an `if` perhaps only the condition, with what follows where it is false."""
    source = facts.source
    if isinstance(node, FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom)) or source.is_elif(node):
        return
    yield source.replace(node, "pass", 0.4 * (not isinstance(node, SIMPLE) or isinstance(node, ast.Return)))
    if isinstance(node, ast.If) and source.stands_alone(node.body[0]):
        yield source.replace(node, source.block_code(node.body, source.indent(node)), 0.3)


@operator("exchange_returns", "returns")
def _(facts, _node):
    """Exchange the values of two returns."""
    returned = [
        (facts.source.span(n.value), facts.source.code(n.value))
        for n in facts.source.statements
        if isinstance(n, ast.Return) and n.value
    ]
    for (a, old), (b, new) in combinations(returned, 2):
        yield Edit(((*a, new), (*b, old)), f"{old} … {new}", f"{new} … {old}")


@operator("move_statement", "move", ast.stmt)
def _(facts, node):
    """Move a statement before its neighbour, out of its block, or into the block before it."""
    source = facts.source
    block = next((block for block in blocks(source) if node in block), [])
    if not block or isinstance(node, FUNCTIONS) or not source.stands_alone(node):
        return
    at, up = block.index(node), source.parent[node]
    # What comes to stand behind a `return` is deleted: another operator does that, and says so.
    if (
        at + 1 < len(block) and not isinstance(block[at + 1], JUMPS) and not facts.is_relevant(block[at + 1])
    ):  # what comes before it raised
        yield source.swap_lines(node, block[at + 1])
    if at:
        before = block[at - 1]
        yield from () if isinstance(node, JUMPS) else (source.swap_lines(before, node),)
        inner = getattr(before, "orelse", None) or getattr(before, "body", None)
        if isinstance(before, (ast.For, ast.While, ast.If)) and source.stands_alone(inner[0]):
            yield source.move(node, inner[-1], source.indent(inner[0]), 0.2)
    if at and at == len(block) - 1 and isinstance(up, (ast.For, ast.While, ast.If)) and not getattr(up, "orelse", None):
        yield source.move(node, None, source.indent(up), 0.1)
        if isinstance(source.parent[up], (ast.For, ast.While, ast.If)) and not source.parent[up].orelse:
            yield source.move(node, None, source.indent(source.parent[up]), 0.3)
    if at == 0 and len(block) > 1 and isinstance(up, (ast.For, ast.While, ast.If)) and not source.is_elif(up):
        yield source.move(node, up, source.indent(up), 0.3)


@operator("regroup_clauses", "regroup", ast.BoolOp)
def _(facts, node):
    """Take the clauses of an `and` and an `or` together in the other way: `a and b or c`, `a and (b or c)`."""
    source, sign = facts.source, "and" if isinstance(node.op, ast.And) else "or"
    inner = "or" if sign == "and" else "and"
    if len(node.values) != 2:
        return
    for at, part in enumerate(node.values):
        if not isinstance(part, ast.BoolOp) or len(part.values) != 2:
            continue
        (a, b), other = map(source.atom, part.values), source.atom(node.values[1 - at])
        text = f"{other} {sign} {a}" if at else f"{b} {sign} {other}"
        grouped = f"({text})" if sign == "or" else text
        whole = f"{grouped} {inner} {b}" if at else f"{a} {inner} {grouped}"
        yield source.replace(node, whole)


def first_line_of(source, function):
    """The first statement of a function that stands on a line of its own; None if there is none."""
    first = next((one for one in function.body if not is_docstring(one)), None)
    return first if first and source.stands_alone(first) else None


def own_defaults(function):
    """(name, default) of each parameter that has one."""
    args = function.args
    named = (args.posonlyargs + args.args)[-len(args.defaults) :] if args.defaults else []
    return [
        (arg.arg, node) for arg, node in [*zip(named, args.defaults), *zip(args.kwonlyargs, args.kw_defaults)] if node
    ]


@operator("own_default", "defaults")
def _(facts, _node):
    """Make a new list in each call, where all calls share the default, and for each object, where all of a class do."""
    source = facts.source
    for function in [source.target, *source.statements]:
        first = first_line_of(source, function) if isinstance(function, FUNCTIONS) else None
        if not first:
            continue
        at, indent = source.span(first)[0], source.indent(first)
        for name, node in own_defaults(function):
            if isinstance(node, CHANGEABLE):
                code = source.code(node)
                new = f"if {name} is None:\n{indent}{INDENT}{name} = {code}\n{indent}"
                yield Edit(
                    ((*source.span(node), "None"), (at, at, new)), code, f"None, and {name} = {code} in each call"
                )
        around = source.parent.get(function)
        if function.name != "__init__" or not isinstance(around, ast.ClassDef) or not function.args.args:
            continue
        for one in around.body:
            if (
                isinstance(one, ast.Assign)
                and isinstance(one.value, CHANGEABLE)
                and isinstance(one.targets[0], ast.Name)
            ):
                new = f"{function.args.args[0].arg}.{source.code(one)}"
                yield Edit(((at, at, f"{new}\n{indent}"),), "", new, 0.3)
