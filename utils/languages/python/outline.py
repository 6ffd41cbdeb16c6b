"""Reads Python source from stdin and prints its outline, see `outline.ts`. Nothing of it is run.

A process for each file: it does without `ast`, `json` and `re`, which take twice the time of all else.
"""

import _ast
import sys

try:
    from _json import encode_basestring_ascii as quoted
except ImportError:  # another Python than CPython
    from json import dumps as quoted


class Words(dict):
    """For `str.translate`: all that is part of no word becomes a blank."""

    def __missing__(self, code):
        letter = chr(code)
        self[code] = code if letter.isalnum() or letter == "_" else 32
        return self[code]


WORDS = Words()


def walk(node):
    """The node and all below it, those near it first."""
    todo = [node]
    for each in todo:
        for name in each._fields:
            value = getattr(each, name, None)
            below = value if isinstance(value, list) else [value]
            todo.extend(item for item in below if isinstance(item, _ast.AST))
    return todo


def words(node):
    """Names, attributes and words of strings; what is imported under another name counts by its own name."""
    found = set()
    for inside in walk(node):
        if isinstance(inside, _ast.Name):
            found.add(inside.id)
        elif isinstance(inside, _ast.Attribute):
            found.add(inside.attr)
        elif isinstance(inside, _ast.arg):
            found.add(inside.arg)
        elif isinstance(inside, _ast.Constant) and isinstance(inside.value, str):
            found.update(inside.value.translate(WORDS).split(" "))
    found.discard("")
    return found


def outline(text):
    tree = compile(text, "<unknown>", "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    imports = [node for node in walk(tree) if isinstance(node, (_ast.Import, _ast.ImportFrom))]
    aliases = {a.asname: a.name.split(".")[-1] for node in imports for a in node.names if a.asname}
    definitions, others = [], set()
    for node in tree.body:
        used = words(node)
        used |= {aliases[name] for name in used if name in aliases}
        if isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
            kinds = (_ast.FunctionDef, _ast.AsyncFunctionDef)
            methods = [n.name for n in node.body if isinstance(n, kinds)] if isinstance(node, _ast.ClassDef) else []
            definitions.append({"name": node.name, "methods": methods, "words": sorted(used)})
        else:
            others |= used
    return {"error": None, "definitions": definitions, "words": sorted(others)}


def said(value):
    """The value as JSON."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (quoted(name), said(each)) for name, each in value.items())
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(said, value))
    return "null" if value is None else quoted(value) if isinstance(value, str) else str(value)


# A sum of thousands of terms is as deep a tree.
sys.setrecursionlimit(10_000)
try:
    result = outline(sys.stdin.buffer.read().decode("utf-8-sig"))
except SyntaxError as error:
    result = {"error": {"line": error.lineno or 1, "message": error.msg}, "definitions": [], "words": []}
except RecursionError:
    problem = {"line": 1, "message": "an expression in it is nested too deeply"}
    result = {"error": problem, "definitions": [], "words": []}
except ValueError as error:
    result = {"error": {"line": 1, "message": str(error)}, "definitions": [], "words": []}
print(said(result))
