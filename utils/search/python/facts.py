"""What is known about the program before editing it: kinds of values seen at run time, numbers, words told."""

import ast
import re
from functools import lru_cache
from itertools import islice

from source import FUNCTIONS, walk

ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
WHOLE = (ast.Mod, ast.FloorDiv, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)
WHOLE_CALLS = {"range", "chr", "divmod", "bin", "hex", "oct"}
SCALAR_KINDS = {bool: "bool", int: "num", float: "float", str: "str", type(None): "none", tuple: "tuple", dict: "dict"}
HELD_IN = {list: "[%s]", set: "<%s>", frozenset: "<%s>"}
MOST_HELD = 4  # items of a list that are looked at


def kind_of(value, depth=3):
    """The kind of a value as the edits of all languages name it, with that of its items: `[num]`."""
    kind = type(value)
    if kind in SCALAR_KINDS:
        return SCALAR_KINDS[kind]
    if kind in HELD_IN:
        return HELD_IN[kind] % (agreed({kind_of(one, depth - 1) for one in islice(value, MOST_HELD)}) if depth else "")
    for base in (bool, int, str, list, tuple, dict, set):
        if isinstance(value, base):
            return HELD_IN.get(base, "%s") % SCALAR_KINDS.get(base, "")
    return "function" if callable(value) else kind.__name__


def agreed(kinds):
    """The kind that values have in common, apart from `None` and from what holds nothing; nothing if they differ."""
    some = [one for one in kinds if one != "none" or len(kinds) == 1]
    held = [one for one in some if one not in ("[]", "<>")]
    if {"num", "float"} == {*held}:
        return "float"
    if len(held) < 2:
        return (held or some or [""])[0]
    first = {one[0] for one in held}
    return {"[": "[]", "<": "<>"}.get(first.pop(), "") if len(first) == 1 else ""


class Facts:
    def __init__(self, source, instruction, seen):
        self.source, self.seen = source, seen
        values = dict.fromkeys((type(n.value), n.value) for n in source.expressions if isinstance(n, ast.Constant))
        self.numbers = [value for kind, value in values if kind in (int, float)]
        call = source.target.name + "("
        self.prose = "\n".join(line for line in instruction.split("\n") if ">>>" not in line and call not in line)
        quoted = re.findall(r"\"([^\"\n]{0,12})\"|'([^'\n]{0,12})'|`([^`\n]{1,12})`", instruction)
        self.told_strings = list(dict.fromkeys("".join(groups) for groups in quoted))[:12]
        failed = [n for text in seen.failed for n in walk(ast.parse(text))]
        shown = [n.value for n in failed if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        self.shown_strings = list(dict.fromkeys(s for s in shown if len(s) <= 20))[:12]

    def measures(self):
        """Places of the parameters that may be fractions: the function compares them with a number, and does nothing
        with them that whole numbers alone allow."""
        target = self.source.target
        parameters = getattr(getattr(target, "args", None), "args", [])
        compared, whole = set(), {p.arg for p in parameters if p.annotation and ast.unparse(p.annotation) == "int"}
        for node in walk(target):
            parts = []
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERS):
                sides = [node.left, *node.comparators]
                if any(isinstance(n, ast.Constant) and type(n.value) in (int, float) for n in sides):
                    compared |= {n.id for n in sides if isinstance(n, ast.Name)}
            elif isinstance(node, ast.BinOp) and isinstance(node.op, WHOLE):
                parts = [node.left, node.right]
            elif isinstance(node, ast.Subscript):
                parts = walk(node.slice)
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in {target.name, *WHOLE_CALLS}:
                parts = [n for one in node.args for n in walk(one)]
            whole |= {n.id for n in parts if isinstance(n, ast.Name)}
        return [at for at, p in enumerate(parameters) if p.arg in compared - whole]

    def is_relevant(self, node):
        """Where tests fail, only code that runs in a failing test, or in no test, can be at fault."""
        return not self.seen.failing or node in self.seen.failing or node not in self.seen.passing

    def runs_in_calls(self, node):
        """Whether tests run a node by calling: not a default, nor what a class does once."""
        up = next(
            (up for up in self.source.ancestors(node) if isinstance(up, FUNCTIONS + (ast.arguments, ast.ClassDef))),
            None,
        )
        return isinstance(up, FUNCTIONS)

    @lru_cache(None)
    def is_remote(self, node):
        """Whether a failing test does not come by, which an edit there would leave as it is."""
        return bool(self.seen.always) and node not in self.seen.always and self.runs_in_calls(node)
