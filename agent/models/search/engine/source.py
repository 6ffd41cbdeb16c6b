"""The program under repair: its text, its syntax tree, and where every node stands in the text."""
import ast
import re
from functools import lru_cache
from typing import NamedTuple

ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.ListComp, ast.Dict, ast.DictComp,
         ast.Set, ast.SetComp, ast.JoinedStr)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "orelse", "finalbody")


class NotDefined(Exception):
    """The program lacks the function that is to be repaired."""


class Edit(NamedTuple):
    """One change of the program: splices (start, end, text) over its text, and what they mean to a reader."""
    splices: tuple
    old: str
    new: str
    extra: float = 0.0      # what this variant costs beyond its operator
    operator: str = ""


def splice(text, splices):
    """The text with all splices applied, or None where two of them overlap."""
    out, at = [], 0
    for start, end, new in sorted(splices):
        if start < at:
            return None
        out += (text[at:start], new)
        at = end
    return "".join(out) + text[at:]


@lru_cache(None)
def is_atomic(text):
    """Whether an expression keeps its meaning wherever it is put without parentheses."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return isinstance(node, ATOMS) and not (isinstance(node, ast.Constant) and text.startswith("-"))


class Source:
    """A program, the function `entry` to repair in it, and the nodes of that function's body."""

    def __init__(self, text, entry):
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        named = [n for n in ast.walk(self.tree) if isinstance(n, FUNCTIONS + (ast.ClassDef,)) and n.name == entry]
        if not named:
            raise NotDefined(f"it does not define {entry}")
        self.target = named[-1]
        inside = [n for part in self.target.body for n in ast.walk(part)]
        self.expressions = [n for n in inside if isinstance(n, ast.expr) and not self._is_fixed(n)]
        self.statements = [n for n in inside if isinstance(n, ast.stmt) and not self.is_docstring(n)]

    def offset(self, line, column):
        text = self.lines[line - 1]
        return self.starts[line - 1] + len(text.encode()[:column].decode())

    def span(self, node):
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def code(self, node):
        start, end = self.span(node)
        return self.text[start:end]

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def is_docstring(self, node):
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)

    def _is_fixed(self, node):
        """Docstrings, annotations, decorators and the inside of f-strings are not edited."""
        for up in self.ancestors(node):
            if isinstance(up, (ast.JoinedStr, ast.arg)) or self.is_docstring(up):
                return True
            if isinstance(up, ast.AnnAssign) and node is up.annotation:
                return True
            if isinstance(up, FUNCTIONS) and node is not up.args:
                return True
            if isinstance(up, ast.stmt):
                return False
            node = up

    def ancestors(self, node):
        node = self.parent.get(node)
        while node is not None:
            yield node
            node = self.parent.get(node)

    def function_of(self, node):
        """The function around a node, or the node itself, or None."""
        return next((up for up in (node, *self.ancestors(node)) if isinstance(up, FUNCTIONS)), None)

    def statement_of(self, node):
        return next(up for up in self.ancestors(node) if isinstance(up, ast.stmt))

    # --- replacing -----------------------------------------------------------------------------------------------
    def atom(self, node):
        """The node's code, in parentheses unless it is safe without."""
        text = self.code(node)
        return text if is_atomic(text) else "(" + text + ")"

    def fit(self, node, text):
        """`text` as it must be written in the place of `node`."""
        up = self.parent.get(node)
        free = isinstance(up, (ast.stmt, ast.keyword, ast.List, ast.Tuple, ast.comprehension)) or (
            isinstance(up, ast.Subscript) and node is up.slice) or (isinstance(up, ast.Call) and node in up.args)
        return text if free or is_atomic(text) else "(" + text + ")"

    def replace(self, node, text, extra=0.0):
        start, end = self.span(node)
        return Edit(((start, end, self.fit(node, text)),), self.text[start:end], text, extra)

    def swap(self, a, b, extra=0.0):
        """Exchange two nodes' code."""
        old, new = self.code(a), self.code(b)
        return Edit(((*self.span(a), self.fit(a, new)), (*self.span(b), self.fit(b, old))), f"{old} … {new}",
                    f"{new} … {old}", extra)

    def token(self, left, right, pattern):
        """Where the operator `pattern` (a regular expression) stands between two nodes, or None."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = re.sub(r"#.*", lambda m: " " * len(m.group()), self.text[start:end])
        found = re.search(pattern, gap)
        return (start + found.start(), start + found.end()) if found else None

    # --- layout --------------------------------------------------------------------------------------------------
    def indent(self, node):
        line = self.lines[node.lineno - 1]
        return line[:len(line) - len(line.lstrip())]

    def shares_line(self, node):
        """True for a statement that stands behind other code on its line (`if x: y`)."""
        return bool(self.lines[node.lineno - 1].encode()[:node.col_offset].strip())

    def block_span(self, block):
        return self.span(block[0])[0], self.span(block[-1])[1]

    def block_code(self, block, indent):
        """The code of a run of statements, moved to another indentation (the first line has none)."""
        start, end = self.block_span(block)
        old = self.indent(block[0])
        first, *rest = self.text[start:end].split("\n")
        return "\n".join([first] + [indent + line[len(old):] if line.startswith(old) else line for line in rest])

    def is_elif(self, node):
        return isinstance(node, ast.If) and self.text.startswith("elif", self.span(node)[0])

    def blocks(self):
        """Every block of statements of the function: (owner, field, statements)."""
        for owner in [self.target] + self.statements:
            for field in BLOCKS:
                block = [s for s in getattr(owner, field, []) if isinstance(s, ast.stmt) and not self.is_docstring(s)]
                if block and not (len(block) == 1 and self.is_elif(block[0])):
                    yield owner, field, block
