"""What is known about the program before editing it: types seen at run time, names in scope, words told."""
import ast
import builtins
import re
from collections import Counter

NUMBERS = {"int", "float"}
SEQUENCES = {"list", "tuple", "str"}
COLLECTIONS = SEQUENCES | {"set", "dict"}
ANY = {"any"}
BUILTINS = set(dir(builtins))
NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split()
KNOWN_CALLS = {"len": "int", "int": "int", "ord": "int", "str": "str", "chr": "str", "sorted": "list", "list": "list",
               "set": "set", "sum": "int", "isinstance": "bool", "any": "bool", "all": "bool", "range": "range"}
SHAPES = {ast.Compare: "bool", ast.List: "list", ast.ListComp: "list", ast.JoinedStr: "str", ast.Dict: "dict",
          ast.Set: "set", ast.SetComp: "set", ast.Tuple: "tuple", ast.GeneratorExp: "generator", ast.Lambda: "function"}

NOT_COPIED = (ast.Slice, ast.Starred, ast.Lambda, ast.GeneratorExp, ast.JoinedStr)


def type_name(value):
    if value is None:
        return "none"
    for kind in (bool, int, float, str, list, tuple, dict, set):
        if isinstance(value, kind):
            return kind.__name__
    return "function" if callable(value) else type(value).__name__


def bound_names(node):
    """Names that comprehensions and lambdas inside (or at) `node` bind."""
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.comprehension):
            found += [n.id for n in ast.walk(part.target) if isinstance(n, ast.Name)]
        elif isinstance(part, ast.Lambda):
            found += [a.arg for a in part.args.args]
    return found


def free_names(node):
    """Names a piece of code needs from outside itself, without built-ins."""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return used - set(bound_names(node)) - BUILTINS


class Facts:
    def __init__(self, source, instruction, seen):
        self.source, self.seen = source, seen
        self.instruction = instruction
        self.functions = [n.name for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef)]
        self.modules = {alias.asname or alias.name for n in ast.walk(source.tree) if isinstance(n, ast.Import)
                        for alias in n.names}
        self.expanded = {}      # cache of templates.expand
        self._locals = {}
        self._scopes = {}
        self._pool = {}
        self._read_literals()
        self._read_instruction()

    # --- types ---------------------------------------------------------------------------------------------------
    def types(self, node):
        """Type names an expression had while the visible tests ran; guessed from its shape where it never ran."""
        return self.seen.types.get(node) or self._guess(node)

    def _guess(self, node):
        if isinstance(node, ast.Constant):
            return {type_name(node.value)}
        if isinstance(node, ast.Name) and self.seen.names.get(node.id):
            return self.seen.names[node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return {KNOWN_CALLS.get(node.func.id, "any")}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return {"bool"}
        return {SHAPES.get(type(node), "any")}

    def name_types(self, name):
        return self.seen.names.get(name) or ANY

    def may_be(self, node, kinds):
        types = self.types(node)
        return "any" in types or bool(types & kinds)

    def alike(self, a, b):
        """Whether values of these types could stand for each other."""
        return bool(a & b) or "any" in a | b or (a <= NUMBERS and b <= NUMBERS)

    # --- names ---------------------------------------------------------------------------------------------------
    def local_names(self, function):
        """Parameters and variables of a function and of those around it."""
        if function is None:
            return []
        if function not in self._locals:
            a = function.args
            names = [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + ([a.vararg.arg] if a.vararg else [])
            inner = {n for part in ast.walk(function) if isinstance(part, ast.comprehension)
                     for n in ast.walk(part.target)}
            names += [n.id for n in ast.walk(function)
                      if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n not in inner]
            outer = self.local_names(self.source.function_of(self.source.parent.get(function)))
            self._locals[function] = list(dict.fromkeys(names + outer))
        return self._locals[function]

    def scope(self, node):
        """Names that can be read at `node`, nearest first."""
        if node not in self._scopes:
            near = []
            for up in self.source.ancestors(node):
                if isinstance(up, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                    near += [n.id for g in up.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
                elif isinstance(up, ast.Lambda):
                    near += [a.arg for a in up.args.args]
            self._scopes[node] = list(dict.fromkeys(near + self.local_names(self.source.function_of(node))))
        return self._scopes[node]

    def in_scope(self, node, kinds):
        """Names at `node` that hold one of these types."""
        return [n for n in self.scope(node) if self.name_types(n) & kinds]

    def readable(self, node, names):
        return names <= set(self.scope(node)) | set(self.functions) | self.modules

    def is_library(self, node):
        """A name that is no variable: a built-in, a function of the program, a module."""
        return isinstance(node, ast.Name) and node.id not in self.scope(node) and (
            node.id in BUILTINS or node.id in self.functions or node.id in self.modules)

    def relevant(self, node):
        """Where tests fail, only code that runs in a failing test, or in no test, can be at fault."""
        return not self.seen.failing or node in self.seen.failing or node not in self.seen.passing

    def pool(self):
        """Expressions of the function that may be copied: (code, names they need, types, size)."""
        if not self._pool:
            for node in self.source.expressions:
                text = self.source.code(node)
                plain = isinstance(node, ast.Constant) and type(node.value) in (int, float)
                if isinstance(node, NOT_COPIED) or self.is_library(node) or plain or len(text) > 60 or "\n" in text:
                    continue
                if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
                    continue
                size = min(8, sum(isinstance(n, ast.expr) for n in ast.walk(node)))
                names, types, _ = self._pool.get(text, (free_names(node), set(), size))
                self._pool[text] = names, types | self.types(node), size
        return [(text, *rest) for text, rest in self._pool.items()]

    # --- words ---------------------------------------------------------------------------------------------------
    def _read_literals(self):
        values = [n.value for n in self.source.expressions if isinstance(n, ast.Constant)]
        self.numbers = list(Counter(v for v in values if type(v) in (int, float)))
        self.strings = list(Counter(v for v in values if isinstance(v, str)))
        written = [n.elts for n in self.source.expressions if isinstance(n, (ast.List, ast.Tuple))]
        self.sizes = [len(v) for v in self.strings + written if len(v) > 3]

    def _read_instruction(self):
        text = self.prose = "\n".join(line for line in self.instruction.split("\n")
                                      if ">>>" not in line and self.source.target.name + "(" not in line)
        numbers = []
        for found in re.findall(r"(?<![\w.\[,])-?\d+(?:\.\d+)?(?![\w\]])|\b\d+(?=[a-z]\b)", text):
            numbers.append(float(found) if "." in found else int(found))
        numbers += [i for i, word in enumerate(NUMBER_WORDS) if re.search(rf"\b{word}\b", text.lower())]
        self.told_numbers = list(dict.fromkeys(n for n in numbers if abs(n) < 10 ** 6))[:14]
        quoted = re.findall(r"\"([^\"\n]{0,12})\"|'([^'\n]{0,12})'|`([^`\n]{1,12})`", self.instruction)
        self.told_strings = list(dict.fromkeys("".join(groups) for groups in quoted))[:12]
