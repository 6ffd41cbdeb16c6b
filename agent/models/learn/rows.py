"""Generalises one edit to a row of the search engine's table of edits.

The smallest subtree that differs is generalised: what is equal on both sides becomes a part of the node (`{left}`), a name of
the function a slot (`$any`), a leaf that was exchanged for another one of its kind a slot of that kind (`$symbol`); what is left
must be known everywhere (built-ins, small numbers). The result is a label and a template of `engine/edits/tables.json`.
Source: anti-unification of edits, Bader et al. 2019, "Getafix", sec. 4.
"""
import ast
import builtins
import copy
import re

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
