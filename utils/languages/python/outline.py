"""Reads Python source from stdin and prints its outline, see `outline.ts`. Nothing of it is run."""

import ast
import json
import re
import sys

WORD = re.compile(r"\w+")


def words(node):
    """Names, attributes and words of strings; what is imported under another name counts by its own name."""
    found = set()
    for inside in ast.walk(node):
        if isinstance(inside, ast.Name):
            found.add(inside.id)
        elif isinstance(inside, ast.Attribute):
            found.add(inside.attr)
        elif isinstance(inside, ast.arg):
            found.add(inside.arg)
        elif isinstance(inside, ast.Constant) and isinstance(inside.value, str):
            found.update(WORD.findall(inside.value))
    return found


def outline(text):
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    aliases = {a.asname: a.name.split(".")[-1] for node in imports for a in node.names if a.asname}
    definitions, others = [], set()
    for node in tree.body:
        used = words(node)
        used |= {aliases[name] for name in used if name in aliases}
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
            methods = [n.name for n in node.body if isinstance(n, kinds)] if isinstance(node, ast.ClassDef) else []
            definitions.append({"name": node.name, "methods": methods, "words": sorted(used)})
        else:
            others |= used
    return {"error": None, "definitions": definitions, "words": sorted(others)}


try:
    result = outline(sys.stdin.buffer.read().decode("utf-8-sig"))
except SyntaxError as error:
    result = {"error": {"line": error.lineno or 1, "message": error.msg}, "definitions": [], "words": []}
except ValueError as error:
    result = {"error": {"line": 1, "message": str(error)}, "definitions": [], "words": []}
print(json.dumps(result))
