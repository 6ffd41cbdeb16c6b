"""Learns rows of the search engine's table of edits from code. Runs in the sandbox; prints one line of JSON.

A pair is a function before and after a fix. The smallest subtree that differs is generalised: what is equal on both sides
becomes a part of the node (`{left}`), a name of the function a slot (`$any`), a leaf that was exchanged for another one of its
kind a slot of that kind (`$symbol`); what is left must be known everywhere (built-ins, small numbers). The result is a label
and a template of `engine/edits/tables.json`. Source: anti-unification of edits, Bader et al. 2019, "Getafix", sec. 4.

Pairs come from fixes (`pairs`), or are planted in functions that are taken to be right (`sources`): an expression loses all but
one of its parts, has its parts exchanged, or a leaf gives way to another one of its kind; a statement is left out.
"""
import ast
import base64
import builtins
import copy
import json
import re
import warnings
import zlib
from collections import defaultdict
from itertools import combinations

MARK = "LEARNED_ROWS"
KNOWN = set(dir(builtins))
PLAIN = (0, 1, 2, -1, "", " ", None, True, False)
COMPOUND = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Subscript, ast.IfExp)
OPAQUE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.Yield, ast.YieldFrom,
          ast.Await, ast.NamedExpr, ast.Starred)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)
FIELDS = ("left", "op", "right", "operand", "ops", "comparators", "values", "func", "args", "value", "slice", "test", "body",
          "orelse", "elts")
LEAVES = {"op": "symbol", "ops": "symbol", "id": "variable", "attr": "sibling", "value": ""}
MOST_CHARS, MOST_SLOTS = 60, 1


def dump(node):
    return ast.dump(node) if isinstance(node, ast.AST) else repr(node)


def parts_of(node):
    """(path, part) of an expression, as templates of the table name them."""
    for field in FIELDS:
        value = getattr(node, field, None)
        for number, part in enumerate(value) if isinstance(value, list) else [("", value)]:
            if isinstance(part, ast.expr):
                yield f"{field}{number}", part
                if field == "func" and isinstance(part, ast.Attribute):
                    yield "func.value", part.value


def own_names(function):
    """Parameters and variables of a function."""
    return {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)} | {
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


class NoTemplate(Exception):
    """The new code holds what is not known elsewhere."""


class Generaliser(ast.NodeTransformer):
    """Puts parts and slots in the place of what a function alone knows."""

    def __init__(self, parts, names):
        self.parts, self.names, self.used, self.slots = parts, names, set(), {}

    def visit(self, node):
        path = isinstance(node, ast.expr) and self.parts.get(dump(node))
        if path:
            self.used.add(path)
            return ast.Name(f"PART_{path.replace('.', '_DOT_')}_END", ast.Load())
        if isinstance(node, OPAQUE):
            raise NoTemplate
        return super().visit(node)

    def visit_Name(self, node):
        if node.id in KNOWN:
            return node
        if node.id not in self.names:
            raise NoTemplate
        number = self.slots.setdefault(node.id, len(self.slots))
        return ast.Name(f"SLOT_any{number or ''}_END", ast.Load())

    def visit_Constant(self, node):
        if not any(node.value is plain or node.value == plain and type(node.value) is type(plain) for plain in PLAIN):
            raise NoTemplate
        return node


def written(node):
    text = re.sub(r"PART_(\w+?)_END", lambda m: "{" + m.group(1).replace("_DOT_", ".") + "}", ast.unparse(node))
    return re.sub(r"SLOT_(\w+?)_END", r"$\1", text)


def kind_of(node):
    """The label of a node with the number of its parts."""
    counted = next((getattr(node, field) for field in ("args", "ops", "values", "elts") if isinstance(getattr(node, field, None), list)), None)
    return type(node).__name__ + (f"({len(counted)})" if counted is not None else "")


def leaf_row(before, after):
    """The row for one leaf exchanged for another of its kind; None where more differs."""
    if isinstance(before, ast.Constant) and isinstance(after, ast.Constant):
        kind = type(before.value).__name__
        slot = {"bool": "$symbol", "int": "$number", "float": "$number", "str": "$string"}.get(kind)
        return slot and type(after.value).__name__ == kind and (f"Constant({kind})", slot)
    if isinstance(before, ast.Name) and isinstance(after, ast.Name):
        return "Name", "$sibling" if {before.id, after.id} & KNOWN else "$variable"
    if isinstance(before, ast.Attribute) and isinstance(after, ast.Attribute) and dump(before.value) == dump(after.value):
        return "Attribute", "{value}.$sibling"
    if isinstance(before, ast.BinOp) and isinstance(after, ast.BinOp) and [dump(before.left), dump(before.right)] == [dump(after.left), dump(after.right)]:
        return "BinOp", "{left} $symbol {right}"
    if isinstance(before, ast.BinOp) and isinstance(after, ast.BinOp) and dump(before.op) == dump(after.op) and [dump(before.right), dump(before.left)] == [dump(after.left), dump(after.right)]:
        return "BinOp", "{right} {op} {left}"
    if isinstance(before, ast.BoolOp) and isinstance(after, ast.BoolOp) and [*map(dump, before.values)] == [*map(dump, after.values)]:
        return "BoolOp", "{values:$symbol}"
    return None


def expression_row(before, after, names):
    """(label, template) of an expression that became another one; None where nothing general is in it."""
    row = leaf_row(before, after)
    if row is not None:
        return row or None
    parts = {} if isinstance(before, ast.Constant) else {dump(before): "_"}
    for path, part in parts_of(before):
        parts.setdefault(dump(part), path)
    general = Generaliser(parts, names)
    try:
        text = written(general.visit(copy.deepcopy(after)))
    except NoTemplate:
        return None
    if not general.used or text == "{_}" or len(general.slots) > MOST_SLOTS or len(text) > MOST_CHARS:
        return None
    return ("place" if general.used == {"_"} else kind_of(before)), text


def statement_row(statement, names):
    """(`insert`, template) of a simple statement that was missing."""
    if not isinstance(statement, SIMPLE):
        return None
    general = Generaliser({}, names)
    try:
        text = written(general.visit(copy.deepcopy(statement)))
    except NoTemplate:
        return None
    named = general.slots or isinstance(statement, (ast.Break, ast.Continue, ast.Return))
    return ("insert", text) if named and len(general.slots) <= 2 and len(text) <= MOST_CHARS and "\n" not in text else None


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


def learn(sources, pairs):
    """Rows with the files that speak for them, and an example of each."""
    found = {}

    def see(before, after, names, file):
        row = statement_row(after, names) if before is None else expression_row(before, after, names)
        if row and isinstance(after, (ast.expr, ast.stmt)):
            one = found.setdefault(row, {"files": set(), "count": 0, "examples": []})
            one["files"].add(file)
            one["count"] += 1
            if len(one["examples"]) < 2 and file not in [example["file"] for example in one["examples"]]:
                code = {"before": before and ast.unparse(before), "after": ast.unparse(after), "file": file}
                one["examples"] += [code] if len(code["after"]) < 100 else []
    for source in sources:
        for function in functions_in(source["text"]):
            names = own_names(function)
            for before, after in planted(function):
                see(before, after, names, source["file"])
    for pair in pairs:
        olds = {function.name: function for function in functions_in(pair["before"])}
        for after in functions_in(pair["after"]):
            differ = changes(olds[after.name], after) if after.name in olds else []
            if len(differ) == 1:
                see(*differ[0], own_names(after), pair["file"])
    return [{"label": label, "template": template, "files": sorted(one["files"]), "count": one["count"], "examples": one["examples"]}
            for (label, template), one in sorted(found.items(), key=lambda item: (-len(item[1]["files"]), item[0]))]


def main(job):
    """Prints the rows, compressed: a sandbox keeps little of what a program prints."""
    warnings.simplefilter("ignore")
    rows = json.dumps(learn(job["sources"], job["pairs"]))
    print(MARK, base64.b64encode(zlib.compress(rows.encode(), 9)).decode())
