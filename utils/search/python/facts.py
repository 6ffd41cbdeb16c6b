"""What is known about the program before editing it: types seen at run time, names in scope, words told."""

import ast
import re
from functools import lru_cache
from itertools import islice

from names import BUILTINS, global_names, imported_names, is_read, lost_names, still_names, unused_names
from source import FUNCTIONS, walk

NUMBERS = {"int", "float"}
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
WHOLE = (ast.Mod, ast.FloorDiv, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)
WHOLE_CALLS = {"range", "chr", "divmod", "bin", "hex", "oct"}
REMOTE = 1.5
NOT_REPLACED = (ast.Starred, ast.Slice, ast.Lambda, ast.GeneratorExp, ast.JoinedStr)


def type_name(value):
    for kind in (bool, int, float, str, list, tuple, dict, set):
        if isinstance(value, kind):
            return kind.__name__
    return "none" if value is None else "function" if callable(value) else type(value).__name__


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


def binders(node):
    """The nodes in which comprehensions and lambdas inside (or at) `node` bind names."""
    for part in walk(node):
        if isinstance(part, (ast.comprehension, ast.Lambda)):
            bound = part.target if isinstance(part, ast.comprehension) else part.args
            yield from (n for n in walk(bound) if isinstance(n, (ast.Name, ast.arg)))


def bound_names(node):
    return [n.id if isinstance(n, ast.Name) else n.arg for n in binders(node)]


@lru_cache(None)
def free_names(node):
    """Names a piece of code needs from outside itself, without built-ins."""
    used = {n.id for n in walk(node) if isinstance(n, ast.Name) and is_read(n)}
    return used - set(bound_names(node)) - BUILTINS


class Facts:
    def __init__(self, source, instruction, seen, run=((), (), "")):
        """`run`: the checks, the names that they call the function by, and its own."""
        self.source, self.seen, self.run = source, seen, run
        self.functions = [n.name for n in source.nodes if isinstance(n, ast.FunctionDef)]
        self.modules = {
            alias.asname or alias.name for n in source.nodes if isinstance(n, ast.Import) for alias in n.names
        }
        values = dict.fromkeys((type(n.value), n.value) for n in source.expressions if isinstance(n, ast.Constant))
        self.numbers = [value for kind, value in values if kind in (int, float)]
        self.strings = [value for kind, value in values if kind is str]
        call = source.target.name + "("
        self.prose = "\n".join(line for line in instruction.split("\n") if ">>>" not in line and call not in line)
        found = re.findall(r"(?<![\w.\[,])-?\d+(?:\.\d+)?(?![\w\]])|\b\d+(?=[a-z]\b)", self.prose)
        numbers = [float(text) if "." in text else int(text) for text in found]
        self.told_numbers = list(dict.fromkeys(n for n in numbers if abs(n) < 10**6))[:14]
        quoted = re.findall(r"\"([^\"\n]{0,12})\"|'([^'\n]{0,12})'|`([^`\n]{1,12})`", instruction)
        self.told_strings = list(dict.fromkeys("".join(groups) for groups in quoted))[:12]

        self.globals, self.imported = global_names(source.tree), imported_names(source.tree)
        bound = [
            name
            for one in [source.target, *source.statements]
            if isinstance(one, FUNCTIONS) and (one is source.target or source.parent[one] is source.target)
            for name in self.variables(one)
        ]
        self.unused, self.lost = unused_names(source, bound), lost_names(source)
        self.still = still_names(source, bound)

        failed = [n for c in self.run[0] if c.text in seen.failed for n in walk(ast.parse(c.text))]
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

    @lru_cache(None)
    def yields(self):
        """Whether what the function gives comes one by one."""
        return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in self.source.expressions)

    def types(self, node):
        """Type names an expression had while the visible tests ran; `any` where it never ran."""
        if isinstance(node, ast.Constant):
            return {type_name(node.value)}
        return self.seen.types.get(node) or self.name_types(getattr(node, "id", ""))

    def name_types(self, name):
        return self.seen.names.get(name) or {"any"}

    @staticmethod
    def alike(a, b):
        """Whether values of these types could stand for each other."""
        return bool(a & b) or "any" in a | b or (a <= NUMBERS and b <= NUMBERS)

    @lru_cache(None)
    def variables(self, function):
        """Parameters and variables of a function, without those of comprehensions in it."""
        inner = set(binders(function))
        return [n.arg for n in walk(function.args) if isinstance(n, ast.arg)] + [
            n.id for n in walk(function) if isinstance(n, ast.Name) and not is_read(n) and n not in inner
        ]

    @lru_cache(None)
    def scope(self, node):
        """Names that can be read at `node`, nearest first: of comprehensions and loops, parameters, variables."""
        names = []
        for up in self.source.ancestors(node):
            if isinstance(up, (ast.For, ast.AsyncFor)) and node is not up.iter:
                names += [n.id for n in walk(up.target) if isinstance(n, ast.Name)]
        for up in (node, *self.source.ancestors(node)):
            if isinstance(up, FUNCTIONS):
                names += self.variables(up)
            elif isinstance(up, ast.expr) and up is not node:
                names += bound_names(up)
        return tuple(dict.fromkeys(names))

    @lru_cache(None)
    def attributes(self, scope):
        """[(code, types)] of what a method's object has: `self.size`."""
        around = [
            n for n in (self.source.target, *self.source.ancestors(self.source.target)) if isinstance(n, ast.ClassDef)
        ]
        if not around or "self" not in scope:
            return []
        found = {}
        for node in walk(around[0]):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                called = getattr(self.source.parent[node], "func", None) is node
                if not called:
                    types = self.seen.types.get(node, ())
                    found.setdefault(self.source.code(node), set()).update(types)
        return [(code, types or {"any"}) for code, types in found.items()]

    def are_known(self, names, scope):
        return names <= {*scope, *self.functions, *self.modules}

    def is_library(self, node):
        """A name that is not a variable: a built-in, a function of the program, a module."""
        return isinstance(node, ast.Name) and node.id not in self.scope(node)

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
    def remoteness(self, node):
        """What an edit there costs more: one edit repairs all failing tests only where all of them pass by."""
        return REMOTE * bool(self.seen.always and node not in self.seen.always and self.runs_in_calls(node))

    def is_place(self, node):
        """Whether an expression may be replaced by any other of its type."""
        up = self.source.parent[node]
        called = isinstance(up, ast.Expr) or (isinstance(up, ast.Call) and node is up.func)
        return is_read(node) and not (called or isinstance(node, NOT_REPLACED) or self.is_library(node))

    @lru_cache(None)
    def copied(self):
        """Expressions of the function that may stand elsewhere: (code, names they need, types, size)."""
        found = {}
        for node in self.source.expressions:
            text = self.source.code(node)
            plain = isinstance(node, ast.Constant) and type(node.value) in (int, float)
            if self.is_place(node) and not plain and len(text) <= 60 and "\n" not in text:
                size = min(8, sum(isinstance(n, ast.expr) for n in walk(node)))
                found.setdefault(text, (text, free_names(node), set(), size))[2].update(self.types(node))
        return list(found.values())
