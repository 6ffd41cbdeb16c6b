"""Functions that carry their own examples: of the standard library, installed packages and given folders, each with the
imports, constants and helpers that it needs, and its doctests as asserts."""

import ast
import doctest
import os
import re
import sys
import sysconfig

# What a function may import: modules that neither write, start processes nor talk to others.
PURE = set(
    """abc array base64 binascii bisect calendar cmath collections contextlib copy dataclasses datetime decimal enum
fractions functools hashlib heapq html itertools json keyword math numbers operator re statistics string struct sys
textwrap types typing typing_extensions unicodedata warnings""".split()
) | {"collections.abc", "urllib.parse", "__future__"}
NOT_CALLED = {
    "open",
    "exec",
    "eval",
    "input",
    "print",
    "__import__",
    "compile",
    "globals",
    "setattr",
    "breakpoint",
    "exit",
}
SKIPPED = re.compile(
    r"/tests?/|/testing/|/idlelib/|/lib2to3/|test_|/doctest\.py|/numpy/|/scipy/|human_?eval|quixbugs", re.I
)
MOST_NEEDED, MOST_LINES, LEAST_EXAMPLES, MOST_MODULES = 8, 60, 2, 100
FUNCTION = (ast.FunctionDef,)


def roots():
    """Folders of the standard library and of the installed packages."""
    paths = sysconfig.get_paths()
    return list(dict.fromkeys([paths["stdlib"], paths["purelib"], "/usr/lib/python3/dist-packages"]))


def files(folders):
    """Python files below the folders that show examples, sorted, each once."""
    found = {}
    for folder in folders:
        for path, inner, names in os.walk(folder):
            inner.sort()
            found.update((os.path.join(path, name), None) for name in sorted(names) if name.endswith(".py"))
    return [path for path in found if not SKIPPED.search(path)]


def loads(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class Module:
    """The top-level names of a file."""

    known = {}

    def __init__(self, path):
        self.path, self.top = path, {}
        with open(path, encoding="utf8") as file:
            self.tree = ast.parse(file.read())
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.top[node.name] = node
            elif isinstance(node, ast.Assign):
                self.top.update((t.id, node) for t in node.targets if isinstance(t, ast.Name))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.top.update(((a.asname or a.name).split(".")[0], (node, a)) for a in node.names)

    @classmethod
    def read(cls, path):
        if path not in cls.known:
            try:
                cls.known[path] = cls(path)
            except (OSError, SyntaxError, ValueError):
                cls.known[path] = None
        return cls.known[path]

    def neighbour(self, node):
        """The module that an import names, where it lies in the same package."""
        names = (node.module or "").split(".")
        at = os.path.dirname(self.path)
        if node.level:
            for _ in range(node.level - 1):
                at = os.path.dirname(at)
        else:
            parts = at.split(os.sep)
            if names[0] not in parts:
                return None
            at = os.sep.join(parts[: parts.index(names[0])])
        base = os.path.join(at, *filter(None, names))
        return Module.read(base + ".py") or Module.read(os.path.join(base, "__init__.py"))


def needed(module, function):
    """The code of all that a function needs, in an order that runs; None where it needs too much."""
    found, doing = {}, set()

    def add(module, name):
        got = module.top.get(name)
        if got is None or got is function:
            return True
        if isinstance(got, tuple):
            node, alias = got
            source = node.module if isinstance(node, ast.ImportFrom) and not node.level else alias.name
            if source in PURE and not getattr(node, "level", 0):
                single = type(node)(**{**vars(node), "names": [alias]})
                found.setdefault(name, ast.unparse(single))
                return source != "__future__" or found.pop(name) is not None
            other = module.neighbour(node) if isinstance(node, ast.ImportFrom) else None
            return other is not None and alias.asname is None and name in other.top and add(other, name)
        if (module.path, name) in doing:
            return True
        doing.add((module.path, name))
        return (
            add_all(module, got)
            and (name not in found or found[name] == ast.unparse(got))
            and found.setdefault(name, ast.unparse(got)) is not None
            and len(found) <= MOST_NEEDED
        )

    def add_all(module, node):
        return all(add(module, name) for name in sorted(loads(node)))

    return "\n".join(dict.fromkeys(found.values())) if add_all(module, function) else None


class Inline(ast.NodeTransformer):
    """Puts what a doctest assigned to a name in its place."""

    def __init__(self, values):
        self.values = values

    def visit_Name(self, node):
        known = isinstance(node.ctx, ast.Load) and node.id in self.values
        return self.values[node.id] if known else node


def asserts(text, name):
    """The examples of a docstring that call the function, each as one assert that stands alone."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    values, found = {}, []
    for example in examples:
        try:
            [node] = ast.parse(example.source.strip()).body
        except (SyntaxError, ValueError):
            continue
        node = ast.fix_missing_locations(Inline(values).visit(node))
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
        elif isinstance(node, ast.Expr) and example.want and name in loads(node):
            call, want = ast.unparse(node.value), example.want.strip()
            try:
                found.append(f"assert {call} == {ast.literal_eval(want)!r}")
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                if "\n" not in want and "Traceback" not in want and "..." not in want:
                    found.append(f"assert repr({call}) == {want!r}")
    return [line for line in dict.fromkeys(found) if len(line) < 1500]


def is_usable(function):
    """Whether a function is plain: no decorators, no state outside, nothing that reaches outside of the process."""
    if function.decorator_list or len(function.body) < 2 or loads(function) & NOT_CALLED:
        return False
    imports = [n for n in ast.walk(function) if isinstance(n, (ast.Import, ast.ImportFrom))]
    modules = [n.module if isinstance(n, ast.ImportFrom) else a.name for n in imports for a in n.names]
    return set(modules) <= PURE and not any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in ast.walk(function))


def functions(folders=()):
    """(file, name, head, code, docstring, asserts) of usable functions; `code` is without its docstring."""
    seen = set()
    for path in files([*roots(), *folders]):
        try:
            with open(path, encoding="utf8") as file:
                if ">>>" not in file.read():
                    continue
        except (OSError, UnicodeDecodeError):
            continue
        if len(Module.known) > MOST_MODULES:
            Module.known.clear()
        module = Module.read(path)
        for node in module.tree.body if module else ():
            doc = isinstance(node, FUNCTION) and ast.get_docstring(node)
            if not doc or ">>>" not in doc or not is_usable(node):
                continue
            lines = asserts(doc, node.name)
            head = needed(module, node) if len(lines) >= LEAST_EXAMPLES else None
            fields = {field: getattr(node, field) for field in node._fields if hasattr(node, field)}
            plain = ast.FunctionDef(**{**fields, "body": node.body[1:], "returns": None})
            code = ast.unparse(ast.fix_missing_locations(plain))
            if head is not None and node.name not in seen and code.count("\n") <= MOST_LINES:
                seen.add(node.name)  # packages carry copies of each other
                yield {
                    "file": path,
                    "entry": node.name,
                    "head": head + "\n\n\n" if head else "",
                    "code": code,
                    "doc": doc,
                    "asserts": lines,
                }


if __name__ == "__main__":
    for found in functions(sys.argv[1:]):
        print(found["file"], found["entry"], len(found["asserts"]))
