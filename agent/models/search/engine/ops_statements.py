"""Operators on statements: delete, insert, copy, exchange, move between blocks, guard, and returns."""
import ast
from itertools import combinations

from facts import free_names
from operators import is_read, operator
from ops_conditions import predicates
from source import FUNCTIONS, Edit
from tables import TABLES
from templates import expand_all

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)
JUMPS = ("return", "break", "continue")
LOOPS = (ast.For, ast.While)
NOT_EDITED = FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom)


def is_loop_body(facts, node):
    for up in facts.source.ancestors(node):
        if isinstance(up, FUNCTIONS):
            return False
        if isinstance(up, LOOPS):
            return True
    return False


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


@operator("move_block", "move")
def _(facts, _node):
    """Statements out of the end of a block, or into the block (or its `else`) before them."""
    source = facts.source
    for owner, field, block in source.blocks():
        if source.shares_line(block[0]):
            continue
        if isinstance(owner, LOOPS + (ast.If, ast.With)) and field == "body" and not getattr(owner, "orelse", None):
            for k in range(1, len(block)):
                yield moved(source, block[k - 1], block[k:], source.indent(owner), "", 0.1 * (len(block) - k - 1))
        indent = source.indent(block[0])
        for i, head in enumerate(block[:-1]):
            for k in range(i + 1, min(len(block), i + 3)):
                tail = block[i + 1:k + 1]
                if isinstance(head, LOOPS + (ast.If,)) and not head.orelse and not source.shares_line(head.body[-1]):
                    yield moved(source, head, tail, source.indent(head.body[-1]), "", 0.1 * len(tail))
                    yield moved(source, head, tail, indent + "    ", f"\n{indent}else:", 0.4 + 0.1 * len(tail))
                elif isinstance(head, ast.If) and head.orelse and not source.shares_line(head.orelse[-1]):
                    if not isinstance(head.orelse[-1], ast.If):
                        yield moved(source, head, tail, source.indent(head.orelse[-1]), "", 0.1 * len(tail))


def moved(source, before, block, indent, head, extra):
    """The edit that puts a block right behind `before` at another indentation."""
    span = source.span(before)[1], source.span(block[-1])[1]
    text = source.block_code(block, indent)
    described = (head.strip() + " " + text).strip() + " (moved)"
    return Edit(((*span, head + "\n" + indent + text),), source.code(block[0]), described, extra)


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


@operator("insert_guard", "guards")
def _(facts, _node):
    """`if condition: return value` (or break, continue, or an assignment the function makes)."""
    source = facts.source
    returned = [source.code(s.value) for s in source.statements if isinstance(s, ast.Return) and s.value]
    values = list(dict.fromkeys([v for v in returned if len(v) < 30] + ["True", "False", "None", "0", "[]", "''", "-1"]))
    set_again = [source.code(s) for s in source.statements
                 if isinstance(s, (ast.Assign, ast.AugAssign)) and isinstance(s.value, ast.Constant)]

    def texts(place):
        actions = [(f"return {v}", 0.0 if v in returned else 0.4) for v in values[:7]]
        actions += [(text, 0.2) for text in list(dict.fromkeys(set_again))[:4]]
        if is_loop_body(facts, place):
            actions += [("continue", 0.4), ("break", 0.4)]
        for condition, extra in predicates(facts, place)[:30]:
            for action, more in actions:
                yield f"if {condition}: {action}", extra + more
    for owner, block in open_blocks(facts):
        yield from insertions(facts, block, texts)


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
