"""What is known about the program before editing it: types seen at run time, names in scope, words told."""
import ast
import builtins
import re
from functools import lru_cache

from execute import BASE
from source import FUNCTIONS

NUMBERS = {"int", "float"}
BUILTINS = set(dir(builtins))
REMOTE = 1.5
NOT_REPLACED = (ast.Starred, ast.Slice, ast.Lambda, ast.GeneratorExp, ast.JoinedStr)


def type_name(value):
    for kind in (bool, int, float, str, list, tuple, dict, set):
        if isinstance(value, kind):
            return kind.__name__
    return "none" if value is None else "function" if callable(value) else type(value).__name__


def is_read(node):
    return not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def binders(node):
    """The nodes in which comprehensions and lambdas inside (or at) `node` bind names."""
    for part in ast.walk(node):
        if isinstance(part, (ast.comprehension, ast.Lambda)):
            bound = part.target if isinstance(part, ast.comprehension) else part.args
            yield from (n for n in ast.walk(bound) if isinstance(n, (ast.Name, ast.arg)))


def bound_names(node):
    return [n.id if isinstance(n, ast.Name) else n.arg for n in binders(node)]


def free_names(node):
    """Names a piece of code needs from outside itself, without built-ins."""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and is_read(n)}
    return used - set(bound_names(node)) - BUILTINS


class Facts:
    def __init__(self, source, instruction, seen, run=((), (), "")):
        """`run`: the checks, the names that they call the function by, and its own."""
        self.source, self.seen, self.run = source, seen, run
        self.functions = [n.name for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef)]
        self.modules = {alias.asname or alias.name for n in ast.walk(source.tree) if isinstance(n, ast.Import)
                        for alias in n.names}
        values = dict.fromkeys((type(n.value), n.value) for n in source.expressions if isinstance(n, ast.Constant))
        self.numbers = [value for kind, value in values if kind in (int, float)]
        self.strings = [value for kind, value in values if kind is str]
        call = source.target.name + "("
        self.prose = "\n".join(line for line in instruction.split("\n") if ">>>" not in line and call not in line)
        found = re.findall(r"(?<![\w.\[,])-?\d+(?:\.\d+)?(?![\w\]])|\b\d+(?=[a-z]\b)", self.prose)
        numbers = [float(text) if "." in text else int(text) for text in found]
        self.told_numbers = list(dict.fromkeys(n for n in numbers if abs(n) < 10 ** 6))[:14]
        quoted = re.findall(r"\"([^\"\n]{0,12})\"|'([^'\n]{0,12})'|`([^`\n]{1,12})`", instruction)
        self.told_strings = list(dict.fromkeys("".join(groups) for groups in quoted))[:12]

        top = [n for n in source.tree.body if n is not source.target]
        self.imported = [alias.asname or alias.name for n in top if isinstance(n, ast.ImportFrom) for alias in n.names]
        self.globals = [n.id for one in top if isinstance(one, ast.Assign) for n in one.targets if isinstance(n, ast.Name)]
        read = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and is_read(n)}
        read |= {n.value.id for n in ast.walk(source.tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
        bound = self.variables(source.target) if isinstance(source.target, FUNCTIONS) else []
        everything = [*bound, *self.globals, *self.imported, *self.modules, *self.functions]
        binds = {*everything, source.target.name, *(n.arg for n in ast.walk(source.tree) if isinstance(n, ast.arg))}
        binds |= {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and not is_read(n)} | set(BASE)
        self.lost = [name for name in dict.fromkeys(n.id for n in source.expressions if isinstance(n, ast.Name) and is_read(n))
                     if name not in binds | BUILTINS | set(self.classes())] + self.only_changed()
        self.unused = {name for name in everything if name not in read and name not in ("_", "self", source.target.name)}

        shown = [n.value for c in self.run[0] if c.text in seen.failed for n in ast.walk(ast.parse(c.text))
                 if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        self.shown_strings = list(dict.fromkeys(s for s in shown if len(s) <= 20))[:12]

    def yields(self):
        return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in self.source.expressions)

    def classes(self):
        return [n.name for n in ast.walk(self.source.tree) if isinstance(n, ast.ClassDef)]

    def only_changed(self):
        """Variables of the function that are changed (`x += 1`) and never given a first value."""
        changed = [s.target.id for s in self.source.statements if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name)]
        given = [n for n in ast.walk(self.source.target) if isinstance(n, (ast.Name, ast.arg, ast.Global, ast.Nonlocal))]
        changes = {s.target for s in self.source.statements if isinstance(s, ast.AugAssign)}
        names = {getattr(n, "id", getattr(n, "arg", "")) for n in given if n not in changes and not is_read(n)}
        names |= {n.arg for n in given if isinstance(n, ast.arg)}
        declared = {name for n in given if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names}
        return [name for name in dict.fromkeys(changed) if name not in names | declared]

    def offered(self, module):
        """The functions of a module, as far as it is one that candidates have."""
        given = vars(BASE.get(module, ast)) if module in BASE else {}
        return sorted(name for name in getattr(BASE.get(module), "__all__", given) if name[0] != "_" and callable(given.get(name)))[:40]

    def types(self, node):
        """Type names an expression had while the visible tests ran; `any` where it never ran."""
        if isinstance(node, ast.Constant):
            return {type_name(node.value)}
        return self.seen.types.get(node) or self.name_types(getattr(node, "id", ""))

    def name_types(self, name):
        return self.seen.names.get(name) or {"any"}

    def alike(self, a, b):
        """Whether values of these types could stand for each other."""
        return bool(a & b) or "any" in a | b or (a <= NUMBERS and b <= NUMBERS)

    @lru_cache(None)
    def variables(self, function):
        """Parameters and variables of a function, without those of comprehensions in it."""
        inner = set(binders(function))
        return [n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)] + [
            n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not is_read(n) and n not in inner]

    @lru_cache(None)
    def scope(self, node):
        """Names that can be read at `node`, nearest first: of comprehensions and loops, parameters, variables."""
        names = []
        for up in self.source.ancestors(node):
            if isinstance(up, (ast.For, ast.AsyncFor)) and node is not up.iter:
                names += [n.id for n in ast.walk(up.target) if isinstance(n, ast.Name)]
        for up in (node, *self.source.ancestors(node)):
            if isinstance(up, FUNCTIONS):
                names += self.variables(up)
            elif isinstance(up, ast.expr) and up is not node:
                names += bound_names(up)
        return tuple(dict.fromkeys(names))

    def are_known(self, names, scope):
        return names <= {*scope, *self.functions, *self.modules}

    def is_library(self, node):
        """A name that is no variable: a built-in, a function of the program, a module."""
        return isinstance(node, ast.Name) and node.id not in self.scope(node)

    def is_relevant(self, node):
        """Where tests fail, only code that runs in a failing test, or in no test, can be at fault."""
        return not self.seen.failing or node in self.seen.failing or node not in self.seen.passing

    def runs_in_calls(self, node):
        """Whether tests run a node by calling: not a default, nor what a class does once."""
        up = next((up for up in self.source.ancestors(node) if isinstance(up, FUNCTIONS + (ast.arguments, ast.ClassDef))), None)
        return isinstance(up, FUNCTIONS)

    def remoteness(self, node):
        """What an edit there costs more: one edit repairs all failing tests only where all of them pass by."""
        return REMOTE * bool(self.seen.always and node not in self.seen.always and self.runs_in_calls(node))

    def is_place(self, node):
        """Whether an expression may be replaced by any other of its type."""
        up = self.source.parent[node]
        called = isinstance(up, ast.Expr) or (isinstance(up, ast.Call) and node is up.func)
        return is_read(node) and not (called or isinstance(node, NOT_REPLACED) or self.is_library(node))

    def role(self, node):
        """`condition`, its `operand`, `filter` of a comprehension or what one without goes through, or nothing."""
        up = self.source.parent[node]
        if isinstance(up, ast.comprehension):
            return "filter" if node in up.ifs else "iterated" if node is up.iter and not up.ifs else ""
        if isinstance(up, ast.BoolOp):
            return "operand"
        yes_or_no = isinstance(up, (ast.Return, ast.Assign)) and self.types(node) == {"bool"}
        return "condition" if yes_or_no or node is getattr(up, "test", None) else ""

    @lru_cache(None)
    def copied(self):
        """Expressions of the function that may stand elsewhere: (code, names they need, types, size)."""
        found = {}
        for node in self.source.expressions:
            text = self.source.code(node)
            plain = isinstance(node, ast.Constant) and type(node.value) in (int, float)
            if self.is_place(node) and not plain and len(text) <= 60 and "\n" not in text:
                size = min(8, sum(isinstance(n, ast.expr) for n in ast.walk(node)))
                found.setdefault(text, (text, free_names(node), set(), size))[2].update(self.types(node))
        return list(found.values())
