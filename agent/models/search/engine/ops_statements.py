"""Operators on statements: delete, insert, copy, exchange branches, returns and names."""
import ast
from itertools import combinations

from facts import free_names
from operators import is_read, operator
from source import FUNCTIONS, Edit
from tables import TABLES
from templates import expand_all

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)
JUMPS = ("return", "break", "continue")
LOOPS = (ast.For, ast.While)
NOT_EDITED = FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom)


@operator("delete_statement", "delete", ast.stmt)
def _(facts, node):
    source = facts.source
    if isinstance(node, NOT_EDITED) or source.is_elif(node):
        return
    yield source.replace(node, "pass", 0.4 * isinstance(node, LOOPS + (ast.Return, ast.If)))
    if isinstance(node, ast.If) and not source.shares_line(node.body[0]):
        if not node.orelse:
            yield source.replace(node, source.block_code(node.body, source.indent(node)), 0.3)
        elif not source.is_elif(node.orelse[0]):
            start, end = source.block_span(node.body)[1], source.block_span(node.orelse)[1]
            yield Edit(((start, end, ""),), source.code(node.orelse[0]), "", 0.4)
            indent = source.indent(node)
            moved = "\n" + indent + source.block_code(node.orelse, indent)
            yield Edit(((start, end, moved),), "else: " + source.code(node.orelse[0]), source.code(node.orelse[0]), 0.4)


def chain(source, node):
    """The blocks and the conditions of an if/elif/else chain."""
    blocks, tests = [node.body], [node.test]
    while node.orelse and source.is_elif(node.orelse[0]):
        node = node.orelse[0]
        blocks.append(node.body)
        tests.append(node.test)
    return blocks + ([node.orelse] if node.orelse else []), tests


@operator("branches", "swap", ast.If)
def _(facts, node):
    source = facts.source
    if source.is_elif(node):
        return
    blocks, tests = chain(source, node)
    for a, b in combinations(blocks, 2):
        a, b = source.block_span(a), source.block_span(b)
        old, new = source.text[a[0]:a[1]], source.text[b[0]:b[1]]
        yield Edit(((*a, new), (*b, old)), old + " … " + new, new + " … " + old, 0.1 * (len(blocks) - 2))
    for a, b in combinations(tests, 2):
        yield source.swap(a, b, 0.4)


def insertions(facts, block, texts):
    """Edits that insert each (text, extra) before each statement of a block and behind its last."""
    source = facts.source
    indent = source.indent(block[0])
    for statement in block:
        if facts.relevant(statement) and not source.is_elif(statement):
            start = source.span(statement)[0]
            for text, extra in texts(statement):
                if not text.startswith(JUMPS):      # what follows would never run
                    yield Edit(((start, start, text + "\n" + indent),), "", text, extra)
    last = block[-1]
    if facts.relevant(last) and not isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
        end = source.span(last)[1]
        for text, extra in texts(last):
            yield Edit(((end, end, "\n" + indent + text),), "", text, extra + 0.1)


def open_blocks(facts):
    return [(owner, block) for owner, _, block in facts.source.blocks()
            if not facts.source.shares_line(block[0]) and not isinstance(owner, ast.ClassDef)]


@operator("copy_statement", "copy")
def _(facts, _node):
    source = facts.source

    def texts(place):
        for node in source.statements:
            text = source.code(node)
            copied = node is not place and isinstance(node, SIMPLE) and "\n" not in text
            if copied and facts.readable(place, read_names(node)):
                yield text, 0.0
    for owner, block in open_blocks(facts):
        yield from insertions(facts, block, texts)


def read_names(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and is_read(n)} & free_names(node)


for _name, _templates in TABLES["insert"].items():
    @operator(_name, "insert")
    def _(facts, _node, templates=_templates):
        for owner, block in open_blocks(facts):
            yield from insertions(facts, block, lambda place: expand_all(facts, place, templates))


@operator("exchange_returns", "returns")
def _(facts, _node):
    """Exchange the values of two returns, or flip all that are True or False."""
    source = facts.source
    values = [s.value for s in source.statements if isinstance(s, ast.Return) and s.value]
    for a, b in combinations(values, 2):
        if source.code(a) != source.code(b):
            yield source.swap(a, b)
    flags = [v for v in values if isinstance(v, ast.Constant) and isinstance(v.value, bool)]
    if len(flags) > 1:
        yield Edit(tuple((*source.span(v), str(not v.value)) for v in flags), "True and False", "exchanged in all returns")


@operator("exchange_names", "names")
def _(facts, _node):
    """Exchange two names of like type: everywhere, in a statement, in a condition."""
    source = facts.source
    places = [n for n in source.expressions if isinstance(n, ast.Name)]
    parts = [s for s in source.statements if isinstance(s, SIMPLE)]
    parts += [n for n in source.expressions if isinstance(n, (ast.Compare, ast.BoolOp, ast.Tuple))]
    names = [n for n in facts.local_names(source.function_of(source.target)) if any(p.id == n for p in places)]
    for a, b in combinations(names, 2):
        if facts.alike(facts.name_types(a), facts.name_types(b)):
            for part in [None] + parts:
                start, end = source.span(part) if part is not None else (0, len(source.text))
                inside = [(source.span(p), p.id) for p in places if start <= source.span(p)[0] < end]
                if {a, b} <= {name for _, name in inside}:
                    new = {a: b, b: a}
                    yield Edit(tuple((*span, new[name]) for span, name in inside if name in new), f"{a}, {b}", f"{b}, {a}",
                               0.0 if part is None else 0.1)
