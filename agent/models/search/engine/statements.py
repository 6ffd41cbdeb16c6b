"""Operators that are no templates: delete and insert statements, exchange branches, returned values, names."""
import ast
from itertools import combinations

from operators import operator
from slots import SIMPLE, expand
from source import FUNCTIONS, Edit, is_docstring
from tables import TABLES

JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)


@operator("delete_statement", "delete", ast.stmt)
def _(facts, node):
    """Delete a statement; of an `if` perhaps only the condition, with what follows where it is false."""
    source = facts.source
    if isinstance(node, FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom)) or source.is_elif(node):
        return
    yield source.replace(node, "pass", 0.4 * (not isinstance(node, SIMPLE) or isinstance(node, ast.Return)))
    if isinstance(node, ast.If) and source.stands_alone(node.body[0]):
        yield source.replace(node, source.block_code(node.body, source.indent(node)), 0.3)


@operator("branches", "swap", ast.If)
def _(facts, node):
    """Exchange the statements, or the conditions, of two branches that follow each other."""
    source, other = facts.source, node.orelse
    if other and source.is_elif(other[0]):
        yield source.swap(node.test, other[0].test, 0.4)
        other = other[0].body
    if other:
        a, b = source.span(node.body[0], node.body[-1]), source.span(other[0], other[-1])
        old, new = source.text[slice(*a)], source.text[slice(*b)]
        yield Edit(((*a, new), (*b, old)), f"{old} … {new}", f"{new} … {old}")


@operator("exchange_returns", "returns")
def _(facts, _node):
    """Exchange the values of two returns."""
    returned = [node.value for node in facts.source.statements if isinstance(node, ast.Return) and node.value]
    for a, b in combinations(returned, 2):
        yield facts.source.swap(a, b)


@operator("exchange_names", "names")
def _(facts, _node):
    """Exchange two variables of like type: everywhere, in a statement, in an expression."""
    source = facts.source
    places = [n for n in source.expressions if isinstance(n, ast.Name)]
    parts = [source.target, *source.statements, *source.expressions]
    parts = [n for n in parts if isinstance(n, FUNCTIONS + SIMPLE + (ast.Compare, ast.BoolOp, ast.Tuple))]
    for a, b in combinations(facts.scope(source.target), 2):
        for part in parts if facts.alike(facts.name_types(a), facts.name_types(b)) else ():
            start, end = source.span(part)
            inside = [n for n in places if n.id in (a, b) and start <= source.span(n)[0] < end]
            if {n.id for n in inside} == {a, b}:
                splices = tuple((*source.span(n), b if n.id == a else a) for n in inside)
                yield Edit(splices, f"{a}, {b}", f"{b}, {a}", 0.1 * (part is not source.target))


def blocks(source):
    """Every block of statements of the function that stands on lines of its own."""
    for owner in [source.target, *source.statements]:
        for field in ("body", "orelse", "finalbody") if not isinstance(owner, ast.ClassDef) else ():
            block = [s for s in getattr(owner, field, []) if not is_docstring(s)]
            if block and source.stands_alone(block[0]) and not source.is_elif(block[0]):
                yield block


def insertions(facts, templates):
    """Edits that insert each expansion of the templates before each statement, and behind the last of a block."""
    for block in blocks(facts.source):
        for node, behind in [(node, False) for node in block] + [(block[-1], True)]:
            if facts.is_relevant(node) and not (behind and isinstance(node, JUMPS)):
                at, newline = facts.source.span(node)[behind], "\n" + facts.source.indent(node)
                for text, extra in expand(facts, node, facts.scope(node), templates, 0.12):
                    new = newline + text if behind else text + newline
                    if behind or not text.startswith(("return", "break", "continue")):
                        yield Edit(((at, at, new),), "", text, extra + 0.1 * behind)


for _name, _row in TABLES["insert"].items():
    operator(_name, _row["family"])(lambda facts, _node, row=_row: insertions(facts, row["edits"]))
