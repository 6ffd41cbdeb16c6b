"""Small bugs that can be planted in one function: `bugs.py FILE FIRST LAST` prints them as JSON, each the kind and
the lines' offsets (in characters) with the text that takes their place."""

import ast
import json
import re
import sys

SIGNS = {
    "Lt": ("<", ["<=", ">"]),
    "LtE": ("<=", ["<", ">="]),
    "Gt": (">", [">=", "<"]),
    "GtE": (">=", [">", "<="]),
    "Eq": ("==", ["!="]),
    "NotEq": ("!=", ["=="]),
    "Is": ("is", ["is not"]),
    "IsNot": (r"is\s+not", ["is"]),
    "In": ("in", ["not in"]),
    "NotIn": (r"not\s+in", ["in"]),
    "Add": (r"\+", ["-"]),
    "Sub": ("-", ["+"]),
    "Mult": (r"\*", ["+"]),
    "Div": ("/", ["*", "//"]),
    "FloorDiv": ("//", ["/", "%"]),
    "Mod": ("%", ["//"]),
    "And": ("and", ["or"]),
    "Or": ("or", ["and"]),
}
MOST_LINES = 3  # of a statement that is forgotten


class Bugs:
    def __init__(self, text, first, last):
        self.text, self.found = text, []
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        function = next(n for n in functions if first <= n.lineno and n.end_lineno <= last)
        body = function.body[bool(ast.get_docstring(function, clean=False)) :]
        nodes = [node for statement in body for node in ast.walk(statement)]
        self.names = sorted({n.id for n in nodes if isinstance(n, ast.Name)} | {a.arg for a in function.args.args})
        self.block(body)
        for node in nodes:
            self.visit(node)

    def at(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def source(self, node):
        start, end = self.span(node)
        return self.text[start:end]

    def put(self, kind, start, end, new):
        if self.text[start:end] != new:
            self.found.append({"kind": kind, "start": start, "end": end, "text": new})

    def between(self, kind, left, operator, right):
        """Another sign between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        sign, others = SIGNS.get(type(operator).__name__, (None, ()))
        found = sign and list(re.finditer(sign, self.text[start:end]))
        for other in others if found and len(found) == 1 else ():
            self.put(kind, start + found[0].start(), start + found[0].end(), other)

    def block(self, statements):
        """Leaves out a statement; not the only one of a block, which people do not forget."""
        for one in statements if len(statements) > 1 else ():
            if one.end_lineno - one.lineno < MOST_LINES and not isinstance(
                one, (ast.FunctionDef, ast.ClassDef, ast.Pass)
            ):
                self.put("forgotten", *self.span(one), "pass")

    def visit(self, node):
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, field, None), list):
                self.block(getattr(node, field))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            self.between("comparison", node.left, node.ops[0], node.comparators[0])
        elif isinstance(node, ast.BinOp):
            self.between("operator", node.left, node.op, node.right)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                self.between("operator", left, node.op, right)
            self.put("condition", self.span(node.values[-2])[1], self.span(node.values[-1])[1], "")
            self.put("condition", self.span(node.values[0])[0], self.span(node.values[1])[0], "")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.put("condition", *self.span(node), self.source(node.operand))
        elif isinstance(node, ast.Constant):
            self.constant(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.names:
            for other in self.names:
                self.put("name", *self.span(node), other)
        elif isinstance(node, ast.Call):
            for left, right in zip(node.args, node.args[1:]):
                between = self.text[self.span(left)[1] : self.span(right)[0]]
                self.put(
                    "arguments",
                    self.span(left)[0],
                    self.span(right)[1],
                    self.source(right) + between + self.source(left),
                )
            if len(node.args) == 1 and not node.keywords and isinstance(node.func, ast.Name):
                self.put("call", *self.span(node), self.source(node.args[0]))
            if not node.args and not node.keywords and isinstance(node.func, ast.Attribute):
                self.put("call", *self.span(node), self.source(node.func.value))

    def constant(self, node):
        if isinstance(node.value, bool):
            self.put("constant", *self.span(node), str(not node.value))
        elif isinstance(node.value, int):
            for other in (node.value + 1, node.value - 1):
                self.put("constant", *self.span(node), str(other))
        elif (
            isinstance(node.value, str)
            and node.value
            and self.source(node)[:1] in "'\""
            and node.lineno == node.end_lineno
        ):
            self.put("constant", *self.span(node), repr(node.value[1:]))


if __name__ == "__main__":
    path, first, last = sys.argv[1:]
    with open(path, encoding="utf-8", newline="") as file:
        print(json.dumps(Bugs(file.read(), int(first), int(last)).found))
