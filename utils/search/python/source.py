"""The program under repair: its text, its syntax tree, and where every node stands in the text."""

import ast
import os
import sys
from functools import lru_cache
from itertools import accumulate

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COUNTED = FUNCTIONS + (ast.For, ast.AsyncFor, ast.While)  # of these each turn is counted
NOT_EDITED = ("annotation", "returns", "decorator_list", "pattern")
# What holds no nodes, or only signs and contexts, which no edit looks for.
NO_CHILDREN = {
    *("ctx", "op", "ops", "id", "attr", "arg", "name", "asname", "module", "level", "kind", "conversion", "simple"),
    *("is_async", "type_comment", "type_ignores", "rest", "kwd_attrs"),
}
CHILDLESS = {ast.Constant, ast.Global, ast.Nonlocal, getattr(ast, "MatchSingleton", ast.Constant)}


class NotDefined(Exception):
    """The program lacks the function that is to be repaired."""


class Edit:
    """One change of the program: splices (start, end, text). `parts`: the two edits that it is made of."""

    __slots__ = ("splices", "operator", "parts")

    def __init__(self, splices, operator="", parts=()):
        self.splices, self.operator, self.parts = splices, operator, parts


def splice(text, splices):
    """The text with all splices applied, or None where two of them overlap."""
    out, at = [], 0
    for start, end, new in sorted(splices):
        if start < at:
            return None
        out += (text[at:start], new)
        at = end
    return "".join(out) + text[at:]


def difference(old, new):
    """The splice that makes one text of another: from the first character that differs to the last."""
    start = len(os.path.commonprefix([old, new]))
    same_end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    return start, len(old) - same_end, new[start : len(new) - same_end]


class Children(dict):
    """By the type of a node the fields that hold its children."""

    def __missing__(self, kind):
        self[kind] = [] if kind in CHILDLESS else [field for field in kind._fields if field not in NO_CHILDREN]
        return self[kind]


CHILDREN = Children()


DEEPEST = 10_000


def deep(work, *given):
    """What reads a whole program goes as deep as its deepest expression: a sum of thousands of terms is so deep."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        return work(*given)
    finally:
        sys.setrecursionlimit(limit)


def walk(tree):
    """All nodes of a tree, itself first, without signs and contexts: as `ast.walk`, in a tenth of its time."""
    nodes = [tree]
    for node in nodes:
        own = vars(node)
        for field in CHILDREN[type(node)]:
            value = own.get(field)
            if type(value) is not list:
                nodes += (value,) if value else ()
            elif value:
                nodes += filter(None, value)
    return nodes


def is_read(node):
    return not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def editable(node):
    """A node and what is below it, without docstrings, annotations, decorators and the inside of f-strings."""
    todo = [node]  # no recursion: a sum of thousands of terms is as deep
    while todo:
        node = todo.pop()
        yield node
        below = []
        for field, value in ast.iter_fields(node) if not isinstance(node, ast.JoinedStr) else ():
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in NOT_EDITED and not is_docstring(child):
                    below.append(child)
        todo += reversed(below)


def is_pattern_of(node, names):
    """Whether a statement compiles a pattern and calls it by one of the names."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and name_of(node.value.func) == "compile"
        and any(name_of(target) in names for target in node.targets)
    )


def name_of(node):
    """The word a name or an attribute ends with."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


class Source:
    """A program, the function or class `entry` to repair in it, and the nodes of its body."""

    def __init__(self, text, entry):
        self.text, self.tree, self.lines = text, deep(ast.parse, text), text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self.nodes = walk(self.tree)
        self.parent = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.own = {n.name: n for n in self.nodes if isinstance(n, FUNCTIONS + (ast.ClassDef,))}
        if entry not in self.own:
            raise NotDefined(f"it does not define {entry}")
        self.target = self.own[entry]
        read = {name_of(n) for n in walk(self.target) if isinstance(n, ast.Name)}
        patterns = [n for n in self.tree.body if is_pattern_of(n, read) and n.lineno < self.target.lineno]
        self.around, self.patterns = self.outside(self.target), [one.value for one in patterns]
        if patterns:  # they are edited, too
            self.around = self.around[0][: self.span(patterns[0])[0]], self.around[1]
        defaults = list(getattr(getattr(self.target, "args", None), "defaults", ()))
        parts = [*(one.value for one in patterns), *defaults, *self.target.body]
        inside = [n for part in parts if not is_docstring(part) for n in editable(part)]
        self.expressions = [n for n in inside if isinstance(n, ast.expr)]
        self.statements = [n for n in inside if isinstance(n, ast.stmt)]

    def outside(self, node):
        """The texts before and behind the top-level statement that holds a node; what is on its lines is with it."""
        top = next((up for up in (node, *self.ancestors(node)) if self.parent.get(up) is self.tree), None)
        first = min([top.lineno, *(one.lineno for one in getattr(top, "decorator_list", ()))])
        shared = [
            other
            for other in self.tree.body
            if other is not top and first <= other.end_lineno and other.lineno <= top.end_lineno
        ]
        future = "from __future__" in self.text
        if shared or future:
            return "", ""
        end = self.starts[top.end_lineno] if top.end_lineno < len(self.lines) else len(self.text)
        return self.text[: self.starts[first - 1]], self.text[end:]

    def copies(self):
        """By each node, the same of a copy of the tree."""
        return dict(zip(self.nodes, walk(deep(ast.parse, self.text))))

    def offset(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    @lru_cache(None)
    def span(self, node):
        """Start and end in the text."""
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def ancestors(self, node):
        while node in self.parent:
            node = self.parent[node]
            yield node
