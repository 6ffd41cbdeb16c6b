"""Tests whose expectations are wrong, by edits of their text. `wrong_python.py REQUEST FILE...`, one JSON line a file.

Request: {"token", "seeds", "own": one boolean a file}. Answer: {"file", "wrong": edits for each seed, "reaching":
edits, "starts": edits}. An edit is [start, end, text] in characters. With `wrong` each expectation is another one: the
first draw is near the right value, the second at some distance. With `reaching` a test fails with the token where it
comes to such an expectation, with `starts` before it does anything. In a file with `own` source stands beside its
tests: only doctests, statements of the module and functions called test* are changed. A file that cannot be read has
{"file", "why"}.
"""

import ast
import json
import random
import re
import sys

EQUAL = re.compile(r"^(?:eq_?|assert_?(?!.*not).*(?:equals?|allclose|close)(?:_.*|ing)?)$", re.I)
TOLERANT = re.compile(r"almost|close|approx|near|within", re.I)
RAISES = ("raises", "assertRaises", "assertRaisesRegex", "assert_raises")
WARNS = ("warns", "assertWarns", "assertWarnsRegex")
ERRORS = ("ZeroDivisionError", "StopAsyncIteration", "BufferError", "EOFError")
WARNINGS = ("ImportWarning", "BytesWarning", "UnicodeWarning")
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
CLASSES = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Draw:
    """Other values, plausible in the place of right ones."""

    def __init__(self, seed, near):
        self.random, self.near = random.Random(seed), near

    def number(self, value, tolerant):
        if value != value or abs(value) > 1e15:
            return 0 if value else 1
        size = abs(value)
        if not tolerant and not self.near:
            return self.other_digits(size) * (-1 if value < 0 else 1)
        step = 1000 + size * self.random.uniform(2, 9) if tolerant else self.random.randint(1, 3)
        step = int(step) if isinstance(value, int) else round(step, 3)
        down = self.random.random() < 0.5 and (value < 0 or value - step >= 0)
        return value - step if down else value + step

    def other_digits(self, size):
        """Another number of as many digits at most, more than three steps of the last digit away."""
        if "e" in repr(size):
            return 0.0
        whole, _, places = repr(size).partition(".")
        most, unit = 10 ** len(whole + places), 10 ** len(places)
        found = (round(size * unit) + self.random.randint(4, most - 4)) % most
        return found if isinstance(size, int) else found / unit

    def text(self, value):
        """One letter or digit becomes another one of its kind."""
        places = [i for i, char in enumerate(value) if any(char in kind for kind in CLASSES)]
        if not places:
            return value + "x"
        at = self.random.choice(places)
        kind = next(kind for kind in CLASSES if value[at] in kind)
        return value[:at] + self.random.choice(kind.replace(value[at], "")) + value[at + 1 :]

    def literal(self, value, tolerant=False):
        """None where there is no other value of that type."""
        if isinstance(value, bool) or value is None:
            return "0" if value is None else str(not value)
        if isinstance(value, (int, float)):
            return repr(self.number(value, tolerant))
        if isinstance(value, str):
            return repr(self.text(value))
        return repr(self.text(value.decode("latin-1")).encode("latin-1")) if isinstance(value, bytes) else None


class File:
    def __init__(self, text, draw, token):
        self.draw, self.token = draw, token
        self.lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        self.starts, at = [], 0
        for line in self.lines:
            self.starts.append(at)
            at += len(line)
        self.text, self.edits, self.reaching, self.beginnings = text, {}, [], []
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

    def failing(self, node):
        """An edit that puts what fails before a statement, on its line where that can be."""
        line = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        at = self.at(line, node.col_offset)
        indent = self.text[self.starts[line - 1] : at]
        if indent.strip() or isinstance(node, (ast.Assert, ast.Expr)):
            return [at, at, f'assert False, "{self.token}"; ']
        return [self.starts[line - 1], self.starts[line - 1], f'{indent}assert False, "{self.token}"\n']

    def other(self, node, tolerant=False):
        """Puts another value in the place of a literal; false if the node is not a literal."""
        if isinstance(node, ast.Constant):
            text = self.draw.literal(node.value, tolerant)
            return text is not None and self.put(node, text)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self.other(node.operand, tolerant)
        if isinstance(node, ast.Call) and TOLERANT.search(called(node)) and node.args:
            return self.other(node.args[0], True)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            if not node.elts:
                return self.put(node, "[0]" if isinstance(node, ast.List) else "(0,)")
            return self.one_of(node.elts, tolerant)
        if isinstance(node, ast.Dict):
            return self.one_of(node.values, tolerant) if node.keys else self.put(node, "{0: 0}")
        return False

    def one_of(self, nodes, tolerant):
        return any(self.other(one, tolerant) for one in self.draw.random.sample(nodes, len(nodes)))


class Block:
    """Statements of a test, whose expectations are changed."""

    def __init__(self, file, node, marks):
        self.file, self.node = file, node
        self.columns = dict(columns(file, [*marks, *getattr(node, "decorator_list", [])]))
        inside = list(ast.walk(node))
        names = [one for one in inside if isinstance(one, ast.Name)]
        self.compared = [side for one in inside for side in sides(one)]
        self.loaded = [one.id for one in names if isinstance(one.ctx, ast.Load)]
        self.stored = {one.id for one in names if isinstance(one.ctx, ast.Store)}
        self.stored |= {one.arg for one in inside if isinstance(one, ast.arg)}
        self.set, self.now = {}, None
        for one in inside:
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                self.set.setdefault(one.targets[0].id, []).append(one.value)

    def only_compared(self, name):
        return self.loaded.count(name) == sum(isinstance(one, ast.Name) and one.id == name for one in self.compared)

    def expected(self, left, right, tolerant=False):
        """Changes what two values are compared for."""
        for side in (right, left):
            if self.file.other(side, tolerant):
                return True
        for side in (right, left):
            if isinstance(side, ast.Name) and self.only_compared(side.id):
                rows, values = self.columns.get(side.id), self.set.get(side.id, [])
                if rows:
                    return all([self.file.other(one, tolerant) or self.file.around(one, "(", ", 0)") for one in rows])
                if len(values) == 1 and self.file.other(values[0], tolerant):
                    return True
                if side.id in self.stored and self.changed_before(side.id):
                    return True
        return self.file.around(right, "(", ", 0)")

    def changed_before(self, name):
        """Gives a name another value before the statement: code that reads the test's variables finds the wrong one."""
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
        """Changes an assertion that is a call; false if the node is not a literal."""
        name, given = called(node), node.args
        if name in (*RAISES, *WARNS) and given:
            named = ast.dump(given[0])
            others = [one for one in (ERRORS if name in RAISES else WARNINGS) if one not in named]
            return self.file.put(given[0], self.file.draw.random.choice(others))
        if EQUAL.match(name) and len(given) > 1:
            return self.expected(given[0], given[1], bool(TOLERANT.search(name) or node.keywords or len(given) > 2))
        if name in ("assertTrue", "assertFalse", "assert_", "ok_") and given:
            return self.file.around(given[0], "not (", ")")
        _, end = self.file.span(node.func)
        if name in OPPOSITE and isinstance(node.func, ast.Attribute):
            self.file.edits[end - len(name), end] = OPPOSITE[name]
            return True
        if re.match(r"assert_(?:called|any|has).*(?:with|call)", name):
            at = self.file.text.index("(", end) + 1
            self.file.edits[at, at] = "0, " if given or node.keywords else "0"
            return True
        return False

    def change(self, statements):
        for one in statements:
            self.statement(one)

    def statement(self, node):
        done, self.now = False, node
        if isinstance(node, ast.Assert):
            done = self.condition(node.test)
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            done = isinstance(value, ast.Call) and self.call(value)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            done = any([self.call(one) for one in calls])
        if done:
            self.file.reaching.append(self.file.failing(node))
        for name in ("body", "orelse", "finalbody"):
            self.change(getattr(node, name, None) or [])
        for handler in getattr(node, "handlers", []):
            self.change(handler.body)


def called(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


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


def functions(body, marks=(), case=False):
    """(function, whether it is a test, marks around it), those in classes too."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            inside = case or "test" in node.name.lower()
            yield from functions(node.body, (*marks, *node.decorator_list), inside)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, case or node.name.lower().startswith("test"), marks
        elif isinstance(node, (ast.If, ast.Try)):
            yield from functions([*node.body, *node.orelse], marks, case)


def examples(file):
    """Changes what examples of docstrings print."""
    for node in ast.walk(file.tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if ast.get_docstring(node, clean=False) is None:
            continue
        first, last = node.body[0].lineno, node.body[0].end_lineno
        begun, example = False, None
        for number in range(first, last + 1):
            line, start = file.lines[number - 1], file.starts[number - 1]
            if number == first:
                line = re.sub(r"^\s*\w*(?:\"\"\"|'''|\"|')", lambda found: " " * len(found[0]), line)
            if number == last:
                line = re.sub(r"(?:\"\"\"|'''|\"|')[^\"']*$", "", line)
            found = re.match(r"( *)>>> ", line)
            if found:
                fails = [start, start, f'{found[1]}>>> raise AssertionError("{file.token}")\n']
                if not begun and number > first:
                    file.beginnings.append(fails)
                begun, example = True, (fails, number)
            elif line.strip() == "":
                example = None
            elif example and not re.match(r" *\.\.\.(?: |$)", line):
                want = line.strip()
                if not re.match(r"Traceback |\s*\.\.\.", want):
                    at = start + line.index(want)
                    file.edits[at, at + len(want)] = printed(file.draw, want)
                    if example[1] > first:
                        file.reaching.append(example[0])
                    example = None


def printed(draw, want):
    try:
        return draw.literal(ast.literal_eval(want)) or draw.text(want)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return draw.text(want)


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


def changed(text, own, draw, token):
    file = File(text, draw, token)
    for node, is_test, marks in functions(file.tree.body):
        if is_test or not own:
            Block(file, node, marks).change(node.body)
        if is_test:
            file.beginnings.append(file.failing(node.body[0]))
    here = Block(file, file.tree, ())
    for node in file.tree.body:
        if isinstance(node, (ast.Assert, ast.Expr, ast.For, ast.If)) and not (own and isinstance(node, ast.If)):
            here.statement(node)
        if isinstance(node, ast.Assert):
            file.beginnings.append(file.failing(node))
    examples(file)
    return file


def answer(request, path, own):
    with open(path, encoding="utf-8", newline="") as opened:
        text = opened.read()
    drawn = [changed(text, own, Draw(seed, near=i == 0), request["token"]) for i, seed in enumerate(request["seeds"])]
    return {
        "file": path,
        "wrong": [as_utf16(text, innermost(one.edits)) for one in drawn],
        "reaching": as_utf16(text, drawn[0].reaching),
        "starts": as_utf16(text, drawn[0].beginnings),
    }


asked = json.loads(sys.argv[1])
for name, is_own in zip(sys.argv[2:], asked["own"]):
    try:
        line = answer(asked, name, is_own)
    except (OSError, ValueError, SyntaxError, RecursionError) as error:
        line = {"file": name, "why": str(error)[:300]}
    print(json.dumps(line))
