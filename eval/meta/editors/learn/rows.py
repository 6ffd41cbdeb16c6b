"""Generalises one edit to rows of the search engine's table of edits.

The smallest subtree that differs is generalised: what is equal on both sides becomes a part of the node (`{left}`); a
name of the function a slot of the kind that its use asks for (`$num`, else `$any`); a condition the slot of conditions
(`$predicate`); code that stands elsewhere in the function the slot of copies (`$copy`); a leaf that was exchanged for
another one of its kind a slot of that kind (`$symbol`). What is left must be known everywhere (built-ins, small
numbers). One edit gives a row on each level, and the number of files that show a row says how general it is. Source:
anti-unification of edits, Bader et al. 2019, "Getafix", sec. 4.
"""

import ast
import builtins
import copy
import re
from functools import lru_cache

ODD = set(
    "getattr hasattr setattr delattr type repr print open id input "
    "exec eval compile globals locals vars dir super".split()
)
KNOWN = {
    name
    for name, value in vars(builtins).items()
    if name[0] != "_" and not (isinstance(value, type) and issubclass(value, BaseException))
} - ODD
KNOWN_METHODS = {name for kind in (str, list, dict, set, int, float) for name in dir(kind) if name[0] != "_"}
PLAIN = (0, 1, 2, -1, "", " ", None, True, False)
COMPOUND = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Call,
    ast.Subscript,
    ast.IfExp,
    ast.Slice,
    ast.Tuple,
    ast.List,
)
OPAQUE = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.NamedExpr,
    ast.Starred,
)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)
FIELDS = (
    "left",
    "right",
    "operand",
    "comparators",
    "values",
    "func",
    "args",
    "value",
    "slice",
    "test",
    "body",
    "orelse",
    "elts",
    "lower",
    "upper",
    "step",
)
LISTS = ("args", "ops", "values", "elts", "targets")
MOST_CHARS, MOST_NAMES = 60, 1
ROLES = "condition operand filter"

# What a use says of a value: a method, a function that takes it, a sign beside it; and the labels of the table for each
# kind.
METHODS = {
    method: kind
    for kind, methods in {
        "list": "append extend insert sort reverse",
        "dict": "keys items values get setdefault",
        "set": "add discard",
        "str": "lower upper strip split join startswith endswith replace isdigit isalpha isupper islower format",
    }.items()
    for method in methods.split()
}
TAKES = {
    "len": "coll",
    "sum": "coll",
    "sorted": "coll",
    "set": "coll",
    "range": "int",
    "abs": "num",
    "round": "num",
    "ord": "str",
}
NUMERIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.USub)
LABELS = {
    "num": "int float",
    "int": "int",
    "str": "str",
    "list": "list",
    "dict": "dict",
    "set": "set",
    "seq": "list tuple str",
    "coll": "list tuple str set dict range",
}


@lru_cache(1 << 18)
def dump(node):
    return ast.dump(node) if isinstance(node, ast.AST) else repr(node)


def dumps(node, field):
    value = getattr(node, field, None)
    return [*map(dump, value)] if isinstance(value, list) else dump(value)


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
        n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


@lru_cache(1 << 16)
def is_condition(node):
    """Whether an expression is surely true or false."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_condition, node.values))
    called = node.func if isinstance(node, ast.Call) else None
    name = getattr(called, "id", getattr(called, "attr", ""))
    return (
        isinstance(node, ast.Compare)
        or isinstance(getattr(node, "op", None), ast.Not)
        or name in ("isinstance", "any", "all", "startswith", "endswith", "callable")
        or name in KNOWN_METHODS
        and name[:2] == "is"
    )


def is_counted(node):
    return type(getattr(node, "value", None)) is int


def kind_by_use(node, parent):
    """The kind of value that the use of an expression asks for."""
    sign = getattr(parent, "op", None) or [*getattr(parent, "ops", ()), None][0]
    if isinstance(parent, ast.Attribute):
        return METHODS.get(parent.attr, "any")
    if isinstance(parent, ast.Call) and node in parent.args:
        return TAKES.get(getattr(parent.func, "id", ""), "any")
    if isinstance(sign, (ast.In, ast.NotIn)) and node is not parent.left:
        return "coll"
    if (
        isinstance(sign, NUMERIC)
        or isinstance(parent, ast.BinOp)
        and (is_counted(parent.left) or is_counted(parent.right))
    ):
        return "num"
    if isinstance(parent, ast.AugAssign) and is_counted(parent.value):
        return "num"
    if isinstance(parent, ast.Subscript) and node is parent.value and isinstance(parent.slice, ast.Slice):
        return "seq"
    return "int" if isinstance(parent, ast.Slice) else "any"


class NoTemplate(Exception):
    """The new code holds what is not known elsewhere."""


class Generaliser(ast.NodeTransformer):
    """Puts parts and slots in the place of what a function alone knows. `special`: slots of whole subtrees, by their
    text."""

    def __init__(self, parts, names, special):
        self.parts, self.names, self.special = parts, names, special
        self.used, self.slots, self.up = {}, {}, [None]

    def visit(self, node):
        key = dump(node) if isinstance(node, ast.expr) else None
        if key in self.parts:
            self.used.setdefault(self.parts[key], kind_by_use(node, self.up[-1]))
            return ast.Name(f"PART_{self.parts[key].replace('.', '_DOT_')}_END", ast.Load())
        if key in self.special:
            return ast.Name(f"SLOT_{self.special[key]}_END", ast.Load())
        if isinstance(node, ast.Name):
            return self.named(node)
        plain = isinstance(node, ast.Constant) and any(
            node.value == one and type(node.value) is type(one) for one in PLAIN
        )
        if (
            isinstance(node, OPAQUE)
            or isinstance(node, ast.Constant)
            and not plain
            or isinstance(node, ast.Attribute)
            and node.attr not in KNOWN_METHODS
        ):
            raise NoTemplate
        self.up.append(node)
        made = self.generic_visit(node)
        self.up.pop()
        return made

    def named(self, node):
        if node.id in KNOWN:
            return node
        if node.id not in self.names:
            raise NoTemplate
        kind = self.slots.setdefault(node.id, kind_by_use(node, self.up[-1]))
        alike = [name for name, other in self.slots.items() if other == kind]
        return ast.Name(f"SLOT_{kind}{alike.index(node.id) or ''}_END", ast.Load())


def generalised(node, parts, names, special):
    """(text, parts used with the kinds of their use, whether own names became slots), or None."""
    general = Generaliser(parts, names, special)
    try:
        made = general.visit(copy.deepcopy(node))
    except NoTemplate:
        return None
    text = (
        f"if {ast.unparse(made.test)}: {ast.unparse(made.body[0])}" if isinstance(made, ast.If) else ast.unparse(made)
    )
    text = re.sub(r"PART_(\w+?)_END", lambda m: "{" + m.group(1).replace("_DOT_", ".") + "}", text)
    text = re.sub(r"SLOT_(\w+?)_END", r"$\1", text)
    return (text, general.used, general.slots) if len(text) <= MOST_CHARS and "\n" not in text else None


def label_of(node):
    """The label of a node with the number of its parts."""
    counted = next((getattr(node, field) for field in LISTS if isinstance(getattr(node, field, None), list)), None)
    return type(node).__name__ + (f"({len(counted)})" if counted is not None else "")


def leaf_row(before, after):
    """The row for one leaf exchanged for another of its kind; None where more differs, () where nothing general
    does."""

    def equal(*fields):
        return all(dumps(before, field) == dumps(after, field) for field in fields)

    if {type(before), type(after)} == {ast.Assign, ast.AugAssign}:
        return (
            ("AugAssign", "{target} $symbol {value}")
            if isinstance(before, ast.AugAssign)
            else ("Assign(1)", "{targets0} $symbol {value}")
        )
    if type(before) is not type(after):
        return None
    if isinstance(before, ast.Constant):
        kind = type(before.value).__name__
        slot = {"bool": "$symbol", "int": "$number", "float": "$number", "str": "$string"}.get(kind)
        return (f"Constant({kind})", slot) if slot and type(after.value).__name__ == kind else ()
    if isinstance(before, ast.Name):
        return "Name", "$sibling" if {before.id, after.id} & KNOWN else "$variable"
    if isinstance(before, ast.Attribute) and equal("value"):
        return "Attribute", "{value}.$sibling"
    if isinstance(before, ast.BinOp) and equal("left", "right"):
        return "BinOp", "{left} $symbol {right}"
    if (
        isinstance(before, ast.BinOp)
        and equal("op")
        and [dump(before.right), dump(before.left)] == [dump(after.left), dump(after.right)]
    ):
        return "BinOp", "{right} {op} {left}"
    if isinstance(before, ast.BoolOp) and equal("values"):
        return "BoolOp", "{values:$symbol}"
    if isinstance(before, ast.AugAssign) and equal("target", "value"):
        return "AugAssign", "{target} $symbol {value}"
    return None


def levels(after, parts, elsewhere):
    """What becomes a slot as a whole, on each level: nothing; a condition; code that stands elsewhere in the
    function."""
    free = [
        n for n in ast.walk(after) if isinstance(n, ast.expr) and not any(dump(part) in parts for part in ast.walk(n))
    ]
    yield {}
    yield from ({dump(n): "predicate"} for n in [n for n in free if is_condition(n)][:1])
    yield from (
        {dump(n): "copy"}
        for n in [n for n in free if not isinstance(n, (ast.Name, ast.Constant, ast.Slice)) and dump(n) in elsewhere][
            :1
        ]
    )


def expression_rows(before, after, names, elsewhere=(), asked=False):
    """(label, template) of an expression that became another one, on each level. `asked`: as a condition."""
    row = leaf_row(before, after)
    if row is not None:
        yield from [row] if row else []
        return
    parts = {} if isinstance(before, ast.Constant) else {dump(before): "_"}
    for path, part in parts_of(before):
        parts.setdefault(dump(part), path)
    for special in levels(after, parts, elsewhere):
        text, used, slots = generalised(after, parts, names, special) or ("{_}", {}, {})
        if text == "{_}" or len(slots) > MOST_NAMES:
            continue
        if [*used] == ["_"]:
            yield ROLES if asked and is_condition(after) else LABELS.get(used["_"], "place"), text
        elif used:
            yield label_of(before), text
            # A change of a call beyond the order of its parts may be right for that function only.
            if isinstance(before, ast.Call) and re.search(r"=|\$|\b\d", re.sub(r"\{.*?\}", "", text)):
                name = getattr(before.func, "id", getattr(before.func, "attr", ""))
                yield from [(f"{name}({len(before.args)})", text)] if name in KNOWN | KNOWN_METHODS else []


def statement_rows(statement, names, elsewhere=()):
    """(`insert`, template) of a simple statement that was missing, perhaps under a condition."""
    guarded = (
        isinstance(statement, ast.If)
        and len(statement.body) == 1
        and not statement.orelse
        and isinstance(statement.body[0], SIMPLE)
    )
    if isinstance(statement, SIMPLE) or guarded:
        for special in levels(statement, {}, elsewhere):
            text, _, slots = generalised(statement, {}, names, special) or ("", {}, {})
            told = slots or special or isinstance(statement, (ast.Break, ast.Continue, ast.Return))
            if text and told and len(slots) <= MOST_NAMES + 1 and not text.startswith("$copy"):
                yield "insert", text
