"""Tests whose expectations are wrong, by edits of their text: `wrong_python.py FILE...`, one JSON line a file.

{"file", "wrong": edits, "reaching": edits, "ending": edits, "tests": {name: sure}}. An edit is [start, end, text] in
characters. With `wrong` each expectation that a test compares with is another one; with `reaching` a test fails where
it comes to one of these, with `ending` before it does anything. A test is `function` or `Class::function`; it is sure
where one of its changed expectations is reached whatever happens, so that a test which still passes is one that passes
for any expectation. A file that cannot be read has {"file", "why"}.
"""

import ast
import json
import re
import sys

EQUAL = re.compile(r"^(?:eq_?|assert_?(?!.*not).*(?:equals?|allclose|close)(?:_.*|ing)?)$", re.I)
RAISES = {
    "raises": "StopAsyncIteration",
    "assertRaises": "StopAsyncIteration",
    "assertRaisesRegex": "StopAsyncIteration",
    "assert_raises": "StopAsyncIteration",
    "warns": "ImportWarning",
    "assertWarns": "ImportWarning",
    "assertWarnsRegex": "ImportWarning",
}
OPPOSITE = {
    "assertIsNone": "assertIsNotNone",
    "assertIn": "assertNotIn",
    "assertIs": "assertIsNot",
    "assertRegex": "assertNotRegex",
    "assertIsInstance": "assertNotIsInstance",
    "assertNotEqual": "assertEqual",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
    "assert_called": "assert_not_called",
    "assert_called_once": "assert_not_called",
}
OPPOSITE.update({there: here for here, there in list(OPPOSITE.items()) if here != "assert_called_once"})
FAR = 1009


class File:
    def __init__(self, text):
        self.lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        self.starts, at = [], 0
        for line in self.lines:
            self.starts.append(at)
            at += len(line)
        self.text, self.edits, self.tests, self.helpers, self.reaching = text, {}, {}, set(), []
        self.tree = ast.parse(text)
        self.rows = {
            name.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for name in node.targets
            if isinstance(name, ast.Name)
        }

    def at(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def put(self, node, text):
        start, end = self.span(node)
        self.edits[start, end] = text
        return True

    def around(self, node, before, after):
        start, end = self.span(node)
        return self.put(node, before + self.text[start:end] + after)


def other(file, node):
    """Puts another value in the place of a literal; false where it is none."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool) or value is None:
            return file.put(node, "0" if value is None else str(not value))
        if isinstance(value, (int, float)):
            return file.put(node, repr(FAR) if value != value or abs(value) > 1e15 else repr(value + FAR))
        if isinstance(value, str):
            return file.put(node, repr(value + "x" if value else "x"))
        return isinstance(value, bytes) and file.put(node, repr(value + b"x"))
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return other(file, node.operand)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        if not node.elts:
            return file.put(node, "[0]" if isinstance(node, ast.List) else "(0,)")
        return any(other(file, one) for one in node.elts)
    if isinstance(node, ast.Dict):
        return any(other(file, one) for one in node.values) if node.keys else file.put(node, "{0: 0}")
    return False


class Function:
    """A function of tests, whose expectations are changed."""

    def __init__(self, file, node, marks):
        self.file, self.node, self.sure, self.any = file, node, False, False
        self.columns = dict(columns(file, [*marks, *node.decorator_list]))
        self.compared = [side for one in ast.walk(node) for side in sides(one)]
        self.loaded = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
        self.set, self.now = {}, None
        self.stored = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        self.stored |= {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        for one in ast.walk(node):
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                self.set.setdefault(one.targets[0].id, []).append(one.value)

    def only_compared(self, name):
        return self.loaded.count(name) == sum(isinstance(one, ast.Name) and one.id == name for one in self.compared)

    def expected(self, left, right):
        """Changes what two values are compared for."""
        for side in (right, left):
            if other(self.file, side):
                return True
        for side in (right, left):
            if isinstance(side, ast.Name) and self.only_compared(side.id):
                values = self.columns.get(side.id) or (
                    self.set.get(side.id) if len(self.set.get(side.id, [])) == 1 else None
                )
                if values and side.id in self.columns:
                    return all([other(self.file, one) or self.file.around(one, "(", ", 0)") for one in values])
                if values and other(self.file, values[0]):
                    return True
                if side.id in self.stored and self.changed_before(side.id):
                    return True
        return self.file.around(right, "(", ", 0)")

    def changed_before(self, name):
        """Gives a name another value before the statement: who reads the test's variables finds no other than it
        compares with."""
        start, _ = self.file.span(self.now)
        line = self.file.starts[self.now.lineno - 1]
        indent = self.file.text[line:start]
        if indent.strip():
            return False
        self.file.edits[line, line] = f"{indent}{name} = ({name}, 0)\n"
        return True

    def condition(self, node):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
            return self.expected(node.left, node.comparators[0])
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return all([self.condition(one) for one in node.values])
        return self.file.around(node, "not (", ")")

    def call(self, node):
        """Changes an assertion that is a call; false where it is none."""
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        given = node.args
        if name in RAISES and given:
            return self.file.put(given[0], RAISES[name])
        if EQUAL.match(name) and len(given) > 1:
            return self.expected(given[0], given[1])
        if name in ("assertTrue", "assertFalse", "assert_", "ok_") and given:
            return self.file.around(given[0], "not (", ")")
        if name in OPPOSITE and isinstance(function, ast.Attribute):
            start, end = self.file.span(function)
            self.file.edits[end - len(name), end] = OPPOSITE[name]
            return True
        if re.match(r"assert_(?:called|any|has).*(?:with|call)", name):
            start, end = self.file.span(function)
            at = self.file.text.index("(", end) + 1
            self.file.edits[at, at] = "0, " if given or node.keywords else "0"
            return True
        return False

    def block(self, statements, sure):
        for one in statements:
            self.statement(one, sure)
            if isinstance(one, (ast.If, ast.Try)) and any(isinstance(inner, ast.Return) for inner in ast.walk(one)):
                sure = False

    def statement(self, node, sure):
        done, self.now = False, node
        if isinstance(node, ast.Assert):
            done = self.condition(node.test)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            done = any([self.call(one) for one in calls])
            # What is expected to be raised ends the block.
            self.block(node.body, sure and not done and not any("suppress" in ast.dump(one.func) for one in calls))
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            isHelper = isinstance(value, ast.Call) and getattr(value.func, "id", "") in self.file.helpers
            done = isHelper or isinstance(value, ast.Call) and self.call(value)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.block(node.body, False)
        else:
            loop = isinstance(node, ast.For) and isinstance(node.iter, (ast.List, ast.Tuple)) and bool(node.iter.elts)
            plain = loop or isinstance(node, ast.Try) and not node.handlers
            for name in ("body", "orelse", "finalbody"):
                self.block(getattr(node, name, None) or [], sure and plain and name == "body")
            for handler in getattr(node, "handlers", []):
                self.block(handler.body, False)
        if done:
            self.file.reaching.append(failing(self.file, node))
        self.any = self.any or done
        self.sure = self.sure or (done and sure)


def sides(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        return [node.left, *node.comparators]
    return node.args[:2] if isinstance(node, ast.Call) and EQUAL.match(getattr(node.func, "attr", "")) else []


def columns(file, marks):
    """What a test is given by name, row by row."""
    for mark in marks:
        if not (isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "parametrize" and len(mark.args) > 1):
            continue
        names, rows = mark.args[0], mark.args[1]
        if isinstance(names, ast.Constant):
            names = [name.strip() for name in str(names.value).split(",") if name.strip()]
        else:
            names = [getattr(one, "value", "") for one in getattr(names, "elts", [])]
        rows = file.rows.get(rows.id) if isinstance(rows, ast.Name) else rows
        rows = [
            one.args
            if isinstance(one, ast.Call) and getattr(one.func, "attr", "") == "param"
            else [one]
            if len(names) == 1
            else getattr(one, "elts", [])
            for one in getattr(rows, "elts", [])
        ]
        if rows and all(len(row) == len(names) for row in rows):
            for index, name in enumerate(names):
                yield name, [row[index] for row in rows]


def functions(body, path=(), marks=()):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, (*path, node.name), (*marks, *node.decorator_list))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield "::".join((*path, node.name)), node, marks
        elif isinstance(node, (ast.If, ast.Try)):
            yield from functions([*node.body, *node.orelse], path, marks)


def failing(file, node):
    """Puts what fails before a statement."""
    line = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    at = file.at(line, node.col_offset)
    if file.text[file.starts[line - 1] : at].strip():
        start, _ = file.span(node)
        return [start, start, "assert False; "]
    indent = file.text[file.starts[line - 1] : at]
    return [file.starts[line - 1], file.starts[line - 1], indent + "assert False\n"]


def innermost(edits):
    """Edits that do not overlap; of two the outer one is left out."""
    kept = []
    for (start, end), text in sorted(edits.items(), key=lambda one: one[0][1] - one[0][0]):
        if all(end <= a or start >= b for a, b, _ in kept):
            kept.append([start, end, text])
    return sorted(kept)


def as_utf16(text, edits):
    """Places as JavaScript counts them, where some characters are two."""
    wide = [0]
    for char in text:
        wide.append(wide[-1] + (ord(char) > 0xFFFF))
    return [[start + wide[start], end + wide[end], put] for start, end, put in edits]


def changed(name):
    with open(name, encoding="utf-8", newline="") as file:
        file = File(file.read())
    ending = []
    # What tests call, first.
    for label, node, marks in sorted(functions(file.tree.body), key=lambda one: one[1].name.startswith("test")):
        function = Function(file, node, marks)
        function.block(node.body, True)
        if function.sure and "::" not in label:
            file.helpers.add(node.name)
        if node.name.lower().startswith("test") or "::" in label and "test" in label.lower():
            file.tests[label] = function.sure
            ending.append(failing(file, node.body[0]))
    wrong, reaching, ending = (as_utf16(file.text, edits) for edits in (innermost(file.edits), file.reaching, ending))
    return {"file": name, "wrong": wrong, "reaching": reaching, "ending": ending, "tests": file.tests}


for name in sys.argv[1:]:
    try:
        line = changed(name)
    except (OSError, ValueError, SyntaxError, RecursionError) as error:
        line = {"file": name, "why": str(error)[:300]}
    print(json.dumps(line))
