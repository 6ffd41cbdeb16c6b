"""Rewrites edits as a person would write them: drops code without effect, and recognizes absurd code."""

import ast
import math
import re
from functools import lru_cache
from itertools import accumulate

from source import Edit, deep, difference, splice, walk

KEEPS = {"str", "int", "float", "bool", "list", "tuple", "set", "sorted", "abs"}  # a second one changes nothing
MADE_PLAINER = (ast.BinOp, ast.BoolOp, ast.IfExp, ast.Call)  # what may hold a part that changes nothing
FAILURE = re.compile(r"(Error|Exception|Warning)$")
PASS = re.compile(r"(?m)^[ \t]*pass[ \t]*$")
TRUTH = re.compile(r"\b(?:True|False)\b")
MOST_STEPS = 6
ABSURD_COST = 4  # of each absurd expression
PARITY = re.compile(
    r"\b(?:even|odd|parity|pairs?|halves|half|middle|median|alternat\w*|every other|divisible)\b|[%/] ?2\b", re.I
)


def number_of(node):
    """The value of a whole number that is written out; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def plainer_sum(node, code):
    left, right, adds = number_of(node.left), number_of(node.right), isinstance(node.op, ast.Add)
    if left is not None and right is not None:
        return str(left + right if adds else left - right)
    if right == 0:
        return code(node.left)
    if left == 0 and adds:
        return code(node.right)
    inner = node.left
    if (
        isinstance(inner, ast.BinOp)
        and right is not None
        and number_of(inner.right) == right
        and {type(inner.op), type(node.op)} == {ast.Add, ast.Sub}
    ):
        return code(inner.left)
    if (
        not adds
        and right is not None
        and isinstance(inner, ast.Call)
        and name_called(inner) == "sum"
        and len(inner.args) == 2
        and number_of(inner.args[1]) == right
    ):
        return f"sum({code(inner.args[0])})"
    return None


def plainer_product(node, code):
    left, right = number_of(node.left), number_of(node.right)
    if right == 1 and isinstance(node.op, (ast.Mult, ast.FloorDiv, ast.Pow)):
        return code(node.left)
    return code(node.right) if left == 1 and isinstance(node.op, ast.Mult) else None


def name_called(node):
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def plainer(node, code):
    """An expression without a part that changes nothing; None where it has no such part.

    `code`: of a part, as it is written.
    """
    if isinstance(node, ast.BinOp):
        return plainer_sum(node, code) if isinstance(node.op, (ast.Add, ast.Sub)) else plainer_product(node, code)
    if isinstance(node, ast.BoolOp):
        neutral = isinstance(node.op, ast.And)
        left = [one for one in node.values if not (isinstance(one, ast.Constant) and one.value is neutral)]
        return (" and " if neutral else " or ").join(map(code, left)) if 0 < len(left) < len(node.values) else None
    if isinstance(node, ast.IfExp) and isinstance(node.test, ast.Constant):
        return code(node.body if node.test.value else node.orelse)
    inner = only_argument(node)
    is_twice = name_called(node) in KEEPS and name_called(inner) == name_called(node)
    return code(inner, ()) if is_twice and only_argument(inner) else None


def only_argument(node):
    """Of a call with one argument that; else None."""
    return node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords else None


def is_absurd(node):
    """An exception that is made to be a value beside others, or a sum of truths: `bool(x) + y`."""
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = node.values if isinstance(node, ast.BoolOp) else sides
    return any(FAILURE.search(name_called(one)) for one in parts) or any(name_called(one) == "bool" for one in sides)


@lru_cache(1)
def nodes_of(program):
    return walk(deep(ast.parse, program))


def lists_in(nodes):
    """Names that stand for lists: something is appended to them, or a list or a slice is added."""
    for node in nodes:
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Add):
            sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.target, node.value]
            if any(map(is_list, sides)):
                yield from (one.id for one in sides if isinstance(one, ast.Name))
        elif isinstance(node, ast.Attribute) and node.attr in ("append", "extend") and isinstance(node.value, ast.Name):
            yield node.value.id


def is_list(node):
    """Whether an expression is a list by how it is written; a slice is one where it is added to others."""
    is_slice = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return is_slice or isinstance(node, (ast.List, ast.ListComp))


def parities(nodes):
    """Conditions on what is left of a division by two."""
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and number_of(node.right) == 2:
            yield node


@lru_cache(1)
def speaks_of_parity(text):
    return PARITY.search(text) is not None


@lru_cache(1)
def habits(program):
    """(the lists that it writes out, as `ast.dump` tells them, the names that stand for lists, whether it asks for
    parity) of a program."""
    nodes = walk(deep(ast.parse, program))
    written = {ast.dump(node) for node in nodes if isinstance(node, ast.List)}
    return written, {*lists_in(nodes)}, any(parities(nodes))


def absurdities(before, after, instruction):
    """Number of absurd expressions in an edited program: a list that holds a list beside a part or a sum of others, if
    lists were added before; a test of parity, if neither instruction nor program mentions it."""
    (known, lists, has_parities), nodes = habits(before), nodes_of(after)

    def is_nested(node):
        held = [one for one in node.elts if isinstance(one, ast.Name) and one.id in lists]
        return bool(held) and any(map(is_list, node.elts)) and ast.dump(node) not in known

    nested = sum([is_nested(node) for node in nodes if isinstance(node, ast.List)])
    return nested + (0 if has_parities or speaks_of_parity(instruction + before) else len([*parities(nodes)]))


def spans_in(program):
    """A function that gives the start and the end of a node of a program in its text."""
    lines = program.split("\n")
    starts, is_ascii = [0, *accumulate(len(line) + 1 for line in lines)], program.isascii()

    def offset(line, column):
        return starts[line - 1] + (column if is_ascii else len(lines[line - 1].encode()[:column].decode()))

    return lambda node: (offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset))


def in_brackets(program, start, end, first=math.inf, last=0):
    """A part with the brackets around it that lie inside of what holds it."""
    while first <= start - 1 and end + 1 <= last and program[start - 1] == "(" and program[end] == ")":
        start, end = start - 1, end + 1
    return program[start:end]


def plain(before, after):
    """An edited program without the code that the edit added and that has no effect; None if the edit is absurd. Code
    that was there before stays."""
    for _ in range(MOST_STEPS):
        span = spans_in(after)
        for node in nodes_of(after):
            if not isinstance(node, MADE_PLAINER):
                continue
            start, end = span(node)
            if after[start:end] in before:
                continue
            if is_absurd(node):
                return None
            new = plainer(node, lambda part, around=(start, end): in_brackets(after, *span(part), *around))
            if new is not None:
                after = after[:start] + new + after[end:]
                break
        else:
            return after
    return after


def needless(program):
    """The lines of each `pass` that stands alone on its line and beside other statements of its block."""
    lines = program.split("\n")
    for node in walk(deep(ast.parse, program)):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            empty = [one for one in block if isinstance(one, ast.Pass)]
            # Of a block that holds nothing else one has to stay.
            for one in empty if len(empty) < len(block) else empty[1:]:
                if PASS.fullmatch(lines[one.lineno - 1]):
                    yield one.lineno


def without_pass(before, edit):
    """An edit without the `pass` that it leaves beside other statements. Where the program has some, they all stay."""
    after = splice(before, edit.splices)
    if not after or not PASS.search(after):
        return edit
    lines = {*needless(after)}
    if not lines or any(needless(before)):
        return edit
    kept = "\n".join(line for number, line in enumerate(after.split("\n"), 1) if number not in lines)
    new = "" if edit.new == "pass" else edit.new
    return Edit(difference(before, kept).splices, edit.old, new, edit.extra, edit.operator)


def numbered(program):
    """Alike for programs that differ in truths that are written as numbers."""
    return TRUTH.sub(lambda found: str(int(found.group() == "True")), program)


def better_written(before, one, other):
    """Of two programs that differ in this alone the one that a person would write: truths where the program has
    some."""
    many, few = sorted((one, other), key=lambda text: -len(TRUTH.findall(text)))
    return many if TRUTH.search(before) else few
